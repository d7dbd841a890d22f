//! The record: SQLite with one writer; a block is in it whole or not at all. `kill -9` at any moment loses at most the
//! blocks in flight. All reading and writing of results passes here, so another database can stand behind the same
//! functions.

mod archive;
mod backup;
mod blocks;
mod check;
pub mod database;
mod delivery;
mod digest;
mod encode;
mod encoded;
mod entrant_index;
mod error;
pub mod exchange;
mod import;
mod lock;
mod match_size;
mod members;
mod moves;
mod open;
pub mod over_http;
mod pack;
mod query;
mod record;
mod redacted_ladder;
mod redaction;
mod remove;
mod results;
mod run_error;
mod schema;
mod select;
mod verify;
mod worker_row;

pub use archive::{Archive, EachBlock, Import, WithMoves};
pub use blocks::StoredBlock;
pub use check::Checked;
pub use delivery::{read_delivery, write_delivery};
pub use encoded::{EncodedBlock, EncodedMatch, EncodedSeat};
pub use entrant_index::EntrantIndex;
pub use error::{RecordError, Result};
pub use import::Newcomer;
pub use lock::{BUSY, Lock};
pub use match_size::MatchSize;
pub use members::{EqualEntrant, KeptEntrants, Member, StoredSuspension, number_entrant};
pub use moves::MatchMoves;
pub use open::refuse_copy;
pub use pack::{pack_results, read as read_pack};
pub use query::{Filter, FoundMatch, Listed, MatchOrder};
pub use record::{OpenRecord, ReadingMoment, Record, StoredStage};
pub use redacted_ladder::RedactedLadder;
pub use redaction::Redaction;
pub use remove::{ArchivedLadder, Forgotten, Leftovers, file_hashes, nameless, names_of_test};
pub use results::{EachOutcome, IndexOf};
pub use run_error::RunError;
pub use schema::refuse_version;
pub use verify::verify;

use agon_model::{BlockRow, LadderId, LadderRow, Look};
use rusqlite::{Connection, OptionalExtension, ToSql, Transaction, TransactionBehavior, params};
use std::path::PathBuf;

/// The record of one output folder, with all its ladders.
pub struct SqliteRecord {
    db: Connection,
    path: PathBuf,
    /// A ladder, and the row of the block at which its next pack may be full.
    pack_due: Option<(LadderId, i64)>,
    /// The lock of the ladder that is played into it.
    _lock: Option<Lock>,
}

impl SqliteRecord {
    fn fail(&self, error: rusqlite::Error) -> RecordError {
        RecordError::of(&self.path, &error)
    }

    fn transaction(&mut self) -> Result<Transaction<'_>> {
        let path = self.path.clone();
        let behavior = TransactionBehavior::Immediate;
        self.db.transaction_with_behavior(behavior).map_err(|error| RecordError::of(&path, &error))
    }

    fn keep_blocks(&mut self, blocks: &[&EncodedBlock]) -> Result<()> {
        let Some(ladder) = blocks.first().map(|block| block.ladder) else { return Ok(()) };
        let due = self.pack_due.filter(|due| due.0 == ladder).map_or(0, |due| due.1);
        let transaction = self.transaction()?;
        let write = || {
            blocks.iter().try_for_each(|block| write_block(&transaction, block))?;
            let newest: i64 = transaction.prepare_cached(select::NEWEST)?.query_row([], |row| row.get(0))?;
            let left = if newest < due { due - newest } else { pack::pack(&transaction, ladder, pack::AT_ONCE)? };
            transaction.commit()?;
            Ok(newest + left)
        };
        let due = write().map_err(|error| self.fail(error))?;
        self.pack_due = Some((ladder, due));
        Ok(())
    }

    fn read_look(&self, select: &str, values: &[&dyn ToSql]) -> Result<Option<Look>> {
        let text: Option<String> =
            self.db.query_row(select, values, |row| row.get(0)).optional().map_err(|error| self.fail(error))?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }
}

/// The end of the name of an archived ladder.
fn archive_mark(ladder: LadderId) -> String {
    format!("~{ladder}")
}

/// The name of a ladder after it is archived.
pub fn archived_name(ladder: &LadderRow) -> String {
    format!("{}{}", ladder.name, archive_mark(ladder.id))
}

/// The name up to its last `~`: that of a ladder before it was archived.
pub fn name_before_archive(name: &str) -> &str {
    name.rsplit_once('~').map_or(name, |(name, _)| name)
}

fn insert_ladder(transaction: &Transaction, row: &LadderRow) -> rusqlite::Result<LadderId> {
    let (terms, settings) = (to_json(&row.terms), to_json(&row.settings));
    let insert = "INSERT INTO ladder (name, game, seats, seed, seed_drawn, terms, settings, begun, used)
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, unixepoch(), unixepoch())";
    let values = params![row.name, row.game, row.seats as i64, row.seed as i64, row.seed_drawn, terms, settings];
    transaction.execute(insert, values)?;
    Ok(LadderId(transaction.last_insert_rowid()))
}

/// Writes a block, unless the record has it.
fn write_block(transaction: &Transaction, block: &EncodedBlock) -> rusqlite::Result<()> {
    let insert = "INSERT OR IGNORE INTO block (ladder, id, setting, opening, digest) VALUES (?1, ?2, ?3, ?4, ?5)";
    let EncodedBlock { ladder, id, setting, opening, matches, digest } = block;
    if transaction.prepare_cached(insert)?.execute(params![ladder.0, id, setting, opening, digest])? == 0 {
        // Two workers played it, because the first one was slow; the first delivery counts.
        return Ok(());
    }
    let row = BlockRow(transaction.last_insert_rowid());
    matches.iter().try_for_each(|one| write_match(transaction, row, one))
}

fn write_match(transaction: &Transaction, block: BlockRow, one: &EncodedMatch) -> rusqlite::Result<()> {
    let EncodedMatch { id, ending, plies, started, wall_us, start, moves_hash, steps, details, outputs, seats } = one;
    let insert = "INSERT INTO match (block, id, ending, plies, started, wall_us, start, moves_hash)
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    transaction
        .prepare_cached(insert)?
        .execute(params![block.0, id, ending, plies, started, wall_us, start, moves_hash])?;
    let row = transaction.last_insert_rowid();
    let insert = "INSERT INTO detail (match, steps, seats, outputs) VALUES (?1, ?2, ?3, ?4)";
    transaction.prepare_cached(insert)?.execute(params![row, steps, details, outputs])?;
    let insert = "INSERT INTO seat (match, seat, entrant, score, rank, fault, notices)
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut insert = transaction.prepare_cached(insert)?;
    for (number, seat) in seats.iter().enumerate() {
        let EncodedSeat { entrant, score, rank, fault, notices } = seat;
        insert.execute(params![row, number as i64, entrant.0, score, rank, fault, notices])?;
    }
    Ok(())
}

/// Plain data always has a JSON form; a failure here would be a bug in its definition.
pub fn to_json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| unreachable!("plain data without a JSON form: {error}"))
}

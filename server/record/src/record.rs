//! The questions of a running tournament to a record, in any database; this crate's is SQLite. Each function is one
//! transaction: others see all of it or nothing. `server/machines/tests/record_trait.rs` tests the rules of each function,
//! and compares the databases with a record in memory.

use super::members::{has_block, keep_all};
use super::results::each_row;
use super::{
    EachOutcome, EncodedBlock, IndexOf, KeptEntrants, MatchSize, Member, Result, SqliteRecord, archived_name,
    insert_ladder, query, to_json,
};
use agon_model::{BlockRow, Entrant, EntrantId, Excuse, LadderId, LadderRow, Look, MatchOutcome, Stage, Suspension};
use rusqlite::{OptionalExtension, params};

/// A stage, and, once it is closed, the points of each player in each meeting.
pub type StoredStage = (Stage, Option<Vec<Vec<i64>>>);

/// All reads see one moment as long as it lives.
pub trait ReadingMoment {}

/// The record of ladders. Every function fails if the record cannot be read or written, and then stores nothing.
pub trait Record {
    /// All reads see one moment as long as the returned value lives.
    fn read_moment(&self) -> Result<Box<dyn ReadingMoment + '_>>;

    /// The ladder with this name.
    fn ladder(&self, name: &str) -> Result<Option<LadderRow>>;

    /// The ladder that was worked on last.
    fn newest_ladder(&self) -> Result<Option<LadderRow>>;

    /// Begins a ladder, and numbers it. There must be none with its name.
    fn begin_ladder(&mut self, row: &LadderRow) -> Result<LadderRow>;

    /// Marks a ladder as the one worked on.
    fn touch_ladder(&self, ladder: LadderId) -> Result<()>;

    /// Renames a ladder, so that its own name is free; nothing is lost. Returns the new name.
    fn archive_ladder(&self, ladder: &LadderRow) -> Result<String>;

    /// The closing time by which the files of a ladder were frozen, seconds since 1970.
    fn frozen(&self, ladder: LadderId) -> Result<Option<u64>>;

    /// Freezes the present entrants for good, by this closing time.
    fn freeze(&self, ladder: LadderId, seconds: u64) -> Result<()>;

    /// Whether a ladder has ended: everything is played that will be. Until then only its operator and its
    /// workers see the seed, from which hidden deals follow.
    fn has_ended(&self, ladder: LadderId) -> Result<bool>;

    /// Marks a ladder as ended, or as under way again.
    fn mark_ended(&self, ladder: LadderId, has_ended: bool) -> Result<()>;

    /// Records the entrants that take part. The same file with the same options keeps its number for ever. Another file
    /// under a known label is its next version, and its label shows that. A known file under a new label is renamed, if
    /// nobody takes part under the old one.
    fn keep_entrants(&mut self, ladder: LadderId, entrants: &mut [Entrant]) -> Result<KeptEntrants>;

    /// All entrants that ever took part, in order of arrival.
    fn members(&self, ladder: LadderId) -> Result<Vec<Member>>;

    fn suspend(&self, ladder: LadderId, entrant: EntrantId, suspension: &Suspension) -> Result<()>;

    /// Lets an entrant play again, and its team if it was withdrawn; its earlier failures do not count again. Returns
    /// whether it was suspended.
    fn let_back(&self, ladder: LadderId, member: &Member) -> Result<bool>;

    /// Lets an entrant play again that agon benched for failures which the present matches do not have in a row. Its
    /// earlier failures still count.
    fn lift_suspension(&self, ladder: LadderId, entrant: EntrantId) -> Result<()>;

    /// Records the excuses of entrants, by their numbers.
    fn keep_excuses(&self, ladder: LadderId, excuses: &[(EntrantId, Excuse)]) -> Result<()>;

    /// The look of admission at a file in the same circumstances.
    fn look(&self, hash: &str, context: &str) -> Result<Option<Look>>;

    /// Keeps a look of admission.
    fn keep_look(&self, hash: &str, context: &str, look: &Look) -> Result<()>;

    /// The space that the newest matches of such a game take; `None` if there are none.
    fn match_size(&self, game: &str, seats: usize) -> Result<Option<MatchSize>>;

    /// Records a stage before any of it is played.
    fn record_stage(&self, ladder: LadderId, number: usize, stage: &Stage) -> Result<()>;

    /// Records the result of a stage, which ends it.
    fn close_stage(&self, ladder: LadderId, number: usize, scores: &[Vec<i64>]) -> Result<()>;

    /// All stages that were drawn, in order.
    fn stages(&self, ladder: LadderId) -> Result<Vec<StoredStage>>;

    /// Keeps played blocks, either all of them whole or none. It skips a block that is kept already, because two
    /// workers played it: the first delivery counts.
    fn keep_blocks(&mut self, blocks: &[&EncodedBlock]) -> Result<()>;

    /// The number of played blocks, including those of clients that have left.
    fn count_blocks(&self, ladder: LadderId) -> Result<u64>;

    /// Whether a block is played.
    fn has_block(&self, ladder: LadderId, block: &str) -> Result<bool>;

    /// The outcomes of a block's matches; `None` if it is not played. `index` turns numbers into entrants.
    fn block_outcomes(&self, ladder: LadderId, block: &str, index: &IndexOf<'_>) -> Result<Option<Vec<MatchOutcome>>>;

    /// Records that a block was void, and why.
    fn keep_void(&self, ladder: LadderId, block: &str, cause: &str) -> Result<()>;

    /// Void blocks that were not played later, by id: cause, and number of tries.
    fn voids(&self, ladder: LadderId) -> Result<Vec<(String, String, u32)>>;

    /// Passes every match of a ladder to `each`, block by block in the order of recording; entrants by index in order
    /// of arrival.
    fn each_outcome(&self, ladder: LadderId, each: &mut EachOutcome<'_>) -> Result<()>;
}

/// Opens the record into which a ladder is played, with the ladder's lock: while it is open, no other process plays it.
pub type OpenRecord<'a> = dyn Fn() -> Result<Box<dyn Record>> + 'a;

impl ReadingMoment for rusqlite::Transaction<'_> {}

impl SqliteRecord {
    fn put_stage(&self, ladder: LadderId, number: usize, closed: bool, content: &str) -> Result<()> {
        let insert = "INSERT INTO stage (ladder, number, closed, content) VALUES (?1, ?2, ?3, ?4)";
        let inserted = self.db.execute(insert, params![ladder.0, number as i64, closed, content]);
        inserted.map(drop).map_err(|error| self.fail(error))
    }
}

impl Record for SqliteRecord {
    fn read_moment(&self) -> Result<Box<dyn ReadingMoment + '_>> {
        let moment = self.db.unchecked_transaction().map_err(|error| self.fail(error))?;
        Ok(Box::new(moment))
    }

    fn ladder(&self, name: &str) -> Result<Option<LadderRow>> {
        query::ladder(&self.db, name).map_err(|error| self.fail(error))
    }

    fn newest_ladder(&self) -> Result<Option<LadderRow>> {
        let name: Option<String> = self
            .db
            .query_row("SELECT name FROM ladder ORDER BY used DESC, id DESC LIMIT 1", [], |row| row.get(0))
            .optional()
            .map_err(|error| self.fail(error))?;
        name.map_or(Ok(None), |name| self.ladder(&name))
    }

    fn begin_ladder(&mut self, row: &LadderRow) -> Result<LadderRow> {
        let transaction = self.transaction()?;
        let kept = insert_ladder(&transaction, row).and_then(|id| transaction.commit().map(|()| id));
        let id = kept.map_err(|error| self.fail(error))?;
        Ok(LadderRow { id, ..row.clone() })
    }

    fn touch_ladder(&self, ladder: LadderId) -> Result<()> {
        let update = "UPDATE ladder SET used = max(unixepoch(), (SELECT max(used) FROM ladder)) WHERE id = ?1";
        self.db.execute(update, [ladder.0]).map(drop).map_err(|error| self.fail(error))
    }

    fn archive_ladder(&self, ladder: &LadderRow) -> Result<String> {
        let archived = archived_name(ladder);
        self.db
            .execute("UPDATE ladder SET name = ?1 WHERE id = ?2", params![archived, ladder.id.0])
            .map_err(|error| self.fail(error))?;
        Ok(archived)
    }

    fn frozen(&self, ladder: LadderId) -> Result<Option<u64>> {
        let select = "SELECT frozen FROM ladder WHERE id = ?1";
        let frozen: Option<i64> =
            self.db.query_row(select, [ladder.0], |row| row.get(0)).map_err(|error| self.fail(error))?;
        Ok(frozen.map(|seconds| seconds as u64))
    }

    fn freeze(&self, ladder: LadderId, seconds: u64) -> Result<()> {
        let update = "UPDATE ladder SET frozen = ?2 WHERE id = ?1";
        self.db.execute(update, params![ladder.0, seconds as i64]).map(drop).map_err(|error| self.fail(error))
    }

    fn has_ended(&self, ladder: LadderId) -> Result<bool> {
        let select = "SELECT ended FROM ladder WHERE id = ?1";
        self.db.query_row(select, [ladder.0], |row| row.get(0)).map_err(|error| self.fail(error))
    }

    fn mark_ended(&self, ladder: LadderId, has_ended: bool) -> Result<()> {
        let update = "UPDATE ladder SET ended = ?2 WHERE id = ?1 AND ended <> ?2";
        self.db.execute(update, params![ladder.0, has_ended]).map(drop).map_err(|error| self.fail(error))
    }

    fn keep_entrants(&mut self, ladder: LadderId, entrants: &mut [Entrant]) -> Result<KeptEntrants> {
        let transaction = self.transaction()?;
        let kept = keep_all(&transaction, ladder, entrants).and_then(|kept| transaction.commit().map(|()| kept));
        kept.map_err(|error| self.fail(error))
    }

    fn members(&self, ladder: LadderId) -> Result<Vec<Member>> {
        SqliteRecord::members(self, ladder)
    }

    fn suspend(&self, ladder: LadderId, entrant: EntrantId, suspension: &Suspension) -> Result<()> {
        let insert = "INSERT INTO suspension (ladder, entrant, kind, by_hand, why, since, schedule, at)
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, unixepoch())";
        let Suspension { kind, by_hand, why, since, schedule } = suspension;
        let values = params![ladder.0, entrant.0, kind.name(), by_hand, why, *since as i64, schedule];
        self.db.execute(insert, values).map(drop).map_err(|error| self.fail(error))
    }

    fn lift_suspension(&self, ladder: LadderId, entrant: EntrantId) -> Result<()> {
        let update = "UPDATE suspension SET let_back = unixepoch(), counted = 0
                      WHERE ladder = ?1 AND entrant = ?2 AND let_back IS NULL AND kind = 'benched' AND NOT by_hand";
        self.db.execute(update, params![ladder.0, entrant.0]).map(drop).map_err(|error| self.fail(error))
    }

    fn let_back(&self, ladder: LadderId, member: &Member) -> Result<bool> {
        let update = "UPDATE suspension SET let_back = unixepoch(), counted = (SELECT coalesce(max(row), 0) FROM block)
                      WHERE ladder = ?1 AND let_back IS NULL AND (entrant = ?2 OR (kind = 'withdrawn' AND entrant IN
                      (SELECT id FROM entrant WHERE ladder = ?1 AND team = ?3)))";
        let changed = self.db.execute(update, params![ladder.0, member.id.0, member.team]);
        changed.map(|changed| changed > 0).map_err(|error| self.fail(error))
    }

    fn keep_excuses(&self, ladder: LadderId, excuses: &[(EntrantId, Excuse)]) -> Result<()> {
        let transaction = self.db.unchecked_transaction().map_err(|error| self.fail(error))?;
        let keep = |&(entrant, excuse): &(EntrantId, Excuse)| {
            let insert = "INSERT INTO excuse (ladder, entrant, cause, at) VALUES (?1, ?2, ?3, unixepoch())";
            transaction.execute(insert, params![ladder.0, entrant.0, excuse.name()]).map(drop)
        };
        excuses.iter().try_for_each(keep).and_then(|()| transaction.commit()).map_err(|error| self.fail(error))
    }

    fn look(&self, hash: &str, context: &str) -> Result<Option<Look>> {
        self.read_look("SELECT look FROM look WHERE hash = ?1 AND context = ?2", params![hash, context])
    }

    fn keep_look(&self, hash: &str, context: &str, look: &Look) -> Result<()> {
        let insert = "INSERT OR REPLACE INTO look (hash, context, look) VALUES (?1, ?2, ?3)";
        self.db.execute(insert, params![hash, context, to_json(look)]).map(drop).map_err(|error| self.fail(error))
    }

    fn match_size(&self, game: &str, seats: usize) -> Result<Option<MatchSize>> {
        SqliteRecord::match_size(self, game, seats)
    }

    fn record_stage(&self, ladder: LadderId, number: usize, stage: &Stage) -> Result<()> {
        self.put_stage(ladder, number, false, &to_json(stage))
    }

    fn close_stage(&self, ladder: LadderId, number: usize, scores: &[Vec<i64>]) -> Result<()> {
        self.put_stage(ladder, number, true, &to_json(&scores))
    }

    fn stages(&self, ladder: LadderId) -> Result<Vec<StoredStage>> {
        let select = "SELECT drawn.content, closed.content FROM stage AS drawn LEFT JOIN stage AS closed
                      ON closed.ladder = drawn.ladder AND closed.number = drawn.number AND closed.closed = 1
                      WHERE drawn.ladder = ?1 AND drawn.closed = 0 ORDER BY drawn.number";
        self.all(select, [ladder.0], |row| {
            let closed = row.get_ref(1)? != rusqlite::types::ValueRef::Null;
            Ok((query::json(row, 0)?, closed.then(|| query::json(row, 1)).transpose()?))
        })
    }

    fn keep_blocks(&mut self, blocks: &[&EncodedBlock]) -> Result<()> {
        SqliteRecord::keep_blocks(self, blocks)
    }

    fn count_blocks(&self, ladder: LadderId) -> Result<u64> {
        let select = "SELECT count(*) FROM block WHERE ladder = ?1";
        let count: i64 = self.db.query_row(select, [ladder.0], |row| row.get(0)).map_err(|error| self.fail(error))?;
        Ok(count as u64)
    }

    fn has_block(&self, ladder: LadderId, block: &str) -> Result<bool> {
        has_block(&self.db, ladder, block).map_err(|error| self.fail(error))
    }

    fn block_outcomes(&self, ladder: LadderId, block: &str, index: &IndexOf<'_>) -> Result<Option<Vec<MatchOutcome>>> {
        let Some(row) = self.block_row(ladder, block)? else { return Ok(None) };
        let mut all = Vec::new();
        let read =
            each_row(&self.db, ladder, (BlockRow(row.0 - 1), row), index, &mut |outcome| all.push(outcome.clone()));
        read.map_err(|error| self.fail(error))?;
        Ok(Some(all))
    }

    fn keep_void(&self, ladder: LadderId, block: &str, cause: &str) -> Result<()> {
        let insert = "INSERT INTO void (ladder, block, cause, at) VALUES (?1, ?2, ?3, unixepoch())";
        self.db.execute(insert, params![ladder.0, block, cause]).map(drop).map_err(|error| self.fail(error))
    }

    fn voids(&self, ladder: LadderId) -> Result<Vec<(String, String, u32)>> {
        let select = "SELECT block, max(cause), count(*) FROM void WHERE ladder = ?1
                      AND block NOT IN (SELECT id FROM block WHERE ladder = ?1) GROUP BY block ORDER BY block";
        self.all(select, [ladder.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
    }

    fn each_outcome(&self, ladder: LadderId, each: &mut EachOutcome<'_>) -> Result<()> {
        SqliteRecord::each_outcome(self, ladder, each)
    }
}

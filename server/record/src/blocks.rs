//! Reads the blocks of a ladder with all data of their matches, one at a time; and one match by its row.

use super::entrant_index::EntrantIndex;
use super::query::{ending, json};
use super::{RecordError, Result, SqliteRecord, digest, encode, select};
use agon_model::{BlockRow, EntrantId, LadderId, Match};
use rusqlite::{Row, types::Type};

/// A block of a ladder with its matches.
#[derive(Clone, Debug)]
pub struct StoredBlock {
    pub id: String,
    /// The index of its setting in the ladder.
    pub setting: usize,
    /// The number of the opening.
    pub opening: u64,
    /// One match for each rotation, in order; `SeatResult::entrant` is an index into `SqliteRecord::entrants`.
    pub matches: Vec<Match>,
}

impl SqliteRecord {
    /// Passes every block of a ladder to `each`, in the order of recording, until it fails. All of it shows one state
    /// of the record, even while a server writes.
    pub fn each_block<E: From<RecordError>>(
        &self,
        ladder: LadderId,
        each: &mut dyn FnMut(&StoredBlock) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.check_rows()?;
        let entrant_index = self.entrant_index(ladder)?;
        let fail = |error| E::from(self.fail(error));
        let mut statement = self.db.prepare(select::BLOCKS).map_err(fail)?;
        let mut rows = statement.query([ladder.0]).map_err(fail)?;
        let mut current: Option<(BlockRow, StoredBlock)> = None;
        while let Some(row) = rows.next().map_err(fail)? {
            let (number, match_row, begun) = begin(row).map_err(fail)?;
            if current.as_ref().is_none_or(|(its, _)| *its != number) {
                if !digest::is_sound(&self.db, number).map_err(fail)? {
                    return Err(self.damaged(&format!("block {} is not what was written", begun.id)).into());
                }
                current.replace((number, begun)).map_or(Ok(()), |(_, block)| each(&block))?;
            }
            if let Some((_, block)) = &mut current {
                block.matches.push(self.match_at(match_row, &entrant_index)?);
            }
        }
        current.map_or(Ok(()), |(_, block)| each(&block))
    }

    /// The match in a row.
    pub(super) fn match_at(&self, row: i64, entrant_index: &EntrantIndex) -> Result<Match> {
        let select = "SELECT id, ending, started, wall_us, steps, outputs, seats, start FROM match
                      JOIN detail ON detail.match = match.row WHERE row = ?1";
        let read = |row: &Row| {
            let damaged = |column: usize, name: &str| {
                rusqlite::Error::InvalidColumnType(column, format!("{name}, which are damaged"), Type::Blob)
            };
            let steps = encode::read_steps(row.get_ref(4)?.as_blob()?).ok_or_else(|| damaged(4, "steps"))?;
            let outputs = match row.get::<_, Option<String>>(5)? {
                Some(text) => serde_json::from_str(&text).map_err(|_| damaged(5, "outputs"))?,
                None => Vec::new(),
            };
            let (started, wall_us) = (row.get::<_, i64>(2)? as u64, row.get::<_, i64>(3)? as u64);
            let start = row.get::<_, i64>(7)? as u64;
            Ok(Match {
                id: row.get(0)?,
                start,
                ending: ending(row, 1)?,
                seats: json(row, 6)?,
                steps,
                outputs,
                started,
                wall_us,
            })
        };
        let mut statement = self.db.prepare_cached(select).map_err(|error| self.fail(error))?;
        let mut played: Match = statement.query_row([row], read).map_err(|error| self.fail(error))?;
        let entrants = self
            .all("SELECT entrant FROM seat WHERE match = ?1 ORDER BY seat", [row], |row| row.get(0).map(EntrantId))?;
        for (result, entrant) in played.seats.iter_mut().zip(entrants) {
            result.entrant = entrant_index.index_of(entrant);
        }
        Ok(played)
    }
}

/// The number of a block, the row of one of its matches, and the block without matches.
fn begin(row: &Row) -> rusqlite::Result<(BlockRow, i64, StoredBlock)> {
    let (id, setting, opening) = (row.get(1)?, row.get::<_, i64>(2)? as usize, row.get::<_, i64>(3)? as u64);
    Ok((BlockRow(row.get(0)?), row.get(4)?, StoredBlock { id, setting, opening, matches: Vec::new() }))
}

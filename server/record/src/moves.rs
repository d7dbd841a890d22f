//! Reads all matches of a ladder with their moves, one at a time, for the tables of a game.

use super::query::ending;
use super::results::{IndexOf, seats};
use super::{Result, SqliteRecord, encode};
use agon_model::{Ending, LadderId, SeatOutcome, Step};
use rusqlite::{Connection, Row, types::Type};

/// The data of a match that a table needs.
#[derive(Clone, Debug)]
pub struct MatchMoves {
    /// The index of its setting in the ladder.
    pub setting: usize,
    /// The number of the opening.
    pub opening: u64,
    pub ending: Ending,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// The outcome of each seat; entrants by index into `SqliteRecord::entrants`.
    pub seats: Vec<SeatOutcome>,
}

impl SqliteRecord {
    /// Passes all matches of a ladder to `work` in the order of recording, and returns its result.
    ///
    /// # Errors
    /// The record cannot be read; the result of `work` is lost.
    pub fn with_moves<T>(
        &self,
        ladder: LadderId,
        work: impl FnOnce(&mut dyn Iterator<Item = MatchMoves>) -> T,
    ) -> Result<T> {
        let entrant_index = self.entrant_index(ladder)?;
        let index = |entrant| entrant_index.index_of(entrant);
        let run = || -> rusqlite::Result<T> {
            let mut statement = self.db.prepare_cached(
                "SELECT match.row, block.setting, block.opening, match.ending, detail.steps
                 FROM block JOIN match ON match.block = block.row JOIN detail ON detail.match = match.row
                 WHERE block.ladder = ?1 ORDER BY block.row, match.row",
            )?;
            let mut failure = None;
            let mut matches =
                statement.query_map([ladder.0], |row| read(&self.db, row, &index))?.map_while(|played| match played {
                    Ok(played) => Some(played),
                    Err(error) => {
                        failure = Some(error);
                        None
                    }
                });
            let made = work(&mut matches);
            drop(matches);
            failure.map_or(Ok(made), Err)
        };
        run().map_err(|error| self.fail(error))
    }
}

fn read(db: &Connection, row: &Row, index: &IndexOf<'_>) -> rusqlite::Result<MatchMoves> {
    let steps = encode::read_steps(row.get_ref(4)?.as_blob()?);
    let damaged = || rusqlite::Error::InvalidColumnType(4, "steps".to_owned(), Type::Blob);
    Ok(MatchMoves {
        setting: row.get::<_, i64>(1)? as usize,
        opening: row.get::<_, i64>(2)? as u64,
        ending: ending(row, 3)?,
        steps: steps.ok_or_else(damaged)?,
        seats: seats(db, row.get(0)?, index)?,
    })
}

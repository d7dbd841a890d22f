//! All matches of a ladder with their moves, one at a time: for tables that a game makes of them.

use super::entrant_index::EntrantIndex;
use super::{Result, Store, encode};
use agon_model::Step;
use rusqlite::{Connection, Row, types::Type};

/// A match, as far as a table needs it.
#[derive(Clone, Debug)]
pub struct Played {
    /// Which setting of the ladder.
    pub setting: usize,
    /// Number of the opening.
    pub opening: u64,
    /// Whether a fault decided it.
    pub by_fault: bool,
    /// In order.
    pub steps: Vec<Step>,
    /// Of each seat the entrant, by index into `Store::entrants`, its score and its rank.
    pub seats: Vec<(usize, i64, u32)>,
}

impl Store {
    /// Gives `work` all matches of a ladder in the order in which they were recorded, and returns what it makes of
    /// them.
    ///
    /// # Errors
    /// The record cannot be read; what `work` made of the matches before is lost.
    pub fn with_played<T>(&self, ladder: i64, work: impl FnOnce(&mut dyn Iterator<Item = Played>) -> T) -> Result<T> {
        let entrant_index = self.entrant_index(ladder)?;
        let run = || -> rusqlite::Result<T> {
            let mut statement = self.db.prepare_cached(
                "SELECT match.row, block.setting, block.opening, match.ending, whole.steps
                 FROM block JOIN match ON match.block = block.row JOIN whole ON whole.match = match.row WHERE block.ladder = ?1 ORDER BY block.row, match.row",
            )?;
            let mut failure = None;
            let mut matches =
                statement.query_map([ladder], |row| read(&self.db, row, &entrant_index))?.map_while(|played| {
                    match played {
                        Ok(played) => Some(played),
                        Err(error) => {
                            failure = Some(error);
                            None
                        }
                    }
                });
            let made = work(&mut matches);
            drop(matches);
            failure.map_or(Ok(made), Err)
        };
        run().map_err(|error| self.fail(error))
    }
}

fn read(db: &Connection, row: &Row, entrant_index: &EntrantIndex) -> rusqlite::Result<Played> {
    let steps = encode::read_steps(row.get_ref(4)?.as_blob()?);
    let damaged = || rusqlite::Error::InvalidColumnType(4, "steps".to_owned(), Type::Blob);
    let mut statement = db.prepare_cached("SELECT entrant, score, rank FROM seat WHERE match = ?1 ORDER BY seat")?;
    let seat = |row: &Row| {
        let entrant = entrant_index.of(row.get(0)?);
        Ok((entrant, row.get(1)?, row.get(2)?))
    };
    let seats = statement.query_map([row.get::<_, i64>(0)?], seat)?.collect::<rusqlite::Result<_>>()?;
    Ok(Played {
        setting: row.get::<_, i64>(1)? as usize,
        opening: row.get::<_, i64>(2)? as u64,
        by_fault: row.get::<_, String>(3)? == "fault",
        steps: steps.ok_or_else(damaged)?,
        seats,
    })
}

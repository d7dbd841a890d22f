//! The results of a ladder as ratings need them: who met whom on which start, and which game it was.

use super::stage::seat;
use super::{MatchSeat, Result, Store};
use rusqlite::Row;
use std::collections::BTreeMap;

/// A match for the ratings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedMatch {
    /// Number of its block.
    pub block: u64,
    /// A number that matches share which began alike: on the same setting, from the same state.
    pub opening: u64,
    /// A hash of its moves; a number of its own where they were not kept.
    pub game: u64,
    /// Of each seat the entrant, by index into `Store::entrants`, and its rank from 1.
    pub seats: Vec<(u32, u32)>,
}

/// A match of one block, as a rule for stopping needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptMatch {
    /// Seat by seat.
    pub seats: Vec<MatchSeat>,
    /// Hash of the state it began with.
    pub start: u64,
    /// Hash of its moves.
    pub game: u64,
}

impl Store {
    /// The matches of a block, in order.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn kept_matches(&self, ladder: i64, block: &str) -> Result<Vec<KeptMatch>> {
        let Some(row) = self.block_row(ladder, block)? else { return Ok(Vec::new()) };
        let select = "SELECT row, start, game FROM match WHERE block = ?1 ORDER BY row";
        let number = |row: &Row, column| row.get::<_, Option<i64>>(column);
        let matches = self.all(select, [row], |row| Ok((row.get(0)?, number(row, 1)?, number(row, 2)?)))?;
        let seats = "SELECT match, entrant, rank, fault FROM seat WHERE match = ?1 ORDER BY seat";
        let whole = |(row, start, game): (i64, Option<i64>, Option<i64>)| {
            let seats = self.all(seats, [row], seat)?;
            Ok(KeptMatch { start: start.unwrap_or(row) as u64, game: game.unwrap_or(row) as u64, seats })
        };
        matches.into_iter().map(whole).collect()
    }

    /// The matches of a ladder.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn rated_matches(&self, ladder: i64) -> Result<Vec<RatedMatch>> {
        let entrants = self.entrants(ladder)?.into_iter().enumerate();
        let index: BTreeMap<i64, u32> = entrants.map(|(index, (id, _))| (id, index as u32)).collect();
        let select = "SELECT match.row, block.row, block.setting, block.opening, match.start, match.game, seat.entrant, seat.rank
                      FROM block JOIN match ON match.block = block.row JOIN seat ON seat.match = match.row
                      WHERE block.ladder = ?1 ORDER BY block.row, match.row, seat.seat";
        let run = || -> rusqlite::Result<Vec<RatedMatch>> {
            let mut statement = self.db.prepare_cached(select)?;
            let mut rows = statement.query([ladder])?;
            let (mut matches, mut current): (Vec<RatedMatch>, _) = (Vec::new(), None);
            while let Some(row) = rows.next()? {
                let number: i64 = row.get(0)?;
                if current.replace(number) != Some(number) {
                    matches.push(begin(row, number)?);
                }
                let seat = (index.get(&row.get(6)?).copied().unwrap_or(u32::MAX), row.get(7)?);
                if let Some(last) = matches.last_mut() {
                    last.seats.push(seat);
                }
            }
            Ok(matches)
        };
        run().map_err(|error| self.fail(error))
    }
}

fn begin(row: &Row, number: i64) -> rusqlite::Result<RatedMatch> {
    let (setting, opening): (i64, i64) = (row.get(2)?, row.get(3)?);
    // An older record knows openings by their numbers only.
    let start = row.get::<_, Option<i64>>(4)?.unwrap_or(opening);
    let mut hasher = blake3::Hasher::new_derive_key("agon rated opening 1");
    let digest = *hasher.update(&setting.to_le_bytes()).update(&start.to_le_bytes()).finalize().as_bytes();
    Ok(RatedMatch {
        block: row.get::<_, i64>(1)? as u64,
        opening: u64::from_le_bytes(std::array::from_fn(|index| digest[index])),
        game: row.get::<_, Option<i64>>(5)?.unwrap_or(number) as u64,
        seats: Vec::new(),
    })
}

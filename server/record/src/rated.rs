//! The results of a ladder as ratings need them: who met whom on which start, and which game it was.

use super::stage::seat;
use super::{MatchSeat, Result, Store};
use rusqlite::Row;

/// A match for the ratings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedMatch {
    /// Number of its block, which says nothing but which matches are of one.
    pub block: u64,
    /// Number of its setting in the ladder.
    pub setting: u64,
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

    /// Hands the matches of a ladder to `each`.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn each_rated(&self, ladder: i64, each: &mut dyn FnMut(&RatedMatch)) -> Result<()> {
        let mut rated = RatedMatch { block: 0, setting: 0, opening: 0, game: 0, seats: Vec::new() };
        let mut last = None;
        self.each_result(ladder, &mut |result, entrant_index| {
            let begun = (result.setting, result.began() as i64);
            if last.replace(begun) != Some(begun) {
                rated.opening = opening_number(begun);
            }
            (rated.block, rated.setting) = (result.block as u64, result.setting as u64);
            rated.game = result.game as u64;
            let place = |entrant| u32::try_from(entrant_index.of(entrant)).unwrap_or(u32::MAX);
            rated.seats.clear();
            rated.seats.extend(result.seats.iter().map(|seat| (place(seat.entrant), seat.rank)));
            each(&rated);
        })
    }
}

/// Of a setting and what tells its openings apart.
fn opening_number((setting, start): (i64, i64)) -> u64 {
    let mut hasher = blake3::Hasher::new_derive_key("agon rated opening 1");
    let digest = *hasher.update(&setting.to_le_bytes()).update(&start.to_le_bytes()).finalize().as_bytes();
    u64::from_le_bytes(std::array::from_fn(|index| digest[index]))
}

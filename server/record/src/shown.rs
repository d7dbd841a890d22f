//! One recorded match with what is needed to explain or replay it.

use crate::{LadderRow, Stored};
use agon_model::{Entrant, Match};

/// A match with what is needed to explain or replay it.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// Its ladder.
    pub ladder: &'a LadderRow,
    /// The entrants of the ladder; `SeatResult::entrant` is an index into it.
    pub entrants: &'a [Entrant],
    /// Which setting of the ladder.
    pub setting: usize,
    /// Number of the opening.
    pub opening: u64,
    /// The match.
    pub played: &'a Match,
}

impl<'a> From<&'a Stored> for Shown<'a> {
    fn from(stored: &'a Stored) -> Shown<'a> {
        let Stored { ladder, entrants, setting, opening, played } = stored;
        Shown { ladder, entrants, setting: *setting, opening: *opening, played }
    }
}

impl<'a> Shown<'a> {
    /// The label of the client on a seat.
    pub fn label(&self, seat: usize) -> &'a str {
        let entrant = self.played.seats.get(seat).and_then(|result| self.entrants.get(result.entrant));
        entrant.map_or("?", |entrant| &entrant.label)
    }

    /// How many turns were played, by all seats.
    pub fn plies(&self) -> u32 {
        self.played.steps.last().map_or(0, |step| step.ply + 1)
    }

    /// The name of its setting.
    pub fn setting_name(&self) -> &'a str {
        self.ladder.settings.get(self.setting).map_or("?", |(name, _)| name)
    }
}

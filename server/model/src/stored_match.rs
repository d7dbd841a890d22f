//! A match as a record has it, with its ladder and its clients.

use crate::{Entrant, LadderRow, Match};

/// A match of the record, with the data to explain or replay it.
#[derive(Clone, Debug)]
pub struct StoredMatch {
    pub ladder: LadderRow,
    /// The entrants of the ladder; `SeatResult::entrant` is an index into it.
    pub entrants: Vec<Entrant>,
    /// The index of its setting in the ladder.
    pub setting: usize,
    /// The number of the opening.
    pub opening: u64,
    pub played: Match,
}

impl StoredMatch {
    /// The client on a seat, if the record has it.
    pub fn entrant(&self, seat: usize) -> Option<&Entrant> {
        self.played.seats.get(seat).and_then(|result| self.entrants.get(result.entrant))
    }

    /// The label of the client on a seat.
    pub fn label(&self, seat: usize) -> &str {
        self.entrant(seat).map_or("?", |entrant| &entrant.label)
    }

    /// The name of its setting.
    pub fn setting_name(&self) -> &str {
        self.ladder.settings.get(self.setting).map_or("?", |(name, _)| name)
    }
}

//! The present participants of a ladder, and their schedule.

use crate::retry::Retry;
use crate::schedule::Schedule;
use agon_arena::referee::Excuses;
use agon_model::{Entrant, EntrantId, LadderRow};

/// The participants of a ladder.
#[derive(Clone, Copy)]
pub struct Participants<'a> {
    /// The ladder in the record.
    pub row: &'a LadderRow,
    pub entrants: &'a [Entrant],
    /// Their numbers in the record.
    pub ids: &'a [EntrantId],
    pub schedule: &'a Schedule,
    /// Their excuses so far.
    pub excuses: &'a Excuses,
    /// The means to wait for space in the record.
    pub retry: Retry<'a>,
}

impl Participants<'_> {
    /// A player's index in the ladder; `None` if it is not there now.
    pub fn index(&self, player: EntrantId) -> Option<usize> {
        self.ids.iter().position(|id| *id == player)
    }
}

//! Who takes part in a ladder now, and on what schedule.

use crate::retry::Retry;
use crate::schedule::Schedule;
use agon_arena::referee::Excuses;
use agon_model::{Entrant, PlayerId};
use agon_record::LadderRow;

/// Who plays.
#[derive(Clone, Copy)]
pub struct Participants<'a> {
    /// The ladder as the record has it.
    pub row: &'a LadderRow,
    /// Who takes part.
    pub entrants: &'a [Entrant],
    /// Their numbers in the record.
    pub ids: &'a [i64],
    /// What is played.
    pub schedule: &'a Schedule,
    /// For what they were excused.
    pub excuses: &'a Excuses,
    /// Waits for room in the record.
    pub retry: Retry<'a>,
}

impl Participants<'_> {
    /// A player's index in the ladder; `None` if it is not there now.
    pub fn index(&self, player: PlayerId) -> Option<usize> {
        self.ids.iter().position(|id| *id == player)
    }
}

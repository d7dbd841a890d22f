//! Which results count for places, points and grades: those of the newest versions among themselves. So the same final
//! files give the same table, whatever was handed in before.

use super::status::{Status, StatusKind, statuses};
use agon_model::MatchOutcome;
use agon_record::Member;

/// Who plays by a version that counts.
#[derive(Clone, Debug, Default)]
pub struct Current {
    /// Of each entrant, whether its results are shown apart.
    former: Vec<bool>,
}

impl Current {
    /// Of a ladder's roster. Where pairings follow from results, all results count: nobody else was met instead.
    pub fn of(members: &[Member], is_drawn: bool) -> Current {
        let is_former = |status: Status| matches!(status.kind, StatusKind::Replaced | StatusKind::FileGone);
        let former = if is_drawn { Vec::new() } else { statuses(members).into_iter().map(is_former).collect() };
        Current { former }
    }

    /// Whether results of this entrant are shown apart.
    pub fn is_former(&self, entrant: usize) -> bool {
        self.former.get(entrant).copied().unwrap_or(false)
    }

    /// Whether a match counts.
    pub fn counts(&self, outcome: &MatchOutcome) -> bool {
        !outcome.seats.iter().any(|seat| self.is_former(seat.entrant))
    }

    /// Whether all matches count.
    pub fn is_all(&self) -> bool {
        !self.former.contains(&true)
    }
}

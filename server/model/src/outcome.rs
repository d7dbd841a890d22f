//! What matches came to, as standings, ratings and rules for stopping take it: small, without times and texts.

use super::{Ending, Fault, FaultKind, PlayedBlock, SeatResult};
use agon_stats::Start;

/// What one seat of a match came to.
pub type SeatOutcome = agon_stats::SeatOutcome<FaultKind>;
/// Sums of results.
pub type Tally = agon_stats::Tally<FaultKind>;
/// What is known of one entrant.
pub type TallyRow = agon_stats::TallyRow<FaultKind>;

/// What a match came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchOutcome {
    /// Its block's row in the record, in which rows grow; 0 as long as it is in none.
    pub block: i64,
    /// Which setting of the ladder.
    pub setting: usize,
    /// Number of the opening.
    pub opening: u64,
    /// The match's id.
    pub id: String,
    /// Hash of the state that it began with; an older record does not know it.
    pub start: Option<u64>,
    /// Hash of its moves; a number of its own where they were not kept.
    pub game: u64,
    /// Seat by seat.
    pub seats: Vec<SeatOutcome>,
}

impl MatchOutcome {
    /// Those of a block that was just played.
    pub fn all_of(played: &PlayedBlock) -> Vec<MatchOutcome> {
        let outcome = |ended: &super::Match| MatchOutcome {
            block: 0,
            setting: played.block.setting,
            opening: played.block.opening,
            id: ended.id.clone(),
            start: Some(ended.start),
            game: ended.game(),
            seats: ended.seats.iter().map(SeatResult::outcome).collect(),
        };
        played.matches.iter().map(outcome).collect()
    }

    /// What tells apart where matches began: an older record knows openings by their numbers only, and its export has a
    /// 0.
    pub fn start(&self) -> Start {
        let state = self.start.filter(|start| *start != 0).unwrap_or(self.opening);
        Start { setting: self.setting, state }
    }

    /// Each entrant at the table once, with its fault: one that sits on several seats failed if it did on any.
    pub fn appearances(&self) -> Vec<(usize, Option<FaultKind>)> {
        let mut all: Vec<(usize, Option<FaultKind>)> = Vec::new();
        for seat in &self.seats {
            match all.iter_mut().find(|(entrant, _)| *entrant == seat.entrant) {
                Some((_, fault)) => *fault = fault.or(seat.fault),
                None => all.push((seat.entrant, seat.fault)),
            }
        }
        all
    }
}

impl AsRef<[SeatOutcome]> for MatchOutcome {
    fn as_ref(&self) -> &[SeatOutcome] {
        &self.seats
    }
}

impl SeatResult {
    /// What standings take of it.
    pub fn outcome(&self) -> SeatOutcome {
        let (entrant, rank, score) = (self.entrant, self.rank, self.score);
        let fault = self.fault.as_ref().map(|fault: &Fault| fault.kind);
        SeatOutcome { entrant, rank, score, fault, notices: self.notices.len() as u32 }
    }
}

impl agon_stats::Fault for FaultKind {
    fn is_crash(self) -> bool {
        FaultKind::is_crash(self)
    }
}

impl Ending {
    /// Whether the match counts.
    pub fn is_counted(&self) -> bool {
        !matches!(self, Ending::Void(_) | Ending::Shortage(_))
    }

    /// In tables, logs and the record.
    pub fn name(&self) -> &'static str {
        match self {
            Ending::Over => "over",
            Ending::Fault => "fault",
            Ending::Adjudicated => "adjudicated",
            Ending::Void(_) | Ending::Shortage(_) => "void",
        }
    }

    /// By its name; the cause of what is void is kept elsewhere.
    pub fn named(name: &str) -> Option<Ending> {
        match name {
            "over" => Some(Ending::Over),
            "fault" => Some(Ending::Fault),
            "adjudicated" => Some(Ending::Adjudicated),
            "void" => Some(Ending::Void(String::new())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(entrant: usize, fault: Option<FaultKind>) -> SeatOutcome {
        SeatOutcome { entrant, rank: 1, score: 0, fault, notices: 0 }
    }

    #[test]
    fn who_sits_on_several_seats_appears_once() {
        let crash = Some(FaultKind::Crash);
        let seats = vec![seat(3, None), seat(1, None), seat(3, crash), seat(3, Some(FaultKind::Protocol))];
        let outcome = MatchOutcome { seats, ..MatchOutcome::default() };
        assert_eq!(outcome.appearances(), [(3, crash), (1, None)]);
    }

    #[test]
    fn endings_are_found_by_their_names() {
        for ending in [Ending::Over, Ending::Fault, Ending::Adjudicated, Ending::Void(String::new())] {
            assert_eq!(Ending::named(ending.name()), Some(ending));
        }
        assert_eq!(Ending::named("Over"), None);
    }
}

//! The results of matches for standings, ratings and stop rules: small, without times and texts.

use super::{BlockRow, FaultKind, PlayedBlock, SeatResult};
use agon_stats::Start;

/// The result of one seat of a match.
pub type SeatOutcome = agon_stats::SeatOutcome<FaultKind>;
pub type Tally = agon_stats::Tally<FaultKind>;
/// The sums of one entrant.
pub type TallyRow = agon_stats::TallyRow<FaultKind>;

/// The result of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchOutcome {
    /// The row of its block in the record, where rows grow; 0 while it has none.
    pub block: BlockRow,
    /// The index of its setting in the ladder.
    pub setting: usize,
    /// The number of the opening.
    pub opening: u64,
    pub id: String,
    /// The hash of its first state.
    pub start: u64,
    /// The hash of its moves.
    pub moves_hash: u64,
    /// The outcome of each seat.
    pub seats: Vec<SeatOutcome>,
}

impl MatchOutcome {
    /// The outcomes of a block that was just played.
    pub fn all_of(played: &PlayedBlock) -> Vec<MatchOutcome> {
        let outcome = |ended: &super::Match| MatchOutcome {
            block: BlockRow(0),
            setting: played.block.setting,
            opening: played.block.opening,
            id: ended.id.clone(),
            start: ended.start,
            moves_hash: ended.moves_hash(),
            seats: ended.seats.iter().map(SeatResult::outcome).collect(),
        };
        played.matches.iter().map(outcome).collect()
    }

    /// The start of the match, to distinguish starts.
    pub fn start(&self) -> Start {
        Start { setting: self.setting, state: self.start }
    }

    /// Each entrant at the table once, with its fault: an entrant on several seats failed if it did on any.
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

impl agon_stats::SeatFault for FaultKind {
    fn is_crash(self) -> bool {
        FaultKind::is_crash(self)
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
}

//! When a run has seen enough. A rule is shown the blocks in the order of the schedule, whoever was played first: quick
//! matches end first, and in the order of their ends they would bias it. So any number of jobs, and a run that goes on,
//! stop at the same block.

use agon_model::{PlayedBlock, SeatResult};
use std::collections::BTreeMap;

/// A match, as a rule sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Seat by seat.
    pub seats: Vec<SeenSeat>,
    /// The state it began with; matches that share it and the moves are one game played again.
    pub start: u64,
    /// Hash of its moves.
    pub game: u64,
}

/// How one seat came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenSeat {
    /// By index in the ladder.
    pub entrant: usize,
    /// From 1.
    pub rank: u32,
    /// Whether it was at fault.
    pub is_fault: bool,
    /// See `FaultKind::is_crash`.
    pub is_crash: bool,
}

/// A rule for stopping.
pub trait StopRule {
    /// Nothing was shown yet: also where a run goes through its schedule once more.
    fn begin(&mut self);
    /// Takes the matches of the next block, and says whether that is enough.
    fn is_enough(&mut self, matches: &[Seen]) -> bool;
}

/// A rule, and the blocks that wait for those before them.
pub struct Enough<'a> {
    rule: &'a mut dyn StopRule,
    next: u64,
    waiting: BTreeMap<u64, Vec<Seen>>,
    reached: bool,
}

impl<'a> Enough<'a> {
    /// Nothing was seen yet.
    pub fn new(rule: &'a mut dyn StopRule) -> Enough<'a> {
        rule.begin();
        Enough { rule, next: 0, waiting: BTreeMap::new(), reached: false }
    }

    /// Whether the rule has said so; what comes later is not shown to it any more.
    pub fn is_reached(&self) -> bool {
        self.reached
    }

    /// A block was played, or left out (`Vec::new()`).
    pub fn see(&mut self, number: u64, matches: Vec<Seen>) {
        self.waiting.insert(number, matches);
        while !self.reached
            && let Some(matches) = self.waiting.remove(&self.next)
        {
            self.next += 1;
            self.reached = !matches.is_empty() && self.rule.is_enough(&matches);
        }
    }
}

/// The matches of a block that has just been played.
pub fn seen(played: &PlayedBlock) -> Vec<Seen> {
    let seen = |ended: &agon_model::Match| Seen {
        seats: ended.seats.iter().map(seen_seat).collect(),
        start: ended.start,
        game: ended.game(),
    };
    played.matches.iter().map(seen).collect()
}

fn seen_seat(seat: &SeatResult) -> SeenSeat {
    let is_crash = seat.fault.as_ref().is_some_and(|fault| fault.kind.is_crash());
    SeenSeat { entrant: seat.entrant, rank: seat.rank, is_fault: seat.fault.is_some(), is_crash }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(game: u64) -> Vec<Seen> {
        vec![Seen { seats: Vec::new(), start: 0, game }]
    }

    /// Enough are three.
    struct Three(Vec<u64>);

    impl StopRule for Three {
        fn begin(&mut self) {
            self.0.clear();
        }

        fn is_enough(&mut self, matches: &[Seen]) -> bool {
            self.0.push(matches[0].game);
            self.0.len() == 3
        }
    }

    #[test]
    fn the_order_of_the_schedule_counts() {
        let mut rule = Three(vec![7]);
        let mut enough = Enough::new(&mut rule);
        for number in [2, 0, 4, 3] {
            enough.see(number, game(number));
        }
        assert!(!enough.is_reached());
        enough.see(1, Vec::new());
        assert!(enough.is_reached());
        enough.see(5, game(5));
        assert_eq!(rule.0, [0, 2, 3]);
    }
}

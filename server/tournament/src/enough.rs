//! Decides when a run has seen enough. A rule gets the blocks in the order of the schedule, whatever the order of play.
//! Quick matches end first, and the order of their ends would bias the rule. So any number of jobs stops at the same
//! block, and so does a run that goes on.

use agon_model::MatchOutcome;
use std::collections::BTreeMap;

/// A rule for stopping.
pub trait StopRule {
    /// Begins with no block, also when a run passes through its schedule once more.
    fn begin(&mut self);
    /// Takes the matches of the next block, and returns whether that is enough.
    fn is_enough(&mut self, matches: &[MatchOutcome]) -> bool;
}

/// A rule, and the blocks that wait for earlier ones.
pub struct Enough<'a> {
    rule: &'a mut dyn StopRule,
    next: u64,
    waiting: BTreeMap<u64, Vec<MatchOutcome>>,
    reached: bool,
}

impl<'a> Enough<'a> {
    /// Begins with no block.
    pub fn new(rule: &'a mut dyn StopRule) -> Enough<'a> {
        rule.begin();
        Enough { rule, next: 0, waiting: BTreeMap::new(), reached: false }
    }

    /// Whether the rule has decided; it does not get later blocks.
    pub fn is_reached(&self) -> bool {
        self.reached
    }

    /// Takes a block that was played, or left out (`Vec::new()`).
    pub fn see(&mut self, number: u64, matches: Vec<MatchOutcome>) {
        self.waiting.insert(number, matches);
        while !self.reached
            && let Some(matches) = self.waiting.remove(&self.next)
        {
            self.next += 1;
            self.reached = !matches.is_empty() && self.rule.is_enough(&matches);
        }
    }
}

#[cfg(test)]
mod simulation;

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves_hash: u64) -> Vec<MatchOutcome> {
        vec![MatchOutcome { moves_hash, ..MatchOutcome::default() }]
    }

    /// A rule for which three are enough.
    struct Three(Vec<u64>);

    impl StopRule for Three {
        fn begin(&mut self) {
            self.0.clear();
        }

        fn is_enough(&mut self, matches: &[MatchOutcome]) -> bool {
            self.0.push(matches[0].moves_hash);
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

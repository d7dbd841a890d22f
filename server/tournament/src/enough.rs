//! When a run has seen enough. A rule is shown the blocks in the order of the schedule, whoever was played first: quick
//! matches end first, and in the order of their ends they would bias it. So any number of jobs, and a run that goes on,
//! stop at the same block.

use agon_model::MatchOutcome;
use std::collections::BTreeMap;

/// A rule for stopping.
pub trait StopRule {
    /// Nothing was shown yet: also where a run goes through its schedule once more.
    fn begin(&mut self);
    /// Takes the matches of the next block, and says whether that is enough.
    fn is_enough(&mut self, matches: &[MatchOutcome]) -> bool;
}

/// A rule, and the blocks that wait for those before them.
pub struct Enough<'a> {
    rule: &'a mut dyn StopRule,
    next: u64,
    waiting: BTreeMap<u64, Vec<MatchOutcome>>,
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

    fn game(game: u64) -> Vec<MatchOutcome> {
        vec![MatchOutcome { game, ..MatchOutcome::default() }]
    }

    /// Enough are three.
    struct Three(Vec<u64>);

    impl StopRule for Three {
        fn begin(&mut self) {
            self.0.clear();
        }

        fn is_enough(&mut self, matches: &[MatchOutcome]) -> bool {
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

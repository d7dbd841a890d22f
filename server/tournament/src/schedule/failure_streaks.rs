//! Failures in a row, counted in the order of the schedule and judged at fixed places of it: who is benched, and from
//! which block on, does not depend on how many matches are played at once.

use super::checkpoints::{self, Checkpoints};
use agon_model::Appearance;
use std::collections::BTreeMap;

/// An entrant that failed as often in a row as is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failing {
    /// By index in the ladder.
    pub entrant: usize,
    /// The kind of the last fault.
    pub fault: String,
    /// The match with the last fault.
    pub id: String,
}

/// The counts of all entrants.
#[derive(Debug)]
pub struct FailureStreaks {
    limit: u32,
    in_a_row: BTreeMap<usize, u32>,
    blocks: Checkpoints<Vec<Appearance>>,
}

impl FailureStreaks {
    /// `limit` failures in a row are too many; 0 = nobody is judged.
    pub fn new(limit: u32) -> FailureStreaks {
        FailureStreaks { limit, in_a_row: BTreeMap::new(), blocks: Checkpoints::default() }
    }

    /// Whether anybody is judged.
    pub fn judges(&self) -> bool {
        self.limit > 0
    }

    /// Whether entrants are judged before the block with this number is handed out.
    pub fn is_checkpoint(&self, number: u64) -> bool {
        self.judges() && checkpoints::is_checkpoint(number)
    }

    /// Whether every block that counts there is done.
    pub fn is_ready(&self, place: u64) -> bool {
        self.blocks.is_ready(place)
    }

    /// A block is being played.
    pub fn hand_out(&mut self, number: u64) {
        if self.judges() {
            self.blocks.hand_out(number);
        }
    }

    /// A block is done; without trials if it was void.
    pub fn close(&mut self, number: u64, trials: Vec<Appearance>) {
        if self.judges() {
            self.blocks.close(number, trials);
        }
    }

    /// Counts what counts at this place; those that reached the limit, in the order in which they did.
    pub fn judge(&mut self, place: u64) -> Vec<Failing> {
        let mut failing = Vec::new();
        for Appearance { entrant, id, fault } in self.blocks.take(place).flatten() {
            let count = self.in_a_row.entry(entrant).or_default();
            match fault {
                None => *count = 0,
                Some(fault) => {
                    *count += 1;
                    if *count == self.limit {
                        failing.push(Failing { entrant, fault, id });
                    }
                }
            }
        }
        failing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::CHECKPOINT_INTERVAL;

    fn trial(entrant: usize, number: u64, failed: bool) -> Appearance {
        Appearance { entrant, id: format!("{number:04}-a"), fault: failed.then(|| "crash".to_owned()) }
    }

    #[test]
    fn what_is_judged_does_not_depend_on_the_order_of_play() {
        let judge = |order: &[u64]| {
            let mut failure_streaks = FailureStreaks::new(3);
            (0..3 * CHECKPOINT_INTERVAL).for_each(|number| failure_streaks.hand_out(number));
            for &number in order {
                failure_streaks
                    .close(number, vec![trial(0, number, number % 4 != 3), trial(1, number, number % 3 != 2)]);
            }
            (0..5).flat_map(|place| failure_streaks.judge(place * CHECKPOINT_INTERVAL)).collect::<Vec<_>>()
        };
        let forward: Vec<u64> = (0..3 * CHECKPOINT_INTERVAL).collect();
        let backward: Vec<u64> = forward.iter().rev().copied().collect();
        let failing = judge(&forward);
        assert!(failing.iter().all(|failing| failing.entrant == 0), "two in a row are not three");
        assert_eq!(failing.first().map(|failing| failing.id.as_str()), Some("0002-a"));
        assert_eq!(judge(&backward), failing);
    }

    #[test]
    fn a_place_waits_for_what_counts_there_only() {
        let mut failure_streaks = FailureStreaks::new(1);
        (0..2 * CHECKPOINT_INTERVAL).for_each(|number| failure_streaks.hand_out(number));
        assert!(failure_streaks.is_ready(CHECKPOINT_INTERVAL), "nothing counts yet");
        assert!(!failure_streaks.is_ready(2 * CHECKPOINT_INTERVAL));
        (0..CHECKPOINT_INTERVAL).for_each(|number| failure_streaks.close(number, vec![trial(7, number, true)]));
        assert!(failure_streaks.is_ready(2 * CHECKPOINT_INTERVAL), "the second stretch is still being played");
        assert_eq!(failure_streaks.judge(2 * CHECKPOINT_INTERVAL).len(), 1);
        assert!(!FailureStreaks::new(0).is_checkpoint(0));
    }
}

//! Failures in a row, counted in the order of the schedule and judged at fixed places of it: who is benched, and from which block
//! on, does not depend on how many matches are played at once.

use std::collections::{BTreeMap, BTreeSet};

/// Blocks from one place at which failures are judged to the next.
pub const STRETCH: u64 = 32;

/// How one entrant came out of one match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// By index in the ladder.
    pub entrant: usize,
    /// The match.
    pub id: String,
    /// The kind of its fault.
    pub fault: Option<String>,
}

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
pub struct Streaks {
    limit: u32,
    in_a_row: BTreeMap<usize, u32>,
    /// Handed out and not done.
    open: BTreeSet<u64>,
    /// Done and not counted yet, by the number of the block.
    done: BTreeMap<u64, Vec<Trial>>,
}

impl Streaks {
    /// `limit` failures in a row are too many; 0 = nobody is judged.
    pub fn new(limit: u32) -> Streaks {
        Streaks { limit, in_a_row: BTreeMap::new(), open: BTreeSet::new(), done: BTreeMap::new() }
    }

    /// Whether anybody is judged.
    pub fn judges(&self) -> bool {
        self.limit > 0
    }

    /// Whether entrants are judged before the block with this number is handed out.
    pub fn is_place(&self, number: u64) -> bool {
        self.judges() && number.is_multiple_of(STRETCH)
    }

    /// Whether every block that counts there is done. A stretch of blocks lies between what counts and the place, so that nobody
    /// idles until the last of them is.
    pub fn is_ready(&self, place: u64) -> bool {
        self.open.first().is_none_or(|&first| first >= horizon(place))
    }

    /// A block is being played.
    pub fn hand_out(&mut self, number: u64) {
        if self.judges() {
            self.open.insert(number);
        }
    }

    /// A block is done; without trials if it was void.
    pub fn close(&mut self, number: u64, trials: Vec<Trial>) {
        if self.judges() {
            self.open.remove(&number);
            self.done.insert(number, trials);
        }
    }

    /// Counts what counts at this place; those that reached the limit, in the order in which they did.
    pub fn judge(&mut self, place: u64) -> Vec<Failing> {
        let later = self.done.split_off(&horizon(place));
        let trials = std::mem::replace(&mut self.done, later).into_values().flatten();
        let mut failing = Vec::new();
        for Trial { entrant, id, fault } in trials {
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

/// The first block that does not count at a place.
fn horizon(place: u64) -> u64 {
    (place / STRETCH).saturating_sub(1) * STRETCH
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(entrant: usize, number: u64, failed: bool) -> Trial {
        Trial { entrant, id: format!("{number:04}-a"), fault: failed.then(|| "crash".to_owned()) }
    }

    #[test]
    fn what_is_judged_does_not_depend_on_the_order_of_play() {
        let judge = |order: &[u64]| {
            let mut streaks = Streaks::new(3);
            (0..3 * STRETCH).for_each(|number| streaks.hand_out(number));
            for &number in order {
                streaks.close(number, vec![trial(0, number, number % 4 != 3), trial(1, number, number % 3 != 2)]);
            }
            (0..5).flat_map(|place| streaks.judge(place * STRETCH)).collect::<Vec<_>>()
        };
        let forward: Vec<u64> = (0..3 * STRETCH).collect();
        let backward: Vec<u64> = forward.iter().rev().copied().collect();
        let failing = judge(&forward);
        assert!(failing.iter().all(|failing| failing.entrant == 0), "two in a row are not three");
        assert_eq!(failing.first().map(|failing| failing.id.as_str()), Some("0002-a"));
        assert_eq!(judge(&backward), failing);
    }

    #[test]
    fn a_place_waits_for_what_counts_there_only() {
        let mut streaks = Streaks::new(1);
        (0..2 * STRETCH).for_each(|number| streaks.hand_out(number));
        assert!(streaks.is_ready(STRETCH), "nothing counts yet");
        assert!(!streaks.is_ready(2 * STRETCH));
        (0..STRETCH).for_each(|number| streaks.close(number, vec![trial(7, number, true)]));
        assert!(streaks.is_ready(2 * STRETCH), "the second stretch is still being played");
        assert_eq!(streaks.judge(2 * STRETCH).len(), 1);
        assert!(!Streaks::new(0).is_place(0));
    }
}

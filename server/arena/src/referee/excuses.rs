//! Counts the excuses of a ladder's clients by their kind. All workers share the counts, so that no client is excused
//! more often than it may be, whatever is played at once.

use agon_model::Excuse;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The counts of each entrant, by index in the ladder.
#[derive(Debug, Default)]
pub struct Excuses(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    /// The excuses that still count against the next one.
    given: BTreeMap<(usize, Excuse), u32>,
    /// The matches of each entrant that were not void.
    matches: BTreeMap<usize, u64>,
    /// The excuses since they were last taken.
    news: Vec<(usize, Excuse)>,
}

impl Excuses {
    /// Begins with the excuses given earlier.
    pub fn new(given: impl IntoIterator<Item = ((usize, Excuse), u32)>) -> Excuses {
        Excuses(Mutex::new(Counts { given: given.into_iter().collect(), ..Counts::default() }))
    }

    /// Begins with all excuses of a ladder, after so many matches of each entrant.
    pub fn after(matches: BTreeMap<usize, u64>, given: impl IntoIterator<Item = ((usize, Excuse), u32)>) -> Excuses {
        let earned = |entrant| (matches.get(&entrant).copied().unwrap_or(0) / Excuse::MATCHES) as u32;
        let given = given.into_iter().map(|((entrant, excuse), count)| {
            let counting = count.saturating_sub(earned(entrant));
            ((entrant, excuse), counting)
        });
        Excuses(Mutex::new(Counts { given: given.collect(), matches, news: Vec::new() }))
    }

    /// Returns whether an entrant is excused once more, and counts it if so.
    pub fn claim(&self, entrant: usize, excuse: Excuse) -> bool {
        let mut counts = self.lock();
        let count = counts.given.entry((entrant, excuse)).or_default();
        let is_excused = *count < Excuse::MOST;
        if is_excused {
            *count += 1;
            counts.news.push((entrant, excuse));
        }
        is_excused
    }

    /// Counts a match of an entrant. A busy machine makes clients late in a long ladder more often than in a short one,
    /// so an earlier excuse counts no longer after [`Excuse::MATCHES`] matches.
    pub fn count_match(&self, entrant: usize) {
        let mut counts = self.lock();
        let matches = counts.matches.entry(entrant).or_default();
        *matches += 1;
        if matches.is_multiple_of(Excuse::MATCHES) {
            let own = counts.given.range_mut((entrant, Excuse::Taken)..=(entrant, Excuse::KeptOff));
            own.for_each(|(_, count)| *count = count.saturating_sub(1));
        }
    }

    /// The number of excuses of each kind that still count.
    pub fn given(&self) -> BTreeMap<(usize, Excuse), u32> {
        self.lock().given.clone()
    }

    /// The excuses since the last call, for the record.
    pub fn take_news(&self) -> Vec<(usize, Excuse)> {
        std::mem::take(&mut self.lock().news)
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_time_by_the_same_cause_is_not_excused_even_after_a_resume() {
        let excuses = Excuses::new([((1, Excuse::Taken), 1)]);
        assert!(excuses.claim(1, Excuse::Taken));
        assert!(!excuses.claim(1, Excuse::Taken) && !excuses.claim(1, Excuse::Taken));
        assert!(excuses.claim(1, Excuse::KeptOff) && excuses.claim(0, Excuse::Taken));
        assert_eq!(excuses.take_news(), [(1, Excuse::Taken), (1, Excuse::KeptOff), (0, Excuse::Taken)]);
        assert_eq!(excuses.take_news(), []);
    }

    #[test]
    fn a_long_ladder_excuses_a_client_once_more_after_fifty_of_its_matches_and_never_three_times_at_once() {
        let excuses = Excuses::default();
        let mut voids = 0;
        for _ in 0..500 {
            excuses.count_match(0);
            excuses.count_match(1);
            while excuses.claim(0, Excuse::Taken) {
                voids += 1;
            }
        }
        assert_eq!(voids, 2 + 500 / 50);
        assert!(excuses.claim(1, Excuse::Taken) && excuses.claim(1, Excuse::Taken) && !excuses.claim(1, Excuse::Taken));
    }

    #[test]
    fn a_resumed_ladder_counts_matches_and_excuses_of_before() {
        let resumed = Excuses::after([(0, 120), (1, 120)].into(), [((0, Excuse::Taken), 3), ((1, Excuse::Taken), 9)]);
        assert_eq!(resumed.given()[&(0, Excuse::Taken)], 1);
        assert!(resumed.claim(0, Excuse::Taken) && !resumed.claim(0, Excuse::Taken));
        assert!(!resumed.claim(1, Excuse::Taken));
        (0..29).for_each(|_| resumed.count_match(0));
        assert!(!resumed.claim(0, Excuse::Taken));
        resumed.count_match(0);
        assert!(resumed.claim(0, Excuse::Taken));
    }
}

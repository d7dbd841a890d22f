//! For what the clients of a ladder were excused, and how often: shared by all its workers, so that nobody is more
//! often than
//! [`Excuse::MOST`] times, whatever is played at once.

use agon_model::Excuse;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Counts of each entrant, by index in the ladder.
#[derive(Debug, Default)]
pub struct Excuses(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    given: BTreeMap<(usize, Excuse), u32>,
    /// Those that were given since they were last taken.
    news: Vec<(usize, Excuse)>,
}

impl Excuses {
    /// With those that were given before.
    pub fn new(given: impl IntoIterator<Item = ((usize, Excuse), u32)>) -> Excuses {
        Excuses(Mutex::new(Counts { given: given.into_iter().collect(), news: Vec::new() }))
    }

    /// Whether an entrant is excused once more; if so, it is counted.
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

    /// All that were given, counted.
    pub fn given(&self) -> BTreeMap<(usize, Excuse), u32> {
        self.lock().given.clone()
    }

    /// Those given since the last time, for the record.
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
}

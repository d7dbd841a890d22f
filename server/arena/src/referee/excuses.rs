//! Counts the excuses of a ladder's clients by their kind. All workers share the counts, so that no client is excused
//! more often than [`Excuse::MOST`] times, whatever is played at once.

use agon_model::Excuse;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The counts of each entrant, by index in the ladder.
#[derive(Debug, Default)]
pub struct Excuses(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    given: BTreeMap<(usize, Excuse), u32>,
    /// The excuses since they were last taken.
    news: Vec<(usize, Excuse)>,
}

impl Excuses {
    /// Begins with the excuses given earlier.
    pub fn new(given: impl IntoIterator<Item = ((usize, Excuse), u32)>) -> Excuses {
        Excuses(Mutex::new(Counts { given: given.into_iter().collect(), news: Vec::new() }))
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

    /// The number of excuses of each kind.
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
}

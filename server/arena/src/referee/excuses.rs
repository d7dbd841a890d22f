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
    given: BTreeMap<(usize, Excuse), u32>,
    /// The matches of each entrant that were not void.
    matches: BTreeMap<usize, u64>,
    /// The excuses since they were last taken.
    news: Vec<(usize, Excuse)>,
}

impl Counts {
    /// A busy machine makes clients late more often in a long ladder: their matches bring further excuses.
    fn earned(&self, entrant: usize) -> u32 {
        (self.matches.get(&entrant).copied().unwrap_or(0) / Excuse::MATCHES) as u32
    }
}

impl Excuses {
    /// Begins with the matches and the excuses of each entrant so far.
    pub fn new(matches: BTreeMap<usize, u64>, given: impl IntoIterator<Item = ((usize, Excuse), u32)>) -> Excuses {
        Excuses(Mutex::new(Counts { given: given.into_iter().collect(), matches, news: Vec::new() }))
    }

    /// Returns whether an entrant is excused once more, and counts it if so.
    pub fn claim(&self, entrant: usize, excuse: Excuse) -> bool {
        let mut counts = self.lock();
        let most = Excuse::MOST + counts.earned(entrant);
        let count = counts.given.entry((entrant, excuse)).or_default();
        let is_excused = *count < most;
        if is_excused {
            *count += 1;
            counts.news.push((entrant, excuse));
        }
        is_excused
    }

    /// Counts a match of an entrant.
    pub fn count_match(&self, entrant: usize) {
        *self.lock().matches.entry(entrant).or_default() += 1;
    }

    /// The number of excuses of each kind beyond those that the entrant's matches have brought.
    pub fn given(&self) -> BTreeMap<(usize, Excuse), u32> {
        let counts = self.lock();
        let given = counts.given.iter();
        given
            .map(|(&(entrant, excuse), count)| ((entrant, excuse), count.saturating_sub(counts.earned(entrant))))
            .collect()
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
        let excuses = Excuses::new(BTreeMap::new(), [((1, Excuse::Taken), 1)]);
        assert!(excuses.claim(1, Excuse::Taken));
        assert!(!excuses.claim(1, Excuse::Taken) && !excuses.claim(1, Excuse::Taken));
        assert!(excuses.claim(1, Excuse::KeptOff) && excuses.claim(0, Excuse::Taken));
        assert_eq!(excuses.take_news(), [(1, Excuse::Taken), (1, Excuse::KeptOff), (0, Excuse::Taken)]);
        assert_eq!(excuses.take_news(), []);
    }

    #[test]
    fn a_long_ladder_excuses_a_client_once_more_after_each_fifty_of_its_matches() {
        let excuses = Excuses::default();
        let mut voids = 0;
        for _ in 0..500 {
            excuses.count_match(0);
            while excuses.claim(0, Excuse::Taken) {
                voids += 1;
            }
        }
        assert_eq!(voids, 2 + 500 / 50);
        assert!(excuses.claim(1, Excuse::Taken) && excuses.claim(1, Excuse::Taken) && !excuses.claim(1, Excuse::Taken));
    }

    /// Voids allowed from now on.
    fn left(excuses: &Excuses) -> u32 {
        std::iter::repeat_with(|| excuses.claim(0, Excuse::Taken)).take_while(|is_excused| *is_excused).count() as u32
    }

    #[test]
    fn an_interruption_makes_no_difference() {
        for (matches, given) in [(0, 1), (49, 2), (120, 3), (500, 2), (500, 12), (500, 20)] {
            let unbroken = Excuses::default();
            (0..matches).for_each(|_| unbroken.count_match(0));
            unbroken.lock().given.insert((0, Excuse::Taken), given);
            let resumed = Excuses::new([(0, matches)].into(), [((0, Excuse::Taken), given)]);
            let elsewhere = Excuses::new(BTreeMap::new(), unbroken.given());
            let expected = (2 + matches as u32 / 50).saturating_sub(given);
            assert_eq!(left(&resumed), expected, "{matches} {given}");
            assert_eq!(left(&elsewhere), expected.min(2), "{matches} {given}");
            assert_eq!(left(&unbroken), expected, "{matches} {given}");
        }
    }
}

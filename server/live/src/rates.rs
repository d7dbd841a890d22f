//! How many requests may come from one sender: some at once, and a steady number after them.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The most senders that are remembered.
const SENDERS: usize = 4096;

/// The requests that each sender may still send.
pub struct Rates<Who> {
    a_second: f64,
    at_once: f64,
    left: Mutex<BTreeMap<Who, (f64, Instant)>>,
}

impl<Who: Ord> Rates<Who> {
    /// This number of requests a second for each sender, and the number that it may save up.
    pub fn new(a_second: f64, at_once: f64) -> Rates<Who> {
        Rates { a_second, at_once, left: Mutex::default() }
    }

    /// Whether this sender may send one more request, which counts.
    pub fn may(&self, who: Who) -> bool {
        self.may_at(who, Instant::now())
    }

    fn may_at(&self, who: Who, now: Instant) -> bool {
        let mut senders = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if senders.len() >= SENDERS {
            // A sender that is full again is as good as a new one.
            senders.retain(|_, (left, at)| self.refilled(*left, *at, now) < self.at_once);
        }
        if senders.len() >= SENDERS && !senders.contains_key(&who) {
            return false;
        }
        let (left, at) = senders.entry(who).or_insert((self.at_once, now));
        (*left, *at) = (self.refilled(*left, *at, now), now);
        let may = *left >= 1.0;
        if may {
            *left -= 1.0;
        }
        may
    }

    fn refilled(&self, left: f64, at: Instant, now: Instant) -> f64 {
        (left + now.saturating_duration_since(at).as_secs_f64() * self.a_second).min(self.at_once)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn one_sender_waits_and_others_do_not() {
        let (rates, begin) = (Rates::new(500.0, 1000.0), Instant::now());
        let sent = |who: u32, at: Duration| (0..3000).filter(|_| rates.may_at(who, begin + at)).count();
        assert_eq!(sent(1, Duration::ZERO), 1000);
        assert_eq!(sent(2, Duration::ZERO), 1000);
        assert_eq!(sent(1, Duration::from_secs(1)), 500);
        assert_eq!(sent(1, Duration::from_secs(100)), 1000);
    }

    #[test]
    fn strangers_do_not_fill_the_memory() {
        let (rates, begin) = (Rates::new(500.0, 1000.0), Instant::now());
        let taken = (0..2 * SENDERS).filter(|who| rates.may_at(*who, begin)).count();
        assert_eq!((taken, rates.left.lock().unwrap().len()), (SENDERS, SENDERS));
        assert!(rates.may_at(2 * SENDERS, begin + Duration::from_secs(1)), "those before have gone");
    }
}

//! How many blocks are played a second, of the last ones: who joins or leaves is seen soon.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Over how long it is taken.
const LONG: Duration = Duration::from_secs(10);
/// The time between two remembered counts.
const STEP: Duration = Duration::from_millis(250);

/// Counts, and when they were reached.
pub struct MovingRate {
    count: u64,
    marks: VecDeque<(Instant, u64)>,
}

impl MovingRate {
    /// A rate of which nothing is known.
    pub fn new(now: Instant) -> MovingRate {
        MovingRate { count: 0, marks: VecDeque::from([(now, 0)]) }
    }

    /// Counts one more.
    pub fn count(&mut self, now: Instant) {
        self.count += 1;
        self.forget(now);
        if self.marks.back().is_none_or(|(at, _)| now - *at >= STEP) {
            self.marks.push_back((now, self.count));
        }
    }

    /// The number a second.
    pub fn rate(&mut self, now: Instant) -> f64 {
        self.forget(now);
        let Some((since, before)) = self.marks.front() else { return 0.0 };
        (self.count - before) as f64 / (now - *since).as_secs_f64().max(1e-3)
    }

    /// Forgets counts that are older than needed, except for the newest of them.
    fn forget(&mut self, now: Instant) {
        while self.marks.get(1).is_some_and(|(at, _)| now - *at >= LONG) {
            self.marks.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_of_late_counts() {
        let begin = Instant::now();
        let after = |tenths: u64| begin + Duration::from_millis(100 * tenths);
        let mut rate = MovingRate::new(begin);
        assert_eq!(rate.rate(after(10)), 0.0);
        (1..=200).for_each(|tenth| rate.count(after(tenth)));
        assert!((rate.rate(after(200)) - 10.0).abs() < 0.5, "{}", rate.rate(after(200)));
        (401..=800).for_each(|half| rate.count(begin + Duration::from_millis(50 * half)));
        assert!((rate.rate(after(400)) - 20.0).abs() < 1.0, "{}", rate.rate(after(400)));
        assert!(rate.rate(after(600)) < 2.0, "nothing came any more");
    }
}

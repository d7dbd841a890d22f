//! Time that the machine below takes from this one, as steal or without a word: both clocks charge it to whoever runs, and it is nobody's
//! fault.

use super::proc::own_run_delay;
use crate::clock::Ticks;
use crate::record::ClockKind;
use std::time::{Duration, Instant};

/// How old readings may be at the start of a call: they cost some 15 us, and the kernel counts steal in hundredths of a second.
const FRESH: Duration = Duration::from_millis(10);
/// How long the kernel may take to count what was taken: two of its slowest ticks.
const SETTLING: Duration = Duration::from_millis(20);
/// A wait that ends so much later than it was to end is looked into.
const LATE: Duration = Duration::from_millis(1);
/// A core that runs has another thread than the client's by then, if one waits for it: three of the scheduler's ticks.
const TURN: Duration = Duration::from_millis(12);

/// What was taken during the calls of one client in one match; calls shorter than half of [`FRESH`] are not looked at.
#[derive(Debug)]
pub(super) struct Theft {
    read_at: Instant,
    /// Steal since the machine started.
    seen: Duration,
    /// `seen` when the call began.
    before: Duration,
    /// How long this thread has been ready and not running.
    own_delay: Duration,
    /// Steal in the calls.
    stolen: Duration,
    /// For how long the client's core can have stood still, by what this thread, on the same core, saw of it.
    stalled: Duration,
}

impl Theft {
    /// Of a match that begins now.
    pub fn new() -> Theft {
        let seen = stolen();
        let (stolen, stalled) = (Duration::ZERO, Duration::ZERO);
        Theft { read_at: Instant::now(), seen, before: seen, own_delay: own_run_delay(), stolen, stalled }
    }

    /// Another match begins.
    pub fn begin_anew(&mut self) {
        (self.stolen, self.stalled) = (Duration::ZERO, Duration::ZERO);
    }

    /// A call begins.
    pub fn begin(&mut self) {
        if self.read_at.elapsed() > FRESH {
            self.read();
        }
        self.before = self.seen;
    }

    /// This thread, on the client's core, was to wait for `patience` at most, and waited so long, while the client was `charged` so much.
    pub fn waited(&mut self, patience: Duration, elapsed: Duration, charged: impl FnOnce() -> Duration) {
        if elapsed.saturating_sub(patience) > LATE {
            let delay = own_run_delay();
            self.weigh_wait(patience, elapsed, delay.saturating_sub(self.own_delay), charged);
            self.own_delay = delay;
        }
    }

    /// Of a wait that was too long: this thread was `queued` for the core so much of it.
    fn weigh_wait(
        &mut self,
        patience: Duration,
        elapsed: Duration,
        queued: Duration,
        charged: impl FnOnce() -> Duration,
    ) {
        let awake = elapsed.saturating_sub(queued);
        if awake > patience + LATE {
            // The timer rang late though nobody was before this thread: the core may have stood still since it was set.
            self.stalled += awake;
            return;
        }
        let alone = queued.min(charged());
        if alone > TURN {
            self.stalled += alone;
        }
    }

    /// The client has thought for a while.
    pub fn sample(&mut self) {
        self.own_delay = own_run_delay();
    }

    /// The call has ended, or was late, after so much time.
    pub fn end(&mut self, elapsed: Duration) {
        if elapsed >= FRESH / 2 {
            self.count();
        }
    }

    /// Whether at least so much was taken in all calls up to the last one that has ended or was late.
    pub fn explains(&mut self, overrun: Duration, clock: ClockKind) -> bool {
        // A core that was taken tells of it at its next tick. Where time that passes is judged, other seats would pay for the wait.
        if overrun > self.taken() && clock == ClockKind::Cpu {
            std::thread::sleep(SETTLING);
            self.count();
        }
        overrun <= self.taken()
    }

    /// What was taken in these calls: steal shows as timers that ring late, too.
    pub fn taken(&self) -> Duration {
        self.stolen.max(self.stalled)
    }

    fn count(&mut self) {
        self.read();
        self.stolen += self.seen.saturating_sub(self.before);
        self.before = self.seen;
    }

    fn read(&mut self) {
        (self.seen, self.own_delay, self.read_at) = (stolen(), own_run_delay(), Instant::now());
    }
}

fn stolen() -> Duration {
    Duration::from_millis(10 * Ticks::read().map_or(0, |ticks| ticks.stolen))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_timer_that_rings_late_without_a_wait_for_the_core_tells_of_a_stall() {
        let mut theft = Theft::new();
        theft.weigh_wait(ms(5), Duration::from_micros(5_900), ms(0), || ms(5));
        theft.weigh_wait(ms(5), ms(85), ms(80), || ms(5));
        assert_eq!(theft.taken(), Duration::ZERO);
        theft.waited(ms(5), ms(5), || ms(5));
        theft.weigh_wait(ms(5), ms(85), ms(10), || ms(85));
        assert_eq!(theft.taken(), ms(75));
    }

    #[test]
    fn a_core_that_one_client_had_for_long_while_another_thread_was_queued_for_it_stood_still() {
        let mut theft = Theft::new();
        theft.weigh_wait(ms(5), ms(45), ms(40), || ms(10));
        assert_eq!(theft.taken(), Duration::ZERO);
        theft.weigh_wait(ms(5), ms(85), ms(80), || ms(84));
        assert_eq!(theft.taken(), ms(80));
    }

    #[test]
    fn only_what_is_taken_within_calls_counts() {
        let mut theft = Theft::new();
        let taken = |theft: &mut Theft, ms| theft.before = theft.before.saturating_sub(Duration::from_millis(ms));
        theft.begin();
        taken(&mut theft, 30);
        theft.end(Duration::from_millis(50));
        let first = theft.taken();
        assert!(first >= Duration::from_millis(30));
        taken(&mut theft, 30);
        theft.begin();
        theft.end(Duration::from_millis(1));
        assert_eq!(theft.taken(), first);
        theft.begin_anew();
        assert_eq!(theft.taken(), Duration::ZERO);
    }
}

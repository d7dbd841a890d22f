//! Time that the machine below takes from this one, reported as steal or not at all. Both clocks charge it to the
//! running process, and it is nobody's fault. Two signs show it: steal of the client's cores, and a timer that rang
//! late though no other thread ran first. A client can cause neither.

use super::proc::own_run_delay;
use crate::clock::{Allowance, Ticks};
use agon_model::ClockKind;
use rustix::thread::{CpuSet, sched_getaffinity};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// The greatest age of readings at the start of a call: they cost some 15 us, and the kernel counts steal in hundredths
/// of a second.
const FRESH: Duration = Duration::from_millis(10);
/// How long the kernel may take to count stolen time: two of its slowest ticks.
const SETTLING: Duration = Duration::from_millis(20);
/// A wait that ends this much too late is examined.
const LATE_WAIT: Duration = Duration::from_millis(1);

/// The time taken during the calls of one client in one match; calls shorter than half of [`FRESH`] are not examined.
#[derive(Debug)]
pub(crate) struct Steal {
    /// The cores of this thread and of the client.
    cores: Vec<usize>,
    reading: Reading,
    /// The stolen time when the call began, or at the last count.
    before: Duration,
    in_call: Taken,
    in_match: Taken,
}

thread_local! {
    /// The last reading for any client: quick matches share one.
    static LATEST: Cell<Option<Reading>> = const { Cell::new(None) };
}

/// The kernel's figures, and their time.
#[derive(Clone, Copy, Debug)]
struct Reading {
    at: Instant,
    /// Steal of the cores since the machine started.
    stolen: Duration,
    /// How long this thread has been ready and not running.
    own_delay: Duration,
}

impl Reading {
    /// Reads the figures of these cores and this thread.
    fn take(cores: &[usize]) -> Reading {
        let reading = Reading { at: Instant::now(), stolen: stolen(cores), own_delay: own_run_delay() };
        LATEST.set(Some(reading));
        reading
    }

    fn is_fresh(&self) -> bool {
        self.at.elapsed() <= FRESH
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    stolen: Duration,
    /// The longest time for which the client's core can have stood still, as this thread saw it on the same core.
    stalled: Duration,
}

impl Taken {
    /// The greater of both, because steal also makes timers ring late.
    fn most(self) -> Duration {
        self.stolen.max(self.stalled)
    }
}

impl Steal {
    /// Begins a match on the cores of this thread.
    pub fn new() -> Steal {
        let allowed = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
        let cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
        let latest = LATEST.get().filter(Reading::is_fresh);
        let reading = latest.unwrap_or_else(|| Reading::take(&cores));
        let nothing = Taken::default();
        Steal { cores, reading, before: reading.stolen, in_call: nothing, in_match: nothing }
    }

    pub fn begin_anew(&mut self) {
        (self.in_call, self.in_match) = (Taken::default(), Taken::default());
    }

    pub fn begin(&mut self) {
        if !self.reading.is_fresh() {
            self.read();
        }
        (self.before, self.in_call) = (self.reading.stolen, Taken::default());
    }

    /// Reports that this thread, on the client's core, waited for `elapsed` instead of at most `patience`.
    pub fn waited(&mut self, patience: Duration, elapsed: Duration) {
        if elapsed.saturating_sub(patience) > LATE_WAIT {
            let delay = own_run_delay();
            self.weigh_wait(patience, elapsed, delay.saturating_sub(self.reading.own_delay));
            self.reading.own_delay = delay;
        }
    }

    /// Judges a wait that was too long: for the part `queued`, this thread waited for the core behind others. The rest
    /// is the machine's: the core may have stood still since the timer was set.
    fn weigh_wait(&mut self, patience: Duration, elapsed: Duration, queued: Duration) {
        let awake = elapsed.saturating_sub(queued);
        if awake > patience + LATE_WAIT {
            self.in_call.stalled += awake;
            self.in_match.stalled += awake;
        }
    }

    /// Reads how long this thread has been ready and not running, after the client has thought for a while.
    pub fn sample(&mut self) -> Duration {
        self.reading.own_delay = own_run_delay();
        self.reading.own_delay
    }

    /// The same figure at its last reading.
    pub fn own_delay(&self) -> Duration {
        self.reading.own_delay
    }

    /// Ends a call, or marks it as late, after this time.
    pub fn end(&mut self, elapsed: Duration) {
        if elapsed >= FRESH / 2 {
            self.count();
        }
    }

    /// The time taken until now from what an allowance covers: one call, or the whole match. If it is less than `late`,
    /// it looks once more.
    pub fn taken(&mut self, late: Duration, allowance: &Allowance) -> Duration {
        // A stolen core shows at its next tick. If wall time judges, other seats would pay for the wait.
        if late > self.most(allowance) && allowance.clock == ClockKind::Cpu {
            std::thread::sleep(SETTLING);
            self.count();
        }
        self.most(allowance)
    }

    /// The time taken during this call.
    pub fn taken_from_call(&self) -> Duration {
        self.in_call.most()
    }

    fn most(&self, allowance: &Allowance) -> Duration {
        if allowance.is_of_match() { self.in_match.most() } else { self.taken_from_call() }
    }

    fn count(&mut self) {
        self.read();
        let stolen = self.reading.stolen.saturating_sub(self.before);
        self.in_call.stolen += stolen;
        self.in_match.stolen += stolen;
        self.before = self.reading.stolen;
    }

    fn read(&mut self) {
        self.reading = Reading::take(&self.cores);
    }
}

fn stolen(cores: &[usize]) -> Duration {
    Duration::from_millis(10 * Ticks::stolen_from(cores).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const A_CALL: Allowance =
        Allowance { clock: ClockKind::Wall, call_us: Some(1), total_us: None, moves_left: None, guard_us: 1_000_000 };
    const A_MATCH: Allowance = Allowance { total_us: Some(1), ..A_CALL };

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_timer_that_rings_late_without_a_wait_for_the_core_tells_of_a_stall() {
        let mut steal = Steal::new();
        steal.weigh_wait(ms(5), Duration::from_micros(5_900), ms(0));
        steal.weigh_wait(ms(5), ms(85), ms(80));
        assert_eq!(steal.taken(ms(0), &A_CALL), Duration::ZERO);
        steal.waited(ms(5), ms(5));
        steal.weigh_wait(ms(5), ms(85), ms(10));
        assert_eq!(steal.taken(ms(0), &A_CALL), ms(75));
    }

    #[test]
    fn a_queue_is_never_an_excuse() {
        let mut steal = Steal::new();
        for queued in [5, 40, 80, 800] {
            steal.weigh_wait(ms(5), ms(5 + queued), ms(queued));
        }
        assert_eq!(steal.taken(ms(0), &A_MATCH), Duration::ZERO);
    }

    #[test]
    fn only_what_is_taken_within_calls_counts_and_for_a_limit_of_one_call_only_in_this_one() {
        let mut steal = Steal::new();
        let taken = |steal: &mut Steal, ms| steal.before = steal.before.saturating_sub(Duration::from_millis(ms));
        steal.begin();
        taken(&mut steal, 30);
        steal.end(ms(50));
        let first = steal.taken(ms(0), &A_CALL);
        assert!(first >= ms(30).min(steal.reading.stolen));
        taken(&mut steal, 30);
        steal.begin();
        steal.end(ms(1));
        assert_eq!((steal.taken(ms(0), &A_CALL), steal.taken(ms(0), &A_MATCH)), (Duration::ZERO, first));
        steal.begin_anew();
        assert_eq!(steal.taken(ms(0), &A_MATCH), Duration::ZERO);
    }
}

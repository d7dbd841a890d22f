//! Time: the processor clock of a client's process, and the budget it is judged by.

use crate::record::{ClockKind, TimeControl};
use agon_abi::Clock;
use rustix::process::Pid;
use std::io;
use std::time::Duration;

/// The processor time of one process, all its threads together.
#[derive(Clone, Copy, Debug)]
pub struct ProcessClock(libc::clockid_t);

impl ProcessClock {
    /// The clock of a child.
    ///
    /// # Errors
    /// There is no such process.
    pub fn of(pid: Pid) -> io::Result<ProcessClock> {
        let mut id = 0;
        // SAFETY: the call writes one clock id to a place that lives through it.
        match unsafe { libc::clock_getcpuclockid(pid.as_raw_nonzero().get(), &mut id) } {
            0 => Ok(ProcessClock(id)),
            error => Err(io::Error::from_raw_os_error(error)),
        }
    }

    /// What the process has used since it began; `None` once it is gone.
    pub fn read(self) -> Option<Duration> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the call writes one timespec to a place that lives through it.
        let status = unsafe { libc::clock_gettime(self.0, &mut time) };
        (status == 0).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }
}

/// Ticks of a hundredth of a second, summed over all cores since the machine started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticks {
    /// Which other machines had this one's cores.
    pub stolen: u64,
    /// All.
    pub all: u64,
}

impl Ticks {
    /// Up to now; `None` where the kernel does not tell.
    pub fn read() -> Option<Ticks> {
        Ticks::parse(&std::fs::read_to_string("/proc/stat").ok()?)
    }

    /// From the first line of `/proc/stat`.
    fn parse(text: &str) -> Option<Ticks> {
        let line = text.lines().next()?;
        let ticks: Vec<u64> = line.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
        Some(Ticks { stolen: *ticks.get(7)?, all: ticks.iter().take(8).sum() })
    }
}

/// What one call of `play` may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Which clock judges.
    pub clock: ClockKind,
    /// Microseconds on that clock; `None` = not limited.
    pub call_us: Option<u64>,
    /// Microseconds left for this and all later calls; `None` = not limited.
    pub total_us: Option<u64>,
    /// Microseconds of wall time after which the call is stopped, whatever the processor clock says.
    pub guard_us: u64,
}

/// The time that one seat has left.
#[derive(Clone, Debug)]
pub struct Budget {
    control: TimeControl,
    left_us: Option<u64>,
}

impl Budget {
    /// Full.
    pub fn new(control: &TimeControl) -> Budget {
        Budget { left_us: control.total_us, control: control.clone() }
    }

    /// What the next call may use when `asked` seats think at once: they may share one core, so that the guard grows with them.
    #[inline]
    pub fn allowance(&self, asked: usize) -> Allowance {
        let call_us = self.call_us();
        Allowance { clock: self.control.clock, call_us, total_us: self.left_us, guard_us: guard_us(call_us, asked) }
    }

    fn call_us(&self) -> Option<u64> {
        match (self.control.per_move_us, self.left_us) {
            (Some(call), Some(left)) => Some(call.min(left)),
            (call, left) => call.or(left),
        }
    }

    /// Takes what a call used, and gives the increment.
    ///
    /// # Errors
    /// The call used more than it was allowed.
    #[inline]
    pub fn charge(&mut self, used_us: u64) -> Result<(), Overrun> {
        if let Some(limit_us) = self.call_us().filter(|limit| used_us > *limit) {
            return Err(Overrun { used_us, limit_us });
        }
        self.left_us = self.left_us.map(|left| left - used_us + self.control.increment_us);
        Ok(())
    }
}

/// A call that used more than it was allowed, microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overrun {
    /// On the judging clock.
    pub used_us: u64,
    /// What was allowed.
    pub limit_us: u64,
}

/// The wall time after which a call is stopped, microseconds: seats asked x 4 x processor time left + 1 s, at most a week.
pub fn guard_us(call_us: Option<u64>, asked: usize) -> u64 {
    const WEEK: u64 = 7 * 24 * 3600 * 1_000_000;
    call_us.map_or(WEEK, |us| us.saturating_mul(4 * asked as u64).saturating_add(1_000_000).min(WEEK))
}

impl ClockKind {
    /// The same in the contract with clients.
    pub fn in_abi(self) -> Clock {
        match self {
            ClockKind::Cpu => Clock::Cpu,
            ClockKind::Wall => Clock::Wall,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_taken_by_other_machines_is_read() {
        let text = "cpu  10 20 30 40 50 60 70 4363 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n";
        assert_eq!(Ticks::parse(text), Some(Ticks { stolen: 4363, all: 4643 }));
        assert_eq!((Ticks::parse("cpu 1 2 3\n"), Ticks::parse("")), (None, None));
    }

    fn control(total_us: Option<u64>, increment_us: u64, per_move_us: Option<u64>) -> TimeControl {
        let second = 1_000_000;
        TimeControl {
            clock: ClockKind::Cpu,
            total_us,
            increment_us,
            per_move_us,
            load_us: second,
            initialize_us: second,
            finalize_us: second,
        }
    }

    #[test]
    fn a_total_shrinks_and_the_increment_returns() {
        let mut budget = Budget::new(&control(Some(100), 10, None));
        assert_eq!(budget.charge(40), Ok(()));
        assert_eq!(budget.allowance(1).call_us, Some(70));
        assert_eq!(budget.charge(71), Err(Overrun { used_us: 71, limit_us: 70 }));
    }

    #[test]
    fn a_single_move_has_its_own_limit() {
        let mut budget = Budget::new(&control(None, 0, Some(50)));
        for _ in 0..3 {
            assert_eq!(budget.charge(50), Ok(()));
        }
        assert!(budget.charge(51).is_err());
    }

    #[test]
    fn the_guard_grows_with_the_seats_asked() {
        assert_eq!(guard_us(Some(1_000_000), 1), 5_000_000);
        assert_eq!(guard_us(Some(1_000_000), 6), 25_000_000);
    }

    #[test]
    fn the_clock_of_this_process_runs() {
        let clock = ProcessClock::of(rustix::process::getpid()).unwrap();
        let before = clock.read().unwrap();
        std::hint::black_box((0..1_000_000u64).fold(0, |a, b| a ^ (b * a)));
        assert!(clock.read().unwrap() > before);
    }
}

//! Time: what one call may use, and the clocks, the budget and the judge of it.

mod budget;
mod judge;
mod process_clock;
mod ticks;

pub use budget::{Budget, WallTimeVerdict};
pub use judge::{Finding, MOST_GUARDS, Reading, Scheduled, Waits, Yields, doubtful, judge_time, kept_off, unseen};
pub use process_clock::ProcessClock;
pub use ticks::Ticks;

use agon_model::ClockKind;
use std::time::Duration;

/// The time that one call of `play` may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The clock that judges.
    pub clock: ClockKind,
    /// Microseconds on that clock; `None` = not limited.
    pub call_us: Option<u64>,
    /// Microseconds left for this and all later calls, or those of the period; `None` = not limited.
    pub total_us: Option<u64>,
    /// Calls until the total is given again, including this one; `None` = it never is.
    pub moves_left: Option<u32>,
    /// Microseconds of wall time after which the call is stopped, whatever the processor clock says.
    pub guard_us: u64,
}

impl Allowance {
    /// Whether this time on the clock that judges is within the limit of the call.
    #[inline]
    pub fn covers(&self, charged_us: u64) -> bool {
        self.call_us.is_none_or(|limit_us| charged_us <= limit_us)
    }

    /// Whether the limit is the rest of the time for the whole match.
    pub fn is_of_match(&self) -> bool {
        self.total_us.is_some() && self.total_us == self.call_us
    }
}

/// A call that used more than its limit, microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overrun {
    /// The time used on the judging clock.
    pub used_us: u64,
    pub limit_us: u64,
}

impl Overrun {
    /// The excess over the limit.
    pub fn by(self) -> Duration {
        Duration::from_micros(self.used_us.saturating_sub(self.limit_us))
    }
}

/// The wall time after which a call is stopped, microseconds: seats asked x 4 x processor time left + 1 s, at most a
/// week.
#[inline]
pub fn guard_us(call_us: Option<u64>, asked: usize) -> u64 {
    const WEEK: u64 = 7 * 24 * 3600 * 1_000_000;
    call_us.map_or(WEEK, |us| us.saturating_mul(4 * asked as u64).saturating_add(1_000_000).min(WEEK))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guard_grows_with_the_seats_asked() {
        assert_eq!(guard_us(Some(1_000_000), 1), 5_000_000);
        assert_eq!(guard_us(Some(1_000_000), 6), 25_000_000);
    }
}

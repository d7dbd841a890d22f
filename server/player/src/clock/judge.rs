//! Judges the readings of a call: in time, late, idle, or undecidable. Pure functions, so that the same rules judge a
//! simulated machine and a real one. Nothing that a client can cause by itself excuses it.

use super::{Allowance, Overrun};
use agon_model::{ClockKind, Excuse};
use std::time::Duration;

/// The number of guards after which the server gives up a client that the machine keeps from its core, and its match.
pub const MOST_GUARDS: u32 = 8;

/// The scheduler's figures for one thread, since some moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scheduled {
    pub ran: Duration,
    /// How long it was ready and had no core; the kernel counts a wait when it is over.
    pub waited: Duration,
}

/// The measurements of a call from outside, since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    pub elapsed: Duration,
    /// Processor time of all its threads.
    pub used: Duration,
    /// The part of `elapsed` in which others had the core that the client was ready to use (see [`kept_off`]), or the
    /// machine's disk kept it waiting.
    pub kept_off: Duration,
    /// The longest time for which the machine below may have had the core, whether charged in `used` or not.
    pub taken: Duration,
    /// Processor time that the client used while it was not asked, charged to this call.
    pub out_of_turn: Duration,
    /// How long the server did not look while the client gave up its core: it slept, or the kernel kept it waiting.
    pub doubtful: Duration,
    /// Whether the answer has come.
    pub is_answered: bool,
    /// Whether the client is ready, or waits for the disk: this wait is not in `kept_off` yet.
    pub is_ready: bool,
    /// Whether the client is ready or waits for the disk, and has not run since the last look.
    pub is_queued: bool,
}

/// The known waits of a call that are not the client's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waits {
    /// How long the client was ready and others had its core, see [`kept_off`].
    pub queued: Duration,
    /// How long looks found it waiting for the disk.
    pub at_disk: Duration,
    /// How long the server did not look and nothing else shows what the client did: its answer may have been there.
    pub unseen: Duration,
    /// How often the client gave up its core, if that is known.
    pub yields: Option<Yields>,
}

/// How often a client with a single thread gave up its core by itself, since a call began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Yields {
    /// The yields to sleep, or to wait for the disk. The wait for the next request after its answer does not count.
    pub times: u64,
    /// How often it needed a page that the disk had to bring.
    pub pages: u64,
}

impl Yields {
    /// Whether it gave up its core for other reasons than pages.
    pub fn are_own(self) -> bool {
        self.times > self.pages
    }
}

impl Waits {
    /// The time of a call that is not charged. A thread that never gave up its core, or only for pages, was ready all
    /// the time that it did not run. So the rest is the machine's, to the microsecond. Otherwise only the observed
    /// waits count.
    pub fn sum(self, elapsed: Duration, used: Duration, threads: u32) -> Duration {
        if self.yields.is_some_and(|yields| !yields.are_own()) {
            return elapsed.saturating_sub(used);
        }
        (self.queued + self.at_disk + self.unseen).min(elapsed.saturating_sub(used / threads.max(1)))
    }
}

/// The part of a gap between two looks that shows nothing of the client. That is the time the server was `away`,
/// without a core or in a wait of its own, less the time that the client `ran` and was queued.
pub fn unseen(gap: Duration, away: Duration, ran: Duration, queued: Duration) -> Duration {
    away.min(gap.saturating_sub(ran + queued))
}

/// The same where the client gave up its core meanwhile. The server may have waited behind the client itself, which runs
/// on the same core: only where others certainly had that core, too, is there any doubt.
pub fn doubtful(gap: Duration, away: Duration, ran: Duration, queued: Duration) -> Duration {
    if away.saturating_sub(ran) >= OTHERS { unseen(gap, away, ran, queued) } else { Duration::ZERO }
}

/// The time that others have a core at once, at least.
const OTHERS: Duration = Duration::from_millis(1);

/// The verdict on a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The client is in time so far.
    InTime,
    /// The client has used more than it may.
    Late(Overrun),
    /// The client had its core for as long as the guard, and used too little of it.
    Idle,
    /// Whether it was late cannot be decided.
    Excused(Excuse, Overrun),
}

impl Reading {
    /// The time that a clock charges.
    pub fn charged(&self, clock: ClockKind) -> Duration {
        match clock {
            ClockKind::Cpu => self.used + self.out_of_turn,
            // The kernel counts a wait only when it is over.
            ClockKind::Wall if self.is_ready && !self.is_answered => self.used + self.out_of_turn,
            ClockKind::Wall => self.elapsed.saturating_sub(self.kept_off) + self.out_of_turn,
        }
    }
}

/// How long a client was ready while others had its core. That is the longest time for which one thread ran or waited,
/// less all that the client's own threads ran: the thread may have waited behind them.
pub fn kept_off(threads: impl Iterator<Item = Scheduled>, used: Duration) -> Duration {
    threads.map(|thread| thread.ran + thread.waited).max().unwrap_or_default().saturating_sub(used)
}

/// Compares a reading with the call's allowance, the only judge of one call's time.
pub fn judge_time(allowance: &Allowance, reading: &Reading) -> Finding {
    let Reading { elapsed, used, out_of_turn, kept_off, taken, is_answered, is_queued, .. } = *reading;
    let charged_us = reading.charged(allowance.clock).as_micros() as u64;
    if let Some(limit_us) = allowance.call_us.filter(|_| !allowance.covers(charged_us)) {
        let overrun = Overrun { used_us: charged_us, limit_us };
        // The time used out of turn may be the machine's doing: nobody can know who had the core.
        let is_taken = overrun.by() <= taken + out_of_turn;
        let has_computed_too_long = (used + out_of_turn).as_micros() as u64 > limit_us;
        let is_doubtful = allowance.clock == ClockKind::Wall && !has_computed_too_long;
        let is_excused = is_taken || is_doubtful && overrun.by() <= taken + out_of_turn + reading.doubtful;
        if !is_excused {
            return Finding::Late(overrun);
        }
        // A client that has not answered gets the time that was taken, or that nobody saw, and no more.
        if is_answered {
            return Finding::Excused(if is_taken { Excuse::Taken } else { Excuse::KeptOff }, overrun);
        }
    }
    let guard = Duration::from_micros(allowance.guard_us);
    if is_answered || elapsed <= guard {
        return Finding::InTime;
    }
    if !is_queued && elapsed.saturating_sub(kept_off + taken) > guard {
        return Finding::Idle;
    }
    if elapsed > guard * MOST_GUARDS {
        let overrun = Overrun { used_us: charged_us, limit_us: allowance.call_us.unwrap_or(u64::MAX) };
        let excuse = if overrun.by() > Duration::ZERO { Excuse::Taken } else { Excuse::KeptOff };
        return Finding::Excused(excuse, overrun);
    }
    Finding::InTime
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn one_that_never_sleeps_is_charged_what_it_used_and_one_that_sleeps_what_was_not_seen_as_a_wait() {
        let yields = |times, pages| Some(Yields { times, pages });
        let kept_off = |yields| Waits { queued: 4 * MS, at_disk: 2 * MS, unseen: MS, yields }.sum(30 * MS, 10 * MS, 1);
        assert_eq!([yields(0, 0), yields(3, 3), yields(1, 0), None].map(kept_off), [20 * MS, 20 * MS, 7 * MS, 7 * MS]);
    }

    #[test]
    fn an_absence_excuses_no_more_than_nothing_else_tells() {
        assert_eq!(unseen(20 * MS, 15 * MS, 2 * MS, MS), 15 * MS);
        assert_eq!(unseen(20 * MS, 15 * MS, 9 * MS, 5 * MS), 6 * MS);
        assert_eq!(unseen(20 * MS, 15 * MS, 25 * MS, MS), Duration::ZERO, "its own threads kept the server away");
    }

    /// It works and sleeps in turn, and the server waits behind its work.
    #[test]
    fn a_client_that_keeps_the_server_away_by_itself_makes_no_doubt() {
        assert_eq!(doubtful(8 * MS, 3 * MS, 4 * MS, Duration::ZERO), Duration::ZERO);
        assert_eq!(doubtful(48 * MS, 43 * MS, 5 * MS, Duration::ZERO), 43 * MS);
    }

    /// Time used out of turn is charged, but lateness by it alone is nobody's fault.
    #[test]
    fn time_out_of_turn_is_charged_to_the_next_call() {
        for clock in [ClockKind::Cpu, ClockKind::Wall] {
            let allowance =
                Allowance { clock, call_us: Some(20_000), total_us: None, moves_left: None, guard_us: 1_000_000 };
            let after = |used: u32, out_of_turn: u32| {
                let (used, out_of_turn) = (used * MS, out_of_turn * MS);
                let reading = Reading { elapsed: used, used, out_of_turn, is_answered: true, ..Reading::default() };
                (judge_time(&allowance, &reading), reading.charged(clock))
            };
            assert_eq!(after(10, 9), (Finding::InTime, 19 * MS));
            let overrun = Overrun { used_us: 25_000, limit_us: 20_000 };
            assert_eq!(after(10, 15), (Finding::Excused(Excuse::Taken, overrun), 25 * MS));
            assert_eq!(after(21, 4), (Finding::Late(overrun), 25 * MS));
        }
    }
}

//! What the readings of a call come to: in time, late, idle, or nobody can tell. Pure functions, so that a simulated
//! machine is judged by the same rules as a real one. Nothing that a client can bring about by itself excuses it.

use super::{Allowance, Overrun};
use agon_model::{ClockKind, Excuse};
use std::time::Duration;

/// So many guards may pass before a client that the machine keeps from its core is given up, and the match with it.
pub const MOST_GUARDS: u32 = 8;

/// What the scheduler tells of one thread, since some moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scheduled {
    /// Its processor time.
    pub ran: Duration,
    /// How long it was ready and had no core; the kernel counts a wait when it is over.
    pub waited: Duration,
}

/// What was seen of a call from outside, since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Time that passed.
    pub elapsed: Duration,
    /// Processor time of all its threads.
    pub used: Duration,
    /// How much of `elapsed` others than the client itself had the core that it was ready to use, see [`kept_off`], or
    /// the machine's disk kept it waiting.
    pub kept_off: Duration,
    /// For how long the machine below may have had the core, at most, be it charged in `used` or not.
    pub taken: Duration,
    /// For how long it did not run and the server, which was late, did not look.
    pub unseen: Duration,
    /// Whether the answer is there.
    pub is_answered: bool,
    /// Whether it is ready, or waits for the disk, and has not run since it was last looked at: this wait is not in
    /// `kept_off` yet.
    pub is_queued: bool,
}

/// What a reading comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Nothing is wrong so far.
    InTime,
    /// It has used more than it may.
    Late(Overrun),
    /// It had its core at its disposal for as long as the guard, and used too little of it.
    Idle,
    /// Nobody can tell whether it was late.
    Excused(Excuse, Overrun),
}

impl Reading {
    /// What is charged by a clock.
    pub fn charged(&self, clock: ClockKind) -> Duration {
        match clock {
            ClockKind::Cpu => self.used,
            ClockKind::Wall => self.elapsed.saturating_sub(self.kept_off + self.unseen),
        }
    }
}

/// How long a client was ready while others had its core: the time in which the thread that was ready longest ran or
/// waited, less all that the client's own threads ran, behind which it may have waited.
pub fn kept_off(threads: impl Iterator<Item = Scheduled>, used: Duration) -> Duration {
    threads.map(|thread| thread.ran + thread.waited).max().unwrap_or_default().saturating_sub(used)
}

/// Holds a reading against what the call may use: the one place where a time limit is compared.
pub fn judge(allowance: &Allowance, reading: &Reading) -> Finding {
    let Reading { elapsed, kept_off, taken, unseen, is_answered, is_queued, .. } = *reading;
    let charged_us = reading.charged(allowance.clock).as_micros() as u64;
    if let Some(limit_us) = allowance.call_us.filter(|limit_us| charged_us > *limit_us) {
        let overrun = Overrun { used_us: charged_us, limit_us };
        // By the processor clock a wait costs nothing; by the other one it must be counted first.
        let is_counted = allowance.clock == ClockKind::Cpu || !is_queued;
        if is_counted && overrun.by() > taken {
            return Finding::Late(overrun);
        }
        // One that has not answered gets what was taken, and no more.
        if is_answered {
            return Finding::Excused(Excuse::Taken, overrun);
        }
    }
    let guard = Duration::from_micros(allowance.guard_us);
    if is_answered || elapsed <= guard {
        return Finding::InTime;
    }
    if !is_queued && elapsed.saturating_sub(kept_off + unseen + taken) > guard {
        return Finding::Idle;
    }
    if elapsed > guard * MOST_GUARDS {
        let overrun = Overrun { used_us: charged_us, limit_us: allowance.call_us.unwrap_or(u64::MAX) };
        let excuse = if overrun.by() > Duration::ZERO { Excuse::Taken } else { Excuse::KeptOff };
        return Finding::Excused(excuse, overrun);
    }
    Finding::InTime
}

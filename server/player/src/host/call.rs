//! The request that a host is asked, its readings so far, and the time that it used.

use crate::clock::{Allowance, Scheduled};
use crate::proc::YieldCounter;
use agon_abi::RequestKind;
use agon_model::ClockKind;
use std::time::{Duration, Instant};

/// The request under way.
pub struct Call {
    pub kind: RequestKind,
    pub allowance: Allowance,
    pub began: Instant,
    pub cpu_began: Duration,
    pub sampled: Instant,
    /// Processor time at the last look.
    pub cpu_sampled: Duration,
    /// The first look: at the beginning if wall time judges or the previous call was slow; else at the first sample.
    pub first: Option<FirstLook>,
    /// How long this thread had been ready and not running at the last look.
    pub own_delay: Duration,
    /// How often its main thread had given up its core when the call began, if that was read.
    pub yields: Option<YieldCounter>,
    /// The same number at the last look.
    pub yielded: Option<YieldCounter>,
    /// Whether the client was ready, or at the disk, at the last look.
    pub is_ready: bool,
    /// Whether it was kept from going on between the last two looks.
    pub is_queued: bool,
    /// How long others had had its core since the first look, at the last look.
    pub queued: Duration,
    /// How long this thread was away, while nothing else shows what the client did.
    pub unseen: Duration,
    /// The same while the client gave up its core by itself, or the kernel took it.
    pub doubtful: Duration,
    /// For how long it was seen to wait for the disk.
    pub at_disk: Duration,
    /// Processor time that it used before the call, while it was not asked.
    pub out_of_turn: Duration,
}

/// The readings near the beginning of a call.
pub struct FirstLook {
    /// Processor time of the process.
    pub used: Duration,
    /// The scheduler's figures for its threads.
    pub threads: Vec<(u32, Scheduled)>,
}

/// The time that a call used.
#[derive(Clone, Copy, Debug)]
pub struct CallTime {
    /// The processor time, in microseconds.
    pub cpu_us: u64,
    /// Wall time, microseconds. If it judges, it excludes the time in which the machine kept the client or the server
    /// from a core.
    pub wall_us: u64,
    /// That time, microseconds. It is 0 for calls of some milliseconds if the processor clock judges.
    pub kept_off_us: u64,
}

impl CallTime {
    /// The time on the judging clock.
    pub fn on(self, clock: ClockKind) -> u64 {
        match clock {
            ClockKind::Cpu => self.cpu_us,
            ClockKind::Wall => self.wall_us,
        }
    }
}

impl Call {
    pub fn new(kind: RequestKind, allowance: Allowance, cpu_began: Duration) -> Call {
        let began = Instant::now();
        let none = Duration::ZERO;
        Call {
            kind,
            allowance,
            began,
            cpu_began,
            sampled: began,
            cpu_sampled: cpu_began,
            first: None,
            own_delay: none,
            yields: None,
            yielded: None,
            is_ready: false,
            is_queued: false,
            queued: none,
            unseen: none,
            doubtful: none,
            at_disk: none,
            out_of_turn: none,
        }
    }
}

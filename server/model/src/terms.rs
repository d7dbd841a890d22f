//! The terms of a match: clock and budgets, limits, isolation, sandbox.

use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use strum::{EnumString, IntoStaticStr};

/// The clock and the budgets that judge a client, microseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    pub clock: ClockKind,
    /// The budget of all calls of `play` together; `None` = not limited.
    pub total_us: Option<u64>,
    /// The time added after each call of `play`.
    pub increment_us: u64,
    /// The number of calls of `play` after which `total_us` is given again, each time; `None` = it is given once for
    /// the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<u32>,
    /// The limit of a single call of `play`; `None` = not limited.
    pub per_move_us: Option<u64>,
    /// The limit from the start of the host to the opened library.
    pub load_us: u64,
    /// The limit of `initialize`, and likewise of `get_player_name`.
    pub initialize_us: u64,
    /// The limit of `finalize`.
    pub finalize_us: u64,
    /// The most wall time of all moves under the processor clock, as a multiple of the time given; 0 = not limited.
    pub wall_factor: u32,
    /// Whether all times except `load_us` are for a machine of the reference's speed.
    #[serde(default)]
    pub scale: TimeScale,
}

/// Whether times follow the speed of the machine that plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum TimeScale {
    /// They are the same everywhere.
    #[default]
    Off,
    /// A machine at half the reference's speed has twice the time.
    Reference,
}

impl TimeControl {
    /// The time that a seat gets after its move of this number, counted from 1, microseconds. It keeps the rest of its
    /// time.
    #[must_use]
    #[inline]
    pub fn given_after(&self, moves: u64) -> u64 {
        let is_full = self.period.is_some_and(|period| moves.is_multiple_of(u64::from(period.max(1))));
        let again = if is_full { self.total_us.unwrap_or(0) } else { 0 };
        self.increment_us.saturating_add(again)
    }

    /// The number of moves of a seat, including the next one, until it gets the total again.
    #[must_use]
    #[inline]
    pub fn moves_left(&self, played: u64) -> Option<u32> {
        let period = self.period?.max(1);
        Some(period - (played % u64::from(period)) as u32)
    }

    /// The times on a machine of this speed, if they follow it; 1 is the reference's speed.
    #[must_use]
    pub fn on_machine(&self, speed: f64) -> TimeControl {
        if self.scale == TimeScale::Off {
            return self.clone();
        }
        // A budget stays a budget, however fast a machine is.
        let scaled = |us: u64| if us == 0 { 0 } else { ((us as f64 / speed).round() as u64).max(1) };
        TimeControl {
            total_us: self.total_us.map(scaled),
            increment_us: scaled(self.increment_us),
            per_move_us: self.per_move_us.map(scaled),
            initialize_us: scaled(self.initialize_us),
            finalize_us: scaled(self.finalize_us),
            ..self.clone()
        }
    }
}

/// The usual factor for the time given by the processor clock.
pub const WALL_FACTOR: u32 = 4;

/// The clock that judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ClockKind {
    /// It measures the processor time of the client's process.
    Cpu,
    /// It measures the time that passes.
    Wall,
}

impl ClockKind {
    /// The one of the two times of a call that this clock charges.
    #[inline]
    #[must_use]
    pub fn charged(self, cpu_us: u64, wall_us: u64) -> u64 {
        match self {
            ClockKind::Cpu => cpu_us,
            ClockKind::Wall => wall_us,
        }
    }
}

/// The limits of a client in addition to time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Resident memory of the client, in bytes.
    pub memory: u64,
    /// Processor cores; a match takes this number.
    pub threads: u32,
    /// Bytes kept of each of stdout, stderr and log, for each seat and match.
    pub output: u64,
}

impl Limits {
    /// The limits of a ladder whose file names none.
    pub const DEFAULT: Limits = Limits { memory: 512 << 20, threads: 1, output: 64 << 10 };
    /// The memory that a ladder may give, bytes.
    pub const MEMORY: RangeInclusive<u64> = 8 << 20..=1 << 40;
    /// The number of cores that a ladder may give.
    pub const THREADS: RangeInclusive<u64> = 1..=1024;
    /// The output that a ladder may keep, bytes.
    pub const OUTPUT: RangeInclusive<u64> = 0..=64 << 20;

    /// Whether a ladder file could contain these limits; a record or another machine may contain anything.
    pub fn may_be(&self) -> bool {
        Limits::MEMORY.contains(&self.memory)
            && Limits::THREADS.contains(&u64::from(self.threads))
            && Limits::OUTPUT.contains(&self.output)
    }
}

/// The separation between a client and the server, and its duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Isolation {
    /// A fresh sandboxed process for each client and match.
    Process,
    /// A sandboxed process for each client, kept for many matches: it keeps whatever the client leaves behind.
    Reuse,
    /// The server calls the client itself, which is trusted: the wall clock times it, and nothing is enforced. For
    /// benchmarks and debuggers.
    None,
}

impl Isolation {
    /// The name in ladder.toml.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The required layers of the sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxPolicy {
    pub mode: SandboxMode,
    /// The layers left out on purpose, by name.
    pub without: Vec<String>,
    /// Folders of libraries that clients may load, as canonical paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<PathBuf>,
    /// Folders of runtimes that programs may be run by and read, likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runtimes: Vec<PathBuf>,
}

/// How much of the sandbox is required.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SandboxMode {
    /// Every layer that this machine has.
    #[default]
    Auto,
    /// Every layer; a match without one of them is void.
    Strict,
    /// No layer, for debuggers. Such matches are recorded and not rated.
    Off,
}

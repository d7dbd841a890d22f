//! What a match is played under: clock and budgets, limits, isolation, sandbox.

use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use strum::{EnumString, IntoStaticStr};

/// The clock and the budgets that judge a client, microseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Which clock.
    pub clock: ClockKind,
    /// All calls of `play` together; `None` = not limited.
    pub total_us: Option<u64>,
    /// Added after each call of `play`.
    pub increment_us: u64,
    /// After so many calls of `play`, and so many again, `total_us` is given once more; `None` = once for the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<u32>,
    /// A single call of `play`; `None` = not limited.
    pub per_move_us: Option<u64>,
    /// From the start of the host to the opened library.
    pub load_us: u64,
    /// `initialize`, and likewise `get_player_name`.
    pub initialize_us: u64,
    /// `finalize`.
    pub finalize_us: u64,
    /// Under the processor clock the wall time of all moves may be so many times the time given; 0 = as long as it
    /// likes.
    pub wall_factor: u32,
    /// Whether all but `load_us` is for a machine of the speed of the reference.
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
    /// A machine at half the speed of the reference has twice the time.
    Reference,
}

impl TimeControl {
    /// What a seat is given after its move of this number, counted from 1, microseconds: what it has left it keeps.
    #[must_use]
    pub fn given_after(&self, moves: u64) -> u64 {
        let is_full = self.period.is_some_and(|period| moves.is_multiple_of(u64::from(period.max(1))));
        let again = if is_full { self.total_us.unwrap_or(0) } else { 0 };
        self.increment_us.saturating_add(again)
    }

    /// How many moves of a seat, the next one among them, are still played before it is given the total again.
    #[must_use]
    pub fn moves_left(&self, played: u64) -> Option<u32> {
        let period = self.period?.max(1);
        Some(period - (played % u64::from(period)) as u32)
    }

    /// On a machine of this speed, where times follow it; 1 is that of the reference.
    #[must_use]
    pub fn on_machine(&self, speed: f64) -> TimeControl {
        if self.scale == TimeScale::Off {
            return self.clone();
        }
        // A budget stays one, however fast a machine is.
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

/// Of what is given by the processor clock.
pub const WALL_FACTOR: u32 = 4;

/// Which clock judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ClockKind {
    /// Processor time of the client's process.
    Cpu,
    /// Time that passes.
    Wall,
}

/// What a client may use besides time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Resident memory, bytes.
    pub memory: u64,
    /// Processor cores; a match takes as many.
    pub threads: u32,
    /// Bytes kept of each of stdout, stderr and log, a seat and match.
    pub output: u64,
}

impl Limits {
    /// How much memory a ladder may give, bytes.
    pub const MEMORY: RangeInclusive<u64> = 8 << 20..=1 << 40;
    /// How many cores.
    pub const THREADS: RangeInclusive<u64> = 1..=1024;
    /// How much output may be kept, bytes.
    pub const OUTPUT: RangeInclusive<u64> = 0..=64 << 20;

    /// Whether a ladder file could say so; a record or another machine may say anything.
    pub fn may_be(&self) -> bool {
        Limits::MEMORY.contains(&self.memory)
            && Limits::THREADS.contains(&u64::from(self.threads))
            && Limits::OUTPUT.contains(&self.output)
    }
}

/// What stands between a client and the server, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Isolation {
    /// A fresh sandboxed process for each client and match.
    Process,
    /// A sandboxed process for each client, kept for many matches: what a client leaves behind stays with it.
    Reuse,
    /// The client is called in the server: trusted, timed by the wall clock, nothing enforced. For benchmarks and
    /// debuggers.
    None,
}

impl Isolation {
    /// As in ladder.toml.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Which layers of the sandbox are asked for, and which folders clients may read besides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxPolicy {
    /// How much is asked.
    pub mode: SandboxMode,
    /// Layers left out on purpose, by name.
    pub without: Vec<String>,
    /// Folders of libraries that clients may load, as canonical paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<PathBuf>,
    /// Folders of runtimes that programs may be run by and read, likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runtimes: Vec<PathBuf>,
}

/// How much of the sandbox is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SandboxMode {
    /// Every layer that this machine has.
    #[default]
    Auto,
    /// Every layer; a match without one of them is void.
    Strict,
    /// None: for debuggers. Such matches are recorded and not rated.
    Off,
}

//! The answer of a client to a turn.

use agon_games::MoveBytes;

/// A move and its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move, not checked yet.
    pub mv: MoveBytes,
    /// The processor time, in microseconds.
    pub cpu_us: u64,
    /// The wall time, in microseconds.
    pub wall_us: u64,
    /// How long the machine kept the ready client from its core, microseconds; 0 for calls of some milliseconds.
    pub kept_off_us: u64,
}

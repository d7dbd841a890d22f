//! What goes on between a coordinator and its workers, in numbers: one thread writes them, and whoever looks on reads
//! them at any time without making anybody wait.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number that is looked at while it changes.
#[derive(Debug, Default)]
pub struct SharedCount(AtomicU64);

impl SharedCount {
    /// What it is now.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn set(&self, number: u64) {
        self.0.store(number, Ordering::Relaxed);
    }

    pub(super) fn count(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// What a coordinator knows of the workers of other machines.
#[derive(Debug, Default)]
pub struct BoardTally {
    /// Workers that are there and play this ladder.
    pub workers: SharedCount,
    /// How many blocks they would hold at a time.
    pub wants: SharedCount,
    /// Blocks that are offered to them and not done.
    pub open: SharedCount,
    /// Blocks of theirs that were kept.
    pub kept: SharedCount,
    /// Blocks that were void there.
    pub void: SharedCount,
    /// Deliveries that were refused.
    pub refused: SharedCount,
    /// Deliveries that somebody else plays again before they count.
    pub audited: SharedCount,
}

/// What a worker knows of itself.
#[derive(Debug, Default)]
pub struct WorkerTally {
    /// Blocks that were delivered and taken.
    pub delivered: SharedCount,
    /// Deliveries that were refused.
    pub refused: SharedCount,
    /// Blocks that are claimed and not played.
    pub held: SharedCount,
    /// Blocks that are played and not acknowledged.
    pub unsent: SharedCount,
    /// 1 while the record does not answer.
    pub away: SharedCount,
}

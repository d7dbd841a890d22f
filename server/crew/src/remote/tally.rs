//! Numbers about a coordinator and its workers: one thread writes them, and watchers read them at any time without
//! making anybody wait.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number that is read while it changes.
#[derive(Debug, Default)]
pub struct SharedCount(AtomicU64);

impl SharedCount {
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

/// A coordinator's numbers about the workers of other machines.
#[derive(Debug, Default)]
pub struct ExchangeTally {
    /// Present workers that play this ladder.
    pub workers: SharedCount,
    /// The number of blocks that they would hold at a time.
    pub wants: SharedCount,
    /// Blocks that are offered to them and not done.
    pub open: SharedCount,
    /// Their blocks that were kept.
    pub kept: SharedCount,
    /// Their blocks that were void.
    pub void: SharedCount,
    /// Deliveries that were refused.
    pub refused: SharedCount,
    /// Deliveries that another worker plays again before they count.
    pub audited: SharedCount,
}

/// A worker's numbers about itself.
#[derive(Debug, Default)]
pub struct WorkerTally {
    /// Blocks that were delivered and accepted.
    pub delivered: SharedCount,
    /// Deliveries that were refused.
    pub refused: SharedCount,
    /// Blocks that are claimed and not played.
    pub held: SharedCount,
    /// Blocks that are played and not acknowledged.
    pub unsent: SharedCount,
    /// It is 1 while the record does not answer.
    pub away: SharedCount,
}

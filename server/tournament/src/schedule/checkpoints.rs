//! Divides the schedule into stretches. At the beginning of each, the controller judges earlier blocks, whatever the
//! order of play. So the verdicts do not depend on the number of matches at once.

use std::collections::{BTreeMap, BTreeSet};

/// The number of blocks from one checkpoint to the next.
pub const CHECKPOINT_INTERVAL: u64 = 32;

/// The blocks under way, and the results that were not judged yet.
#[derive(Debug)]
pub struct Checkpoints<T> {
    /// Blocks that are given out and not done.
    open: BTreeSet<u64>,
    /// Results by the number of the block.
    done: BTreeMap<u64, T>,
}

impl<T> Default for Checkpoints<T> {
    fn default() -> Checkpoints<T> {
        Checkpoints { open: BTreeSet::new(), done: BTreeMap::new() }
    }
}

/// Whether the block with this number comes right after a checkpoint.
pub fn is_checkpoint(number: u64) -> bool {
    number.is_multiple_of(CHECKPOINT_INTERVAL)
}

impl<T> Checkpoints<T> {
    /// Whether every block that counts at a place is done. A stretch of blocks lies between these and the place, so
    /// that nobody idles until the last of them is done.
    pub fn is_ready(&self, place: u64) -> bool {
        self.open.first().is_none_or(|&first| first >= horizon(place))
    }

    /// Records that a block is being played.
    pub fn hand_out(&mut self, number: u64) {
        self.open.insert(number);
    }

    /// Records that a block is done.
    pub fn close(&mut self, number: u64, came: T) {
        self.open.remove(&number);
        self.done.insert(number, came);
    }

    /// Takes the results of the blocks that count at this place, in their order, except those taken before.
    pub fn take(&mut self, place: u64) -> impl Iterator<Item = T> {
        let later = self.done.split_off(&horizon(place));
        std::mem::replace(&mut self.done, later).into_values()
    }
}

/// The first block that does not count at a place.
fn horizon(place: u64) -> u64 {
    (place / CHECKPOINT_INTERVAL).saturating_sub(1) * CHECKPOINT_INTERVAL
}

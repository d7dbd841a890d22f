//! Blocks by stretches of the schedule. At the beginning of each, something is judged from the blocks before it,
//! whatever the order in which they were played; so what is judged does not depend on how many matches are played at
//! once.

use std::collections::{BTreeMap, BTreeSet};

/// Blocks from one place at which something is judged to the next.
pub const CHECKPOINT_INTERVAL: u64 = 32;

/// Blocks that are played, and what came of those that were not judged yet.
#[derive(Debug)]
pub struct Checkpoints<T> {
    /// Handed out and not done.
    open: BTreeSet<u64>,
    /// Done, by the number of the block.
    done: BTreeMap<u64, T>,
}

impl<T> Default for Checkpoints<T> {
    fn default() -> Checkpoints<T> {
        Checkpoints { open: BTreeSet::new(), done: BTreeMap::new() }
    }
}

/// Whether something is judged before the block with this number is handed out.
pub fn is_checkpoint(number: u64) -> bool {
    number.is_multiple_of(CHECKPOINT_INTERVAL)
}

impl<T> Checkpoints<T> {
    /// Whether every block that counts at a place is done. A stretch of blocks lies between what counts and the place,
    /// so that nobody idles until the last of them is.
    pub fn is_ready(&self, place: u64) -> bool {
        self.open.first().is_none_or(|&first| first >= horizon(place))
    }

    /// A block is being played.
    pub fn hand_out(&mut self, number: u64) {
        self.open.insert(number);
    }

    /// A block is done.
    pub fn close(&mut self, number: u64, came: T) {
        self.open.remove(&number);
        self.done.insert(number, came);
    }

    /// What came of the blocks that count at this place and were not taken yet, in their order.
    pub fn take(&mut self, place: u64) -> impl Iterator<Item = T> {
        let later = self.done.split_off(&horizon(place));
        std::mem::replace(&mut self.done, later).into_values()
    }
}

/// The first block that does not count at a place.
fn horizon(place: u64) -> u64 {
    (place / CHECKPOINT_INTERVAL).saturating_sub(1) * CHECKPOINT_INTERVAL
}

//! A hash of everything that decides how the match can go on. The hash of the heaps is updated move by move, because
//! there may be many thousands of them.

use super::Grundy;
use crate::mix::mix;

/// The hash of one heap at its place; 0 for no heap.
pub(super) fn of_heap(heap: usize, sticks: u32) -> u64 {
    if sticks == 0 { 0 } else { mix((heap as u64) << 32 | u64::from(sticks)) }
}

/// The hash of a state.
pub(super) fn of(game: &Grundy) -> u64 {
    let last = u64::from(game.last.heap) << 32 | u64::from(game.last.split);
    let moves = u64::from(game.moves) << 1 | u64::from(game.setting.misere);
    mix(mix(game.heaps_hash ^ mix(moves)) ^ last)
}

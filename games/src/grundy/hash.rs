//! A hash of all that decides how the match can go on (the mixing of SplitMix64, Steele et al. 2014). That of the heaps is kept up
//! move by move, since there may be many thousands of them.

use super::Grundy;

fn mix(word: u64) -> u64 {
    let mixed = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// Of one heap at its place; 0 for none.
pub(super) fn of_heap(heap: usize, sticks: u32) -> u64 {
    if sticks == 0 { 0 } else { mix((heap as u64) << 32 | u64::from(sticks)) }
}

/// The hash of a state.
pub(super) fn of(game: &Grundy) -> u64 {
    let last = u64::from(game.last.heap) << 32 | u64::from(game.last.split);
    let moves = u64::from(game.moves) << 1 | u64::from(game.setting.misere);
    mix(mix(game.heaps_hash ^ mix(moves)) ^ last)
}

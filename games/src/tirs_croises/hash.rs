//! A hash of all that decides how the match can go on (the mixing of SplitMix64, Steele et al. 2014).

use super::TirsCroises;

fn mix(hash: u64, word: u64) -> u64 {
    let mixed = (hash ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// The hash of a state.
pub(super) fn of(game: &TirsCroises) -> u64 {
    let grid = &game.grid;
    let size = usize::from(grid.size);
    let cursor = grid.cursor.map_or(0, |cell| u64::from(cell.x) << 8 | u64::from(cell.y));
    let mut hash = mix(game.seats as u64, u64::from(grid.size) << 32 | u64::from(game.plies) << 16 | cursor);
    for row in &grid.values[..size] {
        // Sixteen values of four bits fill a word.
        for part in row[..size].chunks(16) {
            hash = mix(hash, part.iter().fold(0, |word, value| word << 4 | u64::from(*value)));
        }
    }
    game.scores[..game.seats].iter().fold(hash, |hash, points| mix(hash, u64::from(*points)))
}

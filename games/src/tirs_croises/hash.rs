//! A hash of everything that decides how the match can go on.

use super::TirsCroises;
use crate::mix::Mix;

/// The hash of a state.
pub(super) fn of(game: &TirsCroises) -> u64 {
    let grid = &game.grid;
    let size = usize::from(grid.size);
    let cursor = grid.cursor.map_or(0, |cell| u64::from(cell.x) << 8 | u64::from(cell.y));
    let mut mix = Mix::new(game.seats as u64);
    mix.word(u64::from(grid.size) << 32 | u64::from(game.plies) << 16 | cursor);
    for row in &grid.values[..size] {
        // Sixteen values of four bits fill a word.
        for part in row[..size].chunks(16) {
            mix.word(part.iter().fold(0, |word, value| word << 4 | u64::from(*value)));
        }
    }
    game.scores[..game.seats].iter().for_each(|points| mix.word(u64::from(*points)));
    mix.end()
}

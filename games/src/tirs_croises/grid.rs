//! The board: values, a cursor, and the squares that may be taken from it.

use super::abi::Move;
use crate::{Rng, below};

/// The fewest rows and columns.
pub(super) const MIN_SIZE: usize = 4;
/// The most rows and columns.
pub(super) const MAX_SIZE: usize = 20;

/// A board of `size` rows and columns. A square is named as in a move, by column and row from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    /// The number of rows, and of columns.
    pub size: u8,
    /// The values by row and column from 0: 1 to 9; 0 at the cursor, where a square was taken, and beyond the size.
    pub values: [[u8; MAX_SIZE]; MAX_SIZE],
    /// The cursor, from which squares are taken; `None` while any square of the board may be taken.
    pub cursor: Option<Move>,
}

impl Grid {
    /// Draws the values row by row, and then the cursor, which leaves the value of its square unused.
    pub fn draw(size: u8, has_cursor: bool, rng: &mut Rng) -> Grid {
        let side = usize::from(size);
        let mut grid = Grid { size, values: [[0; MAX_SIZE]; MAX_SIZE], cursor: None };
        for row in &mut grid.values[..side] {
            row[..side].fill_with(|| 1 + below(rng, 9) as u8);
        }
        if has_cursor {
            let at = below(rng, (side * side) as u64) as usize;
            grid.take(Move { x: (at % side + 1) as u8, y: (at / side + 1) as u8 });
        }
        grid
    }

    /// Whether there is such a square.
    pub fn has(&self, cell: Move) -> bool {
        (1..=self.size).contains(&cell.x) && (1..=self.size).contains(&cell.y)
    }

    /// The value left on a square; 0 if there is no such square.
    pub fn value(&self, cell: Move) -> u8 {
        if self.has(cell) { self.values[usize::from(cell.y) - 1][usize::from(cell.x) - 1] } else { 0 }
    }

    /// The squares that may be taken: in the cursor's row from left to right, then in its column from top to bottom.
    /// Without a cursor, all squares, row by row.
    pub fn takeable(&self) -> impl Iterator<Item = Move> {
        let size = u16::from(self.size);
        let count = if self.cursor.is_some() { 2 * size } else { size * size };
        let cell = move |index: u16| match self.cursor {
            Some(Move { y, .. }) if index < size => Move { x: index as u8 + 1, y },
            Some(Move { x, .. }) => Move { x, y: (index - size) as u8 + 1 },
            None => Move { x: (index % size) as u8 + 1, y: (index / size) as u8 + 1 },
        };
        (0..count).map(cell).filter(|cell| self.value(*cell) > 0)
    }

    /// Takes a square of the board, which becomes the cursor, and returns its value.
    pub fn take(&mut self, cell: Move) -> u8 {
        self.cursor = Some(cell);
        std::mem::take(&mut self.values[usize::from(cell.y) - 1][usize::from(cell.x) - 1])
    }
}

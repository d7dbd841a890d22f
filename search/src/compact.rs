//! The squares of a small grid in 120 bits.

use crate::sets::{Cells, Words};

/// Columns to the right and rows down of one step in each direction, as [`agon_boards::Direction`] numbers them.
pub(crate) const STEPS: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// Up to 11 columns and 10 rows: five rows of 12 bits in each word. The last bit of each row is always clear, so that
/// nothing runs on into the next.
pub(crate) type Compact = Words<2>;

impl Compact {
    pub const LARGEST: (usize, usize) = (STRIDE - 1, 10);
    /// Bits of a word that are used.
    pub const USED: i32 = 60;

    /// From cells in rows of 16.
    pub fn pack(cells: &Cells) -> Compact {
        let row = |row: usize| cells[row / 4] >> (row % 4 * 16) & 0xfff;
        Words([0, 5].map(|first| (0..5).fold(0, |word, y| word | row(first + y) << (y * STRIDE))))
    }

    /// By how many bits `N` steps in direction `D` move a cell.
    pub const fn distance<const D: usize, const N: i32>() -> i32 {
        let (right, down) = STEPS[D];
        N * (right + down * STRIDE as i32)
    }
}

/// Bits of a row of [`Compact`].
const STRIDE: usize = 12;

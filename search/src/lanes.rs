//! Sets of squares of a grid as lanes of bits, a lane for each row, and their shifts: the portable kinds. `avx2.rs` has
//! the others.

use crate::compact::{Compact, STEPS};
use crate::grid::Grid;
use crate::sets::{Cells, Set, Words};

/// Sets of cells as rows of bits.
pub(crate) trait Lanes: Set {
    /// Cells of a row, and rows.
    const SIZE: u32;
    /// From cells as the grid numbers them.
    fn load(cells: &Cells) -> Self;
    /// The cell of a vertex; none for [`crate::sets::NONE`].
    #[inline(always)]
    fn only(grid: &Grid, vertex: u16) -> Self {
        Self::load(&grid.only[grid.index(vertex)])
    }
    /// The cells that can be entered in direction `D`.
    #[inline(always)]
    fn enter<const D: usize>(grid: &Grid) -> Self {
        Self::load(&grid.enter[D])
    }
    /// Every square moved `N` steps, 1, 2, 4, 8 or 16, in direction `D`. Bits that leave a row may appear in the next:
    /// mask them.
    fn shift<const D: usize, const N: i32>(self) -> Self;
    /// The squares, and their neighbours in the row.
    fn widen(self) -> Self;
}

/// Up to 16 x 16 cells: four rows of 16 bits in each word.
pub(crate) type Narrow = Words<4>;

impl Narrow {
    /// The first column of every row.
    const FIRST: u64 = 0x0001_0001_0001_0001;

    /// All bits moved up by this number.
    #[inline(always)]
    fn up(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let mut moved = [0; 4];
        for (i, word) in moved.iter_mut().enumerate().skip(words) {
            *word = self.0[i - words] << bits;
            if bits > 0 && i > words {
                *word |= self.0[i - words - 1] >> (64 - bits);
            }
        }
        Words(moved)
    }

    /// All bits moved down by this number.
    #[inline(always)]
    fn down(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let mut moved = [0; 4];
        for (i, word) in moved.iter_mut().enumerate().take(4 - words) {
            *word = self.0[i + words] >> bits;
            if bits > 0 && i + words + 1 < 4 {
                *word |= self.0[i + words + 1] << (64 - bits);
            }
        }
        Words(moved)
    }
}

impl Lanes for Narrow {
    const SIZE: u32 = 16;

    #[inline(always)]
    fn load(cells: &Cells) -> Self {
        Words(std::array::from_fn(|i| cells[i]))
    }
    #[inline(always)]
    fn shift<const D: usize, const N: i32>(self) -> Self {
        let (right, down) = STEPS[D];
        let by = N * (right + down * Self::SIZE as i32);
        if by > 0 { self.up(by as usize) } else { self.down(by.unsigned_abs() as usize) }
    }
    #[inline(always)]
    fn widen(self) -> Self {
        let last = Self::FIRST << (Self::SIZE - 1);
        Words(self.0.map(|word| word | (word & !last) << 1 | (word & !Self::FIRST) >> 1))
    }
}

impl Lanes for Compact {
    const SIZE: u32 = 16;

    #[inline(always)]
    fn load(cells: &Cells) -> Self {
        Compact::pack(cells)
    }
    #[inline(always)]
    fn only(grid: &Grid, vertex: u16) -> Self {
        grid.compact.only[grid.index(vertex)]
    }
    #[inline(always)]
    fn enter<const D: usize>(grid: &Grid) -> Self {
        grid.compact.enter[D]
    }
    #[inline(always)]
    fn shift<const D: usize, const N: i32>(self) -> Self {
        let (by, [low, high]) = (Self::distance::<D, N>(), self.0);
        let (_, down) = STEPS[D];
        Words(match by.abs() {
            0..60 if down == 0 && by > 0 => [low << by, high << by],
            0..60 if down == 0 => [low >> -by, high >> -by],
            0..60 if by > 0 => [low << by, high << by | low >> (Self::USED - by)],
            0..60 => [low >> -by | high << (Self::USED + by), high >> -by],
            60..120 if by > 0 => [0, low << (by - Self::USED)],
            60..120 => [high >> (-by - Self::USED), 0],
            _ => [0, 0],
        })
    }
    #[inline(always)]
    fn widen(self) -> Self {
        Words(self.0.map(|word| word | word << 1 | word >> 1))
    }
}

//! Sets of cells of a grid as lanes of bits, a lane a row, and their shifts: the portable kinds. `avx2.rs` has the others.

use crate::grid::{Cells, Grid};
use crate::sets::Set;

/// Columns to the right and rows down of one step in each direction, as [`agon_boards::Direction`] numbers them.
pub(crate) const STEPS: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// Sets of cells as rows of bits.
pub(crate) trait Lanes: Set {
    /// Cells of a row, and rows.
    const SIZE: u32;
    /// From cells as the grid numbers them.
    fn load(cells: &Cells) -> Self;
    /// The cell of a vertex.
    fn only(grid: &Grid, vertex: usize) -> Self;
    /// The cells that can be entered in direction `D`.
    fn enter<const D: usize>(grid: &Grid) -> Self;
    /// Every cell moved `N` steps, 1, 2, 4, 8 or 16, in direction `D`. What leaves a row may appear in the next: mask it.
    fn shift<const D: usize, const N: i32>(self) -> Self;
    /// The cells, and those beside them in their row.
    fn widen(self) -> Self;
}

/// Rows of `STRIDE` cells in `W` words.
#[derive(Clone, Copy)]
pub(crate) struct Words<const W: usize, const STRIDE: u32>([u64; W]);

/// Up to 16 x 16 cells.
pub(crate) type Narrow = Words<4, 16>;
/// Up to 32 x 32 cells.
pub(crate) type Wide = Words<16, 32>;

impl<const W: usize, const STRIDE: u32> Words<W, STRIDE> {
    /// The first column of every row.
    const FIRST: u64 = if STRIDE == 16 { 0x0001_0001_0001_0001 } else { 0x0000_0001_0000_0001 };

    #[inline(always)]
    fn zip(mut self, other: Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        for i in 0..W {
            self.0[i] = combine(self.0[i], other.0[i]);
        }
        self
    }

    /// All bits moved up by so many.
    #[inline(always)]
    fn up(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let mut moved = [0; W];
        for (i, word) in moved.iter_mut().enumerate().skip(words) {
            *word = self.0[i - words] << bits;
            if bits > 0 && i > words {
                *word |= self.0[i - words - 1] >> (64 - bits);
            }
        }
        Words(moved)
    }

    /// All bits moved down by so many.
    #[inline(always)]
    fn down(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let mut moved = [0; W];
        for (i, word) in moved.iter_mut().enumerate().take(W - words) {
            *word = self.0[i + words] >> bits;
            if bits > 0 && i + words + 1 < W {
                *word |= self.0[i + words + 1] << (64 - bits);
            }
        }
        Words(moved)
    }
}

impl<const W: usize, const STRIDE: u32> Set for Words<W, STRIDE> {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }
    #[inline(always)]
    fn count(self) -> i32 {
        self.0.iter().map(|word| word.count_ones() as i32).sum()
    }
}

impl<const W: usize, const STRIDE: u32> Lanes for Words<W, STRIDE> {
    const SIZE: u32 = STRIDE;

    #[inline(always)]
    fn load(cells: &Cells) -> Self {
        Words(std::array::from_fn(|i| cells[i]))
    }
    #[inline(always)]
    fn only(grid: &Grid, vertex: usize) -> Self {
        Self::load(&grid.only[vertex])
    }
    #[inline(always)]
    fn enter<const D: usize>(grid: &Grid) -> Self {
        Self::load(&grid.enter[D])
    }
    #[inline(always)]
    fn shift<const D: usize, const N: i32>(self) -> Self {
        let (right, down) = STEPS[D];
        let by = N * (right + down * STRIDE as i32);
        if by > 0 { self.up(by as usize) } else { self.down(by.unsigned_abs() as usize) }
    }
    #[inline(always)]
    fn widen(self) -> Self {
        let last = Self::FIRST << (STRIDE - 1);
        Words(self.0.map(|word| word | (word & !last) << 1 | (word & !Self::FIRST) >> 1))
    }
}

/// Up to 10 columns and 11 rows, in rows of 11 bits; the last bit of each row is always clear, so that nothing runs on into the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compact(u128);

impl Compact {
    /// Columns and rows.
    pub const LARGEST: (usize, usize) = (STRIDE - 1, 11);

    /// From cells in rows of 16.
    pub fn pack(cells: &Cells) -> Compact {
        let row = |row: usize| u128::from(cells[row / 4] >> (row % 4 * 16) & 0xffff);
        Compact((0..Compact::LARGEST.1).fold(0, |all, y| all | row(y) << (y * STRIDE)))
    }
}

/// Bits of a row of [`Compact`].
const STRIDE: usize = 11;

impl Set for Compact {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Compact(self.0 & other.0)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Compact(self.0 | other.0)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Compact(self.0 ^ other.0)
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Compact(self.0 & !other.0)
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0 == 0
    }
    #[inline(always)]
    fn count(self) -> i32 {
        self.0.count_ones() as i32
    }
}

impl Lanes for Compact {
    const SIZE: u32 = 16;

    #[inline(always)]
    fn load(cells: &Cells) -> Self {
        Compact::pack(cells)
    }
    #[inline(always)]
    fn only(grid: &Grid, vertex: usize) -> Self {
        grid.compact.only[vertex]
    }
    #[inline(always)]
    fn enter<const D: usize>(grid: &Grid) -> Self {
        grid.compact.enter[D]
    }
    #[inline(always)]
    fn shift<const D: usize, const N: i32>(self) -> Self {
        let (right, down) = STEPS[D];
        let by = N * (right + down * STRIDE as i32);
        Compact(if by.abs() > 127 {
            0
        } else if by > 0 {
            self.0 << by
        } else {
            self.0 >> -by
        })
    }
    #[inline(always)]
    fn widen(self) -> Self {
        Compact(self.0 | self.0 << 1 | self.0 >> 1)
    }
}

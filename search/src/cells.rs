//! Sets of the squares of a region: up to 64 in a word, up to 128 in two.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A set of cells, which are numbers below [`CellSet::SIZE`].
pub(crate) trait CellSet:
    Copy + Eq + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// Cells that a set has room for.
    const SIZE: usize;
    const EMPTY: Self;

    fn only(cell: usize) -> Self;

    fn len(self) -> u32;

    /// The least cell of a set that is not empty.
    fn first(self) -> usize;

    /// All but the least cell.
    fn without_first(self) -> Self;

    /// Whether a cell is in it.
    #[inline(always)]
    fn has(self, cell: usize) -> bool {
        self & Self::only(cell) != Self::EMPTY
    }

    #[inline(always)]
    fn each(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            let first = (self != Self::EMPTY).then(|| self.first())?;
            self = self.without_first();
            Some(first)
        })
    }
}

macro_rules! cell_set {
    ($($word:ty)*) => {$(
        impl CellSet for $word {
            const SIZE: usize = <$word>::BITS as usize;
            const EMPTY: $word = 0;

            #[inline(always)]
            fn only(cell: usize) -> $word {
                1 << cell
            }
            #[inline(always)]
            fn len(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline(always)]
            fn without_first(self) -> $word {
                self & self.wrapping_sub(1)
            }
        }
    )*};
}

cell_set!(u64 u128);

//! Both sides of a board of at most 11 x 10 squares in one register.

use super::rows::Rows;
use crate::compact::{Compact, STEPS};
use crate::flood::{Sides, king_step, queen_step};
use crate::grid::Grid;
use crate::lanes::Lanes;
use crate::sets::{Both, Cells, Set};
use std::arch::x86_64::*;

/// Two of [`Compact`], side 0 in the low half.
#[derive(Clone, Copy)]
pub(super) struct Pair(__m256i);

impl Pair {
    #[inline(always)]
    fn of(a: Compact, b: Compact) -> Pair {
        // SAFETY: AVX2, see the head of `avx2.rs`; each array has the 16 bytes that are read.
        Pair(unsafe { _mm256_set_m128i(_mm_loadu_si128(b.0.as_ptr().cast()), _mm_loadu_si128(a.0.as_ptr().cast())) })
    }
}

/// How far to shift; a constant wherever it is used.
#[inline(always)]
fn bits(by: i32) -> __m128i {
    // SAFETY: of SSE2, which every processor of the family has.
    unsafe { _mm_cvtsi32_si128(by) }
}

impl Set for Pair {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Pair(Rows(self.0).and(Rows(other.0)).0)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Pair(Rows(self.0).or(Rows(other.0)).0)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Pair(Rows(self.0).xor(Rows(other.0)).0)
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Pair(Rows(self.0).without(Rows(other.0)).0)
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        Rows(self.0).is_empty()
    }
    #[inline(always)]
    fn count(self) -> i32 {
        Rows(self.0).count()
    }
}

impl Both for Pair {
    #[inline(always)]
    fn swap(self) -> Self {
        // SAFETY: AVX2, see the head of `avx2.rs`.
        Pair(unsafe { _mm256_permute4x64_epi64::<0b0100_1110>(self.0) })
    }
    #[inline(always)]
    fn counts(self) -> [i32; 2] {
        let mut words = [0u64; 4];
        // SAFETY: AVX2, see the head of `avx2.rs`; the array has the 32 bytes that are written.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
        let [a, b, c, d] = words;
        [(a.count_ones() + b.count_ones()) as i32, (c.count_ones() + d.count_ones()) as i32]
    }
}

impl Lanes for Pair {
    const SIZE: u32 = 16;

    #[inline(always)]
    fn load(cells: &Cells) -> Self {
        let cells = Compact::pack(cells);
        Pair::of(cells, cells)
    }
    #[inline(always)]
    fn enter<const D: usize>(grid: &Grid) -> Self {
        let cells = Compact::enter::<D>(grid);
        Pair::of(cells, cells)
    }
    #[inline(always)]
    fn shift<const D: usize, const N: i32>(self) -> Self {
        let (by, x) = (Compact::distance::<D, N>(), self.0);
        let (_, down) = STEPS[D];
        // SAFETY: AVX2, see the head of `avx2.rs`.
        Pair(unsafe {
            match by.abs() {
                0..60 if down == 0 && by > 0 => _mm256_sll_epi64(x, bits(by)),
                0..60 if down == 0 => _mm256_srl_epi64(x, bits(-by)),
                0..60 if by > 0 => {
                    let below = _mm256_srl_epi64(_mm256_bslli_epi128::<8>(x), bits(Compact::USED - by));
                    _mm256_or_si256(_mm256_sll_epi64(x, bits(by)), below)
                }
                0..60 => {
                    let above = _mm256_sll_epi64(_mm256_bsrli_epi128::<8>(x), bits(Compact::USED + by));
                    _mm256_or_si256(_mm256_srl_epi64(x, bits(-by)), above)
                }
                60..120 if by > 0 => _mm256_sll_epi64(_mm256_bslli_epi128::<8>(x), bits(by - Compact::USED)),
                60..120 => _mm256_srl_epi64(_mm256_bsrli_epi128::<8>(x), bits(-by - Compact::USED)),
                _ => _mm256_setzero_si256(),
            }
        })
    }
    #[inline(always)]
    fn widen(self) -> Self {
        // SAFETY: AVX2, see the head of `avx2.rs`.
        let beside = unsafe { _mm256_or_si256(_mm256_slli_epi64::<1>(self.0), _mm256_srli_epi64::<1>(self.0)) };
        self.or(Pair(beside))
    }
}

impl Sides for Pair {
    #[inline(always)]
    fn load(cells: &Cells) -> Self {
        Lanes::load(cells)
    }
    #[inline(always)]
    fn pieces(grid: &Grid, [a, b]: [u16; 2]) -> Self {
        Pair::of(Compact::only(grid, a), Compact::only(grid, b))
    }
    #[inline(always)]
    fn queen_steps(grid: &Grid, from: Self, left: Self) -> Self {
        queen_step(grid, from, left)
    }
    #[inline(always)]
    fn king_steps(grid: &Grid, from: Self, left: Self) -> Self {
        king_step(grid, from, left)
    }
}

//! A side of a board of up to 16 x 16 squares in a register, and of up to 32 x 32 squares in four.

use crate::compact::STEPS;
use crate::lanes::Lanes;
use crate::sets::{Cells, Set};
use std::arch::x86_64::*;

/// Bytes moved by `N` rows of 16 cells towards the last row.
macro_rules! down {
    ($x:expr, $bytes:literal) => {
        _mm256_alignr_epi8::<{ 16 - $bytes }>($x, _mm256_permute2x128_si256::<0x08>($x, $x))
    };
}
/// Towards the first row.
macro_rules! up {
    ($x:expr, $bytes:literal) => {
        _mm256_alignr_epi8::<$bytes>(_mm256_permute2x128_si256::<0x81>($x, $x), $x)
    };
}

/// Up to 16 x 16 cells: 16 rows of 16 bits.
#[derive(Clone, Copy)]
pub(super) struct Rows(pub __m256i);

impl Set for Rows {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of `avx2.rs`.
        Rows(unsafe { _mm256_and_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of `avx2.rs`.
        Rows(unsafe { _mm256_or_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of `avx2.rs`.
        Rows(unsafe { _mm256_xor_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of `avx2.rs`.
        Rows(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        // SAFETY: AVX2, see the head of `avx2.rs`.
        unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
    }
    #[inline(always)]
    fn count(self) -> i32 {
        let mut words = [0u64; 4];
        // SAFETY: AVX2, see the head of `avx2.rs`; the array has the 32 bytes that are written.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
        words.iter().map(|word| word.count_ones() as i32).sum()
    }
}

impl Lanes for Rows {
    const SIZE: u32 = 16;

    #[inline(always)]
    fn load(cells: &Cells) -> Self {
        // SAFETY: AVX2, see the head of `avx2.rs`; 32 of the 128 bytes are read.
        Rows(unsafe { _mm256_loadu_si256(cells.as_ptr().cast()) })
    }
    #[inline(always)]
    fn shift<const D: usize, const N: i32>(self) -> Self {
        let (right, down) = STEPS[D];
        // SAFETY: AVX2, see the head of `avx2.rs`.
        unsafe {
            let x = self.0;
            let moved = match (down, N) {
                (0, _) => x,
                (1, 1) => down!(x, 2),
                (1, 2) => down!(x, 4),
                (1, 4) => down!(x, 8),
                (1, 8) => _mm256_permute2x128_si256::<0x08>(x, x),
                (-1, 1) => up!(x, 2),
                (-1, 2) => up!(x, 4),
                (-1, 4) => up!(x, 8),
                (-1, 8) => _mm256_permute2x128_si256::<0x81>(x, x),
                _ => _mm256_setzero_si256(),
            };
            Rows(match right {
                1 => _mm256_slli_epi16::<N>(moved),
                -1 => _mm256_srli_epi16::<N>(moved),
                _ => moved,
            })
        }
    }
    #[inline(always)]
    fn widen(self) -> Self {
        // SAFETY: AVX2, see the head of `avx2.rs`.
        let beside = unsafe { _mm256_or_si256(_mm256_slli_epi16::<1>(self.0), _mm256_srli_epi16::<1>(self.0)) };
        self.or(Rows(beside))
    }
}

/// Up to 32 x 32 cells: 32 rows of 32 bits, 8 a register.
#[derive(Clone, Copy)]
pub(super) struct Wide([__m256i; 4]);

// A closure would be compiled without AVX2, so the four repetitions are written out.
macro_rules! four {
    ($i:ident => $each:expr) => {
        Wide([
            {
                const $i: usize = 0;
                $each
            },
            {
                const $i: usize = 1;
                $each
            },
            {
                const $i: usize = 2;
                $each
            },
            {
                const $i: usize = 3;
                $each
            },
        ])
    };
}

impl Wide {
    /// The rows moved by `N`, down by 1 or up by -1.
    #[inline(always)]
    fn move_rows<const N: i32>(self, down: i32) -> Self {
        // SAFETY: AVX2, see the head of `avx2.rs`.
        let zero = unsafe { _mm256_setzero_si256() };
        let [a, b, c, d] = self.0;
        match (down, N) {
            (1, 8) => Wide([zero, a, b, c]),
            (1, 16) => Wide([zero, zero, a, b]),
            (1, _) => Wide([lower::<N>(zero, a), lower::<N>(a, b), lower::<N>(b, c), lower::<N>(c, d)]),
            (_, 8) => Wide([b, c, d, zero]),
            (_, 16) => Wide([c, d, zero, zero]),
            _ => Wide([higher::<N>(a, b), higher::<N>(b, c), higher::<N>(c, d), higher::<N>(d, zero)]),
        }
    }
}

/// The rows of `x` moved down by 1, 2 or 4, below the last of `before`.
#[inline(always)]
fn lower<const N: i32>(before: __m256i, x: __m256i) -> __m256i {
    // SAFETY: AVX2, see the head of `avx2.rs`.
    unsafe {
        let between = _mm256_permute2x128_si256::<0x21>(before, x);
        match N {
            1 => _mm256_alignr_epi8::<12>(x, between),
            2 => _mm256_alignr_epi8::<8>(x, between),
            _ => between,
        }
    }
}

/// The rows of `x` moved up by 1, 2 or 4, above the first of `after`.
#[inline(always)]
fn higher<const N: i32>(x: __m256i, after: __m256i) -> __m256i {
    // SAFETY: AVX2, see the head of `avx2.rs`.
    unsafe {
        let between = _mm256_permute2x128_si256::<0x21>(x, after);
        match N {
            1 => _mm256_alignr_epi8::<4>(between, x),
            2 => _mm256_alignr_epi8::<8>(between, x),
            _ => between,
        }
    }
}

impl Set for Wide {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        four!(I => Rows(self.0[I]).and(Rows(other.0[I])).0)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        four!(I => Rows(self.0[I]).or(Rows(other.0[I])).0)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        four!(I => Rows(self.0[I]).xor(Rows(other.0[I])).0)
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        four!(I => Rows(self.0[I]).without(Rows(other.0[I])).0)
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        let [a, b, c, d] = self.0;
        Rows(a).or(Rows(b)).or(Rows(c).or(Rows(d))).is_empty()
    }
    #[inline(always)]
    fn count(self) -> i32 {
        let [a, b, c, d] = self.0;
        Rows(a).count() + Rows(b).count() + Rows(c).count() + Rows(d).count()
    }
}

impl Lanes for Wide {
    const SIZE: u32 = 32;

    #[inline(always)]
    fn load(cells: &Cells) -> Self {
        let (parts, _) = cells.as_chunks::<4>();
        // SAFETY: AVX2, see the head of `avx2.rs`; each part has the 32 bytes that are read.
        four!(I => unsafe { _mm256_loadu_si256(parts[I].as_ptr().cast()) })
    }
    #[inline(always)]
    fn shift<const D: usize, const N: i32>(self) -> Self {
        let (right, down) = STEPS[D];
        let moved = if down == 0 { self } else { self.move_rows::<N>(down) };
        // SAFETY: AVX2, see the head of `avx2.rs`.
        unsafe {
            match right {
                1 => four!(I => _mm256_slli_epi32::<N>(moved.0[I])),
                -1 => four!(I => _mm256_srli_epi32::<N>(moved.0[I])),
                _ => moved,
            }
        }
    }
    #[inline(always)]
    fn widen(self) -> Self {
        // SAFETY: AVX2, see the head of `avx2.rs`.
        let right = unsafe { four!(I => _mm256_slli_epi32::<1>(self.0[I])) };
        // SAFETY: AVX2, see the head of `avx2.rs`.
        let left = unsafe { four!(I => _mm256_srli_epi32::<1>(self.0[I])) };
        self.or(right.or(left))
    }
}

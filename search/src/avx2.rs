//! Lanes in registers of 256 bits, and the evaluation compiled for processors that have them. The only unsafe code of the package:
//! the intrinsics need AVX2, and all of this file is reached through [`Avx2`] alone, whose value proves that there is AVX2.

use crate::flood::{OnGrid, Sides, king_step, queen_step};
use crate::graph::OnGraph;
use crate::grid::{Cells, Grid};
use crate::lanes::{Compact, Lanes, STEPS};
use crate::levels::{Extent, measure};
use crate::sets::{Both, Set, Two};
use crate::value::Features;
use std::arch::x86_64::*;

/// Proof that this processor has AVX2, and the smaller extensions that came before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Looks at the processor.
    pub fn detect() -> Option<Avx2> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt");
        has_all.then_some(Avx2(()))
    }

    /// [`levels::measure`] of a grid.
    #[inline]
    pub fn measure_grid(self, grid: &Grid, free: &Cells, queens: [&[u16]; 2], extent: Extent) -> Features {
        // SAFETY: a value of this type is only made where the processor has all that the function enables.
        unsafe { measure_grid(grid, free, queens, extent) }
    }

    /// [`levels::measure`] of any graph.
    #[inline]
    pub fn measure_graph<const W: usize>(self, field: &OnGraph<W>, queens: [&[u16]; 2], extent: Extent) -> Features {
        // SAFETY: a value of this type is only made where the processor has all that the function enables.
        unsafe { measure_graph(field, queens, extent) }
    }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
fn measure_grid(grid: &Grid, free: &Cells, queens: [&[u16]; 2], extent: Extent) -> Features {
    if grid.is_compact() {
        measure(&OnGrid::<Pair>::new(grid, free), queens, extent)
    } else if grid.is_wide {
        measure(&OnGrid::<Two<Wide>>::new(grid, free), queens, extent)
    } else {
        measure(&OnGrid::<Two<Narrow>>::new(grid, free), queens, extent)
    }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
fn measure_graph<const W: usize>(field: &OnGraph<W>, queens: [&[u16]; 2], extent: Extent) -> Features {
    measure(field, queens, extent)
}

/// Two of [`Compact`], side 0 in the low half.
#[derive(Clone, Copy)]
struct Pair(__m256i);

impl Pair {
    #[inline(always)]
    fn of(a: Compact, b: Compact) -> Pair {
        // SAFETY: AVX2, see the head of the file; each array has the 16 bytes that are read.
        Pair(unsafe { _mm256_set_m128i(_mm_loadu_si128(b.0.as_ptr().cast()), _mm_loadu_si128(a.0.as_ptr().cast())) })
    }
}

impl Both for Pair {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Pair(Narrow(self.0).and(Narrow(other.0)).0)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Pair(Narrow(self.0).or(Narrow(other.0)).0)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Pair(Narrow(self.0).xor(Narrow(other.0)).0)
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Pair(Narrow(self.0).without(Narrow(other.0)).0)
    }
    #[inline(always)]
    fn swap(self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Pair(unsafe { _mm256_permute4x64_epi64::<0b0100_1110>(self.0) })
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        Narrow(self.0).is_empty()
    }
    #[inline(always)]
    fn counts(self) -> [i32; 2] {
        let mut words = [0u64; 4];
        // SAFETY: AVX2, see the head of the file; the array has the 32 bytes that are written.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
        let [a, b, c, d] = words;
        [(a.count_ones() + b.count_ones()) as i32, (c.count_ones() + d.count_ones()) as i32]
    }
}

impl Set for Pair {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Both::and(self, other)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Both::or(self, other)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Both::xor(self, other)
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Both::without(self, other)
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        Both::is_empty(self)
    }
    #[inline(always)]
    fn count(self) -> i32 {
        let [a, b] = self.counts();
        a + b
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
    fn only(grid: &Grid, vertex: u16) -> Self {
        let cell = Compact::only(grid, vertex);
        Pair::of(cell, cell)
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
        // SAFETY: AVX2, see the head of the file.
        Pair(unsafe {
            let [on, back] = [by, -by].map(|by| _mm_cvtsi32_si128(by.max(0)));
            let [over, under] = [Compact::USED - by, Compact::USED + by].map(|by| _mm_cvtsi32_si128(by.max(0)));
            match by.abs() {
                0..60 if down == 0 && by > 0 => _mm256_sll_epi64(x, on),
                0..60 if down == 0 => _mm256_srl_epi64(x, back),
                0..60 if by > 0 => {
                    _mm256_or_si256(_mm256_sll_epi64(x, on), _mm256_srl_epi64(_mm256_bslli_epi128::<8>(x), over))
                }
                0..60 => {
                    _mm256_or_si256(_mm256_srl_epi64(x, back), _mm256_sll_epi64(_mm256_bsrli_epi128::<8>(x), under))
                }
                60..120 if by > 0 => _mm256_sll_epi64(_mm256_bslli_epi128::<8>(x), _mm_cvtsi32_si128(by - 60)),
                60..120 => _mm256_srl_epi64(_mm256_bsrli_epi128::<8>(x), _mm_cvtsi32_si128(-by - 60)),
                _ => _mm256_setzero_si256(),
            }
        })
    }
    #[inline(always)]
    fn widen(self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        let beside = unsafe { _mm256_or_si256(_mm256_slli_epi64::<1>(self.0), _mm256_srli_epi64::<1>(self.0)) };
        Set::or(self, Pair(beside))
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
struct Narrow(__m256i);

impl Set for Narrow {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Narrow(unsafe { _mm256_and_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Narrow(unsafe { _mm256_or_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Narrow(unsafe { _mm256_xor_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Narrow(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        // SAFETY: AVX2, see the head of the file.
        unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
    }
    #[inline(always)]
    fn count(self) -> i32 {
        let mut words = [0u64; 4];
        // SAFETY: AVX2, see the head of the file; the array has the 32 bytes that are written.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
        words.iter().map(|word| word.count_ones() as i32).sum()
    }
}

impl Lanes for Narrow {
    const SIZE: u32 = 16;

    #[inline(always)]
    fn load(cells: &Cells) -> Self {
        // SAFETY: AVX2, see the head of the file; 32 of the 128 bytes are read.
        Narrow(unsafe { _mm256_loadu_si256(cells.as_ptr().cast()) })
    }
    #[inline(always)]
    fn only(grid: &Grid, vertex: u16) -> Self {
        Self::load(&grid.only[grid.index(vertex)])
    }
    #[inline(always)]
    fn enter<const D: usize>(grid: &Grid) -> Self {
        Self::load(&grid.enter[D])
    }
    #[inline(always)]
    fn shift<const D: usize, const N: i32>(self) -> Self {
        let (right, down) = STEPS[D];
        // SAFETY: AVX2, see the head of the file.
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
            Narrow(match right {
                1 => _mm256_slli_epi16::<N>(moved),
                -1 => _mm256_srli_epi16::<N>(moved),
                _ => moved,
            })
        }
    }
    #[inline(always)]
    fn widen(self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        let beside = unsafe { _mm256_or_si256(_mm256_slli_epi16::<1>(self.0), _mm256_srli_epi16::<1>(self.0)) };
        self.or(Narrow(beside))
    }
}

/// Up to 32 x 32 cells: 32 rows of 32 bits, 8 a register.
#[derive(Clone, Copy)]
struct Wide([__m256i; 4]);

// A closure would be compiled without AVX2: what is done four times is written four times.
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
        // SAFETY: AVX2, see the head of the file.
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
    // SAFETY: AVX2, see the head of the file.
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
    // SAFETY: AVX2, see the head of the file.
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
        four!(I => Narrow(self.0[I]).and(Narrow(other.0[I])).0)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        four!(I => Narrow(self.0[I]).or(Narrow(other.0[I])).0)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        four!(I => Narrow(self.0[I]).xor(Narrow(other.0[I])).0)
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        four!(I => Narrow(self.0[I]).without(Narrow(other.0[I])).0)
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        let [a, b, c, d] = self.0;
        Narrow(a).or(Narrow(b)).or(Narrow(c).or(Narrow(d))).is_empty()
    }
    #[inline(always)]
    fn count(self) -> i32 {
        let [a, b, c, d] = self.0;
        Narrow(a).count() + Narrow(b).count() + Narrow(c).count() + Narrow(d).count()
    }
}

impl Lanes for Wide {
    const SIZE: u32 = 32;

    #[inline(always)]
    fn load(cells: &Cells) -> Self {
        let (parts, _) = cells.as_chunks::<4>();
        // SAFETY: AVX2, see the head of the file; each part has the 32 bytes that are read.
        four!(I => unsafe { _mm256_loadu_si256(parts[I].as_ptr().cast()) })
    }
    #[inline(always)]
    fn only(grid: &Grid, vertex: u16) -> Self {
        Self::load(&grid.only[grid.index(vertex)])
    }
    #[inline(always)]
    fn enter<const D: usize>(grid: &Grid) -> Self {
        Self::load(&grid.enter[D])
    }
    #[inline(always)]
    fn shift<const D: usize, const N: i32>(self) -> Self {
        let (right, down) = STEPS[D];
        let moved = if down == 0 { self } else { self.move_rows::<N>(down) };
        // SAFETY: AVX2, see the head of the file.
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
        // SAFETY: AVX2, see the head of the file.
        let right = unsafe { four!(I => _mm256_slli_epi32::<1>(self.0[I])) };
        // SAFETY: AVX2, see the head of the file.
        let left = unsafe { four!(I => _mm256_srli_epi32::<1>(self.0[I])) };
        self.or(right.or(left))
    }
}

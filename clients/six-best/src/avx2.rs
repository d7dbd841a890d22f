//! The playouts compiled for processors with AVX2, and their lanes in a register. The only unsafe code of this
//! client: the intrinsics need AVX2, and are reached through [`Avx2`] alone, whose value proves that there is AVX2.
#![expect(unsafe_code)]

use crate::deal::{Deals, LANES, Lanes, MAX_SEATS};
use crate::lanes;
use crate::table::Table;
use crate::vector::Vector;
use std::arch::x86_64::*;

/// Proof that this processor has AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// Looks at the processor.
    pub fn detect() -> Option<Avx2> {
        is_x86_feature_detected!("avx2").then_some(Avx2(()))
    }

    /// [`lanes::play`].
    #[inline]
    pub fn play(self, table: &Table, first: u8, deals: &Deals) -> [Lanes; MAX_SEATS] {
        // SAFETY: a value of this type is only made where the processor has what the function enables.
        unsafe { play(table, first, deals) }
    }
}

#[target_feature(enable = "avx2")]
fn play(table: &Table, first: u8, deals: &Deals) -> [Lanes; MAX_SEATS] {
    lanes::play::<Wide>(table, first, deals)
}

/// All lanes.
#[derive(Clone, Copy)]
struct Wide(__m256i);

const _: () = assert!(size_of::<Lanes>() == size_of::<__m256i>() && align_of::<Lanes>() == align_of::<__m256i>());

impl Vector for Wide {
    #[inline(always)]
    fn load(lanes: &Lanes) -> Self {
        // SAFETY: AVX2, see the head of the file; the lanes are 32 bytes and begin at a multiple of 32.
        Wide(unsafe { _mm256_load_si256(lanes.0.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self) -> Lanes {
        let mut lanes = Lanes([0; LANES]);
        // SAFETY: as in `load`.
        unsafe { _mm256_store_si256(lanes.0.as_mut_ptr().cast(), self.0) }
        lanes
    }
    #[inline(always)]
    fn all(value: i16) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Wide(unsafe { _mm256_set1_epi16(value) })
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Wide(unsafe { _mm256_add_epi16(self.0, other.0) })
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Wide(unsafe { _mm256_sub_epi16(self.0, other.0) })
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Wide(unsafe { _mm256_and_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Wide(unsafe { _mm256_or_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Wide(unsafe { _mm256_min_epi16(self.0, other.0) })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Wide(unsafe { _mm256_max_epi16(self.0, other.0) })
    }
    #[inline(always)]
    fn is(self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Wide(unsafe { _mm256_cmpeq_epi16(self.0, other.0) })
    }
    #[inline(always)]
    fn above(self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Wide(unsafe { _mm256_cmpgt_epi16(self.0, other.0) })
    }
    #[inline(always)]
    fn without(self, mask: Self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Wide(unsafe { _mm256_andnot_si256(mask.0, self.0) })
    }
    #[inline(always)]
    fn where_else(self, mask: Self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Wide(unsafe { _mm256_blendv_epi8(other.0, self.0, mask.0) })
    }
    #[inline(always)]
    fn up<const N: i32>(self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Wide(unsafe { _mm256_slli_epi16::<N>(self.0) })
    }
    #[inline(always)]
    fn down<const N: i32>(self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Wide(unsafe { _mm256_srli_epi16::<N>(self.0) })
    }
    #[inline(always)]
    fn times(self, factor: i16) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Wide(unsafe { _mm256_mullo_epi16(self.0, _mm256_set1_epi16(factor)) })
    }
    #[inline(always)]
    fn times_each(self, other: Self) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Wide(unsafe { _mm256_mullo_epi16(self.0, other.0) })
    }
    #[inline(always)]
    fn times_high(self, factor: u16) -> Self {
        // SAFETY: AVX2, see the head of the file.
        Wide(unsafe { _mm256_mulhi_epu16(self.0, _mm256_set1_epi16(factor as i16)) })
    }
}

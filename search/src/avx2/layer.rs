//! The hidden layer of the network in registers of sixteen numbers.

use crate::census::{Census, SLOTS};
use crate::network::{HIDDEN, Hidden, Network, ONE, STEPS, Step};
use std::arch::x86_64::*;

/// Two inputs a lane, as they are multiplied together.
type Inputs = [i32; SLOTS / 2];
/// The sixteen units, those of the lower lanes first.
type Units = [__m256i; 2];

/// Does the same as [`Network::hidden`].
#[target_feature(enable = "avx2")]
pub(super) fn hidden(network: &Network, census: &Census) -> Hidden {
    let [sums, differences] = inputs(census);
    let [low, high] = network.bias.as_chunks().0 else { return Hidden::default() };
    let bias = [load(low), load(high)];
    let sums = add_all(&network.sums, &sums, bias);
    let differences = add_all(&network.differences, &differences, [_mm256_setzero_si256(); 2]);
    let own = [0, 1].map(|half| _mm256_add_epi32(sums[half], differences[half]));
    let other = [0, 1].map(|half| _mm256_sub_epi32(sums[half], differences[half]));
    [clip(own), clip(other)]
}

/// The sums and the differences of both sides' numbers, as 16 bits each.
#[target_feature(enable = "avx2")]
fn inputs(census: &Census) -> [Inputs; 2] {
    let mut inputs = [[0; SLOTS / 2]; 2];
    let numbers = census.0.each_ref().map(|side| side.as_chunks().0);
    for (at, place) in (0..SLOTS / 2).step_by(8).enumerate() {
        let [own, other] = numbers.map(|side| [load(&side[2 * at]), load(&side[2 * at + 1])]);
        let [low, high] = [0, 1].map(|half| _mm256_add_epi32(own[half], other[half]));
        store(pack(low, high), &mut inputs[0][place..]);
        let [low, high] = [0, 1].map(|half| _mm256_sub_epi32(own[half], other[half]));
        store(pack(low, high), &mut inputs[1][place..]);
    }
    inputs
}

/// Each two inputs times their weights, added up.
#[target_feature(enable = "avx2")]
fn add_all(steps: &[Step; STEPS], inputs: &Inputs, mut units: Units) -> Units {
    for (step, input) in steps.iter().zip(inputs) {
        let input = _mm256_set1_epi32(*input);
        for (units, weights) in units.iter_mut().zip(step.as_chunks().0) {
            *units = _mm256_add_epi32(*units, _mm256_madd_epi16(load_weights(weights), input));
        }
    }
    units
}

#[target_feature(enable = "avx2")]
fn clip([low, high]: Units) -> [i16; HIDDEN] {
    let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(ONE as i16));
    let clipped = _mm256_min_epi16(_mm256_max_epi16(pack(low, high), zero), one);
    let mut units = [0; HIDDEN];
    // SAFETY: the array has the 32 bytes that are written.
    unsafe { _mm256_storeu_si256(units.as_mut_ptr().cast(), clipped) }
    units
}

/// Sixteen numbers in 16 bits each, in their order.
#[target_feature(enable = "avx2")]
fn pack(low: __m256i, high: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b1101_1000>(_mm256_packs_epi32(low, high))
}

#[target_feature(enable = "avx2")]
fn load(numbers: &[i32; 8]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read.
    unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
fn load_weights(weights: &[i16; 16]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read.
    unsafe { _mm256_loadu_si256(weights.as_ptr().cast()) }
}

/// To the first eight of a slice.
#[target_feature(enable = "avx2")]
fn store(numbers: __m256i, to: &mut [i32]) {
    if let Some(first) = to.first_chunk_mut::<8>() {
        // SAFETY: the array has the 32 bytes that are written.
        unsafe { _mm256_storeu_si256(first.as_mut_ptr().cast(), numbers) }
    }
}

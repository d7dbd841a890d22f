//! Chance by name: ChaCha8 from a 32-byte seed, and draws whose results never change with a library's version.

pub use rand::rngs::ChaCha8Rng as Rng;
use rand::{Rng as _, SeedableRng};

/// The source of all chance in a match.
pub type Seed = [u8; 32];

/// How a match begins, apart from its options. No client takes part in it: all that meet on an opening find the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The number among the openings of a ladder, from 0; a game that lists its openings takes them in order.
    pub number: u64,
    /// The source of all chance in the match.
    pub seed: Seed,
}

impl Opening {
    /// An opening for uses where any will do.
    pub const ANY: Opening = Opening { number: 0, seed: [0; 32] };

    /// The opening whose seed is its number, for uses that need many openings and no ladder.
    pub fn numbered(number: u64) -> Opening {
        Opening { number, seed: seed_of(number) }
    }
}

/// The seed that encodes a number.
pub fn seed_of(number: u64) -> Seed {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    seed
}

/// The generator of a seed.
pub fn rng_from(seed: &Seed) -> Rng {
    Rng::from_seed(*seed)
}

/// A number below `bound` (at least 1), each equally likely (Lemire 2019, "Fast random integer generation in an
/// interval").
pub fn below(rng: &mut Rng, bound: u64) -> u64 {
    loop {
        let product = u128::from(rng.next_u64()) * u128::from(bound);
        // The threshold is below the bound, so the division is rarely needed.
        if product as u64 >= bound || product as u64 >= bound.wrapping_neg() % bound {
            return (product >> 64) as u64;
        }
    }
}

/// Puts the items in random order, each order equally likely (Fisher and Yates).
pub fn shuffle<T>(rng: &mut Rng, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(rng, last as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_uniform_and_stay_as_they_are() {
        let mut rng = rng_from(&[7; 32]);
        let mut counts = [0u32; 3];
        for _ in 0..30_000 {
            counts[below(&mut rng, 3) as usize] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 400), "{counts:?}");
        let mut deck: Vec<u8> = (0..10).collect();
        shuffle(&mut rng_from(&[7; 32]), &mut deck);
        assert_eq!(deck, FROZEN);
    }

    const FROZEN: [u8; 10] = [5, 3, 1, 6, 0, 4, 8, 9, 7, 2];
}

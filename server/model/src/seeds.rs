//! Draws seeds by keyed hashes: the deal from the ladder's seed, and each client's own seed in another stream.

use super::Block;
use agon_games::Opening;

/// An opening of a ladder: its seed follows from the ladder's seed and its number, and from no client.
pub fn opening(ladder_seed: u64, number: u64) -> Opening {
    let mut hasher = blake3::Hasher::new_derive_key("agon deal 1");
    hasher.update(&ladder_seed.to_le_bytes()).update(&number.to_le_bytes());
    Opening { number, seed: *hasher.finalize().as_bytes() }
}

/// A client's own seed, from the block and the seat, in its own stream, so that it reveals nothing about the deal's.
/// Clock, limits and isolation do not change it, so that a deterministic client plays the same under all of them.
pub fn client_seed(block: &Block, rotation: usize, seat: usize) -> u64 {
    let mut hasher = blake3::Hasher::new_derive_key("agon client seed 1");
    hasher.update(&block.client_seed).update(&[rotation as u8, seat as u8]);
    let digest = *hasher.finalize().as_bytes();
    u64::from_le_bytes(std::array::from_fn(|index| digest[index]))
}

/// A client's own seed in a match outside a ladder, from the seed given for it.
pub fn seat_seed(seed: u64, place: usize) -> u64 {
    let mut hasher = blake3::Hasher::new_derive_key("agon seat seed 1");
    hasher.update(&seed.to_le_bytes()).update(&(place as u64).to_le_bytes());
    let digest = *hasher.finalize().as_bytes();
    u64::from_le_bytes(std::array::from_fn(|index| digest[index]))
}

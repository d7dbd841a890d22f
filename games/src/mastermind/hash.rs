//! A hash of all that decides how the match can go on, the secret included (the mixing of SplitMix64, Steele et al. 2014).

use super::Mastermind;
use super::abi::Try;
use super::codes::{Code, MAX_PEGS};
use agon_abi::bytes_of;

struct Mix(u64);

impl Mix {
    fn word(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = mixed ^ mixed >> 31;
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    /// A code that may not be there yet.
    fn code(&mut self, code: Option<&Code>) {
        self.bytes(code.unwrap_or(&[u8::MAX; MAX_PEGS]));
    }
}

/// The hash of a state.
pub(super) fn of(game: &Mastermind) -> u64 {
    let mut mix = Mix(game.seats as u64);
    mix.code(game.secret.as_ref());
    mix.code(game.waiting.as_ref());
    for history in &game.histories {
        mix.word(history.len() as u64);
        history.iter().for_each(|made: &Try| mix.bytes(bytes_of(made)));
    }
    mix.0
}

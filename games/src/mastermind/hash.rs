//! A hash of everything that decides how the match can go on, including the secret.

use super::Mastermind;
use super::abi::Try;
use super::codes::{Code, MAX_PEGS};
use crate::mix::Mix;
use agon_abi::bytes_of;

/// Adds a code that may not exist yet.
fn code(mix: &mut Mix, code: Option<&Code>) {
    mix.bytes(code.unwrap_or(&[u8::MAX; MAX_PEGS]));
}

/// The hash of a state.
pub(super) fn of(game: &Mastermind) -> u64 {
    let mut mix = Mix::new(game.seats as u64);
    code(&mut mix, game.secret.as_ref());
    code(&mut mix, game.waiting.as_ref());
    for history in &game.histories {
        mix.word(history.len() as u64);
        history.iter().for_each(|made: &Try| mix.bytes(bytes_of(made)));
    }
    mix.end()
}

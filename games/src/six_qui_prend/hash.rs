//! A hash of everything that decides how the match can go on, including hidden cards.

use super::SixQuiPrend;
use super::rows::MAX_CARD;
use crate::mix::Mix;

/// A set of cards, as two words.
fn cards(mix: &mut Mix, cards: &[u8]) {
    const { assert!(MAX_CARD < 128) };
    let set = cards.iter().fold(0u128, |set, card| set | 1 << card);
    mix.word(set as u64);
    mix.word((set >> 64) as u64);
}

/// The hash of a state.
pub(super) fn of(game: &SixQuiPrend) -> u64 {
    let mut mix = Mix::new(game.seats as u64);
    mix.word(u64::from(game.shown.round) << 16 | u64::from(game.shown.turn) << 8 | u64::from(game.over));
    mix.bytes(&game.seed);
    for hand in &game.hands[..game.seats] {
        cards(&mut mix, hand.as_slice());
    }
    for row in game.rows.each() {
        mix.bytes(&row.cards());
    }
    game.shown.seen.into_iter().for_each(|seen| mix.word(seen));
    mix.word((game.num_chosen as u64) << 8 | game.placed as u64);
    for chosen in &game.chosen[..game.num_chosen] {
        mix.word(u64::from(chosen.card) << 8 | u64::from(chosen.seat));
    }
    for heads in game.shown.total_heads {
        mix.word(u64::from(heads));
    }
    mix.end()
}

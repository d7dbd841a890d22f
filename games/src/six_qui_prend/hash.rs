//! A hash of all that decides how the match can go on, hidden cards included (the mixing of SplitMix64, Steele et al. 2014).

use super::SixQuiPrend;
use super::rows::MAX_CARD;

struct Mix(u64);

impl Mix {
    fn word(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = mixed ^ mixed >> 31;
    }

    fn bytes<const N: usize>(&mut self, bytes: [u8; N]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    /// A set of cards, as two words.
    fn cards(&mut self, cards: &[u8]) {
        const { assert!(MAX_CARD < 128) };
        let set = cards.iter().fold(0u128, |set, card| set | 1 << card);
        self.word(set as u64);
        self.word((set >> 64) as u64);
    }
}

/// The hash of a state.
pub(super) fn of(game: &SixQuiPrend) -> u64 {
    let mut mix = Mix(game.seats as u64);
    mix.word(u64::from(game.round) << 16 | u64::from(game.turn) << 8 | u64::from(game.over));
    mix.bytes(game.seed);
    for hand in &game.hands[..game.seats] {
        mix.cards(hand.as_slice());
    }
    for row in game.rows.cards {
        mix.bytes(row);
    }
    mix.word(game.seen as u64);
    mix.word((game.seen >> 64) as u64);
    mix.word((game.num_chosen as u64) << 8 | game.placed as u64);
    for chosen in &game.chosen[..game.num_chosen] {
        mix.word(u64::from(chosen.card) << 8 | u64::from(chosen.seat));
    }
    for heads in game.total_heads {
        mix.word(u64::from(heads));
    }
    mix.0
}

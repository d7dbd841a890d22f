//! 6 qui prend! for clients: views of `agon/six_qui_prend.h`.

use crate::Options;
pub use agon_games::six_qui_prend::{
    APPENDED, ASKS_CARD, ASKS_ROW, CHEAPEST, CHEAPEST_ROW, CHOOSES, COURSE, COURSE_EXACT, Event, Move, OFFICIAL, SIXTH,
    TOO_LOW,
};

/// The game, as [`Client::Game`](crate::Client::Game).
pub struct SixQuiPrend;

/// The facts before the first card.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// The struct of the contract: head, players, size of a hand, rules, limit.
    pub facts: &'a agon_games::six_qui_prend::Setup,
    /// The options of this client.
    pub options: Options<'a>,
}

/// The request to `play`, and the events since the last one.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The struct of the contract: head, round, turn, rows, heads of all seats, cards seen.
    pub facts: &'a agon_games::six_qui_prend::Turn,
    /// Cards placed since this seat's last turn, in order.
    pub events: &'a [Event],
}

impl<'a> Turn<'a> {
    /// This seat's cards, ascending, without the pending one.
    pub fn hand(&self) -> &'a [u8] {
        &self.facts.hand[..self.facts.num_hand.into()]
    }

    /// The cards of a row (0 to 3) in order, 1 to 5 of them.
    pub fn row(&self, row: usize) -> &'a [u8] {
        &self.facts.rows[row][..self.facts.row_size[row].into()]
    }

    /// The card below all rows, when a row must be chosen; `None` when a card must.
    pub fn pending(&self) -> Option<u8> {
        (self.facts.kind == ASKS_ROW).then_some(self.facts.pending)
    }
}

/// The answer when a card is asked for: one of the hand.
pub fn lay(card: u8) -> Move {
    Move { card, row: 0 }
}

/// The answer when a row is asked for: 0 to 3, or [`CHEAPEST_ROW`].
pub fn take(row: u8) -> Move {
    Move { card: 0, row }
}

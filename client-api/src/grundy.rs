//! Grundy's game for clients: views of `agon/grundy.h`, and the nimbers of the rules or of a file.

use crate::Options;
pub use agon_games::grundy::{BadTable, Move, NimberTable, nimbers};

/// The game, as [`Client::Game`](crate::Client::Game).
pub struct Grundy;

/// The facts before the first move.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// The struct of the contract: head, misère.
    pub facts: &'a agon_games::grundy::Setup,
    /// The options of this client.
    pub options: Options<'a>,
    /// The sticks of each heap at the start.
    pub heaps: &'a [u32],
}

impl Setup<'_> {
    /// Whether a seat that cannot move wins.
    pub fn misere(&self) -> bool {
        self.facts.misere != 0
    }

    /// The sticks of the largest heap with which the match ends, if it is not played to its end.
    pub fn until(&self) -> Option<u64> {
        Some(self.facts.reserved[0]).filter(|until| *until > 0)
    }

    /// The number of moves after which it is drawn, unless it is over before.
    pub fn most_moves(&self) -> Option<u64> {
        Some(self.facts.reserved[1]).filter(|most| *most > 0)
    }
}

/// The request to `play`.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The struct of the contract: head, moves so far, the last one.
    pub facts: &'a agon_games::grundy::Turn,
    /// The sticks of each heap now.
    pub heaps: &'a [u32],
}

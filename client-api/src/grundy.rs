//! Grundy's game for clients: views of `agon/grundy.h`, and the nimbers of the rules or of a file.

use crate::Options;
pub use agon_games::grundy::{BadTable, Move, NimberTable, nimbers};

/// The game, as [`Client::Game`](crate::Client::Game).
pub struct Grundy;

/// What is known before the first move.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// The struct of the contract: head, misère.
    pub facts: &'a agon_games::grundy::Setup,
    /// The options of this client.
    pub options: Options<'a>,
    /// Sticks of each heap at the start.
    pub heaps: &'a [u32],
}

impl Setup<'_> {
    /// Whether who cannot move wins.
    pub fn misere(&self) -> bool {
        self.facts.misere != 0
    }

    /// With how many sticks in its largest heap the match is over, if it is not played to its end.
    pub fn until(&self) -> Option<u64> {
        Some(self.facts.reserved[0]).filter(|until| *until > 0)
    }

    /// After how many moves it is drawn, if it is not over before.
    pub fn most_moves(&self) -> Option<u64> {
        Some(self.facts.reserved[1]).filter(|most| *most > 0)
    }
}

/// What `play` is asked.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The struct of the contract: head, moves so far, the last one.
    pub facts: &'a agon_games::grundy::Turn,
    /// Sticks of each heap now.
    pub heaps: &'a [u32],
}

//! Mastermind for clients: views of `agon/mastermind.h`, and the rules' own codes, replies and search.

use crate::Options;
pub use agon_games::mastermind::{
    ADAPTIVE, ASKS_GUESS, ASKS_REPLY, ASKS_SECRET, BREAKER, CLIENT, Code, Codes, MAKER, MAX_PEGS, MAX_VALUES, Move,
    Order, Reply, SERVER, Try, agrees, draw, search, search_one,
};

/// The game, as [`Client::Game`](crate::Client::Game).
pub struct Mastermind;

/// The facts before the first guess.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// The struct of the contract: head, size of codes, tries, role.
    pub facts: &'a agon_games::mastermind::Setup,
    /// The options of this client.
    pub options: Options<'a>,
}

impl Setup<'_> {
    /// The codes of this match.
    pub fn codes(&self) -> Codes {
        Codes::new(self.facts.pegs, self.facts.values)
    }
}

/// The request to `play`, and the replies so far.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The struct of the contract: head, kind.
    pub facts: &'a agon_games::mastermind::Turn,
    /// All guesses that were answered, in order: a breaker's own, or those of the maker's opponent.
    pub history: &'a [Try],
}

/// The kinds of requests to `play`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A breaker must guess.
    Guess,
    /// A maker must choose the secret.
    Secret,
    /// An adaptive maker must reply to this guess.
    Reply(Code),
}

impl Turn<'_> {
    /// The request of this turn.
    pub fn asked(&self) -> Asked {
        match self.facts.kind {
            ASKS_REPLY => Asked::Reply(self.facts.guess),
            ASKS_SECRET => Asked::Secret,
            _ => Asked::Guess,
        }
    }
}

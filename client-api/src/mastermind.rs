//! Mastermind for clients: views of `agon/mastermind.h`, and the rules' own codes, replies and search.

use crate::Options;
pub use agon_games::mastermind::{
    ADAPTIVE, ASKS_GUESS, ASKS_REPLY, ASKS_SECRET, BREAKER, CLIENT, Code, Codes, MAKER, MAX_PEGS, MAX_VALUES, Move,
    Order, Reply, SERVER, Try, agrees, draw, search, search_one,
};

/// The game, as [`Client::Game`](crate::Client::Game).
pub struct Mastermind;

/// What is known before the first guess.
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

/// What `play` is asked, and what was answered so far.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The struct of the contract: head, kind.
    pub facts: &'a agon_games::mastermind::Turn,
    /// All guesses that were answered, in order: a breaker's own, or those of the maker's opponent.
    pub history: &'a [Try],
}

/// What `play` is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A breaker: a guess.
    Guess,
    /// A maker: the secret.
    Secret,
    /// An adaptive maker: the reply to this guess.
    Reply(Code),
}

impl Turn<'_> {
    /// What is asked for.
    pub fn asked(&self) -> Asked {
        match self.facts.kind {
            ASKS_REPLY => Asked::Reply(self.facts.guess),
            ASKS_SECRET => Asked::Secret,
            _ => Asked::Guess,
        }
    }
}

//! Texts and players of a game for people who meet its clients: players of three strengths, and explanations of a
//! client's logs.

use crate::{Language, Said};

/// A player of some strength that people may play against: `agon play --level`.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// The name of the level.
    pub name: Said,
    /// A client of agon, with its options as in `agon match`: `tirs:level=1`.
    pub client: &'static str,
}

/// Three levels of a client that has an option `level`, by its values.
pub(crate) const fn levels(clients: [&'static str; 3]) -> [Level; 3] {
    let [beginner, advanced, best] = clients;
    [
        Level { name: Said::new("beginner", "débutant"), client: beginner },
        Level { name: Said::new("advanced", "confirmé"), client: advanced },
        Level { name: Said::new("best", "le plus fort"), client: best },
    ]
}

/// The lines that a client logged with a move.
#[derive(Clone, Copy)]
pub struct Explained<'a> {
    /// The move, in notation.
    pub choice: &'a str,
    /// The value that it logged under a key.
    pub logged: &'a dyn Fn(&str) -> Option<&'a str>,
    /// The language of the reader.
    pub language: Language,
}

/// Explains the logs of a client of this game, a sentence a line; none if it logged nothing understandable.
pub type InWords = fn(&Explained) -> Vec<String>;

//! What a game has for people who meet its clients: players of three strengths, and what a client says in words.

use crate::{Language, Said};

/// A player of some strength that people may play against: `agon play --level`.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// What it is called.
    pub name: Said,
    /// A client that comes with agon, with its options as in `agon match`: `tirs:level=1`.
    pub client: &'static str,
}

/// Three levels of a client that has an option `level`, by the values of that.
pub(crate) const fn levels(clients: [&'static str; 3]) -> [Level; 3] {
    let [beginner, advanced, best] = clients;
    [
        Level { name: Said::new("beginner", "débutant"), client: beginner },
        Level { name: Said::new("advanced", "confirmé"), client: advanced },
        Level { name: Said::new("best", "le plus fort"), client: best },
    ]
}

/// What a client has said with a move.
#[derive(Clone, Copy)]
pub struct Explained<'a> {
    /// The move, in notation.
    pub choice: &'a str,
    /// What it has logged under a key.
    pub logged: &'a dyn Fn(&str) -> Option<&'a str>,
    /// For whom it is said.
    pub language: Language,
}

/// What a client of this game means, a sentence a line; none where it has said nothing that is understood.
pub type InWords = fn(&Explained) -> Vec<String>;

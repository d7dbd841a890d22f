//! Writes a played match in a format of one game: a plain function from the match to text, part of the game's entry.

use crate::{MoveBytes, Opening, Options, Seat};

/// A match as it was played.
#[derive(Clone, Debug)]
pub struct Recorded<'a> {
    /// The options, completed by the defaults.
    pub options: &'a Options,
    /// The opening of the match.
    pub opening: Opening,
    /// The name of each seat's client.
    pub clients: Vec<String>,
    /// The moves in order; seats that move at once come in ascending order.
    pub moves: Vec<(Seat, MoveBytes)>,
    /// The rank of each seat, from 1; seats may share a rank.
    pub ranks: Vec<u32>,
    /// The score of each seat.
    pub scores: Vec<i64>,
    /// Whether a fault decided it, and not the rules.
    pub by_fault: bool,
}

/// A format that other programs read.
#[derive(Clone, Copy)]
pub struct Export {
    /// The name in `agon show ID --export NAME`, and the ending of its files.
    pub name: &'static str,
    /// A description of one line.
    pub about: &'static str,
    /// Writes the match. An error is a message for the user: why this match has no such form.
    pub run: fn(&Recorded) -> Result<String, String>,
}

impl std::fmt::Debug for Export {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

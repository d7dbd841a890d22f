//! A played match in a format of one game's own: a plain function from what was played to text, hung on the game's
//! entry.

use crate::{MoveBytes, Opening, Options, Seat};

/// A match as it was played.
#[derive(Clone, Debug)]
pub struct Recorded<'a> {
    /// Complete.
    pub options: &'a Options,
    /// How it began.
    pub opening: Opening,
    /// The name of each seat's client.
    pub clients: Vec<String>,
    /// In order; seats that move at once in ascending order.
    pub moves: Vec<(Seat, MoveBytes)>,
    /// The rank of each seat, from 1; equal ranks are shared.
    pub ranks: Vec<u32>,
    /// The score of each seat.
    pub scores: Vec<i64>,
    /// Whether a fault decided it, and not the rules.
    pub by_fault: bool,
}

/// A format that others read.
#[derive(Clone, Copy)]
pub struct Export {
    /// As in `agon show ID --export NAME`, and the ending of its files.
    pub name: &'static str,
    /// One line: what it is.
    pub about: &'static str,
    /// Writes it. An error is a message for the user: why this match has no such form.
    pub run: fn(&Recorded) -> Result<String, String>,
}

impl std::fmt::Debug for Export {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

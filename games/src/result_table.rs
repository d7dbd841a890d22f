//! A table of one game over the matches of a ladder: a plain function from the matches to text, part of the game's
//! entry.

use crate::Recorded;

/// A table of results over the matches of a ladder.
#[derive(Clone, Copy)]
pub struct ResultTable {
    /// The name in `agon standings --table NAME`.
    pub name: &'static str,
    /// A line on what it shows.
    pub about: &'static str,
    /// Makes the table from all matches of a ladder, which come one at a time, so that their number costs no memory. An
    /// error is a message for the user: why these matches have no such table.
    pub run: fn(&mut dyn Iterator<Item = Recorded>) -> Result<String, String>,
}

impl std::fmt::Debug for ResultTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

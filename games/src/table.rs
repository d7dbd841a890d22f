//! A table of one game's own over the matches of a ladder: a plain function from what was played to text, hung on the
//! game's entry.

use crate::Recorded;

/// A table.
#[derive(Clone, Copy)]
pub struct Table {
    /// As in `agon standings --table NAME`.
    pub name: &'static str,
    /// One line: what it shows.
    pub about: &'static str,
    /// Makes it of all matches of a ladder, which come one at a time, so that their number costs no memory. An error is
    /// a message for the user: why these matches have no such table.
    pub run: fn(&mut dyn Iterator<Item = Recorded>) -> Result<String, String>,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

//! A file that agon makes for the clients of one game: a table too large to be compiled in. It hangs on the game's
//! entry; a ladder gives it to a client by `data = [FILE]`.

use std::io::{self, Write};

/// Such a file. `agon GAME NAME FILE` writes it, `agon GAME READER FILE` reads it.
#[derive(Clone, Copy)]
pub struct DataFile {
    /// The word after the game's: `table`.
    pub name: &'static str,
    /// One line for `agon --help`.
    pub about: &'static str,
    /// What `agon GAME --help` shows.
    pub usage: &'static str,
    /// From the words after the file to what is to be written. An error is a message for the user.
    pub plan: fn(&[String]) -> Result<Plan, String>,
    /// Commands that tell something of such a file.
    pub readers: &'static [Reader],
}

/// A file that is to be written.
pub struct Plan {
    /// How much work it is.
    pub work: u64,
    /// Does it, and says what was written; `tell` hears how much is done.
    pub write: Box<Writing>,
}

/// Writes a file and tells how far it is.
pub type Writing = dyn FnOnce(&mut dyn Write, &mut dyn FnMut(u64)) -> io::Result<String>;

/// A command that tells something of a file.
#[derive(Clone, Copy)]
pub struct Reader {
    /// The word after the game's: `check`.
    pub name: &'static str,
    /// One line for `agon --help`.
    pub about: &'static str,
    /// From the bytes of the file to what is told. An error is a message for the user.
    pub read: fn(&[u8]) -> Result<String, String>,
}

impl std::fmt::Debug for DataFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

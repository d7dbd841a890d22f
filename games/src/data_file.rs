//! A file that agon makes for the clients of one game: a table too large to be compiled in. It belongs to the game's
//! entry; a ladder gives it to a client by `data = [FILE]`.

use std::io::{self, Write};

/// A file for clients. `agon GAME NAME FILE` writes it, `agon GAME READER FILE` reads it.
#[derive(Clone, Copy)]
pub struct DataFile {
    /// The word after the game's name: `table`.
    pub name: &'static str,
    /// The line for `agon --help`.
    pub about: &'static str,
    /// The text of `agon GAME --help`.
    pub usage: &'static str,
    /// Turns the words after the file into a plan. An error is a message for the user.
    pub plan: fn(&[String]) -> Result<FilePlan, String>,
    /// The commands that describe such a file.
    pub readers: &'static [Reader],
}

/// A file that is to be written.
pub struct FilePlan {
    /// The amount of work.
    pub work: u64,
    /// Writes the file and returns a summary; `tell` receives the progress.
    pub write: Box<Writing>,
}

/// Writes a file and reports its progress.
pub type Writing = dyn FnOnce(&mut dyn Write, &mut dyn FnMut(u64)) -> io::Result<String>;

/// A command that describes a file.
#[derive(Clone, Copy)]
pub struct Reader {
    /// The word after the game's name: `check`.
    pub name: &'static str,
    /// The line for `agon --help`.
    pub about: &'static str,
    /// Turns the bytes of the file into a description. An error is a message for the user.
    pub read: fn(&[u8]) -> Result<String, String>,
}

impl std::fmt::Debug for DataFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

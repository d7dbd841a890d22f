//! Writes the lines that the server reads.

use agon_admit::refusal::Refusal;
use std::fs::File;
use std::io::Write;

/// The output for the lines; each is written at once.
pub struct LookReport {
    out: File,
}

impl LookReport {
    /// Writes to this file.
    pub fn to(out: File) -> LookReport {
        LookReport { out }
    }

    /// Writes `key TAB value`.
    pub fn tell(&mut self, key: &str, value: &str) {
        self.line(&[key, value]);
    }

    /// Writes `opens`: from here on the client's own code may write lines of its own.
    pub fn opens(&mut self) {
        self.line(&["opens"]);
    }

    /// Writes `ok`: this client can play.
    pub fn ok(&mut self) {
        self.line(&["ok"]);
    }

    /// Writes `refused TAB cause TAB message TAB help`.
    pub fn refused(&mut self, refusal: &Refusal) {
        self.line(&["refused", refusal.cause.word(), &refusal.message, &refusal.help]);
    }

    /// Writes a line. If the server no longer reads, nobody would learn of an error here.
    fn line(&mut self, words: &[&str]) {
        let clean = |word: &&str| word.trim().replace(['\t', '\n', '\r', '\0'], " ");
        let line = words.iter().map(clean).collect::<Vec<_>>().join("\t") + "\n";
        let _ = self.out.write_all(line.as_bytes());
    }
}

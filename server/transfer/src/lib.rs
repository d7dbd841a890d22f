//! A ladder for other programs and other folders: written out match by match in one of four formats, and read in again.
//! Memory does not grow with the number of matches.

mod csv;
mod import;
mod jsonl;
mod judge;
mod line;
mod lines;
mod read;
mod redaction;
mod text;
mod told;

pub use import::{Imported, import};
pub use judge::judge_new;
pub use read::BadLine;
pub use redaction::Redaction;
pub use told::ToldLadder;

use agon_games::AnyGame;
use agon_record::{Archive, StoreError};
use line::{ClientLine, LadderLine, MatchLine, Tail};
use std::io::{self, Write};
use std::ops::ControlFlow;

/// What is exported, and what is not told of it.
pub struct ExportSource<'a> {
    /// The ladder, as it may be told.
    pub told: &'a ToldLadder<'a, dyn Archive + 'a>,
    /// Its game; without it moves have bytes and no text.
    pub game: Option<&'a dyn AnyGame>,
    /// What is hidden in words that are no client's.
    pub redaction: &'a Redaction,
}

/// Which of the formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A line a match with everything; the only one that is read in again.
    Jsonl,
    /// A line a seat.
    Csv,
    /// One document with everything.
    Json,
    /// Tags and moves in the game's notation.
    Text,
}

/// Why an export or an import came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// The record: where, what, what to do.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What is written to, or read from.
    #[error("{0}; help: look at the disk and its free space, then try again")]
    Io(#[from] io::Error),
    /// A line of a file that is read.
    #[error(transparent)]
    Line(BadLine),
}

/// A format: takes the lines of a ladder one after the other.
trait Sheet {
    /// What comes before the matches.
    fn begin(&mut self, ladder: &LadderLine, clients: &[ClientLine], out: &mut dyn Write) -> io::Result<()>;
    /// A match.
    fn add(&mut self, line: &MatchLine, out: &mut dyn Write) -> io::Result<()>;
    /// What comes after them.
    fn end(&mut self, tail: &Tail, out: &mut dyn Write) -> io::Result<()>;
}

/// Writes a ladder; says how many matches it has.
///
/// # Errors
/// The record cannot be read, or `out` cannot be written.
pub fn export(source: &ExportSource<'_>, format: Format, out: &mut dyn Write) -> Result<u64, TransferError> {
    let mut sheet: Box<dyn Sheet> = match format {
        Format::Jsonl => Box::new(jsonl::Jsonl),
        Format::Csv => Box::new(csv::Csv),
        Format::Json => Box::new(jsonl::Document::default()),
        Format::Text => Box::new(text::Text),
    };
    let mut lines = lines::Lines::new(source)?;
    sheet.begin(&lines.ladder(), lines.clients(), out)?;
    let mut count = 0;
    let mut failed = None;
    source.told.each_block(&mut |block| {
        count += block.matches.len() as u64;
        let mut matches = block.matches.iter();
        failed = matches.try_for_each(|played| sheet.add(&lines.of_match(block, played), out)).err();
        if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    failed.map_or(Ok(()), Err)?;
    sheet.end(&lines.tail()?, out)?;
    out.flush()?;
    Ok(count)
}

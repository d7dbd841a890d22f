//! Writes a ladder for other programs and other folders, match by match in one of four formats, and reads one of them
//! back. Memory does not grow with the number of matches.

mod arrival;
mod csv;
mod import;
mod jsonl;
mod line;
mod lines;
mod read;
mod text;

pub use arrival::Imported;
pub use import::import;
pub use read::BadLine;

use agon_games::AnyGame;
use agon_record::{Archive, RecordError, RedactedLadder, Redaction};
use line::{ClientLine, LadderLine, MatchLine, Tail};
use std::io::{self, Write};
use std::ops::ControlFlow;

/// The source of an export, and its redaction.
pub struct ExportSource<'a> {
    /// The ladder in its redacted form.
    pub redacted: &'a RedactedLadder<'a, dyn Archive + 'a>,
    /// Its game; without it, moves have bytes and no text.
    pub game: Option<&'a dyn AnyGame>,
    /// The redaction of texts that are not a client's.
    pub redaction: &'a Redaction,
}

/// The format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// It has a line for each match with everything, and is the only one that can be read back.
    Jsonl,
    /// It has a line for each seat.
    Csv,
    /// It is one document with everything.
    Json,
    /// It has tags, and moves in the game's notation.
    Text,
}

/// Why an export or an import failed.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// The record failed; the text says where, what, and what to do.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The output or the input failed.
    #[error("{0}; help: look at the disk and its free space, then try again")]
    Io(#[from] io::Error),
    /// A line of the input is wrong.
    #[error(transparent)]
    Line(BadLine),
}

/// A format, which takes the lines of a ladder one after the other.
trait Sheet {
    /// Writes the part before the matches.
    fn begin(&mut self, ladder: &LadderLine, clients: &[ClientLine], out: &mut dyn Write) -> io::Result<()>;
    fn add(&mut self, line: &MatchLine, out: &mut dyn Write) -> io::Result<()>;
    /// Writes the part after the matches.
    fn end(&mut self, tail: &Tail, out: &mut dyn Write) -> io::Result<()>;
}

/// Writes a ladder; returns the number of its matches.
///
/// # Errors
/// The record cannot be read, or `out` cannot be written.
pub fn export(source: &ExportSource<'_>, format: ExportFormat, out: &mut dyn Write) -> Result<u64, TransferError> {
    let mut sheet: Box<dyn Sheet> = match format {
        ExportFormat::Jsonl => Box::new(jsonl::Jsonl),
        ExportFormat::Csv => Box::new(csv::Csv),
        ExportFormat::Json => Box::new(jsonl::Document::default()),
        ExportFormat::Text => Box::new(text::Text),
    };
    let mut lines = lines::Lines::new(source)?;
    sheet.begin(&lines.ladder(), lines.clients(), out)?;
    let mut count = 0;
    let mut failed = None;
    source.redacted.each_block(&mut |block| {
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

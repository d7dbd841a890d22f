//! Reads the lines of an export one at a time. The bytes are hostile: every error names line and column.

use super::TransferError;
use super::line::{ClientLine, ExcuseLine, LadderLine, MatchLine, StageLine, SuspensionLine, Tag, VoidLine};
use agon_model::visible::escape;
use serde::de::DeserializeOwned;
use std::io::{BufRead, Read};

/// The longest line to read: a match whose six clients each print all that they may does not reach it.
const LONGEST_LINE: u64 = 256 << 20;

/// The error of a line in a file: where, what, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}; nothing was imported; help: {help}")]
pub struct BadLine {
    place: String,
    what: String,
    help: String,
}

/// The contents of a line.
pub enum Item {
    Ladder(Box<LadderLine>),
    Client(ClientLine),
    Match(Box<MatchLine>),
    Stage(StageLine),
    Suspension(SuspensionLine),
    Excuse(ExcuseLine),
    Void(VoidLine),
}

/// Reads an export line by line.
pub struct Reader<'a> {
    file: &'a str,
    input: &'a mut dyn BufRead,
    number: u64,
    line: Vec<u8>,
}

const REMAKE: &str =
    "export it again with agon record export jsonl; a line that was edited by hand must be valid as a whole";

impl<'a> Reader<'a> {
    /// Makes a reader; `file` names the file in messages.
    pub fn new(file: &'a str, input: &'a mut dyn BufRead) -> Reader<'a> {
        Reader { file, input, number: 0, line: Vec::new() }
    }

    /// The next line; `None` at the end.
    pub fn next(&mut self) -> Result<Option<Item>, TransferError> {
        self.line.clear();
        self.number += 1;
        let length = (&mut *self.input).take(LONGEST_LINE).read_until(b'\n', &mut self.line)?;
        if length == 0 {
            return Ok(None);
        }
        if self.line.last() != Some(&b'\n') {
            let what = if length as u64 == LONGEST_LINE {
                "the line has more than 256 MiB"
            } else {
                "the last line is cut off"
            };
            return Err(self.bad(length.min(1 << 20), what, REMAKE));
        }
        let Tag { t } = self.parse()?;
        Ok(Some(match t.as_str() {
            "ladder" => Item::Ladder(Box::new(self.parse()?)),
            "client" => Item::Client(self.parse()?),
            "match" => Item::Match(Box::new(self.parse()?)),
            "stage" => Item::Stage(self.parse()?),
            "suspension" => Item::Suspension(self.parse()?),
            "excuse" => Item::Excuse(self.parse()?),
            "void" => Item::Void(self.parse()?),
            _ => {
                let what = format!("there is no kind of line \"{}\"", escape(&t, 40));
                return Err(self.bad(1, &what, "it may be of a later version: import it with the agon that wrote it"));
            }
        }))
    }

    fn parse<T: DeserializeOwned>(&self) -> Result<T, TransferError> {
        serde_json::from_slice(&self.line).map_err(|error| {
            let text = error.to_string();
            // The library ends its message with the place, which comes first here.
            let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
            self.bad(error.column(), &escape(what, 200), REMAKE)
        })
    }

    /// An error in the line that was read last.
    pub fn bad(&self, column: usize, what: &str, help: &str) -> TransferError {
        let place = format!("{}:{}:{}", self.file, self.number, column.max(1));
        TransferError::Line(BadLine { place, what: what.to_owned(), help: help.to_owned() })
    }
}

//! The readable log of a match, one JSON object a line, written during the match. The record can produce the same
//! lines.

use crate::referee::Spectator;
use agon_games::{AnyState, MoveBytes, Seat};
use agon_model::match_log::{Heading, LogLine, closing_lines, compact};
use agon_model::*;
use std::collections::VecDeque;
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// The readable log of one match, written as the match goes.
pub trait Journal: Spectator {
    /// Ends the log after the match.
    ///
    /// # Errors
    /// Something could not be written, now or earlier.
    fn end(&mut self, played: &Match) -> Result<(), LogError>;
}

/// Why a log could not be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogError {
    /// Where, why, and what to do.
    pub text: String,
    /// Whether it may succeed later.
    pub is_shortage: bool,
}

/// Where the log of a match is.
pub fn path(out: &Path, id: &str) -> PathBuf {
    out.join("matches").join(format!("{id}.jsonl"))
}

/// Makes a folder for its owner alone, because logs contain the clients' prints.
fn make_private(folder: &Path) -> std::io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Begins the log of a match.
///
/// # Errors
/// The file cannot be made; the error says where, why, and what to do.
pub fn open(out: &Path, policy: LogPolicy, heading: &Heading) -> Result<Box<dyn Journal>, LogError> {
    if policy == LogPolicy::None {
        return Ok(silent());
    }
    let path = path(out, heading.id);
    let mut log = Log { path, file: None, lines: Vec::new(), texts: VecDeque::new(), error: None };
    if policy == LogPolicy::All {
        let made = log.path.parent().map_or(Ok(()), make_private).and_then(|()| File::create(&log.path));
        log.file = Some(made.map_err(|error| explain(&log.path, &error))?);
    }
    heading.lines().iter().for_each(|line| log.add(line));
    Ok(Box::new(log))
}

/// A log that is not written anywhere.
pub fn silent() -> Box<dyn Journal> {
    Box::new(Silent)
}

struct Silent;

impl Spectator for Silent {
    fn see_step(&mut self, _step: &Step, _state: &dyn AnyState) {}
}

impl Journal for Silent {
    fn end(&mut self, _played: &Match) -> Result<(), LogError> {
        Ok(())
    }
}

struct Log {
    path: PathBuf,
    /// The file; `None` if the log is only written after a failure.
    file: Option<File>,
    lines: Vec<u8>,
    /// The notation of the moves about to be played.
    texts: VecDeque<String>,
    error: Option<std::io::Error>,
}

impl Log {
    fn add(&mut self, line: &LogLine<'_>) {
        self.lines.extend(compact(line).into_bytes());
        if let Some(file) = &mut self.file {
            // The first error is reported at the end of the match, where it stops the ladder.
            if let Err(error) = file.write_all(&self.lines) {
                self.error.get_or_insert(error);
            }
            self.lines.clear();
        }
    }
}

impl Spectator for Log {
    fn see_moves(&mut self, state: &dyn AnyState, moves: &[(Seat, MoveBytes)]) {
        self.texts = moves.iter().map(|(_, mv)| state.write(mv)).collect();
    }

    fn see_step(&mut self, step: &Step, _state: &dyn AnyState) {
        let text = self.texts.pop_front().unwrap_or_default();
        self.add(&LogLine::Move(MoveLine::new(step, text)));
    }
}

impl Journal for Log {
    fn end(&mut self, played: &Match) -> Result<(), LogError> {
        closing_lines(played).iter().for_each(|line| self.add(line));
        if self.file.is_none() && played.seats.iter().any(|seat| seat.fault.is_some()) {
            let made = self.path.parent().map_or(Ok(()), make_private);
            if let Err(error) = made.and_then(|()| std::fs::write(&self.path, &self.lines)) {
                self.error.get_or_insert(error);
            }
        }
        self.error.take().map_or(Ok(()), |error| Err(explain(&self.path, &error)))
    }
}

fn explain(path: &Path, error: &std::io::Error) -> LogError {
    let path = path.display();
    let help = "free some space or choose another [output] dir; the same command then goes on";
    LogError { text: format!("{path}: {error}; help: {help}"), is_shortage: is_shortage(error) }
}

//! Errors that keep a ladder from running, or from going on.

use crate::RecordError;
use agon_model::NoGame;

/// Why a ladder does not run, or does not go on.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub enum RunError {
    /// The request is impossible: the user can fix it.
    Config(String),
    NoClient(String),
    /// The command line names a place that does not fit.
    Usage(String),
    /// A client that the command line names was refused.
    Refused(String),
    /// The server is at fault: a disk, a process, a record.
    Internal(String),
    /// The machine lacks something (space, memory, processes) that may return.
    Shortage(String),
    /// Another process took over and runs the ladder, while this one could not reach the record.
    TakenOver(String),
}

impl From<NoGame> for RunError {
    fn from(error: NoGame) -> RunError {
        RunError::Config(error.to_string())
    }
}

impl From<RecordError> for RunError {
    fn from(error: RecordError) -> RunError {
        let text = error.to_string();
        if error.is_shortage() {
            RunError::Shortage(text)
        } else if error.is_taken_over() {
            RunError::TakenOver(text)
        } else if error.is_misplaced() {
            RunError::Usage(text)
        } else {
            RunError::Internal(text)
        }
    }
}

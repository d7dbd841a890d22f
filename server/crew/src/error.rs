//! Why a ladder does not run, or not on.

use agon_record::StoreError;

/// Why a ladder does not run, or not on.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub enum RunError {
    /// What was asked for cannot be: the user can mend it.
    Config(String),
    /// Too few usable clients.
    NoClient(String),
    /// Our own trouble: a disk, a process, a record.
    Internal(String),
    /// The machine lacks something (room, memory, processes) that may be there again.
    Shortage(String),
    /// Another process runs the ladder, which took over while this one did not reach the record.
    TakenOver(String),
}

impl From<StoreError> for RunError {
    fn from(error: StoreError) -> RunError {
        let text = error.to_string();
        if error.is_shortage() {
            RunError::Shortage(text)
        } else if error.is_taken_over() {
            RunError::TakenOver(text)
        } else {
            RunError::Internal(text)
        }
    }
}

//! Why a ladder does not run, or not on.

use agon_record::StoreError;

/// Why a ladder does not run, or not on.
#[derive(Debug)]
pub enum RunError {
    /// What was asked for cannot be: the user can mend it.
    Config(String),
    /// Too few usable clients.
    NoClient(String),
    /// Our own trouble: a disk, a process, a record.
    Internal(String),
    /// The machine lacks something (room, memory, processes) that may be there again.
    Shortage(String),
}

impl From<StoreError> for RunError {
    fn from(error: StoreError) -> RunError {
        let text = error.to_string();
        if error.is_shortage() { RunError::Shortage(text) } else { RunError::Internal(text) }
    }
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (RunError::Config(text) | RunError::NoClient(text) | RunError::Internal(text) | RunError::Shortage(text)) =
            self;
        f.write_str(text)
    }
}

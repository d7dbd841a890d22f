//! The trouble that a record can have, and the way out of each.

use rustix::process::{Resource, getrlimit};
use std::path::{Path, PathBuf};

/// The server's own trouble with the record: where, what, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("the record {}: {what}", .path.display())]
pub struct RecordError {
    path: PathBuf,
    what: String,
    outlook: Outlook,
}

/// The chance that another try succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outlook {
    /// Another try is useless.
    Hopeless,
    /// A later try may succeed.
    Shortage,
    /// Another process took over and plays the ladder.
    TakenOver,
    /// The caller named a place that does not fit.
    Misplaced,
}

impl Outlook {
    fn of(is_shortage: bool) -> Outlook {
        if is_shortage { Outlook::Shortage } else { Outlook::Hopeless }
    }
}

impl RecordError {
    /// Whether a later try may succeed, because space is missing at the moment.
    pub fn is_shortage(&self) -> bool {
        self.outlook == Outlook::Shortage
    }

    /// Whether another process took over and plays the ladder.
    pub fn is_taken_over(&self) -> bool {
        self.outlook == Outlook::TakenOver
    }

    /// Whether the caller named a place that does not fit.
    pub fn is_misplaced(&self) -> bool {
        self.outlook == Outlook::Misplaced
    }

    pub(crate) fn of(path: &Path, error: &rusqlite::Error) -> RecordError {
        RecordError { path: path.to_owned(), what: explain(error), outlook: Outlook::of(is_shortage(error)) }
    }

    /// The error of a record whose ladder another process took over.
    pub fn taken_over(path: &Path, what: impl Into<String>) -> RecordError {
        RecordError { outlook: Outlook::TakenOver, ..RecordError::new(path, what) }
    }

    /// The error of a place that does not fit.
    pub fn misplaced(path: &Path, what: impl Into<String>) -> RecordError {
        RecordError { outlook: Outlook::Misplaced, ..RecordError::new(path, what) }
    }

    /// The error of a shortage, after which a later try may succeed.
    pub fn shortage(path: &Path, what: impl Into<String>) -> RecordError {
        RecordError { outlook: Outlook::Shortage, ..RecordError::new(path, what) }
    }

    /// The same error, for which trying again is useless.
    #[must_use]
    pub fn for_good(self) -> RecordError {
        RecordError { outlook: Outlook::Hopeless, ..self }
    }

    /// Makes an error from the place, and the problem with what to do: `the disk is full; help: free some space`.
    pub fn new(path: &Path, what: impl Into<String>) -> RecordError {
        RecordError { path: path.to_owned(), what: what.into(), outlook: Outlook::Hopeless }
    }
}

/// The result of a function of the store.
pub type Result<T> = std::result::Result<T, RecordError>;

/// Whether a later try to write may succeed.
fn is_shortage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DiskFull, OutOfMemory};
    matches!(error.sqlite_error_code(), Some(DiskFull | OutOfMemory)) || largest_file(error).is_some()
}

/// The largest file that this process may write, if that may be the reason for a failure: SQLite does not distinguish
/// it from other troubles.
fn largest_file(error: &rusqlite::Error) -> Option<u64> {
    use rusqlite::ffi::{SQLITE_IOERR_FSYNC, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_WRITE};
    let code = error.sqlite_error()?.extended_code;
    let of_writing = [SQLITE_IOERR_WRITE, SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_FSYNC];
    getrlimit(Resource::Fsize).current.filter(|_| of_writing.contains(&code))
}

/// The meaning of a database error for the operator of the server.
pub(crate) fn explain(error: &rusqlite::Error) -> String {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error};
    use rusqlite::ErrorCode::*;
    const DAMAGED: &str = "restore it from a backup; it is not repaired in silence";
    if let Some(most) = largest_file(error) {
        let help = "ulimit -f unlimited, in this shell; the same command then goes on where it stopped";
        return format!("{error}: no file may have more than {} KiB here; help: {help}", most >> 10);
    }
    let help = match error.sqlite_error_code() {
        // A value that agon cannot have written.
        None => match error {
            FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) | Utf8Error(..) => {
                DAMAGED
            }
            _ => "please report this",
        },
        Some(DiskFull) => "free some space; the same command then goes on where it stopped",
        Some(ReadOnly | CannotOpen | PermissionDenied) => "make the folder writable, or choose another [output] dir",
        Some(DatabaseBusy | DatabaseLocked) => "another agon is writing to it; wait until it is done",
        Some(DatabaseCorrupt | NotADatabase) => DAMAGED,
        Some(SystemIoFailure) => "look at the disk and its free space; the same command then goes on where it stopped",
        _ => "please report this",
    };
    format!("{error}; help: {help}")
}

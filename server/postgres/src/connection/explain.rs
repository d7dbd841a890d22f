//! The meaning of a database's errors for the user of agon.

use crate::address::{cause_of, refusal};
use agon_record::{BUSY, RecordError};
use postgres::Error;
use postgres::error::SqlState;
use std::path::Path;

/// The codes of a server that is stopped, full, or busy with others.
const PASSING: [SqlState; 10] = [
    SqlState::ADMIN_SHUTDOWN,
    SqlState::CRASH_SHUTDOWN,
    SqlState::CANNOT_CONNECT_NOW,
    SqlState::TOO_MANY_CONNECTIONS,
    SqlState::OUT_OF_MEMORY,
    SqlState::DISK_FULL,
    SqlState::T_R_DEADLOCK_DETECTED,
    SqlState::T_R_SERIALIZATION_FAILURE,
    SqlState::LOCK_NOT_AVAILABLE,
    SqlState::QUERY_CANCELED,
];

pub(super) fn is_played(name: &Path, ladder: &str) -> RecordError {
    RecordError::new(name, format!("another agon is running the ladder {ladder}; help: {BUSY}"))
}

/// The error when another process took the lock while the server was away.
pub(super) fn is_taken_over(name: &Path, ladder: &str) -> RecordError {
    RecordError::taken_over(name, format!("another agon runs the ladder {ladder} now; help: let it, or stop it first"))
}

/// Whether the server, or the way to it, may do later what it does not do now. All who ask judge by this.
pub(crate) fn is_passing(error: &Error) -> bool {
    match error.code() {
        None => error.is_closed() || !cause_of(error).is_empty(),
        Some(code) => PASSING.contains(code),
    }
}

/// The meaning of a database error for the user of agon.
pub(super) fn explain(name: &Path, error: &Error) -> RecordError {
    let what = error.as_db_error().map_or_else(|| error.to_string(), |told| told.message().to_owned());
    let cause = if error.as_db_error().is_none() { cause_of(error) } else { String::new() };
    let what = format!("{what}{cause}");
    if let Some(what) = refusal(error) {
        return RecordError::new(name, what);
    }
    let help = match error.code() {
        None => "look whether the server runs and is reached from here",
        Some(&SqlState::DISK_FULL) => "free some space on the server; the same command then goes on",
        Some(&SqlState::OUT_OF_MEMORY | &SqlState::TOO_MANY_CONNECTIONS) => "give the server more",
        Some(&SqlState::ADMIN_SHUTDOWN | &SqlState::CRASH_SHUTDOWN | &SqlState::CANNOT_CONNECT_NOW) => {
            "the server is being restarted"
        }
        Some(&SqlState::INVALID_PASSWORD | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION) => {
            "give the user and password that the server knows: postgres://USER:PASSWORD@HOST/DATABASE"
        }
        Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
            "use a role that owns the record; to invite workers, one that may make roles (CREATEROLE)"
        }
        Some(&SqlState::INVALID_CATALOG_NAME) => "look at the address, or make the database: createdb NAME",
        Some(_) if is_passing(error) => "it is tried again",
        Some(_) => "please report this",
    };
    let what = format!("{what}; help: {help}");
    if is_passing(error) { RecordError::shortage(name, what) } else { RecordError::new(name, what) }
}

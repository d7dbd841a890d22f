//! A command that did not go well: its exit status and its message.

use crate::status;
use agon_config::ConfigError;
use agon_model::NoGame;
use agon_record::{RecordError, RunError};

/// The end of a command that did not go well.
#[derive(Debug)]
pub struct Failure {
    /// The exit status, of `status`.
    pub status: u8,
    /// The text says what happened, where, and what to do.
    pub message: String,
}

impl Failure {
    /// A failure with the message that stderr gets.
    pub fn new(status: u8, message: impl std::fmt::Display) -> Failure {
        Failure { status, message: message.to_string() }
    }

    /// The command line is wrong, or asks for what cannot be.
    pub fn usage(message: impl std::fmt::Display) -> Failure {
        Failure::new(status::USAGE, message)
    }

    /// The server or this machine has trouble.
    pub fn trouble(message: impl std::fmt::Display) -> Failure {
        Failure::new(status::TROUBLE, message)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        let status = match error {
            RunError::Internal(_) | RunError::Shortage(_) | RunError::TakenOver(_) => status::TROUBLE,
            RunError::Config(_) => status::CONFIGURATION,
            RunError::NoClient(_) => status::NO_CLIENT,
            RunError::Usage(_) => status::USAGE,
            RunError::Refused(_) => status::REFUSED,
        };
        Failure::new(status, error)
    }
}

impl From<NoGame> for Failure {
    fn from(error: NoGame) -> Failure {
        Failure::new(status::CONFIGURATION, error)
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        let is_refused = error.is_about_clients();
        Failure::new(if is_refused { status::REFUSED } else { status::CONFIGURATION }, error)
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Failure {
        Failure::new(if error.is_misplaced() { status::USAGE } else { status::TROUBLE }, error)
    }
}

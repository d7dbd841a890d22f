//! The reasons why a file cannot play.

use agon_abi::Cause;

/// A cause, in one word for programs and in two sentences for the client's author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The cause, for programs.
    pub cause: Cause,
    pub message: String,
    /// The way out; may be empty.
    pub help: String,
}

impl Refusal {
    pub fn new(cause: Cause, message: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal { cause, message: message.into(), help: help.into() }
    }
}

//! What a server sends, and what it is asked: the same for pages that are only read and for a board people play at.

use super::gate::Verdict;
use crate::Failure;
use hyper::Request;
use hyper::body::Incoming;
use std::time::Duration;

/// What a path leads to.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// A text.
    Text(String),
    /// Another path.
    Elsewhere(String),
    /// Nothing.
    Nothing,
}

/// Everything that a server has.
pub trait Content: Send + Sync + 'static {
    /// How often it is looked whether something has changed.
    const TICK: Duration;

    /// Whether a request is answered, judged by its head alone.
    fn judge(&self, request: &Request<Incoming>) -> Verdict;

    /// What a path leads to. Paths are looked for as they are: nothing is decoded, and none leads to a file.
    ///
    /// # Errors
    /// Our own trouble.
    fn find(&self, path: &str) -> Result<Found, Failure>;

    /// Does what a form says that the gate let through, and says what came of it.
    fn act(&self, path: &str, form: &[u8]) -> Found {
        let (_, _) = (path, form);
        Found::Nothing
    }

    /// A word that is another one when something that is shown may be.
    ///
    /// # Errors
    /// Our own trouble.
    fn version(&self) -> Result<String, Failure>;
}

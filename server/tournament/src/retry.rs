//! Waits for space, memory or processes instead of failing: for writes into the record, and everything before the first
//! match.

use agon_crew::threads::Patience;
use agon_record::{RecordError, RunError};
use std::fmt::Display;
use std::sync::atomic::AtomicBool;

/// An error after which a later try may succeed.
pub trait MayPass: Display {
    /// Whether the machine only lacks something at the moment.
    fn is_shortage(&self) -> bool;
}

impl MayPass for RecordError {
    fn is_shortage(&self) -> bool {
        RecordError::is_shortage(self)
    }
}

impl MayPass for RunError {
    fn is_shortage(&self) -> bool {
        matches!(self, RunError::Shortage(_))
    }
}

/// The wait, and its end.
#[derive(Clone, Copy)]
pub struct Retry<'a> {
    pub patience: &'a Patience,
    pub stop: &'a AtomicBool,
}

impl Retry<'_> {
    /// Tries an act until the machine no longer lacks resources for it.
    ///
    /// # Errors
    /// It cannot be done, or not before the ladder was stopped.
    pub fn until_done<T, E: MayPass>(self, mut write: impl FnMut() -> Result<T, E>) -> Result<T, E> {
        let mut pause = self.patience.begin();
        loop {
            match write() {
                Err(error) if error.is_shortage() && pause.wait(&error.to_string(), self.stop) => {}
                kept => {
                    if kept.is_ok() {
                        pause.end();
                    }
                    return kept;
                }
            }
        }
    }
}

//! What waits for room, memory or processes instead of failing: writes into the record, and all that comes before the
//! first match.

use agon_crew::RunError;
use agon_crew::workers::Patience;
use agon_record::StoreError;
use std::fmt::Display;
use std::sync::atomic::AtomicBool;

/// An error after which the same may go well later.
pub trait MayPass: Display {
    /// Whether the machine only lacks something now.
    fn is_shortage(&self) -> bool;
}

impl MayPass for StoreError {
    fn is_shortage(&self) -> bool {
        StoreError::is_shortage(self)
    }
}

impl MayPass for RunError {
    fn is_shortage(&self) -> bool {
        matches!(self, RunError::Shortage(_))
    }
}

/// Who waits, and until when at most.
#[derive(Clone, Copy)]
pub struct Retry<'a> {
    /// Says what is lacking.
    pub patience: &'a Patience,
    /// Ends the wait.
    pub stop: &'a AtomicBool,
}

impl Retry<'_> {
    /// Does something, again and again while the machine lacks what it takes.
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

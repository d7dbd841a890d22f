//! Writes into the record that wait for room instead of failing.

use crate::workers::Patience;
use agon_record::StoreError;
use std::sync::atomic::AtomicBool;

/// Who waits, and until when at most.
#[derive(Clone, Copy)]
pub struct Keeper<'a> {
    /// Says what is lacking.
    pub patience: &'a Patience,
    /// Ends the wait.
    pub stop: &'a AtomicBool,
}

impl Keeper<'_> {
    /// Writes something, again and again while there is no room for it.
    ///
    /// # Errors
    /// It cannot be written, or not before the ladder was stopped.
    pub fn keep<T>(self, mut write: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
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

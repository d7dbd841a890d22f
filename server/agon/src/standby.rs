//! A process that stands by: another one runs the ladder, and this one takes over when that one ends.

use agon_command::output::say;
use agon_command::record_location::RecordLocation;
use agon_command::status;
use agon_record::{Record, RecordError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The pause between two tries to take over.
const PAUSE: Duration = Duration::from_millis(500);

/// The way to a record that another process may be playing into.
pub struct Standby<'a> {
    pub location: &'a RecordLocation,
    pub ladder: &'a str,
    /// The flag that ends the wait.
    pub stop: Arc<AtomicBool>,
    /// Whether another process runs the ladder.
    pub waits: Arc<AtomicBool>,
}

/// Ends a process that stands by, and well.
pub fn leave() -> ! {
    say("ended while it stood by: another agon runs the ladder");
    std::process::exit(i32::from(status::DONE))
}

impl Standby<'_> {
    /// Whether another process runs the ladder.
    pub fn waits(&self) -> bool {
        self.waits.load(Ordering::Relaxed)
    }

    /// Opens the record. The first time that another process has it is a shortage, which is told; then it is waited
    /// for here, for the server, too.
    pub fn open(&self) -> Result<Box<dyn Record>, RecordError> {
        loop {
            let waits = self.waits.load(Ordering::Relaxed);
            let opened = self.location.open_to_play(self.ladder, waits);
            let is_taken = opened.as_ref().is_err_and(RecordError::is_shortage);
            self.waits.store(is_taken, Ordering::Relaxed);
            if !(is_taken && waits) || self.stop.load(Ordering::Relaxed) {
                return opened;
            }
            std::thread::sleep(PAUSE);
        }
    }
}

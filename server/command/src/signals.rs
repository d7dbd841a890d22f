//! The signals that end a command.

use crate::{Failure, status};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The signals that end a command.
pub const ENDING: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// Makes a flag that the first signal sets; a second signal ends the program at once.
///
/// # Errors
/// The system lets nobody watch signals.
pub fn stop_flag() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in ENDING {
        register_conditional_shutdown(signal, status::INTERRUPTED.into(), Arc::clone(&stop))
            .and_then(|_| register(signal, Arc::clone(&stop)))
            .map_err(unwatched)?;
    }
    Ok(stop)
}

/// Catches the signals that end a command: Ctrl-C, SIGTERM, and SIGHUP when the terminal is closed.
///
/// # Errors
/// The system lets nobody watch signals.
pub fn watch() -> std::io::Result<Signals> {
    Signals::new(ENDING)
}

/// The failure of a command that cannot watch signals.
pub fn unwatched(error: std::io::Error) -> Failure {
    Failure::trouble(format!("signals cannot be watched: {error}"))
}

//! The signals that end a command.

use crate::{Failure, status};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Makes a flag that the first signal sets; a second signal ends the program at once.
///
/// # Errors
/// The system lets nobody watch signals.
pub fn stop_flag() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        register_conditional_shutdown(signal, status::INTERRUPTED.into(), Arc::clone(&stop))
            .and_then(|_| register(signal, Arc::clone(&stop)))
            .map_err(unwatched)?;
    }
    Ok(stop)
}

/// The failure of a command that cannot watch signals.
pub fn unwatched(error: std::io::Error) -> Failure {
    Failure::trouble(format!("signals cannot be watched: {error}"))
}

//! The time at which a file changed last.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// Sets the time of a file, never to one in the future.
///
/// # Errors
/// The system does not allow it.
pub fn set_time(file: &Path, time: SystemTime) -> io::Result<()> {
    File::open(file)?.set_modified(time.min(SystemTime::now()))
}

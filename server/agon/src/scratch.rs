//! A folder of its own among the system's temporary ones, for what is needed while a command runs and not after.

use super::Failure;
use std::path::Path;
use tempfile::TempDir;

/// Removed when it is dropped.
pub struct Scratch(TempDir);

impl Scratch {
    /// A new one, which nobody else may look into.
    ///
    /// # Errors
    /// There is no room, or no right to write there.
    pub fn new() -> Result<Scratch, Failure> {
        let made = tempfile::Builder::new().prefix("agon-").tempdir();
        made.map(Scratch).map_err(|error| {
            let folder = std::env::temp_dir();
            let help = "free some space, or name another folder by TMPDIR";
            Failure::new(1, format!("{}: {error}; help: {help}", folder.display()))
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

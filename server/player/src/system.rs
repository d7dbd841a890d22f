//! What the system's loader reads to find libraries. It is replaced while clients play, whenever something is installed.

use agon_host::sandbox::LIBRARIES;
use std::fs::metadata;
use std::os::unix::fs::MetadataExt;

/// Which files and folders they are, and when they were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemFiles(Vec<Option<[i64; 4]>>);

impl SystemFiles {
    /// Those that are there.
    pub fn now() -> SystemFiles {
        let file = |path: &&str| {
            let seen = metadata(path).ok()?;
            Some([seen.dev() as i64, seen.ino() as i64, seen.mtime(), seen.mtime_nsec()])
        };
        SystemFiles(LIBRARIES.iter().map(file).collect())
    }

    /// Whether they are others by now.
    pub fn have_changed(&self) -> bool {
        *self != SystemFiles::now()
    }
}

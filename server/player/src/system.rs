//! The files by which the system's loader finds libraries. An installation may replace them while clients play.

use agon_host::sandbox::LIBRARIES;
use std::fs::metadata;
use std::os::unix::fs::MetadataExt;

/// These files and folders, each with its time of writing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemFiles(Vec<Option<[i64; 4]>>);

impl SystemFiles {
    /// Reads those that exist.
    pub fn now() -> SystemFiles {
        let file = |path: &&str| {
            let seen = metadata(path).ok()?;
            Some([seen.dev() as i64, seen.ino() as i64, seen.mtime(), seen.mtime_nsec()])
        };
        SystemFiles(LIBRARIES.iter().map(file).collect())
    }

    /// Whether they have changed since.
    pub fn have_changed(&self) -> bool {
        *self != SystemFiles::now()
    }
}

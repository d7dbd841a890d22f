//! The files by which the loader finds libraries: an installation may replace them, and a folder that the ladder opens may
//! disappear, while clients play.

use agon_host::sandbox::LIBRARIES;
use agon_model::SandboxPolicy;
use std::fs::metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// These files and folders, each with its time of writing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemFiles {
    folders: Vec<PathBuf>,
    seen: Vec<Option<[i64; 4]>>,
}

impl SystemFiles {
    /// Reads the system's own, and the folders that this policy opens.
    pub fn now(policy: &SandboxPolicy) -> SystemFiles {
        SystemFiles::of(policy.folders().cloned().collect())
    }

    /// Whether they have changed since.
    pub fn have_changed(&self) -> bool {
        *self != SystemFiles::of(self.folders.clone())
    }

    fn of(folders: Vec<PathBuf>) -> SystemFiles {
        let file = |path: &Path| {
            let seen = metadata(path).ok()?;
            Some([seen.dev() as i64, seen.ino() as i64, seen.mtime(), seen.mtime_nsec()])
        };
        let paths = LIBRARIES.iter().map(Path::new).chain(folders.iter().map(PathBuf::as_path));
        let seen = paths.map(file).collect();
        SystemFiles { folders, seen }
    }
}

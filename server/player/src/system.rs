//! The files by which the loader finds libraries: an installation may replace them, and a folder that the ladder opens may
//! disappear, while clients play.

use agon_host::sandbox::{LIBRARIES, open_folder};
use agon_model::SandboxPolicy;
use std::fs::metadata;
use std::io;
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

    /// Whether one of the opened folders is away, or another one lies in its place: a client that reads there while it
    /// plays can miss a file. Its time of writing says nothing, since others may write there all the time.
    pub fn have_lost_a_folder(&self) -> bool {
        let now = SystemFiles::of(self.folders.clone());
        let place = |seen: &Option<[i64; 4]>| seen.map(|[device, inode, ..]| (device, inode));
        self.seen.iter().zip(&now.seen).skip(LIBRARIES.len()).any(|(then, now)| place(then) != place(now))
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

/// Finds out whether the folders that a ladder opens are there: a client that needs one of them is not at fault.
///
/// # Errors
/// One of them is away, or a link has taken its place; the error is a sentence.
pub fn reach_opened(policy: &SandboxPolicy) -> io::Result<()> {
    policy.folders().try_for_each(|folder| {
        open_folder(folder).map(drop).map_err(|error| {
            let what = format!("the folder {} that the ladder opens cannot be reached: {error}", folder.display());
            let help = "mount it again, or take it out of [run] libraries and runtimes";
            io::Error::new(error.kind(), format!("{what}; help: {help}"))
        })
    })
}

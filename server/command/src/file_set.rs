//! Files that go together, with their total size.

use crate::Failure;
use std::fs;
use std::path::{Path, PathBuf};

/// Files with a total size.
#[derive(Debug, Default)]
pub struct FileSet {
    /// The paths of the files.
    pub files: Vec<PathBuf>,
    /// The size of all files together.
    pub bytes: u64,
}

impl FileSet {
    /// Adds one file and its size.
    pub fn add(&mut self, path: PathBuf) {
        // A file that was removed meanwhile weighs nothing.
        if let Ok(seen) = path.symlink_metadata() {
            self.bytes += seen.len();
            self.files.push(path);
        }
    }

    /// Removes the files; one that was removed meanwhile is not an error.
    pub fn remove(&self) -> Result<(), Failure> {
        self.files.iter().try_for_each(|path| match fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                let help = "make its folder writable; the same command then goes on";
                Err(Failure::trouble(format!("{}: {error}; help: {help}", path.display())))
            }
            _ => Ok(()),
        })
    }
}

/// The regular files of a folder that have a name in UTF-8, and the names; none if it is not there.
pub fn listed(folder: &Path) -> impl Iterator<Item = (String, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    files.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())))
}

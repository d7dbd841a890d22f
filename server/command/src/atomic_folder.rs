//! A folder that somebody asked for: it is written next to its place, and takes that place when it is whole.

use crate::Failure;
use crate::atomic_file::{first_try, partial};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder, while it is written.
pub struct AtomicFolder {
    partial: PathBuf,
    path: PathBuf,
}

impl AtomicFolder {
    /// Refuses a folder that has something in it and not the file by which those that this writes are known. `what` it
    /// is, in a word.
    ///
    /// # Errors
    /// The place is taken, or cannot be written.
    pub fn begin(path: &Path, mark: &str, what: &str) -> Result<AtomicFolder, Failure> {
        let is_other = path.symlink_metadata().is_ok() && !path.join(mark).is_file();
        if is_other && fs::read_dir(path).map_or(true, |mut entries| entries.next().is_some()) {
            let shown = path.display();
            return Err(Failure::usage(format!("{shown} is there and is no {what}; help: choose another folder")));
        }
        let folder = AtomicFolder { partial: partial(path), path: path.to_owned() };
        fs::create_dir_all(&folder.partial).map_err(|error| trouble(&folder.partial, error))?;
        Ok(folder)
    }

    /// Makes a folder in it.
    pub fn make(&self, name: &str) -> Result<(), Failure> {
        let made = self.partial.join(name);
        fs::create_dir_all(&made).map_err(|error| trouble(&made, error))
    }

    /// Writes a file in it.
    pub fn write(&self, path: &str, text: &str) -> Result<(), Failure> {
        let file = self.partial.join(path);
        fs::write(&file, text).map_err(|error| trouble(&file, error))
    }

    /// Takes the place of the one that was there.
    pub fn finish(self) -> Result<(), Failure> {
        let old = self.partial.with_extension("old");
        let was_there = self.path.symlink_metadata().is_ok();
        let swap = || {
            if was_there {
                fs::rename(&self.path, &old)?;
            }
            fs::rename(&self.partial, &self.path)?;
            if was_there { fs::remove_dir_all(&old) } else { Ok(()) }
        };
        swap().map_err(|error| trouble(&self.path, error))
    }
}

impl Drop for AtomicFolder {
    fn drop(&mut self) {
        // Once the folder has taken its place, there is nothing to remove.
        let _ = fs::remove_dir_all(&self.partial);
    }
}

fn trouble(path: &Path, error: std::io::Error) -> Failure {
    Failure::trouble(format!("{}: {error}; help: {}choose another folder", path.display(), first_try(&error)))
}

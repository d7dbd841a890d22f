//! Allows one server for each ladder, by a locked file with the number of the process that holds it.

use super::{RecordError, refuse_copy};
use agon_model::is_shortage;
use rustix::fs::{FlockOperation, flock};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Advice when another process plays the same ladder, which may also be one of matches without their own name.
pub const BUSY: &str = "wait until it is done, stop it by Ctrl-C, or keep these results elsewhere: --record DIR";

/// Held while a ladder runs; the system frees it when the process ends, however it ends.
pub struct Lock {
    _file: File,
}

impl Lock {
    /// The file of a ladder's lock. It stays when the ladder ends, because the ladder may go on later.
    pub fn path(out: &Path, ladder: &str) -> PathBuf {
        out.join(format!("{ladder}.lock"))
    }

    /// Takes the lock of a ladder.
    ///
    /// # Errors
    /// Another process has it, with this number; or the folder cannot be written.
    pub fn take(out: &Path, ladder: &str) -> Result<Lock, RecordError> {
        refuse_copy(out)?;
        let path = Lock::path(out, ladder);
        let fail = |what: String| RecordError::new(&path, what);
        let help = |error: &std::io::Error| {
            if is_shortage(error) {
                "help: free space there, or put the record elsewhere: --record DIR"
            } else {
                "help: --record DIR puts the record elsewhere; or make the folder writable, or choose another [output] dir"
            }
        };
        let mut file = std::fs::create_dir_all(out)
            .and_then(|()| OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path))
            .map_err(|error| fail(format!("{error}; {}", help(&error))))?;
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            let mut pid = String::new();
            // The number is only for the message, which is useful without it.
            let _ = file.read_to_string(&mut pid);
            let pid = if pid.trim().is_empty() { "of unknown number" } else { pid.trim() };
            return Err(fail(format!("process {pid} is running the ladder {ladder}; help: {BUSY}")));
        }
        // The command that ends a ladder for good removes the file: a lock on a removed file excludes nobody.
        if !is_at(&file, &path) {
            return Lock::take(out, ladder);
        }
        let written =
            file.set_len(0).and_then(|()| file.rewind()).and_then(|()| writeln!(file, "{}", std::process::id()));
        written.map_err(|error| fail(format!("{error}; {}", help(&error))))?;
        Ok(Lock { _file: file })
    }

    /// Removes the file of a ladder that is over for good, unless a process runs it.
    ///
    /// # Errors
    /// The same as for `take`, or the file cannot be removed.
    pub fn remove(out: &Path, ladder: &str) -> Result<(), RecordError> {
        let _held = Lock::take(out, ladder)?;
        let path = Lock::path(out, ladder);
        std::fs::remove_file(&path).map_err(|error| RecordError::new(&path, error.to_string()))
    }

    /// Takes the locks of all ladders that were ever run in a folder, so that nobody can play.
    pub fn take_all(out: &Path) -> Result<Vec<Lock>, RecordError> {
        let names = std::fs::read_dir(out).into_iter().flatten().flatten();
        let names = names.filter_map(|entry| entry.file_name().into_string().ok());
        let ladders = names.filter_map(|name| name.strip_suffix(".lock").map(str::to_owned));
        ladders.map(|ladder| Lock::take(out, &ladder)).collect()
    }
}

/// Whether a path still leads to an open file.
fn is_at(file: &File, path: &Path) -> bool {
    let place = |seen: Metadata| (seen.dev(), seen.ino());
    file.metadata().is_ok_and(|own| path.metadata().is_ok_and(|there| place(there) == place(own)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_holder_is_told_the_first_ones_number() {
        let folder = tempfile::tempdir().unwrap();
        let first = Lock::take(folder.path(), "a").unwrap();
        let message = Lock::take(folder.path(), "a").err().unwrap().to_string();
        assert!(message.contains(&format!("process {} is running", std::process::id())), "{message}");
        assert!(Lock::remove(folder.path(), "a").is_err(), "it is held");
        drop(first);
        Lock::take(folder.path(), "a").unwrap();
        Lock::remove(folder.path(), "a").unwrap();
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
        Lock::take(folder.path(), "a").unwrap();
    }
}

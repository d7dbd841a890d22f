//! Where builds happen: at the same path each time, since compilers write it into what they make, and the same sources
//! are to be the same file again. While another agon builds there, at one of its own.

use super::remove::{self, remove};
use agon_command::Failure;
use agon_command::scratch::Scratch;
use rustix::fs::{CWD, FlockOperation, Mode, OFlags, flock, fstat, openat, stat};
use rustix::io::Errno;
use rustix::process::geteuid;
use std::fs::DirBuilder;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// The first of the users that builds of root run as; nobody has so high a number.
pub const FIRST_USER: u32 = 2_000_000_000;

/// Removed when it is dropped.
pub enum BuildFolder {
    /// The same path each time, with the lock that keeps others out.
    Usual { path: PathBuf, _lock: OwnedFd },
    /// Another path, while the usual one is in use.
    Other { scratch: Scratch, why: String },
}

impl BuildFolder {
    /// An empty folder, which nobody else may look into.
    ///
    /// # Errors
    /// There is no room, or no right to write there.
    pub fn new() -> Result<BuildFolder, Failure> {
        let path = std::env::temp_dir().join(format!("agon-build-{}", geteuid().as_raw()));
        match take(&path) {
            Ok(_lock) => Ok(BuildFolder::Usual { path, _lock }),
            Err(error) => {
                let why = match error.kind() {
                    io::ErrorKind::WouldBlock => "another agon builds at the usual place".to_owned(),
                    _ => format!("{}: {error}; help: remove that folder, or ask its owner to", path.display()),
                };
                Scratch::new().map(|scratch| BuildFolder::Other { scratch, why })
            }
        }
    }

    /// Why a build there may not give the same file as last time.
    pub fn why_unusual(&self) -> Option<&str> {
        match self {
            BuildFolder::Usual { .. } => None,
            BuildFolder::Other { why, .. } => Some(why),
        }
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        match self {
            BuildFolder::Usual { path, .. } => path,
            BuildFolder::Other { scratch, .. } => scratch.path(),
        }
    }
}

impl Drop for BuildFolder {
    fn drop(&mut self) {
        if let Err(error) = remove(self.path()) {
            let path = self.path().display();
            eprintln!("{path}: {error}, so that files of builds stay there; help: remove that folder");
        }
    }
}

/// Makes the folder, or takes over what a run that was killed has left there, and keeps others out.
fn take(path: &Path) -> io::Result<OwnedFd> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = match openat(CWD, path, flags, Mode::empty()) {
        // A run that was killed may have left it closed.
        Err(Errno::ACCESS) => remove::open(CWD, path.as_os_str())?,
        folder => folder?,
    };
    flock(&folder, FlockOperation::NonBlockingLockExclusive)?;
    // The previous owner may have removed it meanwhile, and somebody else have put another there.
    let (locked, there, me) = (fstat(&folder)?, stat(path)?, geteuid());
    let is_ours = locked.st_uid == me.as_raw() || me.is_root() && locked.st_uid >= FIRST_USER;
    if (locked.st_dev, locked.st_ino) != (there.st_dev, there.st_ino) || !is_ours {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    // The same with one that nobody may write.
    drop(remove::open(CWD, path.as_os_str())?);
    remove::empty(&folder)?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn one_at_a_time_has_the_usual_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("place");
        let lock = take(&path).unwrap();
        fs::create_dir_all(path.join("left/behind")).unwrap();
        fs::write(path.join("file"), "x").unwrap();
        assert!(take(&path).is_err(), "while another is there");
        drop(lock);
        take(&path).unwrap();
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
        fs::remove_dir(&path).unwrap();
        std::os::unix::fs::symlink(folder.path(), &path).unwrap();
        assert!(take(&path).is_err(), "a link leads elsewhere");
        assert!(folder.path().is_dir());
    }
}

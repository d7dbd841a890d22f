//! Removes what builds left behind, whatever they did to it: folders that are closed to their owner are opened, and
//! folders in folders are moved to the top, so that no depth is too much.

use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, fstat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;
use std::ffi::{CString, OsStr};
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const OPENED: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Removes a folder and all below it; one that is not there is no trouble.
///
/// # Errors
/// Something of it stays.
pub fn remove(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Ok(seen) if !seen.is_dir() => return fs::remove_file(path),
        _ => {}
    }
    empty(&open(CWD, path.as_os_str())?)?;
    fs::remove_dir(path)
}

/// Removes all below a folder.
///
/// # Errors
/// Something of it stays.
pub fn empty(top: &OwnedFd) -> io::Result<()> {
    let mut number = 0_u64;
    loop {
        let names = names(top)?;
        if names.is_empty() {
            return Ok(());
        }
        for name in names {
            if !is_folder(top, &name)? {
                unlinkat(top, &name, AtFlags::empty())?;
                continue;
            }
            let folder = open(top, OsStr::from_bytes(name.as_bytes()))?;
            for below in self::names(&folder)? {
                if is_folder(&folder, &below)? {
                    // A folder that moves is written, too.
                    drop(open(&folder, OsStr::from_bytes(below.as_bytes()))?);
                    raise(&folder, &below, top, &mut number)?;
                } else {
                    unlinkat(&folder, &below, AtFlags::empty())?;
                }
            }
            unlinkat(top, &name, AtFlags::REMOVEDIR)?;
        }
    }
}

/// Moves a folder to the top, under a name that is free there.
fn raise(from: &OwnedFd, name: &CString, top: &OwnedFd, number: &mut u64) -> io::Result<()> {
    loop {
        *number += 1;
        match renameat(from, name, top, format!("removed-{number}")) {
            Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
            moved => return Ok(moved?),
        }
    }
}

/// Opens a folder, which is opened to its owner where it is closed; never through a link.
///
/// # Errors
/// It is none, or another's.
pub fn open(at: impl rustix::fd::AsFd, name: &OsStr) -> io::Result<OwnedFd> {
    let seen = openat(&at, name, OPENED | OFlags::PATH, Mode::empty())?;
    let mode = fstat(&seen)?.st_mode;
    if mode & 0o700 != 0o700 {
        // A descriptor that only names a folder changes its mode by this path.
        fs::set_permissions(format!("/proc/self/fd/{}", seen.as_raw_fd()), Permissions::from_mode(0o700))?;
    }
    Ok(openat(&at, name, OPENED, Mode::empty())?)
}

fn is_folder(at: &OwnedFd, name: &CString) -> io::Result<bool> {
    Ok(FileType::from_raw_mode(statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode) == FileType::Directory)
}

/// The names of a folder's entries.
fn names(folder: &OwnedFd) -> io::Result<Vec<CString>> {
    let entries = Dir::read_from(folder)?.map(|entry| Ok(entry?.file_name().to_owned()));
    let mut names: Vec<CString> = entries.collect::<Result<_, Errno>>()?;
    names.retain(|name| !matches!(name.to_bytes(), b"." | b".."));
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::mkdirat;
    use std::os::unix::fs::symlink;

    #[test]
    fn closed_and_deep_folders_go_and_links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("place/removed-1/x")).unwrap();
        fs::create_dir_all(path("other")).unwrap();
        fs::write(path("other/kept"), "x").unwrap();
        fs::set_permissions(path("other"), Permissions::from_mode(0o500)).unwrap();
        fs::write(path("place/removed-2"), "x").unwrap();
        symlink(path("other"), path("place/link")).unwrap();
        let mut at = open(CWD, path("place").as_os_str()).unwrap();
        for _ in 0..3_000 {
            mkdirat(&at, "deep", Mode::from_raw_mode(0o700)).unwrap();
            at = open(&at, OsStr::new("deep")).unwrap();
        }
        for name in ["place/removed-1/x", "place/removed-1"] {
            fs::set_permissions(path(name), Permissions::from_mode(0o000)).unwrap();
        }
        remove(&path("place")).unwrap();
        assert!(!path("place").exists());
        assert_eq!(fs::read_to_string(path("other/kept")).unwrap(), "x");
        assert_eq!(fs::metadata(path("other")).unwrap().permissions().mode() & 0o777, 0o500);
        remove(&path("place")).unwrap();
    }
}

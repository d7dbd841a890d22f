//! Copies a folder that others may change at the same time: each entry is opened from its folder's descriptor, follows
//! no link, and is looked at after it was opened.

use super::{DEEPEST, TOO_DEEP, Unpacked, go_on};
use agon_model::readable;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, statat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Opening never waits for the writer of a pipe.
const ENTRY: OFlags =
    OFlags::RDONLY.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::NOFOLLOW);

/// An entry of a folder, opened.
enum Entry {
    Folder(OwnedFd),
    File(File),
    /// A link, a pipe or a device, which is not copied.
    Other,
}

impl Unpacked<'_> {
    /// Copies a folder that a person named, also by a link.
    pub(super) fn copy_folder(&mut self, from: &Path) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        self.copy(&openat(CWD, from, flags, Mode::empty())?, Path::new(""), 0)
    }

    fn copy(&mut self, from: &OwnedFd, below: &Path, depth: usize) -> io::Result<()> {
        for own in names(from)? {
            go_on(self.stop)?;
            let path = below.join(&*readable(&own));
            let name = path.display().to_string();
            if depth >= DEEPEST {
                self.leave_out(&name, TOO_DEEP);
                continue;
            }
            let entry = match open(from, &own) {
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => {
                    self.leave_out(&name, &error.to_string());
                    continue;
                }
                entry => entry.map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))?,
            };
            match entry {
                Entry::Folder(folder) => {
                    self.make(&path)?;
                    self.copy(&folder, &path, depth + 1)?;
                }
                Entry::File(mut file) => {
                    let about = file.metadata()?;
                    let about = (about.mode() & 0o100 != 0, about.modified().ok());
                    self.put(&path, about, &mut file)?.map_err(io::Error::other)?;
                }
                Entry::Other => self.leave_out(&name, "it is not a file"),
            }
        }
        Ok(())
    }
}

/// The names of a folder's entries, in order.
fn names(folder: &OwnedFd) -> io::Result<Vec<OsString>> {
    let entries = Dir::read_from(folder)?.map(|entry| Ok(OsString::from_vec(entry?.file_name().to_bytes().to_vec())));
    let mut names: Vec<OsString> = entries.collect::<Result<_, Errno>>()?;
    names.retain(|name| name != "." && name != "..");
    names.sort();
    Ok(names)
}

/// Opens an entry. It may have changed since it was seen, so the descriptor says what it is.
fn open(folder: impl AsFd, name: &OsStr) -> io::Result<Entry> {
    // Opening some devices does something already.
    let seen = FileType::from_raw_mode(statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode);
    if !matches!(seen, FileType::Directory | FileType::RegularFile) {
        return Ok(Entry::Other);
    }
    let opened = match openat(&folder, name, ENTRY, Mode::empty()) {
        Err(Errno::LOOP) => return Ok(Entry::Other),
        opened => File::from(opened?),
    };
    let kind = opened.metadata()?.file_type();
    Ok(match () {
        () if kind.is_dir() => Entry::Folder(opened.into()),
        () if kind.is_file() => Entry::File(opened),
        () => Entry::Other,
    })
}

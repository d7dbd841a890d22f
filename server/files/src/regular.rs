//! Files that others may have put in place: regular files of a disk only, of bounded size, read through the descriptor
//! that was looked at. A link is followed as far as its owner may read what it leads to.

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, fstatfs, openat, openat2};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::{File, FileType, Metadata};
use std::io::{self, ErrorKind, Read, Seek};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Component, Path, PathBuf};

/// The kernel follows this many links, too.
const MOST_LINKS: usize = 40;
/// File systems whose files are made as they are read.
const MADE: [(i64, &str); 3] = [(0x9fa0, "/proc"), (0x6265_6572, "/sys"), (0x6462_6720, "debugfs")];
const READABLE: &str = "make it readable for the user who runs agon";
const ABSENT: &str = "is the path right? ls -l shows what is there, and where a link leads";

/// A file that was opened and looked at.
#[derive(Debug)]
pub struct Regular {
    file: File,
    seen: Metadata,
    largest: u64,
}

/// Why a file is not read, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}; help: {help}")]
pub struct Unreadable {
    /// The reason, in a few words.
    pub what: String,
    /// The way out, for the reader of the message.
    pub help: &'static str,
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Unreadable {
        match error.kind() {
            ErrorKind::NotFound => Unreadable { what: "there is no such file".to_owned(), help: ABSENT },
            ErrorKind::NotADirectory => {
                Unreadable { what: "a part of its path is not a folder".to_owned(), help: ABSENT }
            }
            _ => Unreadable { what: error.to_string(), help: READABLE },
        }
    }
}

impl From<Errno> for Unreadable {
    fn from(error: Errno) -> Unreadable {
        io::Error::from(error).into()
    }
}

impl Regular {
    /// Opens a file of at most `largest` bytes.
    ///
    /// # Errors
    /// It is none, larger, or reached by a link whose owner may not read it.
    pub fn open(path: &Path, largest: u64) -> Result<Regular, Unreadable> {
        let (resolved, owners) = resolve(path)?;
        // Looked at before it is opened, since opening some devices and pipes does something already.
        check_kind(resolved.symlink_metadata()?.file_type())?;
        let (file, seen) = look_at(open_plain(&resolved)?, largest)?;
        // A person who may change any file gains nothing by a link.
        let own = rustix::process::geteuid().as_raw();
        for owner in owners.into_iter().filter(|owner| *owner != 0 && *owner != own) {
            if !may_read(owner, &resolved, &seen) {
                let what = format!("it is a link of user {owner}, who may not read what it leads to");
                return Err(refuse(what, "put the file itself there, or make it readable for that user"));
            }
        }
        Ok(Regular { file, seen, largest })
    }

    /// Opens a file of at most `largest` bytes below a folder of a stranger. A link is followed where it stays below.
    ///
    /// # Errors
    /// It is none, larger, or reached by a link that leads out of the folder.
    pub fn beneath(folder: &Path, file: &Path, largest: u64) -> Result<Regular, Unreadable> {
        let (root, real) = (folder.canonicalize()?, file.canonicalize()?);
        let Ok(below) = real.strip_prefix(&root) else {
            let what = "it is reached by a link that leads out of its folder".to_owned();
            return Err(refuse(what, "put the file itself there"));
        };
        // The path has no link in it, and none is followed that appears meanwhile.
        let step = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut at = openat(CWD, &root, step | OFlags::DIRECTORY, Mode::empty())?;
        for part in below.parent().into_iter().flatten() {
            at = openat(&at, part, step | OFlags::DIRECTORY, Mode::empty())?;
        }
        let name = below.file_name().unwrap_or(OsStr::new("."));
        check_kind(File::from(openat(&at, name, step, Mode::empty())?).metadata()?.file_type())?;
        let (file, seen) = look_at(openat(&at, name, PLAIN, Mode::empty())?.into(), largest)?;
        Ok(Regular { file, seen, largest })
    }

    /// The metadata that was seen when the file was opened.
    pub fn seen(&self) -> &Metadata {
        &self.seen
    }

    /// Hands its bytes to `take` from the beginning, piece by piece.
    ///
    /// # Errors
    /// It cannot be read, or has grown beyond what was allowed; or that of `take`.
    pub fn read<E: From<Unreadable>>(&mut self, mut take: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let failed = |error: io::Error| E::from(error.into());
        self.file.rewind().map_err(failed)?;
        let mut left = self.largest;
        let mut piece = vec![0; 1 << 16];
        loop {
            let length = match self.file.read(&mut piece) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                read => read.map_err(failed)?,
            };
            if length == 0 {
                return Ok(());
            }
            left = left.checked_sub(length as u64).ok_or_else(|| {
                E::from(refuse(
                    "it grows while it is read".to_owned(),
                    "write it elsewhere, and move it there when it is whole",
                ))
            })?;
            take(&piece[..length])?;
        }
    }

    /// Reads the first bytes, up to this number.
    pub fn beginning(&mut self, most: u64) -> Result<Vec<u8>, Unreadable> {
        let mut bytes = Vec::new();
        self.file.rewind()?;
        (&self.file).take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads all bytes of the file.
    pub fn bytes(&mut self) -> Result<Vec<u8>, Unreadable> {
        let mut bytes = Vec::new();
        self.read(|piece| {
            bytes.extend_from_slice(piece);
            Ok::<_, Unreadable>(())
        })?;
        Ok(bytes)
    }
}

fn refuse(what: String, help: &'static str) -> Unreadable {
    Unreadable { what, help }
}

fn check_kind(kind: FileType) -> Result<(), Unreadable> {
    let what = match kind {
        kind if kind.is_file() => return Ok(()),
        kind if kind.is_dir() => "a folder",
        kind if kind.is_fifo() => "a named pipe",
        kind if kind.is_socket() => "a socket",
        kind if kind.is_block_device() || kind.is_char_device() => "a device",
        _ => "of an unknown kind",
    };
    Err(refuse(format!("it is {what}, not a file"), "put a regular file there, or take it away"))
}

/// Sees whether an opened file is one of a disk, and not too large.
fn look_at(file: File, largest: u64) -> Result<(File, Metadata), Unreadable> {
    let seen = file.metadata()?;
    check_kind(seen.file_type())?;
    let made = fstatfs(&file)?.f_type as i64;
    if let Some((_, name)) = MADE.iter().find(|(number, _)| *number == made) {
        return Err(refuse(format!("it is a file of {name}, which the kernel makes up"), "put a file of a disk there"));
    }
    if seen.len() > largest {
        let what = format!("the file has {} bytes, and {largest} is the most", seen.len());
        return Err(refuse(what, "make it smaller"));
    }
    Ok((file, seen))
}

/// Where a path leads without any link in it, and whose the links on the way are.
fn resolve(path: &Path) -> io::Result<(PathBuf, Vec<u32>)> {
    let parts =
        |path: &Path| -> Vec<OsString> { path.components().rev().map(|part| part.as_os_str().to_owned()).collect() };
    let mut left = parts(&std::path::absolute(path)?);
    let (mut at, mut owners) = (PathBuf::from("/"), Vec::new());
    while let Some(part) = left.pop() {
        match Path::new(&part).components().next() {
            Some(Component::ParentDir) => drop(at.pop()),
            Some(Component::Normal(name)) => {
                let next = at.join(name);
                let seen = next.symlink_metadata()?;
                if !seen.is_symlink() {
                    at = next;
                    continue;
                }
                owners.push(seen.uid());
                if owners.len() > MOST_LINKS {
                    return Err(Errno::LOOP.into());
                }
                left.extend(parts(&next.read_link()?));
            }
            Some(Component::RootDir) => at = PathBuf::from("/"),
            _ => {}
        }
    }
    Ok((at, owners))
}

/// Follows no link, and never waits for the writer of a pipe.
const PLAIN: OFlags =
    OFlags::RDONLY.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::NOFOLLOW);

/// Opens a path that has no link in it, and must not get one meanwhile.
fn open_plain(path: &Path) -> Result<File, Errno> {
    match openat2(CWD, path, PLAIN, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
        // Kernels before 5.6, and containers that know none after.
        Err(Errno::NOSYS | Errno::PERM) => openat(CWD, path, PLAIN, Mode::empty()).map(File::from),
        opened => opened.map(File::from),
    }
}

/// Whether a user may read a file, as far as owners and rights for all tell: of which groups somebody is, is not asked.
fn may_read(user: u32, path: &Path, seen: &Metadata) -> bool {
    let has = |seen: &Metadata, of_owner: u32, of_all: u32| {
        seen.mode() & if seen.uid() == user { of_owner } else { of_all } != 0
    };
    let passes = |folder: &Path| folder.metadata().is_ok_and(|seen| has(&seen, 0o100, 0o001));
    has(seen, 0o400, 0o004) && path.ancestors().skip(1).all(passes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, lchown, symlink};

    fn open(path: &Path) -> Result<Vec<u8>, String> {
        Regular::open(path, 1000).and_then(|mut file| file.bytes()).map_err(|why| why.to_string())
    }

    #[test]
    fn only_files_of_a_disk_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("a"), "bytes").unwrap();
        std::fs::write(path("large"), [0; 1001]).unwrap();
        rustix::fs::mknodat(CWD, path("pipe"), rustix::fs::FileType::Fifo, Mode::RUSR, 0).unwrap();
        for (to, from) in [("a", "link"), ("link", "two"), ("/dev/zero", "endless"), ("/proc/self/environ", "made")] {
            symlink(to, path(from)).unwrap();
        }
        symlink("loop", path("loop")).unwrap();
        for good in ["a", "link", "two"] {
            assert_eq!(open(&path(good)).as_deref(), Ok(&b"bytes"[..]), "{good}");
        }
        for (bad, why) in [
            ("large", "1001 bytes, and 1000 is the most"),
            ("pipe", "a named pipe"),
            ("endless", "a device"),
            ("made", "a file of /proc"),
            ("loop", "symbolic links"),
            (".", "a folder"),
            ("none", "no such file"),
        ] {
            let said = open(&path(bad)).unwrap_err();
            assert!(said.contains(why) && said.contains("; help: "), "{bad}: {said}");
        }
    }

    #[test]
    fn a_link_of_a_stranger_stays_below_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(path("in/deep")).unwrap();
        for name in ["secret", "in/own", "in/deep/own"] {
            std::fs::write(path(name), name).unwrap();
        }
        rustix::fs::mknodat(CWD, path("in/pipe"), rustix::fs::FileType::Fifo, Mode::RUSR, 0).unwrap();
        for (name, to) in [("up", "../secret"), ("out", ".."), ("near", "deep/own"), ("folder", "deep")] {
            symlink(to, path("in").join(name)).unwrap();
        }
        symlink(path("in/own"), path("in/absolute")).unwrap();
        let open = |name: &str| {
            let opened = Regular::beneath(&path("in"), &path("in").join(name), 1000);
            opened.and_then(|mut file| file.bytes()).map_err(|why| why.to_string())
        };
        for (good, bytes) in
            [("own", "in/own"), ("absolute", "in/own"), ("near", "in/deep/own"), ("folder/own", "in/deep/own")]
        {
            assert_eq!(open(good).as_deref(), Ok(bytes.as_bytes()), "{good}");
        }
        for (bad, why) in [
            ("up", "a link that leads out of its folder"),
            ("out/secret", "a link that leads out of its folder"),
            ("../secret", "a link that leads out of its folder"),
            ("pipe", "a named pipe"),
            (".", "a folder"),
            ("none", "no such file"),
        ] {
            let said = open(bad).unwrap_err();
            assert!(said.contains(why) && said.contains("; help: "), "{bad}: {said}");
        }
    }

    #[test]
    fn a_link_leads_no_further_than_its_owner_may_read() {
        if !rustix::process::geteuid().is_root() {
            return;
        }
        const STUDENT: u32 = 60_001;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::create_dir(path("closed")).unwrap();
        for (name, rights) in [("secret", 0o600), ("closed/open", 0o644), ("open", 0o644), ("own", 0o600)] {
            std::fs::write(path(name), name).unwrap();
            std::fs::set_permissions(path(name), std::fs::Permissions::from_mode(rights)).unwrap();
        }
        std::fs::set_permissions(path("closed"), std::fs::Permissions::from_mode(0o700)).unwrap();
        lchown(path("own"), Some(STUDENT), None).unwrap();
        // By way of a link of root's, too, and of a folder.
        for (name, to) in [("1", "secret"), ("2", "closed/open"), ("3", "by"), ("4", "open"), ("5", "own")] {
            symlink(path(to), path(name)).unwrap();
            lchown(path(name), Some(STUDENT), None).unwrap();
        }
        symlink(path("secret"), path("by")).unwrap();
        symlink(path("closed"), path("team")).unwrap();
        lchown(path("team"), Some(STUDENT), None).unwrap();
        for (name, may) in
            [("1", false), ("2", false), ("3", false), ("4", true), ("5", true), ("by", true), ("team/open", false)]
        {
            let opened = open(&path(name));
            assert_eq!(opened.is_ok(), may, "{name}: {opened:?}");
        }
        assert!(open(&path("1")).unwrap_err().contains("a link of user 60001"));
    }
}

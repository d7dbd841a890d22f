//! Archives and folders of strangers, copied into a folder of our own: nothing outside of it, no links, no devices, and
//! no more than a submission has. An entry that cannot be copied is left out and named; the others are copied.

mod copy;
mod left_out;
pub mod times;

pub use self::left_out::LeftOut;
use self::left_out::{LONGEST_NAME, LeftOutList};
use agon_model::readable;
use flate2::read::GzDecoder;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::SystemTime;
use tar::{EntryType, PaxExtensions};
use zip::ZipArchive;

/// The deepest nesting of folders.
const DEEPEST: usize = 32;
/// The most bytes of a tar's header that may have the name of an entry among other things.
const LONGEST_HEADER: u64 = 64 << 10;
/// The longest name of a file, bytes.
const LONGEST_PART: usize = 255;

/// The most that is unpacked.
#[derive(Clone, Copy, Debug)]
pub struct UnpackLimits {
    /// The most files of one submission.
    pub files: usize,
    /// The most bytes of one submission.
    pub bytes: u64,
    /// All submissions of one archive may have this many times as much.
    pub submissions: u64,
}

impl UnpackLimits {
    /// The bounds of one submission.
    pub const ONE: UnpackLimits = UnpackLimits { files: 20_000, bytes: 512 << 20, submissions: 1 };
    /// The bounds of a whole class.
    pub const CLASS: UnpackLimits = UnpackLimits { submissions: 16, ..UnpackLimits::ONE };
}

/// The kind of an archive, by its file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveKind {
    /// The ending is `.zip`.
    Zip,
    /// The ending is `.tar`.
    Tar,
    /// The ending is `.tar.gz` or `.tgz`.
    TarGz,
}

impl ArchiveKind {
    /// The kind of a file; `None` where it is not an archive that agon opens.
    pub fn of(file: &Path) -> Option<ArchiveKind> {
        let name = file.file_name().map(readable)?.to_lowercase();
        let ends = |ending: &str| name.len() > ending.len() && name.ends_with(ending);
        match () {
            () if ends(".zip") => Some(ArchiveKind::Zip),
            () if ends(".tar") => Some(ArchiveKind::Tar),
            () if ends(".tar.gz") || ends(".tgz") => Some(ArchiveKind::TarGz),
            () => None,
        }
    }

    /// A file's name without the ending of an archive.
    pub fn stem(name: &str) -> &str {
        let own = |ending: &&str| {
            let start = name.len().checked_sub(ending.len());
            start.and_then(|start| name.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case(ending))
        };
        let ending = [".zip", ".tar.gz", ".tgz", ".tar"].into_iter().find(own);
        &name[..name.len() - ending.map_or(0, str::len)]
    }
}

/// The contents of a folder so far, and the entries that were left out of it.
struct Unpacked<'a> {
    to: &'a Path,
    most: UnpackLimits,
    /// Files and bytes of each entry at the top, which is a submission where there are several.
    taken: BTreeMap<String, (usize, u64)>,
    all: (usize, u64),
    left_out: LeftOutList,
    /// Set where nothing is to be unpacked any more.
    stop: &'a AtomicBool,
    /// The time of entries that have none.
    time: Option<SystemTime>,
}

/// Unpacks an archive, or copies a folder, into `to`, which is made; the entries that were left out.
///
/// # Errors
/// Why it cannot be read, or is more than anybody hands in; `to` is then of no use.
pub fn unpack(from: &Path, to: &Path, most: UnpackLimits) -> Result<Vec<LeftOut>, String> {
    unpack_until(&AtomicBool::new(false), from, to, most)
}

/// The same, until `stop` is set.
///
/// # Errors
/// As `unpack`; or it was stopped.
pub fn unpack_until(stop: &AtomicBool, from: &Path, to: &Path, most: UnpackLimits) -> Result<Vec<LeftOut>, String> {
    let (taken, left_out) = (BTreeMap::new(), LeftOutList::default());
    let mut unpacked = Unpacked { to, most, taken, all: (0, 0), left_out, stop, time: times::of_file(from) };
    let open = || File::open(from);
    let done = fs::create_dir_all(to).and_then(|()| match ArchiveKind::of(from) {
        _ if from.is_dir() => unpacked.copy_folder(from),
        Some(ArchiveKind::Zip) => unpacked.zip(open()?),
        Some(ArchiveKind::Tar) => unpacked.tar(open()?),
        Some(ArchiveKind::TarGz) => unpacked.tar(GzDecoder::new(open()?)),
        None => Err(io::Error::other("it is neither a folder nor an archive (.zip, .tar, .tar.gz)")),
    });
    if let Err(error) = done {
        let _ = fs::remove_dir_all(to);
        return Err(format!("it cannot be unpacked: {error}"));
    }
    Ok(unpacked.left_out.all())
}

/// The reason why an entry was not copied.
enum NotCopied {
    /// By its own fault: the others go on.
    Entry(String),
    /// The trouble is agon's own.
    Ours(io::Error),
}

impl NotCopied {
    /// The error of a path that an archive names, which may be impossible here.
    fn of_path(error: io::Error) -> NotCopied {
        match error.kind() {
            ErrorKind::InvalidFilename => NotCopied::Entry("its name is too long for a file".to_owned()),
            ErrorKind::NotADirectory | ErrorKind::IsADirectory | ErrorKind::AlreadyExists => {
                NotCopied::Entry("it is a file and a folder at once".to_owned())
            }
            ErrorKind::InvalidInput => NotCopied::Entry("its name cannot be that of a file".to_owned()),
            _ => NotCopied::Ours(error),
        }
    }
}

/// Whether a file is executable, and its time.
type About = (bool, Option<SystemTime>);

impl Unpacked<'_> {
    fn zip(&mut self, file: File) -> io::Result<()> {
        let mut archive = ZipArchive::new(file).map_err(io::Error::other)?;
        for index in 0..archive.len() {
            go_on(self.stop)?;
            let name = archive.name_for_index(index).and_then(Result::ok).map(Cow::into_owned).unwrap_or_default();
            let mut entry = match archive.by_index(index) {
                Ok(entry) => entry,
                Err(error) => {
                    self.leave_out(&name, &format!("it cannot be read: {error}"));
                    continue;
                }
            };
            let name = zip_name(entry.name_raw(), &name);
            let is_executable = entry.unix_mode().is_some_and(|mode| mode & 0o100 != 0);
            match inside(Path::new(&name)) {
                Err(why) => self.leave_out(&name, why),
                Ok(_) if entry.is_symlink() => self.leave_out(&name, "it is a link"),
                Ok(path) if entry.is_dir() => self.make(&path)?,
                Ok(path) => {
                    let time = times::of_zip(&entry);
                    // The next entry is found though this one is damaged.
                    let _ = self.put(&path, (is_executable, time), &mut entry)?;
                }
            }
        }
        Ok(())
    }

    fn tar(&mut self, file: impl Read) -> io::Result<()> {
        // Skipped bytes count, too: a few bytes may stand for a day of zeros.
        let most = self.most.bytes.saturating_mul(self.most.submissions).saturating_mul(2);
        let mut archive = tar::Archive::new(Until { from: file.take(most), stop: self.stop });
        let done = self.tar_entries(&mut archive);
        match archive.into_inner().from.limit() {
            0 => Err(io::Error::other(format!("it has more than {} MiB", most >> 20))),
            _ => done,
        }
    }

    fn tar_entries(&mut self, archive: &mut tar::Archive<impl Read>) -> io::Result<()> {
        let mut long = None;
        for entry in archive.entries()?.raw(true) {
            let mut entry = entry?;
            let kind = entry.header().entry_type();
            if matches!(kind, EntryType::GNULongName | EntryType::XHeader) {
                long = long_name(kind, &mut entry)?.or(long);
                continue;
            }
            if matches!(kind, EntryType::GNULongLink | EntryType::XGlobalHeader) {
                continue;
            }
            let raw = long.take().unwrap_or_else(|| entry.path_bytes().into_owned());
            let name = readable(OsStr::from_bytes(&raw)).into_owned();
            match inside(Path::new(&name)) {
                Err(why) => self.leave_out(&name, why),
                Ok(path) if kind.is_dir() || kind.is_file() && name.ends_with('/') => self.make(&path)?,
                Ok(path) if kind.is_file() => {
                    let is_executable = entry.header().mode().is_ok_and(|mode| mode & 0o100 != 0);
                    let time = times::of_tar(entry.header());
                    // Behind a damaged entry nobody knows where the next one begins.
                    self.put(&path, (is_executable, time), &mut entry)?.map_err(io::Error::other)?;
                }
                Ok(_) => self.leave_out(&name, "it is not a file"),
            }
        }
        Ok(())
    }

    fn leave_out(&mut self, name: &str, why: &str) {
        self.left_out.add(name, why);
    }

    fn make(&mut self, path: &Path) -> io::Result<()> {
        let made = self
            .count(path)
            .map_err(NotCopied::Entry)
            .and_then(|()| fs::create_dir_all(self.to.join(path)).map_err(NotCopied::of_path));
        match made {
            Ok(()) => Ok(()),
            Err(NotCopied::Ours(error)) => Err(error),
            Err(NotCopied::Entry(why)) => {
                self.leave_out(&path.display().to_string(), &why);
                Ok(())
            }
        }
    }

    /// Copies a file, or leaves it out; then whether its content could be read.
    fn put(&mut self, path: &Path, about: About, from: &mut dyn Read) -> io::Result<Result<(), String>> {
        let mut from = Source { from: Until { from, stop: self.stop }, broken: None };
        let copied = self.write(path, about, &mut from);
        let broken = from.broken;
        match (copied, &broken) {
            (Ok(()), None) => return Ok(Ok(())),
            (_, Some(why)) => self.leave_out(&path.display().to_string(), &format!("it is damaged: {why}")),
            (Err(NotCopied::Entry(why)), None) => self.leave_out(&path.display().to_string(), &why),
            (Err(NotCopied::Ours(error)), None) => return Err(error),
        }
        let _ = fs::remove_file(self.to.join(path));
        Ok(broken.map_or(Ok(()), Err))
    }

    fn write(&mut self, path: &Path, (is_executable, time): About, from: &mut dyn Read) -> Result<(), NotCopied> {
        self.count(path).map_err(NotCopied::Entry)?;
        let target = self.to.join(path);
        fs::create_dir_all(target.parent().unwrap_or(self.to)).map_err(NotCopied::of_path)?;
        let mode = if is_executable { 0o755 } else { 0o644 };
        let new = File::options().write(true).create_new(true).mode(mode).open(&target);
        let is_second = new.as_ref().is_err_and(|error| error.kind() == ErrorKind::AlreadyExists);
        let opened = if is_second { File::options().write(true).truncate(true).open(&target) } else { new };
        let mut file = opened.map_err(NotCopied::of_path)?;
        if is_second {
            self.leave_out(&path.display().to_string(), "another entry has its name; the last one counts");
        }
        let left = self.bytes_left(path);
        // The sizes that an archive names are not believed.
        let copied = io::copy(&mut from.take(left + 1), &mut file).map_err(NotCopied::Ours)?;
        file.flush().map_err(NotCopied::Ours)?;
        // A file system may have no such times.
        let _ = time.or(self.time).map(|time| file.set_modified(time));
        self.all.1 += copied.min(left);
        self.taken.entry(top(path)).or_default().1 += copied.min(left);
        if copied > left {
            Err(NotCopied::Entry(format!("with it there are more than {} MiB", self.most.bytes >> 20)))
        } else {
            Ok(())
        }
    }

    /// Counts one more file or folder.
    fn count(&mut self, path: &Path) -> Result<(), String> {
        let UnpackLimits { files, submissions, .. } = self.most;
        let own = self.taken.get(&top(path)).map_or(0, |taken| taken.0);
        if own >= files || self.all.0 as u64 >= files as u64 * submissions {
            return Err(format!("with it there are more than {files} files"));
        }
        self.taken.entry(top(path)).or_default().0 += 1;
        self.all.0 += 1;
        Ok(())
    }

    fn bytes_left(&self, path: &Path) -> u64 {
        let UnpackLimits { bytes, submissions, .. } = self.most;
        let own = self.taken.get(&top(path)).map_or(0, |taken| taken.1);
        (bytes - own).min((bytes * submissions).saturating_sub(self.all.1))
    }
}

/// An error if nothing is to be unpacked any more.
fn go_on(stop: &AtomicBool) -> io::Result<()> {
    if stop.load(Relaxed) { Err(io::Error::other("it was interrupted")) } else { Ok(()) }
}

/// Reads until `stop` is set.
struct Until<'a, R> {
    from: R,
    stop: &'a AtomicBool,
}

impl<R: Read> Read for Until<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        go_on(self.stop)?;
        self.from.read(buffer)
    }
}

/// Keeps errors of reading apart from those of writing.
struct Source<'a> {
    from: Until<'a, &'a mut dyn Read>,
    broken: Option<String>,
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.from.read(buffer).inspect_err(|error| {
            if error.kind() != ErrorKind::Interrupted {
                self.broken = Some(error.to_string());
            }
        })
    }
}

/// The entry at the top that a path leads through.
pub fn top(path: &Path) -> String {
    let first = path.components().find(|part| *part != Component::CurDir);
    first.map_or_else(String::new, |part| part.as_os_str().to_string_lossy().into_owned())
}

/// The name of an entry of a ZIP: UTF-8, Latin-1 where all other bytes are its letters, or else code page 437. Some
/// programs for Windows write backslashes.
fn zip_name(raw: &[u8], by_code_page: &str) -> String {
    let is_latin = || raw.iter().all(|byte| byte.is_ascii() || *byte >= 0xc0);
    let name = match std::str::from_utf8(raw) {
        Ok(name) => name.to_owned(),
        Err(_) if is_latin() => readable(OsStr::from_bytes(raw)).into_owned(),
        Err(_) => by_code_page.to_owned(),
    };
    if name.contains('/') { name } else { name.replace('\\', "/") }
}

/// The name that an entry of a tar has for the one behind it; of one that is too long, no more than shows it.
fn long_name(kind: EntryType, entry: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    if kind == EntryType::GNULongName {
        entry.take(LONGEST_NAME as u64 + 1).read_to_end(&mut bytes)?;
        bytes.truncate(bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()));
        return Ok(Some(bytes));
    }
    entry.take(LONGEST_HEADER).read_to_end(&mut bytes)?;
    let mut records = PaxExtensions::new(&bytes).filter_map(Result::ok);
    Ok(records.find(|record| record.key_bytes() == b"path").map(|record| {
        let name = record.value_bytes();
        name[..name.len().min(LONGEST_NAME + 1)].to_owned()
    }))
}

const TOO_LONG: &str = "its name has more than 4096 bytes";
const TOO_DEEP: &str = "its folders stand too deep in each other";

/// A path that stays below its start, and not too deep; `Err` gives the reason.
fn inside(path: &Path) -> Result<PathBuf, &'static str> {
    if path.as_os_str().len() > LONGEST_NAME {
        return Err(TOO_LONG);
    }
    let mut kept = PathBuf::new();
    for part in path.components().filter(|part| *part != Component::CurDir) {
        match part {
            Component::Normal(name) if name.as_encoded_bytes().contains(&0) => return Err("its name has a zero byte"),
            Component::Normal(name) if name.len() > LONGEST_PART => return Err("its name is too long for a file"),
            Component::Normal(name) => kept.push(name),
            _ => return Err("its name leads out of the archive"),
        }
    }
    match kept.components().count() {
        0 => Err("its name leads out of the archive"),
        count if count > DEEPEST => Err(TOO_DEEP),
        _ => Ok(kept),
    }
}

#[cfg(test)]
mod tests;

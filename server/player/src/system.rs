//! The files by which the loader finds libraries: an installation may replace them, and a folder that the ladder opens may
//! disappear, while clients play.

use agon_host::sandbox::{LIBRARIES, open_folder};
use agon_model::{SandboxPolicy, named_if_slow, some_of};
use rustix::fs::{AtFlags, CWD, StatxFlags, statx};
use std::io;
use std::path::{Path, PathBuf};

/// In `statx`: the number of a mount that no later one gets. Linux 6.8 has it; before, it is that of `MNT_ID`.
const UNIQUE_MOUNT: StatxFlags = StatxFlags::from_bits_retain(0x4000);

/// Device, number and mount of a file, and its time of writing.
type Seen = [u64; 5];

/// These files and folders, each with its mount and its time of writing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemFiles {
    folders: Vec<PathBuf>,
    seen: Vec<Option<Seen>>,
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
        let place = |seen: &Option<Seen>| seen.map(|[device, inode, mount, ..]| (device, inode, mount));
        self.seen.iter().zip(&now.seen).skip(LIBRARIES.len()).any(|(then, now)| place(then) != place(now))
    }

    fn of(folders: Vec<PathBuf>) -> SystemFiles {
        named_if_slow(|| told(&folders), || SystemFiles::seen_of(folders.clone()))
    }

    fn seen_of(folders: Vec<PathBuf>) -> SystemFiles {
        let file = |path: &Path| {
            let wanted = StatxFlags::BASIC_STATS | StatxFlags::MNT_ID | UNIQUE_MOUNT;
            let seen = statx(CWD, path, AtFlags::empty(), wanted).ok()?;
            let device = u64::from(seen.stx_dev_major) << 32 | u64::from(seen.stx_dev_minor);
            let written = seen.stx_mtime;
            Some([device, seen.stx_ino, seen.stx_mnt_id, written.tv_sec as u64, written.tv_nsec.into()])
        };
        let paths = LIBRARIES.iter().map(Path::new).chain(folders.iter().map(PathBuf::as_path));
        let seen = paths.map(file).collect();
        SystemFiles { folders, seen }
    }
}

/// Finds out whether the folders that a ladder opens are there: a client that needs one of them is not at fault.
///
/// # Errors
/// One of them is away or empty, or a link has taken its place; the error is a sentence.
pub fn reach_opened(policy: &SandboxPolicy) -> io::Result<()> {
    let folders: Vec<PathBuf> = policy.folders().cloned().collect();
    named_if_slow(|| told(&folders), || reach_now(policy))
}

/// The folders, in a line about a wait for them.
fn told(folders: &[PathBuf]) -> String {
    let names = folders.iter().map(|folder| folder.display().to_string());
    format!("the loader's files and the folders that the ladder opens: {}", some_of(names))
}

fn reach_now(policy: &SandboxPolicy) -> io::Result<()> {
    policy.folders().try_for_each(|folder| {
        open_folder(folder).and_then(|_| expect_content(folder)).map_err(|error| {
            let what = format!("the folder {} that the ladder opens cannot be reached: {error}", folder.display());
            let help = "mount it again, or take it out of [run] libraries and runtimes";
            io::Error::new(error.kind(), format!("{what}; help: {help}"))
        })
    })
}

/// A disk that is not mounted leaves an empty folder behind. One that agon may not list counts as full.
fn expect_content(folder: &Path) -> io::Result<()> {
    match folder.read_dir().map(|mut entries| entries.next().is_none()) {
        Ok(true) => Err(io::Error::new(io::ErrorKind::NotFound, "it is empty, so nothing is mounted there")),
        Ok(false) | Err(_) => Ok(()),
    }
}

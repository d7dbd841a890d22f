//! Measures a build from outside: threads, memory, and bytes on the disk. Bytes that cannot be counted are too much.

use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, fstat, openat, statat};
use rustix::io::Errno;
use rustix::param::page_size;
use rustix::process::Pid;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The deepest nesting of folders in which bytes are counted.
const DEEPEST: usize = 100;

/// The kernel's line about a process.
pub struct ProcessStat {
    /// The folder of `/proc` about it.
    path: PathBuf,
    pub user: u32,
    group: i32,
    /// Processes that are dead and not waited for do not count.
    is_alive: bool,
    threads: u64,
    /// The resident memory, bytes.
    memory: u64,
}

/// The resources that some processes take together.
#[derive(Debug, Default)]
pub struct UsedByProcesses {
    pub threads: u64,
    pub memory: u64,
}

impl UsedByProcesses {
    /// The sum over all processes for which this holds.
    pub fn by(holds: impl Fn(&ProcessStat) -> bool) -> UsedByProcesses {
        processes().filter(holds).fold(UsedByProcesses::default(), |sum, told| UsedByProcesses {
            threads: sum.threads + told.threads,
            memory: sum.memory + told.memory,
        })
    }

    /// The sum over the living processes of a group.
    pub fn by_group(group: Pid) -> UsedByProcesses {
        UsedByProcesses::by(|told| told.is_alive_in(group))
    }
}

impl ProcessStat {
    fn is_alive_in(&self, group: Pid) -> bool {
        self.is_alive && self.group == group.as_raw_nonzero().get()
    }

    /// Whether the process lives and has its memory, a moment later.
    fn is_still_there(&self) -> bool {
        std::thread::sleep(Duration::from_millis(20));
        read_process(&self.path).is_some_and(|told| told.is_alive && told.memory > 0)
    }
}

fn processes() -> impl Iterator<Item = ProcessStat> {
    let is_number = |entry: &fs::DirEntry| entry.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit);
    let entries = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok).filter(is_number);
    entries.filter_map(|entry| read_process(&entry.path()))
}

/// The kernel's line about the process with this folder of `/proc`.
fn read_process(path: &Path) -> Option<ProcessStat> {
    let user = fs::metadata(path).ok()?.uid();
    let text = fs::read_to_string(path.join("stat")).ok()?;
    // Behind the name, which may have anything in it: state, parent, group, …, threads, …, resident pages.
    let words: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
    let number = |index: usize| words.get(index)?.parse::<i64>().ok();
    Some(ProcessStat {
        user,
        path: path.to_owned(),
        group: number(2)? as i32,
        is_alive: !matches!(words[0], "Z" | "X"),
        threads: number(17)? as u64,
        memory: number(21)? as u64 * page_size() as u64,
    })
}

/// The bytes on the disk of a folder and all below it, and of files without a name that a group has open.
///
/// # Errors
/// Something of it cannot be counted, and why.
pub fn count_bytes(folder: &Path, group: Pid) -> Result<u64, String> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened =
        openat(CWD, folder, flags, Mode::empty()).map_err(|error| uncounted(Path::new("its folder"), error))?;
    let seen = fstat(&opened).map_err(|error| uncounted(Path::new("its folder"), error))?;
    let named = count_below(&opened, Path::new(""), 0)?;
    Ok(bytes_of(&seen) + named + count_unnamed(group, seen.st_dev)?)
}

fn uncounted(path: &Path, error: Errno) -> String {
    let error = std::io::Error::from(error);
    format!("agon cannot count what is in {}: {error}; its folders must stay readable", path.display())
}

fn bytes_of(seen: &Stat) -> u64 {
    512 * seen.st_blocks as u64
}

/// The build goes on at the same time: an entry that is there no more takes nothing.
fn count_below(folder: &OwnedFd, path: &Path, depth: usize) -> Result<u64, String> {
    let failed = |error| uncounted(path, error);
    if depth > DEEPEST {
        return Err(format!("its folders stand more than {DEEPEST} deep in each other"));
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut sum = 0;
    for entry in Dir::read_from(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let seen = match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => continue,
            seen => seen.map_err(failed)?,
        };
        sum += bytes_of(&seen);
        if FileType::from_raw_mode(seen.st_mode) == FileType::Directory {
            let below = path.join(&*name.to_string_lossy());
            match openat(folder, name, flags, Mode::empty()) {
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => {}
                opened => sum += count_below(&opened.map_err(|error| uncounted(&below, error))?, &below, depth + 1)?,
            }
        }
    }
    Ok(sum)
}

/// The bytes of files of this disk that were removed and are still open.
fn count_unnamed(group: Pid, disk: u64) -> Result<u64, String> {
    let mut files = BTreeMap::new();
    for told in processes().filter(|told| told.is_alive_in(group)) {
        let open = match fs::read_dir(told.path.join("fd")) {
            // The kernel closes the folder of a process that ends, too.
            Err(error) if error.kind() == ErrorKind::PermissionDenied && told.is_still_there() => {
                return Err("a program of it hides its open files; its programs must stay readable".to_owned());
            }
            open => open.into_iter().flatten().filter_map(Result::ok),
        };
        for seen in open.filter_map(|entry| fs::metadata(entry.path()).ok()) {
            if seen.nlink() == 0 && seen.dev() == disk {
                files.insert(seen.ino(), 512 * seen.blocks());
            }
        }
    }
    Ok(files.into_values().sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    /// A group of processes that sleeps after it ran this, and has said so.
    fn group(line: &str, folder: &Path) -> std::process::Child {
        let line = format!("{line}; echo x > ready; sleep 60");
        let mut command = Command::new("sh");
        let child =
            command.args(["-c", &line]).current_dir(folder).process_group(0).stdin(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while !folder.join("ready").exists() {
            assert!(begun.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(10));
        }
        child
    }

    fn end(mut child: std::process::Child) {
        rustix::process::kill_process_group(Pid::from_child(&child), rustix::process::Signal::KILL).unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn memory_is_summed_over_a_group() {
        let folder = tempfile::tempdir().unwrap();
        let child = group("a=$(head -c 20000000 /dev/zero | tr '\\0' x); (sleep 60 & echo)", folder.path());
        let spent = UsedByProcesses::by_group(Pid::from_child(&child));
        end(child);
        assert!((20_000_000..2_000_000_000).contains(&spent.memory) && spent.threads >= 3, "{spent:?}");
    }

    #[test]
    fn folders_and_files_without_a_name_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let child = group("exec 3>gone; head -c 3000000 /dev/zero >&3; rm gone", path);
        let own = Pid::from_child(&child);
        let with_file = count_bytes(path, own).unwrap();
        end(child);
        // The shell's own child ends a moment later.
        let (begun, mut alone) = (Instant::now(), with_file);
        while with_file < alone + 3_000_000 && begun.elapsed() < Duration::from_secs(10) {
            alone = count_bytes(path, own).unwrap();
        }
        assert!(with_file >= alone + 3_000_000, "{with_file} {alone}");
        fs::create_dir(path.join("names")).unwrap();
        for number in 0..2_000 {
            std::os::unix::fs::symlink("x", path.join(format!("names/{number}-{}", "n".repeat(200)))).unwrap();
        }
        let blocks = 512 * fs::metadata(path.join("names")).unwrap().blocks();
        assert!(count_bytes(path, own).unwrap() >= alone + blocks);
    }
}

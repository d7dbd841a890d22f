//! What `/proc` tells of a client's process: memory, threads, waits for a core, state, signals.

use crate::clock::Scheduled;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Mode, OFlags, StatxFlags};
use rustix::process::Pid;
use std::fs::{DirEntry, File, read_dir, read_to_string};
use std::io;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// The folder of one process.
pub(crate) struct Proc {
    folder: String,
    /// Kept open, since it is read most often.
    statm: File,
    /// The folder of its threads.
    threads: OwnedFd,
}

/// For what a process waits that does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitsFor {
    /// One of its threads is ready.
    Core,
    /// One is in a wait that nothing interrupts (`D`), as for a page of a file that the machine has put out of memory.
    /// Between two such waits a client must run, and it opens no file past the page cache: so one that uses no
    /// processor time meanwhile is in a single wait, which is as long as the machine makes it.
    Disk,
    /// They sleep, or are stopped.
    Itself,
}

/// Says that a process has stood in the kernel for so long, and in which of its functions; nothing ends such a wait
/// from outside.
pub(crate) fn tell_kernel_wait(pid: Pid, waited: Duration, what: &str) {
    let pid = pid.as_raw_nonzero();
    let function = read_to_string(format!("/proc/{pid}/wchan")).unwrap_or_default();
    tracing::warn!(
        "process {pid}, a client's, {what}: it has waited {} s in the kernel, in {function}; help: where that goes on, \
         the disk or the kernel is ill (dmesg tells), and what was played is kept",
        waited.as_secs()
    );
}

impl Proc {
    /// Of a child.
    ///
    /// # Errors
    /// There is no such process.
    pub fn of(pid: Pid) -> io::Result<Proc> {
        let folder = format!("/proc/{}", pid.as_raw_nonzero());
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let threads = rustix::fs::open(format!("{folder}/task"), flags, Mode::empty())?;
        Ok(Proc { statm: File::open(format!("{folder}/statm"))?, threads, folder })
    }

    /// Resident memory, bytes; that of files that are mapped, of the library itself too, counts or not.
    pub fn resident(&self, counts_files: bool) -> Option<u64> {
        let mut text = [0u8; 128];
        let length = self.statm.read_at(&mut text, 0).ok()?;
        let mut words = std::str::from_utf8(&text[..length]).ok()?.split(' ').skip(1).map(str::parse);
        let all: u64 = words.next()?.ok()?;
        let of_files: u64 = if counts_files { 0 } else { words.next()?.ok()? };
        Some(all.saturating_sub(of_files) * rustix::param::page_size() as u64)
    }

    /// How many threads it has, by the links of their folder, which has two of its own: a tenth of a microsecond, where
    /// counting its entries or reading `status` takes longer the more there are.
    pub fn threads(&self) -> u64 {
        let folder = rustix::fs::statx(&self.threads, "", AtFlags::EMPTY_PATH, StatxFlags::NLINK);
        folder.map_or(0, |folder| u64::from(folder.stx_nlink).saturating_sub(2))
    }

    /// What the scheduler tells of its threads since they began, by their numbers.
    pub fn scheduled(&self) -> Vec<(u32, Scheduled)> {
        let thread = |entry: DirEntry| {
            let number = entry.file_name().to_str()?.parse().ok()?;
            Some((number, read_scheduled(&read_to_string(entry.path().join("schedstat")).ok()?)?))
        };
        self.tasks().filter_map(thread).collect()
    }

    /// Of its main thread: `R` running or ready, `S` asleep, `T` stopped, …
    pub fn state(&self) -> Option<char> {
        read_state(&read_to_string(format!("{}/stat", self.folder)).ok()?)
    }

    /// For what its threads wait: a core, if one of them is ready; else a page or another answer of the machine's disk,
    /// if one is in a wait that nothing interrupts.
    pub fn waits_for(&self) -> WaitsFor {
        let state = |task: DirEntry| read_state(&read_to_string(task.path().join("stat")).ok()?);
        let states: Vec<char> = self.tasks().filter_map(state).collect();
        match (states.contains(&'R'), states.contains(&'D')) {
            (true, _) => WaitsFor::Core,
            (false, true) => WaitsFor::Disk,
            (false, false) => WaitsFor::Itself,
        }
    }

    fn tasks(&self) -> impl Iterator<Item = DirEntry> {
        read_dir(format!("{}/task", self.folder)).into_iter().flatten().flatten()
    }

    /// The mask of blocked signals, a bit each.
    pub fn blocked_signals(&self) -> Option<u64> {
        let text = read_to_string(format!("{}/status", self.folder)).ok()?;
        let mask = text.lines().find_map(|line| line.strip_prefix("SigBlk:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    }
}

/// How long this thread has been ready and not running.
pub(crate) fn own_run_delay() -> Duration {
    let text = read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    read_scheduled(&text).unwrap_or_default().waited
}

/// The first two numbers of `schedstat`: nanoseconds spent running, and ready and not running.
fn read_scheduled(text: &str) -> Option<Scheduled> {
    let mut nanoseconds = text.split(' ').map(|word| word.trim().parse().ok().map(Duration::from_nanos));
    Some(Scheduled { ran: nanoseconds.next()??, waited: nanoseconds.next()?? })
}

/// From `stat`: the name in parentheses may hold anything; the state follows its last one.
fn read_state(text: &str) -> Option<char> {
    text.rsplit_once(')')?.1.trim_start().chars().next()
}

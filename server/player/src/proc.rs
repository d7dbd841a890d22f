//! Reads `/proc` for a client's process: memory, threads, waits for a core, state, signals.

use crate::clock::{Scheduled, Yields};
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Mode, OFlags, StatxFlags};
use rustix::process::Pid;
use std::fs::{DirEntry, File, read_dir, read_to_string};
use std::io;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// The folder of one process.
pub struct Proc {
    folder: String,
    /// The process's memory, kept open because it is read most often.
    statm: File,
    /// The scheduler's figures for its main thread, kept open as well.
    schedule: File,
    /// The folder of its threads.
    threads: OwnedFd,
    /// The number of the process, and of its main thread.
    number: u32,
}

/// How often the main thread of a process gave up its core by itself, since it began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct YieldCounter {
    /// The times to sleep, or to wait for the disk.
    pub times: u64,
    /// How often it needed a page that the disk had to bring.
    pub pages: u64,
    /// Whether it has given up its core at this moment.
    pub is_away: bool,
}

impl YieldCounter {
    /// The change since `before`. The wait for the next request, after an answer, does not count as the client's own.
    pub fn since(self, before: YieldCounter, is_answered: bool) -> Yields {
        let times = self.times + u64::from(before.is_away);
        let others = before.times + u64::from(is_answered && self.is_away);
        Yields { times: times.saturating_sub(others), pages: self.pages.saturating_sub(before.pages) }
    }
}

/// Resident memory of a process, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    pub all: u64,
    /// The part in mapped files, including the library itself.
    pub of_files: u64,
    /// Whether the main thread has ended, so that no function of the client can return.
    pub is_headless: bool,
}

/// The thing that a process waits for if it does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitsFor {
    /// One of its threads is ready.
    Core,
    /// A thread is in a wait that nothing interrupts (`D`), such as for a page of a file that the machine has dropped
    /// from memory. Between two such waits a client must run, and it opens no file past the page cache. So one that
    /// uses no processor time is in a single wait, whose length the machine decides.
    Disk,
    /// Its threads sleep, or are stopped.
    Itself,
}

/// Reports that a process has stood in the kernel for this time, and in which function; nothing ends such a wait from
/// outside.
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
    /// Opens the folder of a child.
    ///
    /// # Errors
    /// There is no such process.
    pub fn of(pid: Pid) -> io::Result<Proc> {
        let folder = format!("/proc/{}", pid.as_raw_nonzero());
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let threads = rustix::fs::open(format!("{folder}/task"), flags, Mode::empty())?;
        let [statm, schedule] = ["statm", "schedstat"].map(|file| File::open(format!("{folder}/{file}")));
        Ok(Proc { statm: statm?, schedule: schedule?, threads, number: pid.as_raw_nonzero().get() as u32, folder })
    }

    /// The memory that it holds. The kernel reports none for a main thread that has ended, although the other threads
    /// have all of it. The function then asks one of them.
    pub fn memory(&self) -> Memory {
        let headless = || Some(Memory { is_headless: true, ..self.memory_of_threads()? });
        read_memory(&self.statm).or_else(headless).unwrap_or_default()
    }

    /// The memory that the first thread with memory reports.
    fn memory_of_threads(&self) -> Option<Memory> {
        self.tasks().find_map(|task| read_memory(&File::open(task.path().join("statm")).ok()?))
    }

    /// The number of its threads, by the links of their folder, which has two of its own. That takes a tenth of a
    /// microsecond. Counting the entries or reading `status` takes longer, and grows with the number.
    pub fn threads(&self) -> u64 {
        let folder = rustix::fs::statx(&self.threads, "", AtFlags::EMPTY_PATH, StatxFlags::NLINK);
        folder.map_or(0, |folder| u64::from(folder.stx_nlink).saturating_sub(2))
    }

    /// The scheduler's figures for its threads since they began, by their numbers.
    pub fn scheduled(&self) -> Vec<(u32, Scheduled)> {
        match self.threads() {
            1 => self.main_scheduled().map(|main| (self.number, main)).into_iter().collect(),
            _ => self.all_scheduled(),
        }
    }

    /// The same for the main thread, at a tenth of the cost of finding the threads first.
    pub fn main_scheduled(&self) -> Option<Scheduled> {
        let mut text = [0u8; 64];
        let length = self.schedule.read_at(&mut text, 0).ok()?;
        read_scheduled(std::str::from_utf8(&text[..length]).ok()?)
    }

    /// How often its main thread gave up its core.
    pub(crate) fn yields(&self) -> Option<YieldCounter> {
        let [status, stat] =
            ["status", "stat"].map(|file| read_to_string(format!("{}/task/{}/{file}", self.folder, self.number)).ok());
        read_yields(&status?, &stat?)
    }

    fn all_scheduled(&self) -> Vec<(u32, Scheduled)> {
        let thread = |entry: DirEntry| {
            let number = entry.file_name().to_str()?.parse().ok()?;
            Some((number, read_scheduled(&read_to_string(entry.path().join("schedstat")).ok()?)?))
        };
        self.tasks().filter_map(thread).collect()
    }

    /// The state of its main thread: `R` running or ready, `S` asleep, `T` stopped, …
    pub fn state(&self) -> Option<char> {
        read_state(&read_to_string(format!("{}/stat", self.folder)).ok()?)
    }

    /// The thing that its threads wait for: a core, if one of them is ready; else the machine's disk, if one is in a
    /// wait that nothing interrupts.
    pub(crate) fn waits_for(&self) -> WaitsFor {
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

/// Reads the first three numbers of `statm`, in pages; `None` for a thread without memory, which has ended.
fn read_memory(statm: &File) -> Option<Memory> {
    let mut text = [0u8; 128];
    let length = statm.read_at(&mut text, 0).ok()?;
    let mut words = std::str::from_utf8(&text[..length]).ok()?.split(' ').map(str::parse::<u64>);
    let mut bytes = || Some(words.next()?.ok()? * rustix::param::page_size() as u64);
    let (mapped, all, of_files) = (bytes()?, bytes()?, bytes()?);
    (mapped > 0).then_some(Memory { all, of_files, is_headless: false })
}

/// How long this thread has been ready and not running.
pub(crate) fn own_run_delay() -> Duration {
    let text = read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    read_scheduled(&text).unwrap_or_default().waited
}

/// Reads the first two numbers of `schedstat`: nanoseconds spent running, and ready and not running.
fn read_scheduled(text: &str) -> Option<Scheduled> {
    let mut nanoseconds = text.split(' ').map(|word| word.trim().parse().ok().map(Duration::from_nanos));
    Some(Scheduled { ran: nanoseconds.next()??, waited: nanoseconds.next()?? })
}

/// Reads `status` and `stat` of one thread.
fn read_yields(status: &str, stat: &str) -> Option<YieldCounter> {
    let value = |key: &str| Some(status.lines().find_map(|line| line.strip_prefix(key))?.trim());
    // The name in parentheses may hold anything; the tenth number after it counts the pages.
    let pages = stat.rsplit_once(')')?.1.split_whitespace().nth(9)?.parse().ok()?;
    let is_away = !value("State:")?.starts_with('R');
    Some(YieldCounter { times: value("voluntary_ctxt_switches:")?.parse().ok()?, pages, is_away })
}

/// Reads `stat`: the name in parentheses may hold anything; the state follows the last parenthesis.
fn read_state(text: &str) -> Option<char> {
    text.rsplit_once(')')?.1.trim_start().chars().next()
}

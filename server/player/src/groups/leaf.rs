//! The group of one host at a time: its limits, and whether the kernel ended the host for them.

use agon_model::Limits;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{Mode, OFlags};
use rustix::process::Pid;
use std::fs;
use std::io;
use std::path::PathBuf;

/// Memory beyond a client's resident limit, as bytes and a divisor. The kernel needs some for it, such as page tables;
/// a share of the limit is added, because the server looks only now and then.
const BESIDE: u64 = 16 << 20;
const SHARE: u64 = 16;

/// A folder that is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Leaf {
    path: PathBuf,
    folder: OwnedFd,
    /// The limits of the host in it, or of the previous one, and the threads that it may have beside.
    limits: Option<(Limits, u64)>,
    /// How often the kernel had ended a process in it when the host began.
    ended: u64,
}

impl Leaf {
    /// Makes a new leaf.
    pub fn make(path: PathBuf) -> io::Result<Leaf> {
        fs::create_dir(&path)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = rustix::fs::open(&path, flags, Mode::empty()).inspect_err(|_| {
            let _ = fs::remove_dir(&path);
        })?;
        Ok(Leaf { path, folder, limits: None, ended: 0 })
    }

    /// Prepares it for a host with these limits. It allows one more thread than the server, which can then see that
    /// thread.
    pub fn limit(&mut self, limits: &Limits, beside: u64) -> io::Result<()> {
        let asked = Some((limits.clone(), beside));
        if self.limits != asked {
            self.set("memory.max", most_memory(limits))?;
            self.set("pids.max", u64::from(limits.threads) + beside + 1)?;
            // Swapped memory is not resident. Without swap there is no such file.
            let _ = self.set("memory.swap.max", 0);
            self.limits = asked;
        }
        self.ended = self.count_ended();
        Ok(())
    }

    fn set(&self, file: &str, value: u64) -> io::Result<()> {
        fs::write(self.path.join(file), value.to_string())
    }

    /// The descriptor by which a process begins in it.
    pub fn folder(&self) -> BorrowedFd<'_> {
        self.folder.as_fd()
    }

    pub fn add_process(&self, process: Pid) -> io::Result<()> {
        fs::write(self.path.join("cgroup.procs"), process.as_raw_nonzero().to_string())
    }

    /// The memory that its host had, and its limit, if the kernel ended the host for it; bytes.
    pub fn ended_for_memory(&self) -> Option<(u64, u64)> {
        let (limits, _) = self.limits.as_ref()?;
        (self.count_ended() > self.ended).then(|| (most_memory(limits), limits.memory))
    }

    fn count_ended(&self) -> u64 {
        fs::read_to_string(self.path.join("memory.events")).map_or(0, |events| count_ended(&events))
    }
}

impl Drop for Leaf {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.path);
    }
}

fn most_memory(limits: &Limits) -> u64 {
    limits.memory.saturating_add(limits.memory / SHARE).saturating_add(BESIDE)
}

fn count_ended(events: &str) -> u64 {
    events.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok()).unwrap_or(0)
}

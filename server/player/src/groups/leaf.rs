//! The group of one host at a time: its limits, and whether the kernel ended it for them.

use super::THREADS_BESIDE;
use agon_model::Limits;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{Mode, OFlags};
use rustix::process::Pid;
use std::fs;
use std::io;
use std::path::PathBuf;

/// Memory beyond what a client may have resident: the kernel's own for it, such as page tables, and a share of the
/// limit, as the server looks only now and then. Bytes, and a divisor.
const BESIDE: u64 = 16 << 20;
const SHARE: u64 = 16;

/// A folder, removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Leaf {
    path: PathBuf,
    folder: OwnedFd,
    /// Of the host in it, or of the one before.
    limits: Option<Limits>,
    /// How often the kernel had ended one in it, when a host began.
    ended: u64,
}

impl Leaf {
    /// A new one.
    pub fn make(path: PathBuf) -> io::Result<Leaf> {
        fs::create_dir(&path)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = rustix::fs::open(&path, flags, Mode::empty()).inspect_err(|_| {
            let _ = fs::remove_dir(&path);
        })?;
        Ok(Leaf { path, folder, limits: None, ended: 0 })
    }

    /// Makes it ready for a host with these limits. Of threads there may be one more than the server allows, which then
    /// sees it.
    pub fn limit(&mut self, limits: &Limits) -> io::Result<()> {
        if self.limits.as_ref() != Some(limits) {
            self.set("memory.max", most_memory(limits))?;
            self.set("pids.max", u64::from(limits.threads) + THREADS_BESIDE + 1)?;
            // What is swapped out is not resident. Without swap there is no such file.
            let _ = self.set("memory.swap.max", 0);
            self.limits = Some(limits.clone());
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

    /// Moves a process into it.
    pub fn add_process(&self, process: Pid) -> io::Result<()> {
        fs::write(self.path.join("cgroup.procs"), process.as_raw_nonzero().to_string())
    }

    /// How much memory the host in it had, and might have, where the kernel ended it for that; bytes.
    pub fn ended_for_memory(&self) -> Option<(u64, u64)> {
        let limits = self.limits.as_ref()?;
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

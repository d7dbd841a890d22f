//! The process of a host: this file waits for it, ends it, and reaps it exactly once.

use super::verdict::Death;
use crate::proc::tell_kernel_wait;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, pidfd_send_signal, waitid};
use std::io;
use std::time::Duration;

/// How long the server waits for a killed process before it looks at its threads.
const KILL_WAIT: Duration = Duration::from_millis(50);
/// After this number of looks, half a minute, it reports that a process does not end.
const TRIES_UNTIL_TOLD: u32 = 600;

/// The process, reaped exactly once; dropping this ends it.
#[derive(Debug)]
pub(crate) struct Child {
    pub pid: Pid,
    /// A descriptor that is readable once the process has ended.
    pub pidfd: OwnedFd,
    /// Whether it was reaped.
    pub reaped: bool,
}

impl Child {
    /// Watches a child that was just started.
    ///
    /// # Errors
    /// The child cannot be watched, and was ended.
    pub fn new(pid: Pid) -> io::Result<Child> {
        match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(pidfd) => Ok(Child { pid, pidfd, reaped: false }),
            Err(error) => {
                let _ = rustix::process::kill_process(pid, Signal::KILL);
                let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED);
                Err(error.into())
            }
        }
    }

    /// Waits for its end, at most `patience`.
    pub fn await_end(&self, patience: Duration) {
        if !self.reaped {
            wait_for(&self.pidfd, PollFlags::IN, patience);
        }
    }

    /// Returns how it ended; `None` if it has not, or if an earlier call returned it.
    pub fn reap(&mut self, how: WaitIdOptions) -> Option<Death> {
        if self.reaped {
            return None;
        }
        let status = match waitid(WaitId::Pid(self.pid), WaitIdOptions::EXITED | how) {
            Ok(status) => status?,
            Err(Errno::INTR) => return None,
            Err(_) => {
                self.reaped = true; // by whoever else: there is nothing to wait for
                return None;
            }
        };
        self.reaped = true;
        let signal = status.terminating_signal().map(Death::Signal);
        signal.or(Some(Death::Exit(status.exit_status().unwrap_or(-1))))
    }

    pub fn kill(&mut self) {
        if self.reaped {
            return;
        }
        // A process that ended in between needs no signal.
        let _ = pidfd_send_signal(&self.pidfd, Signal::KILL);
        for try_number in 1_u32.. {
            self.await_end(KILL_WAIT);
            self.reap(WaitIdOptions::NOHANG);
            if self.reaped {
                return;
            }
            if try_number.is_multiple_of(TRIES_UNTIL_TOLD) {
                tell_kernel_wait(self.pid, KILL_WAIT * try_number, "was killed and does not end");
            }
            self.release_traced();
        }
    }

    /// Where no sandbox forbids it, a thread can make this process its tracer. The server then waits for the thread as
    /// well.
    fn release_traced(&self) {
        /// The flag of Linux that includes threads.
        const ALL_KINDS: u32 = 0x4000_0000;
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::from_bits_retain(ALL_KINDS);
        let folder = format!("/proc/{}/task", self.pid.as_raw_nonzero());
        let numbers = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let threads = numbers.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?));
        for thread in threads.filter(|thread| *thread != self.pid) {
            let _ = waitid(WaitId::Pid(thread), options);
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Waits until the descriptor is ready, at most `patience`.
pub(crate) fn wait_for(descriptor: &OwnedFd, what: PollFlags, patience: Duration) {
    let timeout = Timespec { tv_sec: patience.as_secs() as i64, tv_nsec: i64::from(patience.subsec_nanos()) };
    let _ = poll(&mut [PollFd::new(descriptor, what)], Some(&timeout));
}

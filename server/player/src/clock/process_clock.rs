//! The processor clock of a client's process.
#![expect(unsafe_code)]

use rustix::process::Pid;
use std::io;
use std::time::Duration;

/// The processor time of one process, all its threads together.
#[derive(Clone, Copy, Debug)]
pub struct ProcessClock(libc::clockid_t);

impl ProcessClock {
    /// Finds the clock of a child.
    ///
    /// # Errors
    /// There is no such process.
    pub fn of(pid: Pid) -> io::Result<ProcessClock> {
        let mut id = 0;
        // SAFETY: the call writes one clock id to a place that lives through it.
        match unsafe { libc::clock_getcpuclockid(pid.as_raw_nonzero().get(), &mut id) } {
            0 => Ok(ProcessClock(id)),
            error => Err(io::Error::from_raw_os_error(error)),
        }
    }

    /// The processor time that the process has used since it began; `None` once it has ended.
    pub fn read(self) -> Option<Duration> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the call writes one timespec to a place that lives through it.
        let status = unsafe { libc::clock_gettime(self.0, &mut time) };
        (status == 0).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_this_process_runs() {
        let clock = ProcessClock::of(rustix::process::getpid()).unwrap();
        let before = clock.read().unwrap();
        std::hint::black_box((0..1_000_000u64).fold(0, |a, b| a ^ (b * a)));
        assert!(clock.read().unwrap() > before);
    }
}

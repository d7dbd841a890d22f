//! Calls that the handler answers instead of the kernel, because a filter cannot see what makes them harmful. The code
//! does only what is safe in a handler.
#![expect(unsafe_code)]

use super::trap::perform;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// How a wait looks at a futex: this many times at once, then with pauses that grow by a share of the time waited,
/// between the shortest and the longest.
const GLANCES: u32 = 16;
const SHARE: u32 = 16;
const SHORTEST_PAUSE: Duration = Duration::from_micros(5);
const LONGEST_PAUSE: Duration = Duration::from_millis(1);

/// The memory that `sysinfo` reports to a client, bytes.
static MEMORY: AtomicU64 = AtomicU64::new(1 << 30);

/// Sets the memory that `sysinfo` reports.
pub(super) fn tell_memory(bytes: u64) {
    MEMORY.store(bytes, Ordering::Relaxed);
}

/// Answers `newfstatat` of an open file, as the C library's `fstat` asks it. A path leads nowhere.
pub(super) fn stat([descriptor, _, buffer, flags, ..]: [u64; 6]) -> i64 {
    match flags & libc::AT_EMPTY_PATH as u64 {
        0 => -i64::from(libc::EACCES),
        _ => perform(libc::SYS_fstat, [descriptor, buffer, 0, 0, 0, 0]),
    }
}

/// Answers `sysinfo` for a machine that has the client's memory, all of it free, and no other process.
pub(super) fn sysinfo([buffer, ..]: [u64; 6]) -> i64 {
    let memory = MEMORY.load(Ordering::Relaxed);
    // SAFETY: a sysinfo of zeroes is valid.
    let mut told: libc::sysinfo = unsafe { std::mem::zeroed() };
    (told.totalram, told.freeram, told.procs, told.mem_unit) = (memory, memory, 1, 1);
    // SAFETY: the client passes memory for a sysinfo; if it does not, that is the client's crash.
    unsafe { std::ptr::with_exposed_provenance_mut::<libc::sysinfo>(buffer as usize).write_unaligned(told) };
    0
}

/// Waits on a futex that is not private, such as that for the end of a thread. It looks until the value has changed,
/// because another process could end a true wait.
pub(super) fn wait([word, operation, value, timeout, ..]: [u64; 6]) -> i64 {
    // SAFETY: the client passes the address of a futex; if it does not, that is the client's crash.
    let word = unsafe { AtomicU32::from_ptr(std::ptr::with_exposed_provenance_mut(word as usize)) };
    let changed = || word.load(Ordering::Acquire) != value as u32;
    if changed() {
        return -i64::from(libc::EAGAIN);
    }
    let began = now(libc::CLOCK_MONOTONIC);
    let (clock, end) = deadline(operation, timeout);
    for glance in 0.. {
        let waited = now(libc::CLOCK_MONOTONIC).saturating_sub(began);
        if glance < GLANCES {
            perform(libc::SYS_sched_yield, [0; 6]);
        } else {
            pause((waited / SHARE).clamp(SHORTEST_PAUSE, LONGEST_PAUSE));
        }
        if changed() {
            return 0;
        }
        if end.is_some_and(|end| now(clock) >= end) {
            break;
        }
    }
    -i64::from(libc::ETIMEDOUT)
}

/// The clock on which a wait ends, and the time: a `FUTEX_WAIT` counts from now, a `FUTEX_WAIT_BITSET` names the time.
fn deadline(operation: u64, timeout: u64) -> (libc::clockid_t, Option<Duration>) {
    let operation = operation as libc::c_int;
    let real = operation & libc::FUTEX_CLOCK_REALTIME != 0;
    let clock = if real { libc::CLOCK_REALTIME } else { libc::CLOCK_MONOTONIC };
    if timeout == 0 {
        return (clock, None);
    }
    // SAFETY: the client passes a timespec; if it does not, that is the client's crash.
    let given = unsafe { std::ptr::with_exposed_provenance::<libc::timespec>(timeout as usize).read_unaligned() };
    let relative = operation & 0x7f == libc::FUTEX_WAIT;
    let start = if relative { now(clock) } else { Duration::ZERO };
    (clock, Some(start.saturating_add(length(given))))
}

fn now(clock: libc::clockid_t) -> Duration {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is that of a live timespec.
    unsafe { libc::clock_gettime(clock, &mut now) };
    length(now)
}

fn length(time: libc::timespec) -> Duration {
    Duration::new(time.tv_sec.max(0) as u64, time.tv_nsec.clamp(0, 999_999_999) as u32)
}

fn pause(time: Duration) {
    let time = libc::timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
    perform(libc::SYS_nanosleep, [(&raw const time).expose_provenance() as u64, 0, 0, 0, 0, 0]);
}

//! Layer 1: resource limits, and being the first process to end when the kernel runs out of memory.
#![expect(unsafe_code)]

use super::{last_error, mutants};

/// Size of the main thread's stack, bytes.
const STACK: u64 = 8 << 20;
/// Descriptors below this number can be opened; the host's own lie above.
const DESCRIPTORS: u64 = 64;
/// The most signals that wait for a blocked receiver, and timers; each takes some hundred bytes of the kernel's memory.
const SIGNALS: u64 = 128;
/// Address space beyond four times the resident memory, bytes.
const RESERVE: u64 = 16 << 30;

/// Sets the soft and hard limits.
pub(super) fn enter(memory: Option<u64>) -> Result<(), String> {
    enter_before_fork()?;
    enter_after_fork(memory)
}

/// Sets the limits that a fork server sets for all its children, because it can work with them itself.
pub(super) fn enter_before_fork() -> Result<(), String> {
    for (name, resource, limit) in [
        ("core", libc::RLIMIT_CORE, 0),
        ("file size", libc::RLIMIT_FSIZE, 0),
        ("locked memory", libc::RLIMIT_MEMLOCK, 0),
        ("stack", libc::RLIMIT_STACK, STACK),
        ("queued signals and timers", libc::RLIMIT_SIGPENDING, SIGNALS),
        ("bytes in message queues", libc::RLIMIT_MSGQUEUE, 0),
    ] {
        lower(name, resource, limit)?;
    }
    if mutants::leaves_out("limits", "oom_score_adj") {
        return Ok(());
    }
    // Raising it needs no privilege, and a client cannot lower it again: it opens no such file.
    std::fs::write("/proc/self/oom_score_adj", "1000").map_err(|error| format!("oom_score_adj: {error}"))
}

/// Sets the other limits.
pub(super) fn enter_after_fork(memory: Option<u64>) -> Result<(), String> {
    lower("descriptors", libc::RLIMIT_NOFILE, DESCRIPTORS)?;
    let Some(memory) = memory else { return Ok(()) };
    let space = memory.saturating_mul(4).saturating_add(RESERVE);
    lower("address space", libc::RLIMIT_AS, space)
}

/// Sets the limits of a build: of each process, and the number of processes of its user.
pub(super) fn enter_for_build(processes: u64) -> Result<(), String> {
    for (name, resource, limit) in [
        ("core", libc::RLIMIT_CORE, 0),
        ("file size", libc::RLIMIT_FSIZE, 256 << 20),
        ("locked memory", libc::RLIMIT_MEMLOCK, 0),
        ("descriptors", libc::RLIMIT_NOFILE, 1024),
        ("address space", libc::RLIMIT_AS, 4 << 30),
        ("processes", libc::RLIMIT_NPROC, processes),
        ("processor time", libc::RLIMIT_CPU, 600),
    ] {
        lower(name, resource, limit)?;
    }
    std::fs::write("/proc/self/oom_score_adj", "1000").map_err(|error| format!("oom_score_adj: {error}"))
}

fn lower(name: &str, resource: libc::__rlimit_resource_t, limit: u64) -> Result<(), String> {
    if mutants::leaves_out("limits", name) {
        return Ok(());
    }
    let mut both = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointers are those of a live rlimit.
    unsafe {
        if libc::getrlimit(resource, &mut both) != 0 {
            return Err(last_error(name));
        }
        let limit = limit.min(both.rlim_max);
        both = libc::rlimit { rlim_cur: limit, rlim_max: limit };
        if libc::setrlimit(resource, &both) != 0 { Err(last_error(name)) } else { Ok(()) }
    }
}

/// The rules that `tools/mutants` leaves out one by one.
#[cfg(sandbox_mutants)]
pub(super) const RULES: [&str; 9] = [
    "core",
    "file size",
    "locked memory",
    "stack",
    "queued signals and timers",
    "bytes in message queues",
    "descriptors",
    "address space",
    "oom_score_adj",
];

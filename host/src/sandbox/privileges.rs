//! Layer 2: no new privileges and none of root's, no other client on the same core, death with the server, and memory
//! closed to other processes of the same user.
#![expect(unsafe_code)]

use super::{capabilities, last_error, mutants};
use libc::{c_int, c_ulong};

/// Gives up the privileges. A process that is debugged keeps its memory open to the same user.
pub(super) fn enter(debugged: bool) -> Result<(), String> {
    capabilities::drop_all()?;
    share_no_core();
    // SAFETY: takes nothing and cannot fail.
    let parent = || unsafe { libc::getppid() };
    let before = parent();
    set("no new privileges", libc::PR_SET_NO_NEW_PRIVS, 1)?;
    set("death with the server", libc::PR_SET_PDEATHSIG, libc::SIGKILL as c_ulong)?;
    if parent() != before {
        // The server died in between, so that its death will not be told any more.
        // SAFETY: ends the process at once.
        unsafe { libc::_exit(0) };
    }
    if debugged { Ok(()) } else { set("memory closed to others", libc::PR_SET_DUMPABLE, 0) }
}

fn set(name: &str, option: c_int, value: c_ulong) -> Result<(), String> {
    if mutants::leaves_out("privileges", name) {
        return Ok(());
    }
    // SAFETY: these calls of prctl take numbers only.
    match unsafe { libc::prctl(option, value, 0, 0, 0) } {
        0 => Ok(()),
        _ => Err(last_error(name)),
    }
}

/// The rules that `tools/mutants` leaves out one by one.
#[cfg(sandbox_mutants)]
pub(super) const RULES: [&str; 7] = [
    "core of its own",
    "capabilities",
    "bounding set",
    "secure bits",
    "no new privileges",
    "death with the server",
    "memory closed to others",
];

/// Where a core runs two threads at once, only this process may share it, so that no neighbour slows it. Most kernels
/// and machines lack this, which does no harm.
fn share_no_core() {
    if mutants::leaves_out("privileges", "core of its own") {
        return;
    }
    const OF_PROCESS: c_ulong = 1; // PIDTYPE_TGID
    // SAFETY: this call of prctl takes numbers only.
    unsafe { libc::prctl(libc::PR_SCHED_CORE, libc::PR_SCHED_CORE_CREATE as c_ulong, 0, OF_PROCESS, 0) };
}

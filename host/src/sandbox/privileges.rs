//! Rung 2: no new privileges and none of root's, no client beside it on one core, death with the server, memory closed
//! to other processes of the same user.

use super::{capabilities, last_error};

/// Sets them; a process that is debugged keeps its memory open to the same user.
pub(super) fn enter(debugged: bool) -> Result<(), String> {
    capabilities::drop_all()?;
    share_no_core();
    // SAFETY: these calls of prctl take numbers only.
    unsafe {
        let parent = libc::getppid();
        if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
            return Err(last_error("no new privileges"));
        }
        if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
            return Err(last_error("death with the server"));
        }
        if libc::getppid() != parent {
            libc::_exit(0); // the server died in between, so that its death will not be told any more
        }
        if !debugged && libc::prctl(libc::PR_SET_DUMPABLE, 0) != 0 {
            return Err(last_error("memory closed to others"));
        }
    }
    Ok(())
}

/// Where a core runs two threads at once, only this process's may share it, so that a neighbour's use of it is not
/// felt. Kernels and machines without this are the rule, and no worse than before.
fn share_no_core() {
    const OF_PROCESS: libc::c_ulong = 1; // PIDTYPE_TGID
    // SAFETY: this call of prctl takes numbers only.
    unsafe { libc::prctl(libc::PR_SCHED_CORE, libc::PR_SCHED_CORE_CREATE as libc::c_ulong, 0, OF_PROCESS, 0) };
}

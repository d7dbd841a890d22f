//! Rung 2: no new privileges, death with the server, memory closed to other processes of the same user.

use super::last_error;

/// Sets them.
pub(super) fn enter() -> Result<(), String> {
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
        if libc::prctl(libc::PR_SET_DUMPABLE, 0) != 0 {
            return Err(last_error("memory closed to others"));
        }
    }
    Ok(())
}

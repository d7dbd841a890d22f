//! The kernel: its version, and how much of Landlock it knows. One system call has no safe form.
#![expect(unsafe_code)]

use super::{Finding, State, read_system_file};

/// The version of Landlock that has everything the sandbox asks for: files, TCP, signals.
const WANTED: i64 = 6;

pub(super) fn look() -> Vec<Finding> {
    vec![kernel(), landlock(landlock_version())]
}

fn kernel() -> Finding {
    let release = read_system_file("/proc/sys/kernel/osrelease").unwrap_or_else(|| "unknown".to_owned());
    Finding::new("kernel", State::Good, format!("Linux {release}"), "agon needs 5.10 or later", "")
}

fn landlock(version: i64) -> Finding {
    let found = if version > 0 { format!("version {version}") } else { "none".to_owned() };
    let (state, help) = match version {
        ..=0 => (
            State::Bad,
            "clients can read your files; help: a kernel from 5.13 on with landlock in /sys/kernel/security/lsm, or play \
             trusted clients only",
        ),
        1..4 => {
            (State::Note, "files are closed to clients, TCP only by seccomp; a kernel from 6.12 on closes it twice")
        }
        4..WANTED => (
            State::Note,
            "files and TCP are closed to clients, signals only by seccomp; a kernel from 6.12 on closes them twice",
        ),
        _ => (State::Good, ""),
    };
    Finding::new("landlock", state, found, "files, TCP and signals to others are closed to clients", help)
}

/// The version of Landlock in the kernel; 0 or less without it.
fn landlock_version() -> i64 {
    const ASK_VERSION: libc::c_uint = 1;
    let nothing: *const libc::c_void = std::ptr::null();
    // SAFETY: with this flag the call takes no memory of ours, and makes nothing.
    unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0usize, ASK_VERSION) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_landlock_is_told() {
        let states = [-1, 0, 1, 3, 5, 6, 9].map(|version| landlock(version).state);
        use State::{Bad, Good, Note};
        assert_eq!(states, [Bad, Bad, Note, Note, Note, Good, Good]);
    }
}

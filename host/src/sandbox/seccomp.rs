//! Layer 4: the filter of system calls and the handler behind it.
#![expect(unsafe_code)]

use super::{answer, building, last_error, rules, trap};
use libc::{sock_filter, sock_fprog};
use std::os::fd::RawFd;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: Option<u32> = Some(0xc000_003e);
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: Option<u32> = Some(0xc000_00b7);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const ARCHITECTURE: Option<u32> = None;

/// Installs the handler, then the filter.
pub(super) fn enter(memory: Option<u64>) -> Result<(), String> {
    let architecture = architecture()?;
    trap::install();
    tell(memory);
    load(rules::filter(architecture, std::process::id()))
}

/// Installs the filter of a program that this descriptor starts. It has no handler, because the start would remove it.
pub(super) fn enter_for_program(start: RawFd) -> Result<(), String> {
    load(rules::filter_of_program(architecture()?, std::process::id(), start))
}

/// Installs the filter of a build.
pub(super) fn enter_for_build() -> Result<(), String> {
    load(building::filter(architecture()?))
}

/// Installs the part of a fork server, without the rules that its children add.
pub(super) fn enter_before_fork() -> Result<(), String> {
    let architecture = architecture()?;
    trap::install();
    load(rules::filter_of_fork_server(architecture))
}

/// Installs the rules that a child adds.
pub(super) fn enter_after_fork(memory: Option<u64>) -> Result<(), String> {
    tell(memory);
    load(rules::filter_of_child(architecture()?, std::process::id()))
}

fn architecture() -> Result<u32, String> {
    ARCHITECTURE.ok_or_else(|| "there is no filter for this processor".into())
}

fn tell(memory: Option<u64>) {
    if let Some(memory) = memory {
        answer::tell_memory(memory);
    }
}

fn load(mut program: Vec<sock_filter>) -> Result<(), String> {
    let program = sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    // SAFETY: the kernel copies the program, which lives until the call returns; the first prctl takes numbers only.
    unsafe {
        if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
            return Err(last_error("no new privileges"));
        }
        if libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) != 0 {
            return Err(last_error("the kernel refused the filter"));
        }
    }
    Ok(())
}

//! The handler of SIGSYS: it answers opens and other calls that it makes harmless, and names every other call and dies
//! of it. It does only what is safe in a handler.
#![expect(unsafe_code)]

use super::answer;
use super::rules::{MARK, NEVER_OPENED, as_openat, name_of};
use crate::crash;
use crate::line::{Line, VALUE_CAP};
use crate::registers::Registers;
use std::ffi::{c_char, c_int, c_void};

/// Files that libraries look for on their own account; a refusal reveals nothing about the client.
const QUIET: [&[u8]; 8] = [
    b"/sys/",
    b"/proc/self/",
    b"/proc/sys/",
    b"/proc/cpuinfo",
    b"/proc/meminfo",
    b"/proc/stat",
    b"/etc/localtime",
    b"/etc/ld.so.cache",
];

/// `si_code` of a SIGSYS that the filter sent (SYS_SECCOMP).
const FROM_FILTER: c_int = 1;

pub(super) fn install() {
    crash::install(libc::SIGSYS, on_trap, 0);
}

extern "C" fn on_trap(_: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes both, valid while the handler runs; the thread's errno outlives it.
    let (registers, cause, errno) = unsafe { (Registers::of(context), (*info).si_code, libc::__errno_location()) };
    if cause != FROM_FILTER {
        Line::new("agon.crash").text("the client sent itself a signal").send();
        perform(libc::SYS_execve, [0; 6]); // any forbidden call ends the process by this very signal
    }
    // SAFETY: as above.
    let before = unsafe { *errno };
    let (call, arguments) = (registers.call(), registers.arguments());
    match (call, as_openat(call, arguments)) {
        (_, Some(arguments)) => registers.answer(open(arguments)),
        (libc::SYS_futex, _) => registers.answer(answer::wait(arguments)),
        (libc::SYS_newfstatat, _) => registers.answer(answer::stat(arguments)),
        (libc::SYS_sysinfo, _) => registers.answer(answer::sysinfo(arguments)),
        _ => die(call, arguments),
    }
    // SAFETY: as above. The interrupted code may be about to read the errno of an earlier call.
    unsafe { *errno = before };
}

/// Performs an open, about which the kernel decides. Returns the descriptor, or the error as a negative number.
fn open([folder, path, flags, mode]: [u64; 4]) -> i64 {
    const DENIED: [i64; 2] = [-(libc::EACCES as i64), -(libc::EPERM as i64)];
    if flags & NEVER_OPENED as u64 != 0 {
        return DENIED[0]; // the filter would have it trap again
    }
    let result = perform(libc::SYS_openat, [folder, path, flags, mode, 0, MARK]);
    if DENIED.contains(&result) {
        tell_denied(std::ptr::with_exposed_provenance(path as usize));
    }
    result
}

fn tell_denied(path: *const c_char) {
    // SAFETY: the kernel has just read this path up to its NUL, or the answer would have been EFAULT.
    let path = unsafe { std::slice::from_raw_parts(path.cast::<u8>(), libc::strnlen(path, VALUE_CAP)) };
    if !QUIET.iter().any(|start| path.starts_with(start)) {
        Line::new("agon.denied").raw(path).send();
    }
}

/// Reports the call's name and makes the call once more: SIGSYS is blocked in its own handler, and the kernel kills for
/// a blocked SIGSYS.
fn die(call: i64, arguments: [u64; 6]) {
    let name = name_of(call).unwrap_or("a call without a name");
    Line::new("agon.syscall").text(name).text(" (").number(call as u64).text(")").send();
    perform(call, arguments);
}

pub(super) fn perform(call: i64, arguments: [u64; 6]) -> i64 {
    let [a, b, c, d, e, f] = arguments;
    // SAFETY: the call that the client made, with its own arguments: what it does to memory is what the client asked
    // for.
    match unsafe { libc::syscall(call, a, b, c, d, e, f) } {
        -1 => -i64::from(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL)),
        result => result,
    }
}

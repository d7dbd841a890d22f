//! The one table of system calls, by purpose and for both architectures; those that only older processors have stand
//! apart.

use libc::*;

macro_rules! calls {
    ($($call:ident)*) => { &[$($call),*] };
}

/// Calls of the loader, malloc, threads, clocks and printf; on files, only those on open ones.
pub(super) const COMPUTING: &[c_long] = calls! {
    SYS_read SYS_write SYS_readv SYS_writev SYS_pread64 SYS_close SYS_lseek SYS_dup SYS_dup3
    SYS_fstat SYS_getcwd SYS_mprotect SYS_munmap SYS_brk SYS_msync
    SYS_rt_sigprocmask SYS_rt_sigreturn SYS_rt_sigpending SYS_rt_sigsuspend SYS_rt_sigtimedwait SYS_sigaltstack
    SYS_rseq SYS_restart_syscall SYS_sched_yield SYS_sched_get_priority_max SYS_sched_get_priority_min SYS_getcpu
    SYS_exit SYS_exit_group SYS_getpid SYS_gettid SYS_getppid SYS_getuid SYS_geteuid SYS_getgid SYS_getegid
    SYS_gettimeofday SYS_times SYS_getrusage SYS_getrandom SYS_uname SYS_nanosleep SYS_ppoll SYS_pselect6
    SYS_setitimer SYS_getitimer SYS_timer_settime SYS_timer_gettime SYS_timer_getoverrun SYS_timer_delete
};

/// Calls whose first argument is a clock.
pub(super) const CLOCKS: &[c_long] = calls! { SYS_clock_gettime SYS_clock_getres SYS_clock_nanosleep SYS_timer_create };

/// Calls whose first argument is a process, or 0 for the own one.
pub(super) const OF_OWN: &[c_long] = calls! {
    SYS_sched_getaffinity SYS_sched_getparam SYS_sched_getscheduler SYS_sched_rr_get_interval SYS_getpgid SYS_getsid
};

/// Calls whose first argument is the own process.
pub(super) const SENT_TO_OWN: &[c_long] = calls! { SYS_kill SYS_tgkill };

/// Calls that a fork server needs to take requests, find files and fork, and that a child needs to enter the rest of
/// the sandbox.
pub(super) const FORKING: &[c_long] = calls! {
    SYS_recvmsg SYS_sendto SYS_clone SYS_clone3 SYS_set_robust_list SYS_setpgid SYS_fcntl SYS_close_range SYS_openat SYS_newfstatat SYS_faccessat
    SYS_landlock_create_ruleset SYS_landlock_add_rule SYS_landlock_restrict_self SYS_capget SYS_capset SYS_prctl SYS_seccomp
};

/// Calls that no game makes by accident, and that its author should know of: another process, another program in its
/// place, the network (`socket`, above), a signal to others (`kill`, above).
pub(super) const ENDING: &[c_long] = calls! { SYS_execve SYS_execveat SYS_tkill };

/// More calls that the runtime of a program needs.
pub(super) const RUNTIME: &[c_long] = calls! {
    SYS_set_tid_address SYS_set_robust_list SYS_rt_sigaction SYS_sysinfo SYS_sched_getaffinity
    SYS_newfstatat SYS_statx SYS_faccessat SYS_faccessat2 SYS_readlinkat SYS_getdents64 SYS_fstatfs SYS_statfs
    SYS_pipe2 SYS_eventfd2 SYS_epoll_create1 SYS_epoll_ctl SYS_epoll_pwait
};

/// Calls that only older processors have.
#[cfg(target_arch = "x86_64")]
pub(super) const OLD_COMPUTING: &[c_long] = calls! {
    SYS_time SYS_poll SYS_select SYS_alarm SYS_pause SYS_arch_prctl SYS_getpgrp SYS_dup2 SYS_getrlimit
};
#[cfg(target_arch = "x86_64")]
pub(super) const OLD_RUNTIME: &[c_long] = calls! {
    SYS_stat SYS_lstat SYS_access SYS_readlink SYS_pipe SYS_epoll_create SYS_epoll_wait
};
#[cfg(target_arch = "x86_64")]
pub(super) const OLD_OPEN: &[c_long] = &[SYS_open];
#[cfg(target_arch = "x86_64")]
pub(super) const OLD_CREAT: &[c_long] = &[SYS_creat];
#[cfg(target_arch = "x86_64")]
pub(super) const OLD_FORKING: &[c_long] = &[SYS_access];
#[cfg(target_arch = "x86_64")]
pub(super) const OLD_ENDING: &[c_long] = calls! { SYS_fork SYS_vfork };
#[cfg(target_arch = "x86_64")]
pub(super) const OLD_OPENS: &[c_long] = &[SYS_open, SYS_creat];
#[cfg(target_arch = "x86_64")]
pub(super) const OLD_PATHS: &[c_long] = calls! { SYS_stat SYS_lstat SYS_access SYS_readlink };
#[cfg(not(target_arch = "x86_64"))]
pub(super) const OLD_COMPUTING: &[c_long] = &[];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const OLD_RUNTIME: &[c_long] = &[];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const OLD_OPEN: &[c_long] = &[];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const OLD_CREAT: &[c_long] = &[];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const OLD_FORKING: &[c_long] = &[];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const OLD_ENDING: &[c_long] = &[];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const OLD_OPENS: &[c_long] = &[];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const OLD_PATHS: &[c_long] = &[];

macro_rules! named {
    ($($call:ident)*) => { &[$(($call, stringify!($call))),*] };
}

const NAMED: &[(c_long, &str)] = named! { SYS_clone SYS_execve SYS_execveat SYS_socket SYS_kill SYS_tkill SYS_tgkill };
#[cfg(target_arch = "x86_64")]
const OLD_NAMED: &[(c_long, &str)] = named! { SYS_fork SYS_vfork };
#[cfg(not(target_arch = "x86_64"))]
const OLD_NAMED: &[(c_long, &str)] = &[];

/// The name of a call that ends a client.
pub(in super::super) fn name_of(call: i64) -> Option<&'static str> {
    let known = NAMED.iter().chain(OLD_NAMED).find(|known| known.0 == call)?;
    known.1.strip_prefix("SYS_")
}

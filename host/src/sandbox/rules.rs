//! Which system calls computing needs, and the names of those that clients are most often caught at.

use super::filter::{Action, Rule};
use Action::{Allow, Refuse, Trap};
use libc::*;

/// In the sixth argument of an open, which has none: the handler's own, to be let through.
pub(super) const MARK: u64 = 0x6167_6f6e;

const INT: u64 = 0xffff_ffff;

/// The rules, sorted by number. `process` is the process itself, which may send signals to itself.
pub(super) fn rules(process: u32) -> Vec<(u32, Rule)> {
    let mut rules: Vec<(u32, Rule)> = Vec::with_capacity(128);
    let mut add = |calls: &[c_long], rule: Rule| rules.extend(calls.iter().map(|call| (*call as u32, rule)));
    let when = |argument, mask, value, yes, no| Rule::When { argument, mask, value, yes, no };
    add(COMPUTING, Rule::Always(Allow));
    add(OLD_COMPUTING, Rule::Always(Allow));
    add(OPENS, when(5, u64::MAX, MARK, Allow, Trap));
    add(OLD_OPENS, when(5, u64::MAX, MARK, Allow, Trap));
    add(&[SYS_kill, SYS_tgkill], when(0, INT, process.into(), Allow, Trap));
    // Threads only. What clone3 wants lies in memory, which a filter cannot read: the C library falls back to clone.
    add(&[SYS_clone], when(0, CLONE_THREAD as u64, CLONE_THREAD as u64, Allow, Trap));
    add(&[SYS_clone3], Rule::Always(Refuse(ENOSYS)));
    add(&[SYS_rt_sigaction], when(0, INT, SIGSYS as u64, Refuse(EPERM), Allow));
    add(&[SYS_prctl], when(0, INT, PR_SET_NAME as u64, Allow, Refuse(EPERM)));
    // F_GETFD = 1 and F_GETFL = 3: what a descriptor is, but no locks, by which two clients could talk.
    add(&[SYS_fcntl], when(1, INT & !2, 1, Allow, Refuse(EPERM)));
    add(&[SYS_prlimit64], when(2, u64::MAX, 0, Allow, Refuse(EPERM)));
    add(&[SYS_ioctl], Rule::Always(Refuse(ENOTTY)));
    rules.sort_by_key(|rule| rule.0);
    rules
}

/// Whether this is a call that opens a file, and which of its arguments is the path.
pub(super) fn path_of_open(call: i64) -> Option<usize> {
    match call {
        _ if OPENS.contains(&call) => Some(1),
        _ if OLD_OPENS.contains(&call) => Some(0),
        _ => None,
    }
}

/// The name of a call, if it is one of those that people use.
pub(super) fn name_of(call: i64) -> Option<&'static str> {
    let known = NAMED.iter().chain(OLD_NAMED).find(|known| known.0 == call)?;
    known.1.strip_prefix("SYS_")
}

macro_rules! calls {
    ($($call:ident)*) => { &[$($call),*] };
}

/// The loader's, malloc's, the threads', the clocks' and printf's; of files only what is open already, and whether they exist.
const COMPUTING: &[c_long] = calls! {
    SYS_read SYS_write SYS_readv SYS_writev SYS_pread64 SYS_close SYS_lseek
    SYS_fstat SYS_newfstatat SYS_statx SYS_faccessat SYS_faccessat2 SYS_readlinkat SYS_getcwd
    SYS_mmap SYS_mprotect SYS_munmap SYS_mremap SYS_madvise SYS_brk SYS_mincore
    SYS_rt_sigprocmask SYS_rt_sigreturn SYS_rt_sigpending SYS_rt_sigsuspend SYS_rt_sigtimedwait SYS_sigaltstack
    SYS_futex SYS_set_robust_list SYS_rseq SYS_set_tid_address SYS_membarrier SYS_restart_syscall
    SYS_sched_yield SYS_sched_getaffinity SYS_sched_getparam SYS_sched_getscheduler SYS_getpriority SYS_getcpu
    SYS_exit SYS_exit_group SYS_getpid SYS_gettid SYS_getppid SYS_getuid SYS_geteuid SYS_getgid SYS_getegid
    SYS_clock_gettime SYS_clock_getres SYS_gettimeofday SYS_times SYS_getrusage SYS_getrandom SYS_uname SYS_sysinfo
    SYS_nanosleep SYS_clock_nanosleep SYS_ppoll SYS_pselect6
    SYS_setitimer SYS_getitimer SYS_timer_create SYS_timer_settime SYS_timer_gettime SYS_timer_delete
};

const OPENS: &[c_long] = &[SYS_openat, SYS_openat2];

/// Calls that only older processors have.
#[cfg(target_arch = "x86_64")]
const OLD_COMPUTING: &[c_long] = calls! {
    SYS_stat SYS_lstat SYS_access SYS_readlink SYS_time SYS_poll SYS_select SYS_alarm SYS_pause SYS_arch_prctl SYS_getpgrp
};
#[cfg(target_arch = "x86_64")]
const OLD_OPENS: &[c_long] = &[SYS_open, SYS_creat];
#[cfg(not(target_arch = "x86_64"))]
const OLD_COMPUTING: &[c_long] = &[];
#[cfg(not(target_arch = "x86_64"))]
const OLD_OPENS: &[c_long] = &[];

macro_rules! named {
    ($($call:ident)*) => { &[$(($call, stringify!($call))),*] };
}

const NAMED: &[(c_long, &str)] = named! {
    SYS_clone SYS_execve SYS_execveat SYS_wait4 SYS_waitid SYS_kill SYS_tkill SYS_tgkill SYS_rt_sigqueueinfo SYS_rt_tgsigqueueinfo
    SYS_pidfd_open SYS_pidfd_send_signal SYS_pidfd_getfd SYS_ptrace SYS_process_vm_readv SYS_process_vm_writev SYS_kcmp
    SYS_socket SYS_socketpair SYS_connect SYS_bind SYS_listen SYS_accept SYS_accept4 SYS_sendto SYS_sendmsg SYS_recvfrom SYS_recvmsg
    SYS_memfd_create SYS_memfd_secret SYS_shmget SYS_shmat SYS_shmctl SYS_msgget SYS_semget SYS_mq_open
    SYS_unlinkat SYS_mkdirat SYS_mknodat SYS_renameat2 SYS_linkat SYS_symlinkat SYS_fchmod SYS_fchmodat SYS_fchown SYS_fchownat
    SYS_truncate SYS_ftruncate SYS_fallocate SYS_utimensat SYS_setxattr SYS_getdents64 SYS_chdir SYS_fchdir SYS_chroot
    SYS_statfs SYS_fstatfs SYS_fsync SYS_fdatasync SYS_sync SYS_pwrite64 SYS_sendfile SYS_splice SYS_copy_file_range
    SYS_dup SYS_dup3 SYS_flock SYS_pipe2 SYS_eventfd2 SYS_epoll_create1 SYS_epoll_ctl SYS_epoll_pwait SYS_inotify_init1
    SYS_timerfd_create SYS_signalfd4 SYS_mlock SYS_mlockall SYS_mbind SYS_userfaultfd
    SYS_mount SYS_umount2 SYS_unshare SYS_setns SYS_pivot_root SYS_bpf SYS_perf_event_open SYS_keyctl SYS_add_key SYS_request_key
    SYS_io_uring_setup SYS_io_setup SYS_seccomp SYS_personality SYS_setrlimit SYS_setpriority
    SYS_sched_setaffinity SYS_sched_setscheduler SYS_sched_setparam SYS_sched_setattr
    SYS_setuid SYS_setgid SYS_setsid SYS_setpgid SYS_capset SYS_reboot SYS_settimeofday SYS_clock_settime SYS_sethostname
    SYS_init_module SYS_landlock_restrict_self SYS_pkey_alloc
};

#[cfg(target_arch = "x86_64")]
const OLD_NAMED: &[(c_long, &str)] = named! {
    SYS_fork SYS_vfork SYS_unlink SYS_rmdir SYS_mkdir SYS_mknod SYS_rename SYS_link SYS_symlink SYS_chmod SYS_chown SYS_utime
    SYS_getdents SYS_dup2 SYS_pipe SYS_eventfd SYS_epoll_create SYS_epoll_wait SYS_inotify_init
    SYS_iopl SYS_ioperm SYS_modify_ldt
};
#[cfg(not(target_arch = "x86_64"))]
const OLD_NAMED: &[(c_long, &str)] = &[];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_call_has_one_rule() {
        let rules = rules(1);
        assert!(rules.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn calls_have_names() {
        assert_eq!(name_of(SYS_socket), Some("socket"));
        assert_eq!(name_of(SYS_memfd_create), Some("memfd_create"));
        assert_eq!(name_of(100_000), None);
    }
}

//! The sandbox of a build: it keeps `make`, the shell and the compilers of a stranger's sources to one folder. It
//! differs from the sandbox of a client: many processes start, and read the system's programs and headers. They write
//! only below one folder, have no network, signal no other process, and change no attributes of files elsewhere. Every
//! layer must hold. `agon build` watches time, memory, disk and the number of processes, and ends the whole process
//! group, which no process can leave.
#![expect(unsafe_code)]

use super::filter::{Action, Case, Rule, Test, compile};
use super::{capabilities, landlock, last_error, limits, seccomp};
use Action::{Allow, Refuse};
use libc::*;
use std::path::PathBuf;

/// The bounds of a build.
#[derive(Clone, Debug)]
pub struct BuildBounds {
    /// The folder below which it writes.
    pub folder: PathBuf,
    /// Files that it reads in addition to the system's programs and headers.
    pub also: Vec<PathBuf>,
    /// Folders that the ladder opens, each without a link in its path.
    pub folders: Vec<PathBuf>,
    /// Programs, and folders of programs, that it may start in addition to the system's.
    pub tools: Vec<PathBuf>,
    /// The user as which a build runs that root begins: one who owns nothing else, because root's processes are not
    /// counted.
    pub user: Option<u32>,
    /// The most threads of its user, including those outside the build.
    pub processes: u64,
}

/// Enters all layers, from the only thread of the process.
///
/// # Errors
/// The layer that this machine lacks, and why.
pub fn enter(bounds: &BuildBounds) -> Result<(), String> {
    let BuildBounds { folder, also, folders, tools, user, processes } = bounds;
    limits::enter_for_build(*processes).map_err(|why| format!("limits: {why}"))?;
    let files = landlock::Files::of_build(folder, also, folders, tools).map_err(|why| format!("landlock: {why}"))?;
    if let Some(user) = user {
        capabilities::drop_bounding();
        become_user(*user)?;
    }
    capabilities::drop_all().map_err(|why| format!("privileges: {why}"))?;
    // SAFETY: this call of prctl takes numbers only.
    if unsafe { prctl(PR_SET_PDEATHSIG, SIGKILL as c_ulong, 0, 0, 0) } != 0 {
        return Err(last_error("privileges: death with the server"));
    }
    files.enter().map_err(|why| format!("landlock: {why}"))?;
    seccomp::enter_for_build().map_err(|why| format!("seccomp: {why}"))
}

fn become_user(user: u32) -> Result<(), String> {
    // SAFETY: these calls take numbers, and a list that is empty.
    let done = unsafe {
        setgroups(0, std::ptr::null()) == 0 && setresgid(user, user, user) == 0 && setresuid(user, user, user) == 0
    };
    if done { Ok(()) } else { Err(last_error("privileges: another user")) }
}

/// Makes the filter. Calls without a rule are let through, because compilers need many and Landlock judges all files.
pub(super) fn filter(architecture: u32) -> Vec<sock_filter> {
    let mut rules: Vec<(u32, Rule<'static>)> = Vec::new();
    for (calls, rule) in RULES {
        rules.extend(calls.iter().map(|call| (*call as u32, *rule)));
    }
    rules.sort_unstable_by_key(|rule| rule.0);
    compile(architecture, &rules, &OTHERS)
}

/// The calls of the second numbering that this processor's kernel may have.
const OTHERS: [(u32, Action); 2] = [(0, Allow), (0x4000_0000, Refuse(ENOSYS))];

/// Pretends success: Landlock does not judge these calls, and no build needs their effect.
const PRETEND: Rule<'static> = Rule::Always(Refuse(0));
const FORBID: Rule<'static> = Rule::Always(Refuse(EPERM));
const LACK: Rule<'static> = Rule::Always(Refuse(ENOSYS));

const fn test(argument: u32, mask: u64, value: u64) -> Test {
    Test { argument, mask, value }
}

/// Allows a call on the process itself, as number 0.
const OWN: Rule<'static> = Rule::Cases(&[Case { tests: &[test(0, 0xffff_ffff, 0)], then: Allow }], Refuse(EPERM));

/// Allows pairs of sockets of this machine.
const PAIRS: Rule<'static> =
    Rule::Cases(&[Case { tests: &[test(0, 0xffff_ffff, AF_UNIX as u64)], then: Allow }], Refuse(EPERM));

/// Flags that would put a new process or thread into other namespaces.
const NAMESPACES: u64 =
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET) as u64;
const FORKS: Rule<'static> = Rule::Cases(&[Case { tests: &[test(0, NAMESPACES, 0)], then: Allow }], Refuse(EPERM));

/// libc does not name it for every processor. Calls from number 424 on have one number on all of them.
const FCHMODAT2: c_long = 452;

const RULES: &[(&[c_long], Rule<'static>)] = &[
    // Other processes: their memory, descriptors, order, signals to them, and leaving the group.
    (&[SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_process_madvise, SYS_process_mrelease], FORBID),
    (&[SYS_pidfd_open, SYS_pidfd_getfd, SYS_pidfd_send_signal, SYS_kcmp], FORBID),
    (&[SYS_kill, SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo], FORBID),
    (&[SYS_setsid, SYS_setpgid], FORBID),
    (&[SYS_setpriority, SYS_ioprio_set, SYS_move_pages, SYS_migrate_pages], FORBID),
    (&[SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_sched_setaffinity], FORBID),
    (&[SYS_prlimit64], OWN),
    // The network, and memory and messages that processes of the same user share.
    (&[SYS_socket], FORBID),
    // Both ends stay within the build: some programs use a pair to tell a program from one that does not start.
    (&[SYS_socketpair], PAIRS),
    (&[SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semctl, SYS_semop, SYS_semtimedop], FORBID),
    (&[SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink], FORBID),
    // Calls that change the kernel itself.
    (&[SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_open_tree], FORBID),
    (&[SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_mount_setattr], FORBID),
    (&[SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_keyctl, SYS_add_key, SYS_request_key], FORBID),
    (&[SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register], LACK),
    (&[SYS_kexec_load, SYS_kexec_file_load, SYS_init_module, SYS_finit_module, SYS_delete_module], FORBID),
    (&[SYS_reboot, SYS_swapon, SYS_swapoff, SYS_syslog, SYS_quotactl, SYS_acct, SYS_personality], FORBID),
    (&[SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_fanotify_init], FORBID),
    (&[SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_mlock, SYS_mlock2, SYS_mlockall], FORBID),
    // The filter cannot read its arguments; the C library then uses the older call.
    (&[SYS_clone3], LACK),
    (&[SYS_clone], FORKS),
    // Calls that change the owner, the times or the permissions of files.
    (&[SYS_fchmod, SYS_fchmodat, FCHMODAT2, SYS_fchown, SYS_fchownat, SYS_utimensat], PRETEND),
    (&[SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr], PRETEND),
    (OLDER, PRETEND),
    (OLDEST, FORBID),
];

#[cfg(target_arch = "x86_64")]
const OLDER: &[c_long] = &[SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[c_long] = &[];

#[cfg(target_arch = "x86_64")]
const OLDEST: &[c_long] = &[SYS_iopl, SYS_ioperm, SYS_modify_ldt];
#[cfg(not(target_arch = "x86_64"))]
const OLDEST: &[c_long] = &[];

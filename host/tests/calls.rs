//! Answers to single calls in the sandbox: by the machine, by the handler, or with an error; without the filter the
//! kernel itself would have done them.
#![expect(unsafe_code)]

use crate::rig::{Host, build, has_compiler, lacks, play_once, play_under};
use agon_abi::Layer;

/// Nothing but the filter stands in the way.
const FILTER_ONLY: &[&str] = &["--without", "limits", "--without", "privileges", "--without", "landlock"];
const OFF: &[&str] = &["--sandbox", "off"];

/// The value of `code`, an expression in C, in the sandbox and without it.
fn worth(code: &str) -> [Option<u64>; 2] {
    let play = format!("move->number = {code}");
    let [with, without] = &play_under(&play, &[&[], OFF])[..] else { unreachable!("two were asked for") };
    assert!(with.0.is_some(), "{code}: {:?}", with.1);
    [with.0, without.0]
}

/// The filter alone answers this call with an error, where the kernel would have done it.
fn is_refused(call: &str, error: i32) {
    let play = format!("move->number = (long)({call}) == -1 ? errno : 0");
    let numbers: Vec<_> = play_under(&play, &[FILTER_ONLY, OFF]).into_iter().map(|played| played.0).collect();
    assert_eq!(numbers, [Some(error as u64), Some(0)], "{call}: with the filter, and without a sandbox");
}

fn can_run() -> bool {
    has_compiler() && !lacks(Layer::Seccomp)
}

#[test]
fn memory_that_is_resident_in_nobody_is_refused() {
    if !can_run() {
        return;
    }
    let map = |flags: &str, file: &str| format!("mmap(0, 4096, PROT_READ, {flags}, {file}, 0)");
    is_refused(&map("MAP_SHARED|MAP_ANONYMOUS", "-1"), libc::EPERM);
    is_refused(&map("MAP_SHARED", "open(\"/dev/zero\", O_RDONLY)"), libc::EPERM);
    is_refused(&map("MAP_SHARED_VALIDATE", "open(\"/dev/zero\", O_RDONLY)"), libc::EPERM);
    is_refused("memfd_create(\"x\", 0)", libc::EPERM);
    is_refused("syscall(SYS_shmget, 0, 4096, 0600)", libc::EPERM);
    is_refused("pipe((int[2]){0})", libc::EPERM);
    is_refused("madvise(mmap(0, 4096, 3, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0), 4096, MADV_PAGEOUT)", libc::EINVAL);
    is_refused("madvise(mmap(0, 4096, 3, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0), 4096, MADV_COLD)", libc::EINVAL);
    // Whether the machine has such pages and calls or not, the filter answers before.
    for (call, error) in [
        ("mmap(0, 2 << 20, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS|MAP_HUGETLB, -1, 0)", libc::EPERM),
        ("mmap(0, 4096, PROT_READ, 8|MAP_ANONYMOUS, -1, 0)", libc::EPERM),
        ("madvise(setup, 4096, MADV_MERGEABLE)", libc::EINVAL),
        ("syscall(SYS_userfaultfd, 0)", libc::EPERM),
        ("syscall(SYS_memfd_secret, 0)", libc::ENOSYS),
        ("syscall(SYS_io_uring_setup, 1, 0)", libc::ENOSYS),
        ("syscall(1000)", libc::ENOSYS),
        ("syscall(SYS_ptrace, 0, 0, 0, 0)", libc::EPERM),
    ] {
        let (with, end) = play_once(&format!("move->number = (long)({call}) == -1 ? errno : 0"), FILTER_ONLY);
        assert_eq!(with, Some(error as u64), "{call}: {end:?}");
    }
}

/// A fork server's own filter allows the calls for forking: each host that it forks has them shut by its second one.
#[test]
fn what_a_fork_server_needs_is_refused_to_its_children() {
    if !can_run() {
        return;
    }
    let socket = "({ static int s[2]; socketpair(AF_UNIX, SOCK_DGRAM, 0, s); s[0]; })";
    let message = "&(struct msghdr){.msg_iov = &(struct iovec){(char[1]){0}, 1}, .msg_iovlen = 1}";
    for (call, error) in [
        (format!("syscall(SYS_sendto, {socket}, \"x\", 1, MSG_DONTWAIT, 0, 0)"), libc::EPERM),
        (
            format!("({{ int s = {socket}; write(s + 1, \"x\", 1); recvmsg(s, {message}, MSG_DONTWAIT); }})"),
            libc::EPERM,
        ),
        ("setpgid(0, 0)".into(), libc::EPERM),
        ("syscall(SYS_set_robust_list, (long[3]){0}, 24)".into(), libc::EPERM),
        ("fcntl(1, F_SETFL, O_WRONLY)".into(), libc::EPERM),
        ("syscall(SYS_close_range, 1000, 1001, 0)".into(), libc::ENOSYS),
        ("prlimit(0, RLIMIT_CORE, &(struct rlimit){0}, 0)".into(), libc::EPERM),
        ("open(\"/\", O_PATH)".into(), libc::EACCES),
        ("syscall(SYS_faccessat, -100, \"/\", F_OK)".into(), libc::EACCES),
        ("access(\"/\", F_OK)".into(), libc::EACCES),
        ("syscall(SYS_newfstatat, -100, \"/\", &(struct stat){0}, 0)".into(), libc::EACCES),
        ("syscall(SYS_capget, &(int[2]){0x20080522}, (int[6]){0})".into(), libc::EPERM),
        (
            "({ int h[2] = {0x20080522}, d[6]; syscall(SYS_capget, h, d); syscall(SYS_capset, h, d); })".into(),
            libc::EPERM,
        ),
        ("prctl(PR_SET_DUMPABLE, 1)".into(), libc::EPERM),
        ("prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)".into(), libc::EPERM),
        ("syscall(SYS_seccomp, 2, 0, &(int){0x7fff0000})".into(), libc::EPERM), // is this action known?
    ] {
        is_refused(&call, error);
    }
    for call in ["create_ruleset, (long[3]){1}, 8, 0", "add_rule, 100, 1, (long[2]){0}, 0", "restrict_self, 100, 0"] {
        let (with, end) =
            play_once(&format!("move->number = syscall(SYS_landlock_{call}) == -1 ? errno : 0"), FILTER_ONLY);
        assert_eq!(with, Some(libc::ENOSYS as u64), "{call}: {end:?}");
    }
}

#[test]
fn nothing_is_mapped_at_address_zero() {
    if !can_run() {
        return;
    }
    let at = |flags: &str| format!("move->number = mmap(0, 4096, 3, MAP_PRIVATE|MAP_ANONYMOUS|{flags}, -1, 0) == 0");
    let moved = "move->number = mremap(mmap(0, 4096, 3, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0), 4096, 4096, \
                 MREMAP_MAYMOVE|MREMAP_FIXED, 0) == 0";
    // As root the kernel would let it through, for the sake of old emulators.
    // SAFETY: takes nothing.
    let root = u64::from(unsafe { libc::geteuid() } == 0);
    for play in [&at("MAP_FIXED")[..], &at("MAP_FIXED_NOREPLACE"), moved] {
        let each = play_under(play, &[OFF, FILTER_ONLY, &["--without", "seccomp"]]);
        let numbers: Vec<_> = each.into_iter().map(|played| played.0).collect();
        assert_eq!(numbers, [Some(root), Some(0), Some(0)], "{play}: off, the filter alone, without the filter");
    }
}

#[test]
fn others_are_neither_seen_nor_heard() {
    if !can_run() {
        return;
    }
    let clock = "((~getppid() << 3) | 2)";
    is_refused(&format!("clock_gettime({clock}, &(struct timespec){{0}})"), libc::EINVAL);
    is_refused(&format!("clock_getres({clock}, &(struct timespec){{0}})"), libc::EINVAL);
    is_refused(
        &format!("syscall(SYS_timer_create, {clock}, &(struct sigevent){{.sigev_notify = SIGEV_NONE}}, &(int){{0}})"),
        libc::EINVAL,
    );
    is_refused(&format!("syscall(SYS_clock_nanosleep, {clock}, 0, &(struct timespec){{0}}, 0)"), libc::EINVAL);
    for call in [
        "syscall(SYS_sched_getaffinity, getppid(), 128, (char[128]){0})",
        "syscall(SYS_sched_getparam, getppid(), &(int){0})",
        "syscall(SYS_sched_getscheduler, getppid())",
        "syscall(SYS_sched_rr_get_interval, getppid(), (long[2]){0})",
        "prlimit(getppid(), RLIMIT_NOFILE, 0, &(struct rlimit){0})",
        "getpriority(PRIO_PROCESS, getppid())",
        "getpriority(PRIO_USER, 0)",
        "getsid(getppid())",
        "getpgid(getppid())",
        "syscall(SYS_ioprio_get, 1, getppid())",
        "syscall(SYS_mincore, (long)&setup & ~4095, 1, (char[1]){0})",
        "syscall(SYS_membarrier, 1, 0, 0)",
        "fcntl(1, F_SETFL, 0)",
        "fcntl(open(\"/proc/self/exe\", O_RDONLY), F_SETLK, &(struct flock){.l_type = F_RDLCK})",
    ] {
        is_refused(call, libc::EPERM);
    }
    for path in ["/proc/1", "/proc/1/task", "/etc/passwd", "/usr/lib"] {
        is_refused(&format!("stat(\"{path}\", &(struct stat){{0}})"), libc::EACCES);
        is_refused(&format!("syscall(SYS_stat, \"{path}\", &(struct stat){{0}})"), libc::EACCES);
        is_refused(&format!("access(\"{path}\", F_OK)"), libc::EACCES);
        is_refused(&format!("open(\"{path}\", O_PATH)"), libc::EACCES);
        let marked = format!("syscall(SYS_openat, -100, \"{path}\", O_PATH, 0, 0, 0x61676f6e)");
        is_refused(&marked, libc::EACCES);
        is_refused(&format!("syscall(SYS_statx, -100, \"{path}\", 0, 0xfff, (char[256]){{0}})"), libc::ENOSYS);
    }
    is_refused("readlink(\"/proc/self/exe\", (char[99]){0}, 99)", libc::EACCES);
    let load = "({ struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); long s[14] = {0}; syscall(SYS_sysinfo, s); s[0] + s[1] + s[2] + s[3] > 0; })";
    assert_eq!(worth(load), [Some(0), Some(1)], "uptime and load");
    let path = "({ struct stat a; syscall(SYS_newfstatat, -100, \"/proc/1\", &a, 0x1000) == 0; })";
    assert_eq!(worth(path), [Some(0), Some(1)], "a path with the flag of an open descriptor");
}

#[test]
fn a_futex_of_others_is_neither_woken_nor_waited_for() {
    if !can_run() {
        return;
    }
    // A word of a library's code: the same page in every process.
    let word = "(int *)((long)&printf & ~4095)";
    let wake = format!("({{ errno = 0; syscall(SYS_futex, {word}, FUTEX_WAKE, 1, 0, 0, 0) + errno; }})");
    assert_eq!(worth(&wake), [Some(0), Some(0)]);
    for operation in [3, 4, 5, 6, 7, 8, 11, 12, 13] {
        let other = format!("({{ syscall(SYS_futex, {word}, {operation}, 1, 0, 0, 0) < 0 ? errno : 0; }})");
        assert_eq!(worth(&other)[0], Some(libc::ENOSYS as u64), "{operation}");
    }
    for (what, worth_it) in [
        ("syscall(SYS_futex, &zero, FUTEX_WAIT, 7, 0) < 0 ? errno : 0", libc::EAGAIN as u64),
        ("sem_test()", 1),
        ("count_with_threads(8)", 8000),
    ] {
        assert_eq!(worth(what), [Some(worth_it); 2], "{what}");
    }
}

/// The end of a thread wakes whoever waits at an address that its maker chose, in any process that maps the same page
/// of a file.
#[test]
fn the_end_of_a_thread_is_heard_by_nobody_else() {
    if !can_run() {
        return;
    }
    let word = "(int *)((long)&printf & ~4095)";
    let wait = format!(
        "PLAY=struct timespec t = {{0, 500000000}}; \
         move->number = syscall(SYS_futex, {word}, FUTEX_WAIT, *{word}, &t) < 0 ? errno : 0"
    );
    let stack = "(char *)mmap(0, 65536, 3, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) + 65536";
    let flags = "CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD|CLONE_SYSVSEM|CLONE_CHILD_CLEARTID";
    let end = format!(
        "PLAY=for (int i = 0; i < 20; i++) {{ clone(exit_thread, {stack}, {flags}, 0, 0, 0, {word}); sleep_ms(10); }}"
    );
    let (waits, ends) = (build(&[&wait]), build(&[&end]));
    let heard = |options: &[&str]| {
        let (mut one, mut other) = (Host::ready(&waits, options), Host::ready(&ends, options));
        let listening = std::thread::spawn(move || one.play(7));
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert_eq!(other.play(7), Some(7));
        listening.join().unwrap()
    };
    assert_eq!([heard(&[]), heard(OFF)], [Some(libc::ETIMEDOUT as u64), Some(0)]);
}

#[test]
fn a_thread_is_no_namespace() {
    if !can_run() {
        return;
    }
    let thread = "CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD|CLONE_SYSVSEM";
    let clone = |more: &str| {
        let stack = "(char *)mmap(0, 65536, 3, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) + 65536";
        format!("clone(exit_thread, {stack}, {thread}|{more}, 0)")
    };
    let ends = |call: &str| format!("move->number = {call} < 0 ? errno : 0; sleep_ms(20)");
    assert_eq!(play_once(&ends(&clone("0")), FILTER_ONLY).0, Some(0));
    for kind in ["NEWNET", "NEWUTS", "NEWIPC", "NEWCGROUP", "NEWPID", "NEWUSER", "NEWNS"] {
        let call = ends(&clone(&format!("CLONE_{kind}")));
        let each = play_under(&call, &[FILTER_ONLY, &["--without", "seccomp"]]);
        assert_eq!(each[0].0, Some(libc::EPERM as u64), "{kind}: the filter alone");
        let without = each[1].0.unwrap_or_default() as i32;
        assert!([libc::EPERM, libc::EINVAL].contains(&without), "{kind}: without the filter, {without}");
    }
    for call in ["unshare(CLONE_NEWUSER)", "unshare(CLONE_FILES)", "setns(0, 0)"] {
        let (mv, _) = play_once(&format!("move->number = {call} < 0 ? errno : 0"), FILTER_ONLY);
        assert_eq!(mv, Some(libc::EPERM as u64), "{call}");
    }
}

#[test]
fn what_is_harmless_works() {
    if !can_run() {
        return;
    }
    for (code, is) in [
        ("({ struct stat s; fstat(1, &s) == 0 && S_ISFIFO(s.st_mode); })", 1),
        ("dup(1) > 1 && dup2(1, 9) == 9 && fcntl(1, F_DUPFD_CLOEXEC, 3) > 1", 1),
        ("clock_gettime(((~getpid() << 3) | 2), &(struct timespec){0}) == 0", 1),
        (
            "({ clockid_t c; pthread_getcpuclockid(pthread_self(), &c); clock_gettime(c, &(struct timespec){0}) == 0; })",
            1,
        ),
        ("({ clockid_t c; clock_getcpuclockid(0, &c); clock_gettime(c, &(struct timespec){0}) == 0; })", 1),
        // In a namespace of process ids a session led from outside has the id 0.
        ("sched_getaffinity(getpid(), 128, (void *)(char[128]){0}) >= 0 && getsid(0) >= 0", 1),
        ("sysconf(_SC_PHYS_PAGES) > 1000 && sysconf(_SC_NPROCESSORS_ONLN) > 0", 1),
        (
            "({ char *p = mmap(0, 1 << 21, 3, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0); madvise(p, 1 << 21, MADV_DONTNEED) + madvise(p, 1 << 21, MADV_FREE) + madvise(p, 1 << 21, MADV_DONTDUMP); })",
            0,
        ),
        (
            "({ char *p = mmap(0, 8192, 3, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0); mmap(p, 4096, 1, MAP_PRIVATE|MAP_ANONYMOUS|MAP_FIXED, -1, 0) == p; })",
            1,
        ),
        (
            "({ char *p = mmap(0, 4096, 3, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0); mremap(p, 4096, 1 << 20, MREMAP_MAYMOVE) != MAP_FAILED; })",
            1,
        ),
    ] {
        assert_eq!(worth(code), [Some(is); 2], "{code}");
    }
}

#[test]
fn a_forbidden_call_is_named_in_every_thread() {
    if !can_run() {
        return;
    }
    let client = build(&["PLAY=pthread_t t; pthread_create(&t, 0, fork_in_thread, 0); pthread_join(t, 0)"]);
    let mut host = Host::ready(&client, &[]);
    assert_eq!(host.play(7), None);
    let end = host.end();
    assert_eq!(
        (end.signal, end.log.as_str()),
        (Some(libc::SIGSYS), format!("agon.syscall\tclone ({})\n", libc::SYS_clone).as_str())
    );
}

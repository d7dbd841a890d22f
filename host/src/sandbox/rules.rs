//! The system calls that computing needs, in their allowed forms, and the answers to the others.

mod calls;

pub(super) use calls::name_of;

use super::filter::{self, Action, Case, Rule, Test};
use Action::{Allow, Refuse, Trap};
use calls::*;
use libc::*;
use std::os::fd::RawFd;

/// The handler's mark in the sixth argument of an open, which has none; the filter lets such an open through.
pub(super) const MARK: u64 = 0x6167_6f6e;

/// Flags with which no file is opened. Landlock does not judge a mere path (`O_PATH`). By reading past the page cache
/// (`O_DIRECT`), a client could wait for the disk as long as it likes, which counts as the machine's fault.
pub(super) const NEVER_OPENED: c_int = O_PATH | O_DIRECT;

const INT: u64 = 0xffff_ffff;

/// Answers to calls without a rule: EPERM, as to an ordinary user. Calls added after all processors had agreed on
/// numbers get ENOSYS, as from an older kernel: C libraries try those and know how to do without.
const OTHERS: [(u32, Action); 2] = [(0, Refuse(EPERM)), (SYS_pidfd_send_signal as u32, Refuse(ENOSYS))];

const fn test(argument: u32, mask: u64, value: u64) -> Test {
    Test { argument, mask, value }
}

const fn case(tests: &[Test], then: Action) -> Case<'_> {
    Case { tests, then }
}

const fn allow(tests: &[Test]) -> [Case<'_>; 1] {
    [case(tests, Allow)]
}

/// Makes the program that the kernel loads.
fn compile(architecture: u32, rules: &[(u32, Rule)], others: &[(u32, Action)]) -> Vec<sock_filter> {
    #[cfg(sandbox_mutants)]
    let rules = &super::mutants::weaken(rules);
    filter::compile(architecture, rules, others)
}

/// The filter of this process: a client learns nothing of other processes, and sends them nothing.
pub(super) fn filter(architecture: u32, process: u32) -> Vec<sock_filter> {
    with_rules(process, |_| true, |rules| compile(architecture, rules, &OTHERS))
}

/// The filter of a program, which starts only once the filter is loaded. Nothing traps, because no handler of the host
/// is left; calls that end a library are refused. Only the file behind the descriptor `start` is started, which closes
/// it.
pub(super) fn filter_of_program(architecture: u32, process: u32, start: RawFd) -> Vec<sock_filter> {
    let is_own = |call: c_long| call == SYS_execveat || OF_PROGRAM.iter().any(|(calls, _)| calls.contains(&call));
    let start = [test(0, INT, start as u64), test(4, INT, AT_EMPTY_PATH as u64)];
    let starts = [case(&start, Allow)];
    with_rules(
        process,
        |call| !is_own(call),
        |rules| {
            let mut rules: Vec<(u32, Rule)> = rules.iter().map(|(call, rule)| (*call, without_trap(*rule))).collect();
            for (calls, rule) in OF_PROGRAM {
                rules.extend(calls.iter().map(|call| (*call as u32, *rule)));
            }
            rules.push((SYS_execveat as u32, Rule::Cases(&starts, Refuse(EPERM))));
            rules.sort_unstable_by_key(|rule| rule.0);
            compile(architecture, &rules, &OTHERS)
        },
    )
}

/// Turns a trap into a refusal, because a program can report it in its own words.
fn without_trap(rule: Rule<'_>) -> Rule<'_> {
    match rule {
        Rule::Always(Trap) => Rule::Always(Refuse(EPERM)),
        Rule::Cases(cases, Trap) => Rule::Cases(cases, Refuse(EPERM)),
        other => other,
    }
}

/// The filter of a fork server, which its children inherit: the whole one, except for the calls that it leaves to
/// theirs.
pub(super) fn filter_of_fork_server(architecture: u32) -> Vec<sock_filter> {
    let left = left_to_children();
    with_rules(
        0,
        |call| !left.contains(&call),
        |rules| {
            let mut rules = rules.to_vec();
            rules.extend(left.iter().map(|call| (*call as u32, Rule::Always(Allow))));
            rules.sort_unstable_by_key(|rule| rule.0);
            compile(architecture, &rules, &OTHERS)
        },
    )
}

/// The filter that a child loads over it. One of the two judges each call as the whole filter would, and the other lets
/// it through. The kernel takes the stricter answer, so both together are the whole one.
pub(super) fn filter_of_child(architecture: u32, process: u32) -> Vec<sock_filter> {
    let left = left_to_children();
    with_rules(
        process,
        |call| left.contains(&call),
        |rules| {
            let mut rules = rules.to_vec();
            for call in left.iter().map(|call| *call as u32) {
                if let Err(place) = rules.binary_search_by_key(&call, |rule| rule.0) {
                    rules.insert(place, (call, Rule::Always(answer_without_rule(call))));
                }
            }
            compile(architecture, &rules, &[(0, Allow)])
        },
    )
}

/// Calls that a fork server's filter lets through: those whose rules contain the process's own number, and those that
/// forking and entering need.
fn left_to_children() -> Vec<c_long> {
    [CLOCKS, OF_OWN, SENT_TO_OWN, &[SYS_prlimit64], FORKING, OLD_FORKING].concat()
}

fn answer_without_rule(call: u32) -> Action {
    OTHERS.iter().rfind(|other| other.0 <= call).map_or(Refuse(EPERM), |other| other.1)
}

/// The rules of a process for the calls wanted, by number.
fn with_rules<T>(process: u32, wanted: impl Fn(c_long) -> bool, make: impl FnOnce(&[(u32, Rule)]) -> T) -> T {
    let own = u64::from(process);
    let first = test(0, INT, own);
    let clock = test(0, INT & !7, (!own << 3) & INT);
    let clocks = [CLOCK_CASES[0], CLOCK_CASES[1], CLOCK_CASES[2], case(std::slice::from_ref(&clock), Allow)];
    let asks = [test(2, u64::MAX, 0), first];
    let of_own = [MYSELF[0], case(&asks[1..], Allow)];
    let limits = [LIMITS_OF_MYSELF[0], case(&asks, Allow)];
    let mut rules: Vec<(u32, Rule)> = Vec::with_capacity(160);
    let of_process: [(&[c_long], Rule); 4] = [
        (CLOCKS, Rule::Cases(&clocks, Refuse(EINVAL))),
        (SENT_TO_OWN, Rule::Cases(&of_own[1..], Trap)),
        (&[SYS_prlimit64], Rule::Cases(&limits, Refuse(EPERM))),
        (OF_OWN, Rule::Cases(&of_own, Refuse(EPERM))),
    ];
    for (calls, rule) in CONSTANT.iter().chain(&of_process) {
        rules.extend(calls.iter().filter(|call| wanted(**call)).map(|call| (*call as u32, *rule)));
    }
    rules.sort_unstable_by_key(|rule| rule.0);
    make(&rules)
}

/// All rules that do not contain the process's own number.
const CONSTANT: &[(&[c_long], Rule<'static>)] = &[
    (COMPUTING, Rule::Always(Allow)),
    (OLD_COMPUTING, Rule::Always(Allow)),
    (ENDING, Rule::Always(Trap)),
    (OLD_ENDING, Rule::Always(Trap)),
    // The handler performs it, and refuses NEVER_OPENED.
    (&[SYS_openat], Rule::Cases(&allow(&[test(5, u64::MAX, MARK), test(2, NEVER_OPENED as u64, 0)]), Trap)),
    (OLD_OPENS, Rule::Always(Trap)),
    // By a path, a client could ask for the number of another's threads. So only the handler answers, for open files.
    (&[SYS_newfstatat, SYS_sysinfo], Rule::Always(Trap)),
    (&[SYS_statx, SYS_clone3], Rule::Always(Refuse(ENOSYS))),
    (&[SYS_faccessat, SYS_readlinkat], Rule::Always(Refuse(EACCES))),
    (OLD_PATHS, Rule::Always(Refuse(EACCES))),
    (&[SYS_mmap], Rule::Cases(&MAPPINGS, Refuse(EPERM))),
    (
        &[SYS_mremap],
        Rule::Cases(&[case(&[test(3, MREMAP_FIXED as u64, 0)], Allow), case(&[at_zero(4)], Refuse(EPERM))], Allow),
    ),
    (&[SYS_madvise], Rule::Cases(&ADVICES, Refuse(EINVAL))),
    (&[SYS_futex], Rule::Cases(&FUTEXES, Refuse(ENOSYS))),
    (&[SYS_clone], Rule::Cases(&THREADS, Trap)),
    (&[SYS_socket], Rule::Cases(&SOCKETS, Trap)),
    (&[SYS_rt_sigaction], Rule::Cases(&[case(&[test(0, INT, SIGSYS as u64)], Refuse(EPERM))], Allow)),
    (&[SYS_prctl], Rule::Cases(&allow(&[test(0, INT, PR_SET_NAME as u64)]), Refuse(EPERM))),
    (&[SYS_fcntl], Rule::Cases(&COPIES, Refuse(EPERM))),
    (&[SYS_getpriority], Rule::Cases(&allow(&[test(0, INT, 0), test(1, INT, 0)]), Refuse(EPERM))),
    // The commands 1, 2 and 4 interrupt other processes.
    (&[SYS_membarrier], Rule::Cases(&allow(&[test(0, 7, 0)]), Refuse(EPERM))),
    (&[SYS_ioctl], Rule::Always(Refuse(ENOTTY))),
];

/// Calls that only a program needs, before its runtime reads the first line of the client. They are its own start,
/// files that are read and looked for, pipes and events within it, and all signals. Landlock decides which files.
const OF_PROGRAM: &[(&[c_long], Rule<'static>)] = &[
    (RUNTIME, Rule::Always(Allow)),
    (OLD_RUNTIME, Rule::Always(Allow)),
    (&[SYS_openat], Rule::Cases(&allow(&[test(2, WRITTEN, 0)]), Refuse(EACCES))),
    (OLD_OPEN, Rule::Cases(&allow(&[test(1, WRITTEN, 0)]), Refuse(EACCES))),
    (OLD_CREAT, Rule::Always(Refuse(EACCES))),
    (&[SYS_fcntl], Rule::Cases(&[COPIES[0], COPIES[1], case(&SET_FLAGS, Allow)], Refuse(EPERM))),
    (
        &[SYS_ioctl],
        Rule::Cases(&[one_of(&FLAGS[0]), one_of(&FLAGS[1]), one_of(&FLAGS[2]), one_of(&FLAGS[3])], Refuse(ENOTTY)),
    ),
    (&[SYS_futex], Rule::Cases(&SHARED_FUTEXES, Refuse(ENOSYS))),
    (&[SYS_socketpair], Rule::Cases(&allow(&[test(0, INT, AF_UNIX as u64)]), Refuse(EPERM))),
    (&[SYS_mmap], Rule::Cases(&[case(&READ_IN_COMMON, Allow), MAPPINGS[0], MAPPINGS[1], MAPPINGS[2]], Refuse(EPERM))),
];

/// A file that is mapped for reading, as Java maps its library. Its pages count as memory, like those of libraries.
const READ_IN_COMMON: [Test; 2] = [
    test(3, (0xf | MAP_HUGETLB | MAP_ANONYMOUS | MAP_FIXED | MAP_FIXED_NOREPLACE) as u64, MAP_SHARED as u64),
    test(2, PROT_WRITE as u64, 0),
];

/// Flags that an open descriptor may get: none by which it reads past the page cache, or has signals sent.
const SET_FLAGS: [Test; 2] = [test(1, INT, F_SETFL as u64), test(2, (O_DIRECT | O_ASYNC) as u64, 0)];

/// Flags of an open that ask for more than reading.
const WRITTEN: u64 = (O_ACCMODE | O_CREAT | O_TRUNC | NEVER_OPENED) as u64;

/// Requests about a descriptor: whether it blocks, whether it survives the start of another program, how much can be
/// read.
const FLAGS: [Test; 4] = [test(1, INT, FIONBIO), test(1, INT, FIOCLEX), test(1, INT, FIONCLEX), test(1, INT, FIONREAD)];

const fn one_of(test: &Test) -> Case<'_> {
    case(std::slice::from_ref(test), Allow)
}

/// A wait for the end of a thread uses a futex that is not private, and there is no handler.
const SHARED_FUTEXES: [Case; 5] = {
    const KIND: u64 = 0x7f;
    [
        FUTEXES[0],
        case(&[test(1, KIND, FUTEX_WAIT as u64)], Allow),
        case(&[test(1, KIND, FUTEX_WAIT_BITSET as u64)], Allow),
        case(&[test(1, KIND, FUTEX_WAKE as u64)], Allow),
        case(&[test(1, KIND, FUTEX_WAKE_BITSET as u64)], Allow),
    ]
};

/// The process itself, as number 0.
const MYSELF: [Case; 1] = allow(&[test(0, INT, 0)]);

/// The process's own limits, which it may ask for but not set.
const LIMITS_OF_MYSELF: [Case; 1] = allow(&[test(2, u64::MAX, 0), test(0, INT, 0)]);

/// An address below 64 KiB, where the kernel makes sure that no process maps anything.
const fn at_zero(argument: u32) -> Test {
    test(argument, !0xffff, 0)
}

/// Private memory only: no process is charged for shared memory, or for huge pages from the machine's pool.
const MAPPINGS: [Case; 3] = {
    const KIND: u64 = (0xf | MAP_HUGETLB) as u64;
    const FIXED: u64 = (MAP_FIXED | MAP_FIXED_NOREPLACE) as u64;
    [
        case(&[test(3, KIND | FIXED, MAP_PRIVATE as u64)], Allow),
        case(&[at_zero(0)], Refuse(EPERM)),
        case(&[test(3, KIND, MAP_PRIVATE as u64)], Allow),
    ]
};

/// Advice on memory, except advice that takes it from what is resident (cold, pageout) or that others feel (mergeable).
const ADVICES: [Case; 8] = [
    case(&[test(2, INT, MADV_DONTNEED as u64)], Allow),
    case(&[test(2, INT, MADV_FREE as u64)], Allow),
    case(&[test(2, INT & !3, MADV_NORMAL as u64)], Allow), // and random, sequential, willneed
    case(&[test(2, INT & !1, MADV_HUGEPAGE as u64)], Allow), // and none of them
    case(&[test(2, INT & !3, MADV_DONTDUMP as u64)], Allow), // dodump, wipeonfork, keeponfork
    case(&[test(2, INT & !1, MADV_DONTFORK as u64)], Allow), // and dofork
    case(&[test(2, INT & !1, MADV_POPULATE_READ as u64)], Allow), // and populate_write
    case(&[test(2, INT, MADV_COLLAPSE as u64)], Allow),
];

/// Private futexes. On a page of a library, which all clients map, others would carry messages between clients. So the
/// handler waits by looking, a wake of such waiters does nothing, and other operations do not exist.
const FUTEXES: [Case; 5] = {
    const PRIVATE: u64 = FUTEX_PRIVATE_FLAG as u64;
    const KIND: u64 = 0x7f;
    [
        case(&[test(1, PRIVATE, PRIVATE)], Allow),
        case(&[test(1, KIND, FUTEX_WAIT as u64)], Trap),
        case(&[test(1, KIND, FUTEX_WAIT_BITSET as u64)], Trap),
        case(&[test(1, KIND, FUTEX_WAKE as u64)], Refuse(0)),
        case(&[test(1, KIND, FUTEX_WAKE_BITSET as u64)], Refuse(0)),
    ]
};

/// Clocks of the machine, of own threads (the kernel checks that), and of the process itself as 0, because a clock's id
/// is made of its owner's number.
const CLOCK_CASES: [Case; 3] = {
    const OF_A_PROCESS: u64 = 1 << 31;
    const OF_A_THREAD: u64 = 4;
    [
        case(&[test(0, OF_A_PROCESS, 0)], Allow),
        case(&[test(0, OF_A_THREAD, OF_A_THREAD)], Allow),
        case(&[test(0, INT & !7, INT & !7)], Allow),
    ]
};

/// Threads only, which share all descriptors, without new namespaces. The arguments of clone3 lie in memory, which a
/// filter cannot read: the C library falls back to clone.
const THREADS: [Case; 2] = {
    const NAMESPACES: c_int =
        CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
    const NEVER: c_int = NAMESPACES | CLONE_VFORK | CLONE_PTRACE | CLONE_UNTRACED | CLONE_PIDFD;
    const THREAD: u64 = CLONE_THREAD as u64;
    const SHARES: u64 = (CLONE_THREAD | CLONE_FILES) as u64;
    [case(&[test(0, SHARES | (NEVER as u32 as u64), SHARES)], Allow), case(&[test(0, THREAD, THREAD)], Refuse(EPERM))]
};

/// Sockets by which the C library looks for a service (users, names of computers, the log, interfaces); it can do
/// without.
const SOCKETS: [Case; 3] = [
    case(&[test(0, INT, AF_UNIX as u64)], Refuse(EACCES)),
    case(&[test(0, INT, AF_NETLINK as u64)], Refuse(EACCES)),
    case(&[test(1, 0xf, SOCK_DGRAM as u64)], Refuse(EACCES)),
];

/// Questions about a descriptor, and copies of it (0 to 3 and F_DUPFD_CLOEXEC). Locks are refused, because two clients
/// could talk by them.
const COPIES: [Case; 2] = [case(&[test(1, INT & !3, 0)], Allow), case(&[test(1, INT, F_DUPFD_CLOEXEC as u64)], Allow)];

/// A call that opens a file, as the arguments of an `openat`.
#[cfg(target_arch = "x86_64")]
pub(super) fn as_openat(call: i64, [a, b, c, d, ..]: [u64; 6]) -> Option<[u64; 4]> {
    match call {
        _ if call == SYS_openat => Some([a, b, c, d]),
        _ if call == SYS_open => Some([AT_FDCWD as u64, a, b, c]),
        _ if call == SYS_creat => Some([AT_FDCWD as u64, a, (O_CREAT | O_WRONLY | O_TRUNC) as u64, b]),
        _ => None,
    }
}

/// A call that opens a file, as the arguments of an `openat`.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn as_openat(call: i64, [a, b, c, d, ..]: [u64; 6]) -> Option<[u64; 4]> {
    (call == SYS_openat).then_some([a, b, c, d])
}

/// The changes that `tools/mutants` makes one by one: a call, and the number of the change.
#[cfg(sandbox_mutants)]
pub(super) fn changes() -> Vec<(u32, usize)> {
    const CALLS: u32 = 480;
    let of_all = |rules: &[(u32, Rule)]| {
        let rule = |call| rules.iter().find(|rule| rule.0 == call).map(|rule| rule.1);
        let count = |call| rule(call).map_or(1, |rule| super::mutants::changes(rule).len());
        (0..CALLS).flat_map(|call| (0..count(call)).map(move |change| (call, change))).collect()
    };
    with_rules(1, |_| true, of_all)
}

#[cfg(test)]
mod tests;

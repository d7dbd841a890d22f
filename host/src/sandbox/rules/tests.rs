//! Each call has one rule, and the filters of a fork server and its child together are the whole one.

use super::super::filter::tests::run;
use super::*;

#[test]
fn each_call_has_one_rule() {
    let mut calls: Vec<c_long> = CONSTANT.iter().flat_map(|(calls, _)| *calls).copied().collect();
    calls.extend(CLOCKS.iter().chain(OF_OWN).chain(SENT_TO_OWN).chain(&[SYS_prlimit64]));
    calls.sort_unstable();
    assert!(calls.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn what_ends_a_client_has_a_name() {
    let answered = [SYS_newfstatat, SYS_sysinfo];
    for (calls, rule) in CONSTANT {
        let ends = matches!(rule, Rule::Always(Trap) | Rule::Cases(_, Trap));
        for call in calls.iter().filter(|call| as_openat(**call, [0; 6]).is_none() && !answered.contains(call)) {
            assert_eq!(name_of(*call).is_some(), ends, "{call}");
        }
    }
    assert_eq!((name_of(SYS_kill), name_of(SYS_ptrace)), (Some("kill"), None));
}

#[test]
fn a_program_is_one_process_that_writes_no_file() {
    let filter = filter_of_program(7, 1, 100);
    let answer = |call: c_long, arguments: [u64; 6]| run(&filter, call as u32, arguments).0;
    for call in 0..1100 {
        for arguments in [[0; 6], [1; 6], [u64::MAX; 6]] {
            assert_ne!(answer(call, arguments) & 0xffff_0000, SECCOMP_RET_TRAP, "{call}");
        }
    }
    let refused = |error: c_int| SECCOMP_RET_ERRNO | error as u32;
    let start = |descriptor: u64, flags: c_int| answer(SYS_execveat, [descriptor, 5, 5, 5, flags as u64, 0]);
    assert_eq!(start(100, AT_EMPTY_PATH), SECCOMP_RET_ALLOW);
    for other in [start(3, AT_EMPTY_PATH), start(100, 0), start(AT_FDCWD as u64, 0), answer(SYS_execve, [5; 6])] {
        assert_eq!(other, refused(EPERM), "another start");
    }
    for call in [SYS_execve, SYS_execveat, SYS_memfd_create, SYS_ptrace, SYS_bpf, SYS_unlinkat, SYS_mkdirat, SYS_setsid]
    {
        assert_eq!(answer(call, [0; 6]), refused(EPERM), "{call}");
    }
    assert_eq!(answer(SYS_clone, [SIGCHLD as u64, 0, 0, 0, 0, 0]), refused(EPERM));
    assert_eq!(answer(SYS_clone3, [0; 6]), refused(ENOSYS));
    assert_eq!(answer(SYS_socket, [AF_INET as u64, SOCK_STREAM as u64, 0, 0, 0, 0]), refused(EPERM));
    assert_eq!(answer(SYS_kill, [2, 9, 0, 0, 0, 0]), refused(EPERM));
    let open = |flags: c_int| answer(SYS_openat, [AT_FDCWD as u64, 0, flags as u64, 0, 0, 0]);
    assert_eq!(open(O_RDONLY | O_CLOEXEC), SECCOMP_RET_ALLOW);
    let set = |flags: c_int| answer(SYS_fcntl, [3, F_SETFL as u64, flags as u64, 0, 0, 0]);
    assert_eq!(set(O_NONBLOCK), SECCOMP_RET_ALLOW);
    assert_eq!([O_DIRECT, O_ASYNC | O_NONBLOCK].map(set), [refused(EPERM); 2]);
    for flags in [O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_PATH, O_DIRECT, O_TMPFILE | O_RDWR] {
        assert_eq!(open(flags), refused(EACCES), "{flags}");
    }
}

#[test]
fn the_filters_are_short() {
    let lengths = [filter(7, 1), filter_of_fork_server(7), filter_of_child(7, 1)].map(|filter| filter.len());
    assert!(lengths.into_iter().zip([300, 200, 120]).all(|(length, most)| length < most), "{lengths:?}");
}

/// Splits one number into others, each equally likely.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

#[test]
fn both_filters_of_a_forked_host_are_the_whole_one() {
    const OWN: u32 = 4711;
    let (whole, before, after) = (filter(7, OWN), filter_of_fork_server(7), filter_of_child(7, OWN));
    // The values with which arguments are compared, so that each branch is taken.
    let mut values: Vec<u64> = whole.iter().chain(&before).map(|step| u64::from(step.k)).collect();
    values.extend([0, 1, u64::from(OWN), u64::MAX, 1 << 32, (!u64::from(OWN) << 3) | 2, 4710]);
    let (mut state, mut answers) = (1, std::collections::BTreeMap::<u32, u32>::new());
    for number in (0..1100).chain([1 << 30, u32::MAX]) {
        for _ in 0..2000 {
            let arguments = std::array::from_fn(|_| {
                let [value, other] = [(); 2].map(|()| values[next(&mut state) as usize % values.len()]);
                [value, other, value | other, value | (other << 32)][next(&mut state) as usize % 4]
            });
            let [wanted, before, after] = [&whole, &before, &after].map(|filter| run(filter, number, arguments).0);
            // The kernel takes the stricter answer, which is the lower number, except for kills.
            assert_eq!(before.min(after), wanted, "{number} {arguments:x?}");
            *answers.entry(wanted & 0xffff_0000).or_default() += 1;
        }
    }
    assert_eq!(answers.len(), 3, "{answers:x?}");
}

#[test]
fn what_a_fork_server_leaves_is_shut_in_its_children() {
    const CLOCK_OF_ANOTHER: u64 = (!9 << 3) | 2;
    let (before, after) = (filter_of_fork_server(7), filter_of_child(7, 1));
    for call in left_to_children() {
        let [before, after] = [&before, &after].map(|filter| run(filter, call as u32, [CLOCK_OF_ANOTHER; 6]).0);
        assert_eq!(before, SECCOMP_RET_ALLOW, "{call}");
        assert_ne!(after, SECCOMP_RET_ALLOW, "{call}");
    }
}

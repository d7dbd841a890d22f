//! Each layer of the sandbox: what it forbids is impossible with it and possible without it.
#![expect(unsafe_code)]

use crate::rig::{Host, build, build_with, has_compiler, lacks, play_once};
use agon_abi::{Layer, Layers, OpenStatus};
use std::path::Path;

/// Plays a turn in which `what` is forbidden by seccomp, and possible without it.
fn is_forbidden(what: &str, name: &str) {
    let (mv, end) = play_once(what, &[]);
    assert_eq!((mv, end.signal), (None, Some(libc::SIGSYS)), "{what}: {end:?}");
    assert!(end.log.starts_with(&format!("agon.syscall\t{name} (")), "{what}: {}", end.log);
    let (mv, end) = play_once(what, &["--without", "seccomp", "--without", "landlock", "--without", "limits"]);
    assert!(mv.is_some(), "{what} without seccomp: {end:?}");
}

#[test]
fn seccomp_names_the_forbidden_call() {
    if !has_compiler() || lacks(Layer::Seccomp) {
        return;
    }
    for (what, name) in [
        ("if (fork() == 0) _exit(0)", "clone"),
        ("if (syscall(SYS_vfork) == 0) syscall(SYS_exit, 0)", "vfork"),
        ("socket(AF_INET, SOCK_STREAM, 0)", "socket"),
        ("kill(getppid(), 0)", "kill"),
        ("syscall(SYS_tgkill, getppid(), getppid(), 0)", "tgkill"),
        ("syscall(SYS_tkill, getppid(), 0)", "tkill"),
        ("execl(\"/nowhere/x\", \"x\", NULL)", "execve"),
        ("syscall(SYS_execveat, -1, \"\", NULL, NULL, 0)", "execveat"),
    ] {
        is_forbidden(what, name);
    }
}

#[test]
fn a_forbidden_call_in_a_constructor_is_named() {
    if !has_compiler() || lacks(Layer::Seccomp) {
        return;
    }
    let client = build(&["START=socket(AF_INET, SOCK_STREAM, 0)"]);
    let mut host = Host::start(&client, &[]);
    assert_eq!(host.open(), None);
    let end = host.end();
    assert_eq!((end.signal, end.log), (Some(libc::SIGSYS), format!("agon.syscall\tsocket ({})\n", libc::SYS_socket)));
}

#[test]
fn a_client_cannot_outwit_the_handler() {
    if !has_compiler() || lacks(Layer::Seccomp) {
        return;
    }
    for what in [
        "struct sigaction a = {.sa_handler = SIG_IGN}; if (sigaction(SIGSYS, &a, 0) == 0) return; socket(2, 1, 0)",
        "sigset_t s; sigfillset(&s); sigprocmask(SIG_SETMASK, &s, 0); socket(2, 1, 0)",
        "system(\"true\")",
        "raise(SIGSYS)",
        "syscall(SYS_openat, -100, \"/etc/passwd\", 0, 0, 0, 0x61676f6e) < 0 ? socket(2, 1, 0) : 0",
        "prctl(PR_SET_PDEATHSIG, 0) == 0 ? 0 : socket(2, 1, 0)",
        "asm volatile(\"int $0x80\" :: \"a\"(20))",
    ] {
        if cfg!(not(target_arch = "x86_64")) && what.starts_with("asm") {
            continue;
        }
        let (mv, end) = play_once(what, &[]);
        assert_eq!((mv, end.signal), (None, Some(libc::SIGSYS)), "{what}: {end:?}");
    }
}

#[test]
fn computing_is_allowed() {
    if !has_compiler() {
        return;
    }
    for what in [
        "char *p = malloc(64 << 20); memset(p, 1, 64 << 20); move->number += p[99]; free(p)",
        "move->number += count_with_threads(4) == 4000",
        "printf(\"%f\\n\", sin(1)); move->number += 1",
        "struct timespec t = {0, 1000}; nanosleep(&t, 0); move->number += time(0) > 0",
        "signal(SIGUSR1, SIG_IGN); raise(SIGUSR1); move->number += isatty(1) == 0",
        "alarm(9); struct timeval t = {0, 1000}; select(0, 0, 0, 0, &t); alarm(0); move->number += fdopen(1, \"w\") != 0",
        "struct rlimit r; move->number += getrlimit(RLIMIT_NOFILE, &r) == 0",
        "move->number += mmap(0, 7LL << 30, 3, MAP_PRIVATE|MAP_ANONYMOUS|MAP_NORESERVE, -1, 0) != MAP_FAILED",
    ] {
        let (mv, end) = play_once(what, &["--memory", "268435456"]);
        assert_eq!((mv, end.log.as_str()), (Some(8), ""), "{what}: {end:?}");
    }
}

#[test]
fn an_open_outside_is_refused_and_told() {
    if !has_compiler() || lacks(Layer::Landlock) {
        return;
    }
    let open = "move->number = open(\"/etc/hostname\", O_RDONLY) < 0 ? errno : 0";
    let (mv, end) = play_once(open, &[]);
    assert_eq!((mv, end.log.as_str()), (Some(libc::EACCES as u64), "agon.denied\t/etc/hostname\n"));
    let (mv, end) = play_once(open, &["--without", "landlock"]);
    assert_eq!((mv, end.log.as_str()), (Some(0), ""));
    let (mv, _) = play_once(open, &["--without", "seccomp"]);
    assert_eq!(mv, Some(libc::EACCES as u64));
    let (mv, end) = play_once("move->number = open((char *)8, O_RDONLY) < 0 ? errno : 0", &[]);
    assert_eq!((mv, end.log.as_str()), (Some(libc::EFAULT as u64), ""));
    let (mv, end) = play_once("errno = 77; fopen(\"/usr/lib\", \"r\"); move->number = errno == EACCES", &[]);
    assert_eq!(mv, Some(1), "{end:?}");
}

#[test]
fn an_open_in_a_constructor_is_told() {
    if !has_compiler() || lacks(Layer::Landlock) {
        return;
    }
    let client = build(&["START=open(\"/etc/passwd\", O_RDONLY)"]);
    let mut host = Host::start(&client, &[]);
    assert_eq!(host.open(), Some(OpenStatus::Ready));
    assert_eq!(host.end().log, "agon.denied\t/etc/passwd\n");
}

#[test]
fn nothing_can_be_written() {
    if !has_compiler() || lacks(Layer::Landlock) {
        return;
    }
    let folder = crate::rig::folder();
    let path = folder.join("x");
    let create = format!("move->number = creat(\"{}\", 0666) < 0 ? errno : 0", path.display());
    let (mv, end) = play_once(&create, &[]);
    assert_eq!((mv, end.log), (Some(libc::EACCES as u64), format!("agon.denied\t{}\n", path.display())));
    let (mv, _) = play_once(&create, &["--without", "landlock"]);
    assert_eq!(mv, Some(0));
    let write = format!(
        "signal(SIGXFSZ, SIG_IGN); int f = open(\"{}\", O_WRONLY); move->number = write(f, \"x\", 1) < 0 ? errno : 0",
        path.display()
    );
    let (mv, _) = play_once(&write, &["--without", "landlock"]);
    assert_eq!(mv, Some(libc::EFBIG as u64), "limits alone");
    let (mv, _) = play_once(&write, &["--without", "landlock", "--without", "limits"]);
    assert_eq!(mv, Some(0));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn landlock_alone_stops_signals_and_tcp() {
    if !has_compiler() || lacks(Layer::Landlock) {
        return;
    }
    let without = &["--without", "seccomp"][..];
    let kill = "move->number = kill(getppid(), 0) < 0 ? errno : 0";
    let (mv, _) = play_once(kill, without);
    if mv == Some(0) {
        agon_skips::skip_here("this kernel's Landlock does not know signals (Linux 6.12 does)");
    } else {
        assert_eq!(mv, Some(libc::EPERM as u64));
    }
    let connect = "struct sockaddr a = {AF_INET, {0, 1, 127, 0, 0, 1}}; int s = socket(AF_INET, SOCK_STREAM, 0); \
                   move->number = connect(s, &a, sizeof a) < 0 ? errno : 0";
    let (mv, _) = play_once(connect, without);
    if mv == Some(libc::ECONNREFUSED as u64) {
        agon_skips::skip_here("this kernel's Landlock does not know TCP (Linux 6.7 does)");
    } else {
        assert_eq!(mv, Some(libc::EACCES as u64));
    }
    assert_eq!(play_once(connect, &["--sandbox", "off"]).0, Some(libc::ECONNREFUSED as u64));
    let (mv, _) = play_once(kill, &["--sandbox", "off"]);
    assert_eq!(mv, Some(0));
}

#[test]
fn limits_alone() {
    if !has_compiler() {
        return;
    }
    let count = "move->number = 0; while (dup(0) >= 0) ++move->number";
    let (mv, _) = play_once(count, &["--without", "seccomp"]);
    assert!(mv.unwrap() <= 64, "{mv:?}");
    let reserve = "move->number = mmap(0, 1LL << 40, 0, MAP_PRIVATE|MAP_ANONYMOUS|MAP_NORESERVE, -1, 0) == MAP_FAILED";
    assert_eq!(play_once(reserve, &["--memory", "1000000"]).0, Some(1));
    assert_eq!(play_once(reserve, &["--memory", "1000000", "--without", "limits"]).0, Some(0));
}

#[test]
fn privileges_alone() {
    if !has_compiler() {
        return;
    }
    let ask = "move->number = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) * 2 + prctl(PR_GET_DUMPABLE)";
    assert_eq!(play_once(ask, &["--without", "seccomp"]).0, Some(2));
    assert_eq!(play_once(ask, &["--sandbox", "off"]).0, Some(1));
}

#[test]
fn root_is_nobody_in_particular() {
    if !has_compiler() {
        return;
    }
    let sets = |options: &[&str]| -> Vec<String> {
        let [started, forked] = Host::ready_both(&build(&[]), options).map(|host| host.told("status"));
        let of = |text: &str| {
            text.lines().filter_map(|line| line.strip_prefix("Cap")).map(|set| set[5..].to_owned()).collect()
        };
        assert_eq!(of(&started), of(&forked), "{options:?}");
        of(&started)
    };
    let none = ["0000000000000000"; 5];
    if sets(&["--sandbox", "off"])[..3] == none[..3] {
        agon_skips::skip_here("nobody is root here");
        return;
    }
    assert_eq!(sets(&[]), none);
    // The bits of security can be asked for where the filter lets it; root's number must be worth nothing.
    let secure = "move->number = prctl(PR_GET_SECUREBITS)";
    assert_eq!(play_once(secure, &["--without", "seccomp"]).0, Some(0xef));
    assert_ne!(sets(&["--without", "privileges"]), none);
}

#[test]
fn hosts_are_the_first_to_go_when_memory_is_short() {
    if !has_compiler() {
        return;
    }
    let score = |options: &[&str]| Host::ready_both(&build(&[]), options).map(|host| host.told("oom_score_adj"));
    assert_eq!(score(&[]), ["1000\n"; 2]);
    assert!(score(&["--without", "limits"]).iter().all(|score| score != "1000\n"));
}

#[test]
fn queued_signals_and_timers_are_few() {
    if !has_compiler() {
        return;
    }
    let count = "struct sigevent e = {.sigev_notify = SIGEV_NONE}; timer_t t; int n = 0; \
                 while (n < 1000 && timer_create(CLOCK_MONOTONIC, &e, &t) == 0) n++; move->number = n";
    assert!((1..=128).contains(&play_once(count, &[]).0.unwrap()));
    assert_eq!(play_once(count, &["--without", "limits"]).0, Some(1000));
}

#[test]
fn a_file_that_only_root_reaches_is_opened_all_the_same() {
    use std::os::unix::fs::{PermissionsExt, chown};
    // SAFETY: takes nothing.
    if !has_compiler() || unsafe { libc::geteuid() } != 0 {
        return;
    }
    let client = build(&[]);
    let folder = client.0.parent().unwrap();
    chown(folder, Some(65534), Some(65534)).unwrap();
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(Host::ready_both(&client, &[]).map(|mut host| host.play(7)), [Some(7); 2]);
}

#[test]
fn the_pipes_are_out_of_reach_by_number() {
    if !has_compiler() {
        return;
    }
    let (mv, end) = play_once("for (int i = 3; i < 100; ++i) close(i); dup2(1, 100)", &["--without", "seccomp"]);
    assert_eq!(mv, Some(7), "{end:?}");
}

#[test]
fn layers_are_reported() {
    if !has_compiler() {
        return;
    }
    let client = build(&[]);
    let held = Host::start(&client, &[]).layers;
    let layers = |options: &[&str]| Host::ready_both(&client, options).map(|host| host.layers);
    assert_eq!((layers(&[]), layers(&["--sandbox", "off"])), ([held; 2], [Layers::NONE; 2]));
    for layer in Layer::ALL {
        assert_eq!(layers(&["--without", layer.name()]), [held.without(layer); 2]);
    }
}

#[test]
fn the_server_can_read_what_it_measures() {
    if !has_compiler() {
        return;
    }
    let client = build(&[]);
    for host in Host::ready_both(&client, &[]) {
        assert!(["statm", "stat", "status", "schedstat"].iter().all(|file| !host.told(file).is_empty()));
    }
}

/// A text with every byte changed, as `memory.h` takes it.
fn changed(text: &str) -> String {
    text.bytes().map(|byte| char::from(byte ^ 1)).collect()
}

#[test]
fn a_client_finds_nothing_of_the_one_that_was_forked_before() {
    if !has_compiler() || lacks(Layer::Seccomp) {
        return;
    }
    let other = build(&[]);
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/memory.h");
    let name = |path: &Path| format!("{}/", path.parent().unwrap().file_name().unwrap().to_str().unwrap());
    let text = changed(&name(&other.0));
    let play = format!("PLAY=if (memory_has(\"{text}\")) abort()");
    let client = build_with(&[&play], &["-shared", "-include", header.to_str().unwrap()]);
    let mut host = Host::fork_after(&other, &client, &[]).initialized();
    let played = host.play(7);
    assert_eq!(played, Some(7), "it finds {}: {:?}", name(&other.0), host.end());
    // It does find its own, which is no secret.
    let play = "PLAY=if (!memory_has(OWN)) abort()";
    let own = build_with(&[play, "OWN=\"bmhdou/rn\""], &["-shared", "-include", header.to_str().unwrap()]);
    let mut host = Host::fork_after(&other, &own, &[]).initialized();
    let played = host.play(7);
    assert_eq!(played, Some(7), "{:?}", host.end());
}

#[test]
fn with_fewer_layers_than_required_nothing_of_the_client_runs() {
    if !has_compiler() {
        return;
    }
    // A constructor that ends the process in a way of its own.
    let client = build(&["START=_exit(77)"]);
    for layer in Layer::ALL {
        let mut host = Host::start(&client, &["--strict", "--without", layer.name()]);
        assert!(!host.layers.has(layer));
        assert_eq!(host.open(), None);
        let end = host.end();
        assert_eq!((end.code, end.output.as_str()), (Some(5), ""), "{layer:?}: {end:?}");
        assert!(end.log.contains(&format!("nothing of the client runs without: {}", layer.name())), "{}", end.log);
        let mut host = Host::start(&client, &["--without", layer.name()]);
        assert_eq!((host.open(), host.end().code), (None, Some(77)), "{layer:?}");
    }
}

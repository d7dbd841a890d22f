//! What people and disks put into the folder of the clients: each file is told for what it is, none stops the others,
//! and nothing is held against a client that was the machine's.

use crate::builder::{Arena, Ran};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, lchown, symlink};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

const CLIENT: &str = r#"
#include <agon/amazons.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
void *grow(void *none) { usleep(50000); for (;;) memset(malloc(1 << 20), 1, 1 << 20); return none; }
const char *get_player_name(void) { return "odd"; }
int initialize(const amazons_setup *setup) { (void)setup; return 0; }
amazons_move play(const amazons_turn *turn) { (void)turn; amazons_move none = {0, 0, 0}; return none; }
void finalize(void) {}
AGON_CLIENT(amazons)
"#;

const LADDER: &str = "[ladder]\nname = \"odd\"\ngame = \"amazons\"\nseed = 3\n[options]\nboard = \"square:5\"\n";

/// Two players who play whatever lies beside them.
fn arena() -> Arena {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.rust_client("greedy");
    arena.ladder_toml(LADDER);
    arena
}

fn constructor(body: &str) -> String {
    format!("{CLIENT}\n__attribute__((constructor)) static void begin(void) {{ {body} }}\n")
}

#[track_caller]
fn assert_plays(ran: &Ran, matches: usize) {
    assert_eq!(ran.status, Some(0), "{}\n{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains(&format!("{matches} matches")), "{}\n{}", ran.stdout, ran.stderr);
}

#[test]
fn a_bad_file_is_passed_over_with_a_line() {
    let arena = arena();
    let clients = arena.path("clients");
    fs::File::create(clients.join("huge.so")).unwrap().set_len((1 << 30) + 1).unwrap();
    symlink("/dev/zero", clients.join("endless.so")).unwrap();
    symlink("/proc/self/environ", clients.join("proc.so")).unwrap();
    symlink("nowhere", clients.join("dangling.so")).unwrap();
    symlink("loop.so", clients.join("loop.so")).unwrap();
    assert!(Command::new("mkfifo").arg(clients.join("pipe.so")).status().unwrap().success());
    fs::create_dir(clients.join("folder.so")).unwrap();
    let began = Instant::now();
    let ran = arena.agon(["ladder", "--quiet"]);
    assert_plays(&ran, 2);
    for (file, why) in [
        ("huge.so", "1073741825 bytes"),
        ("endless.so", "a device"),
        ("proc.so", "a file of /proc"),
        ("dangling.so", "no such file"),
        ("loop.so", "symbolic links"),
        ("pipe.so", "a named pipe"),
    ] {
        let refused = format!("{} refused: it cannot be read: ", file.trim_end_matches(".so"));
        let line = ran.stdout.lines().find(|line| line.contains(&refused));
        let line = line.unwrap_or_else(|| panic!("{file}: {}", ran.stdout));
        assert!(line.contains(why) && line.contains("; help: "), "{line}");
    }
    assert!(began.elapsed() < Duration::from_secs(30));
    for file in ["huge.so", "endless.so", "pipe.so"] {
        let ran = arena.agon(["add", &format!("clients/{file}"), "clients/random.so", "--out", "seen"]);
        assert_eq!(ran.status, Some(4), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("refused ") && ran.stdout.contains("added "), "{}", ran.stdout);
    }
}

#[test]
fn a_link_does_not_lend_the_rights_of_whoever_runs_agon() {
    if !rustix::process::geteuid().is_root() {
        agon_skips::skip_here("only root can make links for others");
        return;
    }
    let arena = arena();
    let secret = arena.file("secret", "for root alone");
    fs::set_permissions(&secret, Permissions::from_mode(0o600)).unwrap();
    symlink(&secret, arena.path("clients/s.so")).unwrap();
    lchown(arena.path("clients/s.so"), Some(60_001), None).unwrap();
    let ran = arena.agon(["ladder", "--quiet"]);
    assert_plays(&ran, 2);
    assert!(ran.stdout.contains("s refused: it cannot be read: it is a link of user 60001"), "{}", ran.stdout);
    // Root's own link is followed, and the copy is for root alone, too.
    lchown(arena.path("clients/s.so"), Some(0), None).unwrap();
    assert_plays(&arena.agon(["ladder", "--quiet"]), 2);
    for copy in fs::read_dir(arena.path("agon-out/files")).unwrap().map(|entry| entry.unwrap().path()) {
        let is_secret = fs::read(&copy).unwrap() == b"for root alone";
        assert_eq!(fs::metadata(&copy).unwrap().mode() & 0o077 == 0, is_secret, "{}", copy.display());
    }
}

/// The main thread ends, of which the kernel then reports no memory, and another one goes on.
const HEADLESS: &str = "pthread_t t; pthread_create(&t, 0, grow, 0); syscall(SYS_exit, 0);";

#[test]
fn an_end_that_sleeps_costs_a_second_and_is_told() {
    let arena = arena();
    let source = constructor("").replace("constructor", "destructor").replace("{}", "{ for (;;) pause(); }");
    if arena.c_client("sleeper", &source).is_none() {
        return;
    }
    let began = Instant::now();
    let ran = arena.agon(["add", "clients/sleeper.so", "--out", "added", "--no-trial"]).well();
    assert!(began.elapsed() < Duration::from_secs(6), "{:?}", began.elapsed());
    assert!(
        ran.stdout.contains("did not end within 1 s") && ran.stdout.contains("help: let initialize"),
        "{}",
        ran.stdout
    );
}

#[test]
fn deaths_while_a_library_is_opened_are_told_as_what_they_are() {
    let arena = arena();
    for (name, body) in [
        ("caller", "socket(2, 1, 0);"),
        ("bomb", "for (;;) memset(malloc(1 << 20), 1, 1 << 20);"),
        ("crasher", "*(volatile int *)8 = 1;"),
        ("leaver", "_exit(3);"),
        ("aborter", "abort();"),
        ("sender", "raise(SIGSYS);"),
        ("headless", HEADLESS),
    ] {
        if arena.c_client(name, &constructor(body)).is_none() {
            return;
        }
    }
    let began = Instant::now();
    let ran = arena.agon(["ladder", "--quiet"]);
    assert_plays(&ran, 2);
    assert!(began.elapsed() < Duration::from_secs(40));
    let told = arena.agon(["clients"]).well().stdout;
    for (name, why) in [
        ("caller", "a forbidden system call while it was opened: socket"),
        ("bomb", "it took more than 512 MiB of memory while it was opened"),
        (
            "crasher",
            "crashed while it was opened, by SIGSEGV, an access to memory it does not have (write at address 0x8",
        ),
        ("leaver", "ended with exit status 3"),
        ("aborter", "by SIGABRT"),
        ("sender", "by SIGSYS, a signal of its own"),
        ("headless", "it took more than 512 MiB of memory while it was opened"),
    ] {
        let line = told.lines().find(|line| line.contains(name) && line.contains(why));
        assert!(line.is_some_and(|line| line.contains("help: ")), "{name}: {told}");
    }
}

#[test]
fn what_was_the_machines_fault_is_looked_at_again() {
    let arena = arena();
    fs::create_dir(arena.path("libs")).unwrap();
    if arena.c_client_with("depth", "int depth(void) { return 3; }", &["-Wl,-soname,libdepth.so.7"]).is_none() {
        return;
    }
    let library = arena.path("clients/depth.so");
    let search = format!("-Wl,-rpath,{}", arena.path("libs").display());
    let source = CLIENT.replace("(void)setup; return 0", "int depth(void); (void)setup; return depth() != 3");
    arena.c_client_with("needy", &source, &[library.to_str().unwrap(), &search]).unwrap();
    arena.ladder_toml(&format!("{LADDER}[run]\nsandbox = \"off\"\n"));
    // The library is where the loader does not look: what was seen then must not be kept.
    fs::rename(&library, arena.path("libdepth.so.7")).unwrap();
    assert_plays(&arena.agon(["ladder", "--quiet"]), 2);
    let told = arena.agon(["clients"]).well().stdout;
    assert!(told.contains("needs libdepth.so.7, which is not on this computer"), "{told}");
    fs::rename(arena.path("libdepth.so.7"), arena.path("libs/libdepth.so.7")).unwrap();
    assert_plays(&arena.agon(["ladder", "--quiet"]), 6);
}

#[test]
fn too_few_descriptors_are_nobodys_refusal() {
    let arena = arena();
    let few = Command::new("sh")
        .args(["-c", "ulimit -n 20; exec bin/agon ladder --quiet"])
        .current_dir(arena.path(""))
        .output()
        .map(Ran::from)
        .unwrap();
    assert_eq!(few.status, Some(1), "{}{}", few.stdout, few.stderr);
    assert!(few.stderr.contains("help: ulimit -n"), "{}", few.stderr);
    assert_plays(&arena.agon(["ladder", "--quiet"]), 2);
}

#[test]
fn a_look_without_a_thread_is_the_machines_trouble() {
    if !rustix::process::geteuid().is_root() {
        agon_skips::skip_here("only root may play as a user who has no processes left");
        return;
    }
    // A number that nobody else has, so that nobody else's processes count.
    const NOBODY_ELSE: u32 = 54_322;
    let arena = arena().as_user(Some(NOBODY_ELSE));
    chown(arena.path("clients"), Some(NOBODY_ELSE), Some(NOBODY_ELSE)).unwrap();
    let told = |processes: u32| {
        let mut command = Command::new("prlimit");
        command.arg(format!("--nproc={processes}")).args(["bin/agon", "add", "clients/random.so"]);
        let ran = Ran::from(command.current_dir(arena.path("")).uid(NOBODY_ELSE).gid(NOBODY_ELSE).output().unwrap());
        assert!(
            !ran.stdout.contains("refused") && (ran.status == Some(0) || ran.stderr.contains("error: ")),
            "{}",
            ran.stderr
        );
        ran.stderr
    };
    let told: Vec<String> = (1..=8).map(told).collect();
    let deaf = told.iter().find(|text| text.contains("no thread starts to listen to it"));
    let deaf = deaf.unwrap_or_else(|| panic!("{told:#?}"));
    assert!(deaf.contains("help: raise ulimit -u"), "{deaf}");
}

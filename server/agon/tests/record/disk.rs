//! Disks that are full or may not be written: a clear error, nothing by halves, and the same command goes on
//! afterwards.

use crate::builder::{Arena, NOBODY, Ran, SmallDisk};
use crate::held::{assert_no_host, assert_whole, games, matches, pairs, pairs_toml, table};
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What the copies of the clients' files take, KiB.
fn files_kib(arena: &Arena) -> u64 {
    let files = fs::read_dir(arena.path("clients")).unwrap();
    files.map(|file| file.unwrap().metadata().unwrap().len().div_ceil(1024) + 8).sum()
}

#[track_caller]
fn assert_told(ran: &Ran, path: &str, help: &str) {
    assert_eq!(ran.status, Some(1), "{}\n{}", ran.stdout, ran.stderr);
    let error = ran.stderr.lines().find(|line| line.starts_with("error: ")).unwrap_or_else(|| panic!("{}", ran.stderr));
    assert!(error.contains(path) && error.contains("help: ") && error.contains(help), "{error}");
    assert_eq!(ran.stderr.matches("error: ").count(), 1, "{}", ran.stderr);
}

/// Starts a ladder that says so when it waits for room.
fn start_and_wait(arena: &Arena) -> Child {
    let said = arena.path("said.txt");
    let mut command = arena.command(["ladder"]);
    let mut server = command.stdout(Stdio::null()).stderr(File::create(&said).unwrap()).spawn().unwrap();
    await_waiting(arena, &mut server);
    server
}

fn await_waiting(arena: &Arena, server: &mut Child) {
    let said = arena.path("said.txt");
    let began = Instant::now();
    while !fs::read_to_string(&said).unwrap().contains("waiting, and trying again") {
        assert!(server.try_wait().unwrap().is_none(), "{}", fs::read_to_string(&said).unwrap());
        assert!(began.elapsed() < Duration::from_secs(60), "{}", fs::read_to_string(&said).unwrap());
        sleep(Duration::from_millis(20));
    }
}

/// Runs into a disk with so much room beside the clients' files, and goes on by itself when it has grown.
fn fills_up(logs: &str, room_kib: u64, error_names: &str) {
    let (arena, undisturbed) = (pairs(40), pairs(40));
    for arena in [&arena, &undisturbed] {
        arena.ladder_toml(&format!("{}[run]\nlogs = \"{logs}\"\n", pairs_toml(40)));
    }
    let size = files_kib(&arena) + room_kib;
    let Some(disk) = SmallDisk::over_output_of(&arena, size) else { return };
    let mut server = start_and_wait(&arena);
    assert!(matches(&arena) > 0, "the disk was full before anything was played");
    sleep(Duration::from_millis(500));
    assert!(server.try_wait().unwrap().is_none(), "it waits");
    disk.grow();
    assert!(server.wait().unwrap().success());
    let said = fs::read_to_string(arena.path("said.txt")).unwrap();
    let words = [error_names, "free some space", "going on: "];
    assert!(words.iter().all(|word| said.contains(word)), "{said}");
    // The logs and the record are on one disk: a word for each at most.
    assert!(said.matches("waiting, and trying again").count() <= 2, "{said}");
    assert!(!said.contains("void"), "{said}");
    assert_whole(&arena, 2);
    undisturbed.agon(["ladder", "--quiet"]).well();
    assert_eq!(table(&arena), table(&undisturbed));
    assert_eq!(games(&arena), games(&undisturbed));
}

#[test]
fn a_disk_that_fills_up_with_logs() {
    fills_up("all", 700, "agon-out/");
}

#[test]
fn a_disk_that_fills_up_with_the_record() {
    fills_up("none", 500, "agon-out/record.sqlite");
}

#[test]
fn a_ladder_that_waits_for_room_can_be_stopped() {
    let arena = pairs(40);
    let Some(disk) = SmallDisk::over_output_of(&arena, files_kib(&arena) + 700) else { return };
    let mut server = start_and_wait(&arena);
    kill_process(Pid::from_child(&server), Signal::INT).unwrap();
    assert!(!server.wait().unwrap().success());
    assert_no_host(&arena);
    disk.grow();
    arena.agon(["ladder", "--quiet"]).well();
    assert_whole(&arena, 2);
}

/// Begins on a disk with so much room, waits before anything was played, and goes on by itself when it has grown.
fn begins_without_room(room_kib: impl FnOnce(&Arena) -> u64, error_names: &str) {
    let arena = pairs(1);
    let Some(disk) = SmallDisk::over_output_of(&arena, room_kib(&arena)) else { return };
    let mut server = start_and_wait(&arena);
    sleep(Duration::from_millis(300));
    assert!(server.try_wait().unwrap().is_none(), "it waits");
    disk.grow();
    assert!(server.wait().unwrap().success());
    let said = fs::read_to_string(arena.path("said.txt")).unwrap();
    assert!([error_names, "free some space", "going on: "].iter().all(|word| said.contains(word)), "{said}");
    assert_eq!(said.matches("waiting, and trying again").count(), 1, "{said}");
    assert_whole(&arena, 2);
}

#[test]
fn a_disk_without_room_for_the_clients() {
    begins_without_room(|arena| files_kib(arena) / 2, "agon-out/files/");
}

#[test]
fn a_disk_without_room_for_the_record() {
    begins_without_room(|_| 8, "agon-out/record.sqlite");
}

#[test]
fn a_limit_for_files_is_told_and_waited_for_as_a_full_disk_is() {
    let (arena, undisturbed) = (pairs(40), pairs(40));
    let largest = fs::read_dir(arena.path("clients")).unwrap();
    let largest = largest.map(|file| file.unwrap().metadata().unwrap().len()).max().unwrap();
    // Room for the clients and a begun record, which then grows beyond it.
    let most = largest + (64 << 10);
    arena.ladder_toml(&format!("{}[run]\nlogs = \"none\"\n", pairs_toml(400)));
    undisturbed.ladder_toml(&format!("{}[run]\nlogs = \"none\"\n", pairs_toml(400)));
    let said = arena.path("said.txt");
    let mut command = Command::new("prlimit");
    command.arg(format!("--fsize={most}:")).args(["bin/agon", "ladder"]).current_dir(arena.path(""));
    let server = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&said).unwrap()).spawn();
    let mut server = server.unwrap();
    await_waiting(&arena, &mut server);
    sleep(Duration::from_millis(300));
    assert!(server.try_wait().unwrap().is_none(), "it waits");
    prlimit(Some(Pid::from_child(&server)), Resource::Fsize, Rlimit { current: None, maximum: None }).unwrap();
    assert!(server.wait().unwrap().success(), "{}", fs::read_to_string(&said).unwrap());
    let said = fs::read_to_string(&said).unwrap();
    let words = ["agon-out/record.sqlite", "no file may have more than", "ulimit -f unlimited", "going on: "];
    assert!(words.iter().all(|word| said.contains(word)) && !said.contains("void"), "{said}");
    assert_whole(&arena, 2);
    undisturbed.agon(["ladder", "--quiet"]).well();
    assert_eq!(games(&arena), games(&undisturbed));
}

/// An arena in which an ordinary user plays, since root may write anywhere.
fn as_nobody(rounds: u32) -> Arena {
    let is_root = rustix::process::geteuid().is_root();
    pairs(rounds).as_user(is_root.then_some(NOBODY))
}

#[test]
fn a_folder_that_may_not_be_written() {
    let arena = as_nobody(1);
    fs::create_dir(arena.path("agon-out")).unwrap();
    fs::set_permissions(arena.path("agon-out"), Permissions::from_mode(0o555)).unwrap();
    assert_told(&arena.agon(["ladder"]), "agon-out/", "make the folder writable, or choose another [output] dir");
    assert_eq!(fs::read_dir(arena.path("agon-out")).unwrap().count(), 0);
}

#[test]
fn a_record_that_may_no_longer_be_written() {
    let arena = as_nobody(2);
    arena.agon(["ladder", "--quiet"]).well();
    let (before, kept) = (table(&arena), matches(&arena));
    arena.ladder_toml(&pairs_toml(4));
    let lock = |mode, owner: u32| {
        for path in ["agon-out/record.sqlite", "agon-out"] {
            fs::set_permissions(arena.path(path), Permissions::from_mode(mode)).unwrap();
            if rustix::process::geteuid().is_root() {
                chown(arena.path(path), Some(owner), Some(owner)).unwrap();
            }
        }
    };
    lock(0o555, 0);
    assert_told(&arena.agon(["ladder"]), "agon-out/record.sqlite", "make the folder writable");
    lock(0o755, NOBODY);
    assert_eq!((table(&arena), matches(&arena)), (before, kept));
    arena.agon(["ladder", "--quiet"]).well();
    assert_eq!(matches(&arena), 2 * kept);
}

#[test]
fn a_client_that_may_not_be_read() {
    let arena = as_nobody(1);
    let closed = arena.file("clients/closed.so", "");
    fs::set_permissions(&closed, Permissions::from_mode(0o000)).unwrap();
    for words in [&["ladder", "--dry-run"][..], &["ladder"]] {
        let told = arena.agon(words).well().stdout;
        let lines: Vec<&str> = told.lines().filter(|line| line.contains("closed")).collect();
        assert_eq!(lines.len(), 1, "{told}");
        let why = "refused: it cannot be read: Permission denied";
        assert!(lines[0].contains(why) && lines[0].contains("help: make it readable"), "{told}");
    }
    assert!(matches(&arena) > 0);
    arena.ladder_toml(&format!("{}[[client]]\nname = \"closed\"\nfile = \"clients/closed.so\"\n", pairs_toml(1)));
    let named = arena.agon(["ladder"]);
    assert_eq!(named.status, Some(3), "{}", named.stderr);
    let error = named.stderr.lines().find(|line| line.starts_with("error: ")).unwrap();
    assert!(error.contains("clients/closed.so cannot be read") && error.contains("help: make it readable"), "{error}");
}

//! The server's own trouble: a match that it could not play is void, is counted for nobody, and is played later under
//! the same id.

use crate::builder::Arena;
use crate::held::{assert_whole, count, games, matches, pairs, table};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Puts something else in the place of a program of the arena.
fn replace(arena: &Arena, program: &str, contents: &[u8]) {
    let path = arena.path("bin").join(program);
    // Removed first: it may be a link to the program that was built.
    fs::remove_file(&path).unwrap();
    fs::write(&path, contents).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn matches_without_a_sound_host_are_void_and_played_later() {
    let (arena, undisturbed) = (pairs(1), pairs(1));
    let sound = fs::read(arena.path("bin/agon-host")).unwrap();
    replace(&arena, "agon-host", b"#!/bin/sh\nexit 1\n");
    let ran = arena.agon(["ladder"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("void, not counted: seat 1 ("), "{}", ran.stderr);
    assert!(ran.stderr.contains("the host ended before it was in the sandbox"), "{}", ran.stderr);
    let again = "void and not counted: 6 of 6 matches. Play them again with: agon ladder ladder.toml";
    assert!(ran.stderr.contains(again), "{}", ran.stderr);
    assert!(ran.stdout.contains("the host ended before it was in the sandbox"), "the table says why: {}", ran.stdout);
    assert_eq!((matches(&arena), count(&arena, "SELECT count(*) FROM void")), (0, 3), "three blocks");
    assert_eq!(count(&arena, "SELECT count(*) FROM seat"), 0, "nobody is charged");

    replace(&arena, "agon-host", &sound);
    let ran = arena.agon(["ladder"]).well();
    assert!(!ran.stdout.contains("sandbox"), "nothing is void any more: {}", ran.stdout);
    undisturbed.agon(["ladder", "--quiet"]).well();
    assert_eq!(games(&arena), games(&undisturbed), "under the same ids");
    assert_eq!(table(&arena), table(&undisturbed));
    assert_whole(&arena, 2);
}

#[test]
fn a_host_that_fails_now_and_then_costs_nobody_anything() {
    let (arena, undisturbed) = (pairs(3), pairs(3));
    let host = arena.path("bin/sound-host");
    fs::copy(arena.path("bin/agon-host"), &host).unwrap();
    // The first start goes wrong, and a sixth of the others by chance: by the process's number, every third one in a
    // row would. None is forked.
    let (draw, host) = ("od -An -N1 -tu1 /dev/urandom", host.display());
    let begun = arena.path("begun");
    let by_chance = format!("mkdir {} 2>/dev/null || [ $(( $({draw}) % 6 )) = 0 ]", begun.display());
    let sick =
        format!("#!/bin/sh\nif [ \"$1\" = --fork-server ] || {by_chance}; then exit 1; fi\nexec {host} \"$@\"\n");
    replace(&arena, "agon-host", sick.as_bytes());
    arena.ladder_toml(&format!("{}[run]\nretry = 2\n", crate::held::pairs_toml(3)));
    let ran =
        (0..20).map(|_| arena.agon(["ladder"])).find(|ran| ran.status == Some(0)).expect("it never came to an end");
    assert!(ran.stderr.contains("already played") || ran.stderr.contains("void:"), "nothing was void: {}", ran.stderr);
    undisturbed.agon(["ladder", "--quiet"]).well();
    assert_eq!(games(&arena), games(&undisturbed));
    assert_eq!(table(&arena), table(&undisturbed));
    assert_whole(&arena, 2);
}

#[test]
fn a_missing_program_is_told_before_anything_is_played() {
    let arena = pairs(1);
    fs::remove_file(arena.path("bin/agon-host")).unwrap();
    let ran = arena.agon(["ladder"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.stderr.contains("agon-host is not in") && ran.stderr.contains("help: "), "{}", ran.stderr);
    assert!(!arena.path("agon-out/record.sqlite").exists());
}

#[test]
fn a_machine_without_processes_is_waited_for_and_no_match_is_void() {
    if !rustix::process::geteuid().is_root() {
        agon_skips::skip_here("only root may play as a user who has no processes left");
        return;
    }
    let (arena, undisturbed) = (pairs(200), pairs(200));
    // A number that nobody else has, so that nobody else's processes count.
    const NOBODY_ELSE: u32 = 54_321;
    let arena = arena.as_user(Some(NOBODY_ELSE));
    let said = arena.path("said.txt");
    let mut command = Command::new("prlimit");
    command.args(["--nproc=14:14", "bin/agon", "ladder"]).current_dir(arena.path("")).uid(NOBODY_ELSE).gid(NOBODY_ELSE);
    let mut server = command.stdout(Stdio::null()).stderr(File::create(&said).unwrap()).spawn().unwrap();
    let began = Instant::now();
    let told = |word: &str| fs::read_to_string(&said).unwrap().contains(word);
    let until = |is_so: &dyn Fn() -> bool| {
        while !is_so() {
            assert!(began.elapsed() < Duration::from_secs(180), "{}", fs::read_to_string(&said).unwrap());
            sleep(Duration::from_millis(5));
        }
    };
    until(&|| fs::read_dir(arena.path("agon-out/matches")).map_or(0, Iterator::count) >= 3);
    let others: Vec<Child> =
        (0..14).map(|_| Command::new("sleep").arg("60").uid(NOBODY_ELSE).spawn().unwrap()).collect();
    until(&|| told("waiting, and trying again"));
    sleep(Duration::from_millis(500));
    for mut other in others {
        other.kill().unwrap();
        other.wait().unwrap();
    }
    assert!(server.wait().unwrap().success(), "{}", fs::read_to_string(&said).unwrap());
    let said = fs::read_to_string(&said).unwrap();
    assert!(said.contains("Resource temporarily unavailable") && said.contains("going on"), "{said}");
    assert!(said.matches("waiting").count() <= 2 && !said.contains("void"), "once for each cause: {said}");
    undisturbed.agon(["ladder", "--quiet"]).well();
    assert_eq!(games(&arena), games(&undisturbed));
    assert_whole(&arena, 2);
}

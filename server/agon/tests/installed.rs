//! A person who has a package: a part of it is missing, there is no `make`, a folder cannot be written.

use crate::builder::{Arena, NOBODY, Ran};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

const KEEP: &str = "keep bin/ and libexec/ together; link to agon instead of copying it";

#[test]
fn a_copy_of_the_program_alone_says_what_it_needs_and_leaves_nothing_behind() {
    let arena = Arena::new();
    for part in ["agon-host", "agon-admit"] {
        fs::remove_file(arena.path("bin").join(part)).unwrap();
    }
    let doctor = arena.agon(["doctor"]);
    assert_eq!(doctor.status, Some(5), "{}", doctor.stderr);
    let is_bad = |line: &str| line.starts_with("BAD ") && line.contains("agon-host is not in");
    assert!(doctor.stdout.lines().any(is_bad) && doctor.stdout.contains(KEEP), "{}", doctor.stdout);
    assert!(doctor.stdout.contains("jitter"), "it goes on: {}", doctor.stdout);
    let new = arena.agon(["new", "c", "q1"]);
    assert!(new.status == Some(1) && new.stderr.contains(KEEP), "{}", new.stderr);
    assert!(!arena.path("q1").exists(), "half a folder");
    // Cargo may have built it into a folder outside the sources.
    fs::create_dir(arena.path("bin/deps")).unwrap();
    let new = arena.agon(["new", "c", "q1"]);
    assert!(new.stderr.contains("cargo build --release") && !new.stderr.contains(KEEP), "{}", new.stderr);
    fs::remove_dir(arena.path("bin/deps")).unwrap();
    fs::create_dir(arena.path("client-api")).unwrap();
    arena.file("client-api/Cargo.toml", "");
    let new = arena.agon(["new", "c", "q1"]);
    assert!(new.stderr.contains("cargo build --release"), "a source tree is built: {}", new.stderr);
}

#[test]
fn a_client_in_python_needs_no_make_and_its_ladder_names_its_game() {
    let arena = Arena::new();
    let made = arena.agon(["new", "python", "mybot"]).well();
    for line in ["agon check clients/mybot.py -g amazons\n", "agon match mybot random -n 10\n"] {
        assert!(made.stdout.contains(line), "{}", made.stdout);
    }
    let mut check = arena.command(["check", "mybot", "-n", "1"]);
    let checked = Ran::from(check.current_dir(arena.path("mybot")).output().unwrap());
    let is_found = checked.stdout.contains("mybot, a client of amazons") || checked.stdout.contains("python3");
    assert!(is_found && !checked.stdout.contains("does not say which game"), "{}", checked.stdout);
}

/// Its path is a word of a shell in each line to type, and in the Makefile.
#[test]
fn a_program_in_a_folder_with_a_space_checks_its_new_client() {
    let arena = Arena::new();
    let folder = arena.path("mon $dossier # é");
    fs::rename(arena.path("bin"), &folder).unwrap();
    let agon = |words: &[&str]| {
        let mut command = Command::new(folder.join("agon"));
        Ran::from(command.args(words).current_dir(arena.path(".")).output().unwrap())
    };
    let made = agon(&["new", "python", "mybot"]).well();
    assert!(made.stdout.contains(&format!("'{}' replay last", folder.join("agon").display())), "{}", made.stdout);
    let mut make = Command::new("make");
    let tested = Ran::from(make.arg("test").current_dir(arena.path("mybot")).output().unwrap()).well();
    assert!(tested.stdout.contains("it can play"), "{}", tested.stdout);
}

#[test]
fn a_missing_make_is_named_as_a_missing_compiler_is() {
    let arena = Arena::new();
    let mut new = arena.command(["new", "c", "bot"]);
    let made = Ran::from(new.env("PATH", "/nowhere").output().unwrap()).well();
    for program in ["cc", "make"] {
        assert!(
            made.stdout.contains(&format!("this needs {program}, which is not on this machine")),
            "{}",
            made.stdout
        );
    }
}

#[test]
fn a_generated_page_has_its_comments_below_each_other() {
    let arena = Arena::new();
    arena.agon(["new", "c", "bot"]).well();
    let page = fs::read_to_string(arena.path("bot/README.md")).unwrap();
    let begins: Vec<usize> = page.lines().filter_map(|line| line.find("   # ")).collect();
    assert!(begins.len() == 4 && begins.iter().all(|begin| *begin == begins[0]), "{page}");
}

/// What a command says in a folder that its user cannot write.
fn in_closed_folder(line: &str) -> Ran {
    let is_root = rustix::process::geteuid().is_root();
    let arena = Arena::new().as_user(is_root.then_some(NOBODY));
    for name in ["random", "greedy"] {
        fs::rename(arena.rust_client(name), arena.path(format!("bin/lib{name}.so"))).unwrap();
    }
    let closed = arena.path("closed");
    fs::create_dir(&closed).unwrap();
    let lineup = "[ladder]\ngame = 'amazons'\nlineup = ['librandom', 'librandom']\nclients = ['../bin/lib*.so']\n";
    fs::write(closed.join("ladder.toml"), lineup).unwrap();
    fs::set_permissions(&closed, Permissions::from_mode(0o555)).unwrap();
    let ran = Ran::from(arena.command(line.split(' ')).current_dir(&closed).output().unwrap());
    fs::set_permissions(&closed, Permissions::from_mode(0o755)).unwrap();
    ran
}

#[test]
fn a_folder_that_cannot_be_written_is_named_first_with_the_way_out() {
    for (line, way) in [
        ("demo --no-open", "help: name a file where you may write: --out FILE"),
        ("new c bot", "help: name a folder where you may write: agon new"),
        ("ladder", "help: --record DIR"),
    ] {
        let ran = in_closed_folder(line);
        assert_eq!(ran.status, Some(1), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains("Permission denied") && ran.stderr.contains(way), "{line}: {}", ran.stderr);
        assert!(!ran.stderr.contains("play, 100 ms"), "nothing is played before: {}", ran.stderr);
    }
}

#[test]
fn an_address_in_the_place_of_a_ladder_file_leads_to_the_option_for_it() {
    let ran = Arena::new().agon(["standings", "postgres://anna:secret@localhost/x"]);
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("--record postgres://") && !ran.stderr.contains("secret"), "{}", ran.stderr);
}

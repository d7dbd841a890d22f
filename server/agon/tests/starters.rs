//! Each starter whose comment "Next" is followed beats the first two opponents that it comes with. `tests/steps` has the
//! code that a student would write from the comment, as replacements in the starter.

use crate::builder::{Arena, Ran, has_command, has_program};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A game, the clients that come with it, and the first two opponents.
const GAMES: [(&str, &[&str], [&str; 2]); 5] = [
    ("amazons", &["random", "greedy"], ["random", "greedy"]),
    ("grundy", &["grundy"], ["grundy:version=random", "grundy:level=1"]),
    ("tirs_croises", &["tirs"], ["tirs:strategy=random", "tirs:level=7"]),
    ("six_qui_prend", &["six-simple", "six-best"], ["six_simple", "six_simple:card=middle"]),
    ("mastermind", &["mastermind"], ["mastermind:level=2", "mastermind:strategy=first"]),
];

/// The starter after the step. Each change stands as `@@ instead of`, old lines, `@@ write`, new lines.
fn followed(starter: &str, game: &str, ending: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/steps/{game}.{ending}"));
    let step = fs::read_to_string(path).unwrap();
    step.split("@@ instead of\n").skip(1).fold(starter.to_owned(), |text, change| {
        let (old, new) = change.split_once("\n@@ write\n").unwrap();
        assert_eq!(text.matches(old).count(), 1, "{game}.{ending}: {old}");
        text.replace(old, new.trim_end())
    })
}

/// Lets a project in Rust use what another one has built: packages, which are the same for all, are compiled once.
pub fn share_what_cargo_builds(project: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::copy(root.join("Cargo.lock"), project.join("Cargo.lock")).unwrap();
    let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("starters-in-rust");
    fs::create_dir_all(&shared).unwrap();
    std::os::unix::fs::symlink(shared, project.join("target")).unwrap();
}

/// Follows the comments of each game's starter in a language, and plays it.
fn beats_its_opponents(language: &str, ending: &str, source: fn(&str) -> String, with: &[&str]) {
    // The starter of the Amazons in C names its step line by line: tests/new.rs follows it.
    let is_here = |game: &str| game != "amazons" || ending != "c";
    for (game, clients, opponents) in GAMES.into_iter().filter(|(game, ..)| is_here(game)) {
        let arena = Arena::new();
        for client in clients {
            let file = arena.rust_client(client);
            fs::rename(file, arena.path(format!("bin/lib{}.so", client.replace('-', "_")))).unwrap();
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        arena.agon(["new", language, game, "anna", "--api", root.join("client-api").to_str().unwrap()]).well();
        let (folder, file) = (arena.path("anna"), arena.path("anna").join(source("anna")));
        let starter = fs::read_to_string(&file).unwrap();
        assert!(starter.contains("Next: "), "{game} in {language} names no step");
        fs::write(&file, followed(&starter, game, ending)).unwrap();
        if language == "rust" {
            share_what_cargo_builds(&folder);
        }
        let mut make = Command::new("make");
        make.args(with).current_dir(&folder).env("CARGO_NET_OFFLINE", "true");
        let built = Ran::from(make.env_remove("CARGO_TARGET_DIR").env_remove("MAKEFLAGS").output().unwrap()).well();
        assert!(!built.stderr.contains("warning: unused"), "{game} in {language}: {}", built.stderr);
        // Level 1 of Grundy often plays at random, and twenty matches may come out far from the mean.
        let matches = if game == "grundy" { "60" } else { "20" };
        for opponent in opponents {
            let mut words = arena.command(["match", "anna", opponent, "-n", matches, "-s", "1", "-q", "--json"]);
            let shown = Ran::from(words.current_dir(&folder).output().unwrap()).well().json();
            let clients = shown["clients"].as_array().unwrap();
            let points = clients.iter().find(|client| client["client"] == "anna").unwrap()["points"]["mean"].as_f64();
            assert!(points.unwrap() >= 0.75, "{game} in {language} scored {points:?} against {opponent}");
        }
    }
}

#[test]
fn starters_in_c_and_cpp_that_are_followed_beat_their_opponents() {
    if has_program("cc") && has_program("c++") && has_program("make") {
        beats_its_opponents("c", "c", |name| format!("{name}.c"), &[]);
        beats_its_opponents("cpp", "c", |name| format!("{name}.cpp"), &[]);
    }
}

#[test]
#[ignore = "plays for minutes: cargo test --release -p agon starters:: -- --ignored"]
fn starters_in_python_that_are_followed_beat_their_opponents() {
    if has_program("python3") && has_program("make") {
        beats_its_opponents("python", "py", |name| format!("clients/{name}.py"), &[]);
    }
}

#[test]
#[ignore = "builds the package for clients four times, optimised: some minutes"]
fn starters_in_rust_that_are_followed_beat_their_opponents() {
    if has_program("cargo") && has_program("make") {
        beats_its_opponents("rust", "rust", |_| "src/lib.rs".to_owned(), &[]);
    }
}

#[test]
#[ignore = "plays for minutes: cargo test --release -p agon starters:: -- --ignored"]
fn starters_in_go_that_are_followed_beat_their_opponents() {
    if has_command("go", &["go", "version"]) && has_program("make") {
        beats_its_opponents("go", "go", |_| "main.go".to_owned(), &[]);
    }
}

#[test]
#[ignore = "plays for minutes: cargo test --release -p agon starters:: -- --ignored"]
fn starters_in_zig_that_are_followed_beat_their_opponents() {
    if has_command("zig", &["python3", "-m", "ziglang", "version"]) && has_program("make") {
        beats_its_opponents("zig", "zig", |name| format!("{name}.zig"), &["ZIG=python3 -m ziglang"]);
    }
}

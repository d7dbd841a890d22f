//! The example ladders run as they are; here with fewer rounds.

use crate::builder::{Arena, Ran, built};
use std::fs;
use std::path::Path;

/// Puts these libraries in place as its first lines say, and plays one round of the ladder.
fn run(name: &str, libraries: &[&str]) -> Ran {
    let arena = Arena::new();
    let files = libraries.iter().map(|library| built(&format!("lib{library}.so")).into_os_string());
    arena.agon(["add".into()].into_iter().chain(files)).well();
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ladders").join(name)).unwrap();
    // A Swiss has rounds, which are shortened there.
    let starts =
        |key: &'static str| text.lines().find(|line| line.starts_with(&format!("{key} = "))).map(|line| (key, line));
    let (key, line) = ["rounds", "openings"].into_iter().find_map(starts).unwrap();
    fs::create_dir_all(arena.path("docs/ladders")).unwrap();
    let file = Path::new("docs/ladders").join(name);
    arena.file(file.to_str().unwrap(), text.replace(line, &format!("{key} = 1")));
    let ran = arena.agon(["ladder".as_ref(), file.as_os_str()]).well();
    assert!(arena.path("agon-out/record.sqlite").exists(), "the record stands beside clients/");
    assert!(!ran.stderr.contains("void") && !ran.stdout.contains("refused"), "{}\n{}", ran.stdout, ran.stderr);
    ran
}

#[test]
fn six_qui_prend() {
    let names = ["six_smallest", "six_middle", "six_random", "six_second_largest", "six_largest"];
    let table = run("six-qui-prend.toml", &["six_simple"]).stdout;
    assert!(table.starts_with("six-qui-prend: six_qui_prend, 10 seats, 10 matches in 1 block, seed "), "{table}");
    assert!(names.iter().all(|name| table.contains(name)), "{table}");
}

#[test]
fn amazons_shapes() {
    let table = run("amazons-shapes.toml", &["random", "greedy"]).stdout;
    assert!(table.starts_with("amazons-shapes: amazons, 2 seats, 16 matches in 8 blocks, seed "), "{table}");
}

#[test]
fn swiss() {
    let table = run("swiss.toml", &["random", "greedy"]).stdout;
    assert!(table.starts_with("swiss: amazons, 2 seats, 4 matches in 2 blocks, seed "), "{table}");
    assert!(table.contains("swiss after 1 round:"), "{table}");
}

#[test]
fn mastermind() {
    let table = run("mastermind.toml", &["mastermind"]).stdout;
    assert!(table.starts_with("mastermind: mastermind, 6 seats, 1 match in 1 block, seed "), "{table}");
    let strategies = ["first", "random", "minimax", "entropy", "expected", "parts"];
    assert!(strategies.iter().all(|strategy| table.contains(strategy)), "{table}");
}

#[test]
fn grundy() {
    let table = run("grundy.toml", &["grundy"]).stdout;
    assert!(table.starts_with("grundy: grundy, 2 seats, 20 matches in 10 blocks, seed "), "{table}");
    assert!(["V0", "V2", "V4", "V5", "random"].iter().all(|name| table.contains(name)), "{table}");
}

#[test]
fn tirs_croises() {
    let table = run("tirs-croises.toml", &["tirs"]).stdout;
    assert!(table.starts_with("tirs-croises: tirs_croises, 2 seats, 20 matches in 10 blocks, seed "), "{table}");
}

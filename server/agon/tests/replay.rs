//! Matches of all games, with every kind of option, opening, client and fault, replayed from exports and logs alone by
//! a program that shares nothing with this one: `docs/replay/replay.py`.

mod ladders;

use crate::builder::{Arena, has_program};
use ladders::{LADDERS, Ladder, faulty, file};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Matches that the larger test plays at least.
const MANY: u64 = 1_000;

fn replay(files: &[PathBuf]) -> Output {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/replay/replay.py");
    Command::new("python3").arg("-B").arg(program).args(files).output().unwrap()
}

/// Replays the files, which must all be right, and says how many matches they have.
#[track_caller]
fn replayed(files: &[PathBuf]) -> u64 {
    let output = replay(files);
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.ends_with(" turns, 0 wrong\n"), "{text}");
    text.split_once(" matches").unwrap().0.parse().unwrap()
}

/// Plays a ladder in a folder of its own, and replays its exports, its logs, and one log that is made from the record.
/// Says how many matches there were, and how many of them had a fault.
fn check(ladder: &Ladder, rounds: u32) -> (u64, u64) {
    let arena = Arena::new();
    let files: BTreeSet<&str> = ladder.clients.iter().map(|client| file(client)).collect();
    files.iter().filter(|file| **file != "faulty").for_each(|file| drop(arena.rust_client(file)));
    if ladder.clients.contains(&"faulty") {
        arena.c_client("faulty", &faulty(ladder.game)).unwrap();
    }
    ladder.files.iter().for_each(|(name, text)| drop(arena.file(name, text)));
    arena.ladder_toml(&ladder.toml(rounds));
    arena.agon(["ladder", "--quiet"]).well();
    for (file, words) in [("open.jsonl", &[][..]), ("anonymous.jsonl", &["--anonymise"])] {
        arena.agon([&["record", "export", "jsonl", "--out", file], words].concat()).well();
    }
    let count = replayed(&[arena.path("open.jsonl")]);
    assert_eq!(replayed(&[arena.path("anonymous.jsonl")]), count, "{}", ladder.name);
    let logs = std::fs::read_dir(arena.path("agon-out/matches")).unwrap().map(|file| file.unwrap().path());
    let logs: Vec<PathBuf> = logs.collect();
    assert_eq!((logs.len() as u64, replayed(&logs)), (count, count), "{}", ladder.name);
    let shown = arena.agon(["show", "last", "--jsonl"]).well().stdout;
    assert_eq!(replayed(&[arena.file("shown.jsonl", shown)]), 1);
    let text = std::fs::read_to_string(arena.path("open.jsonl")).unwrap();
    let has_fault = |line: &&str| line.contains("\"t\":\"match\"") && line.contains("\"fault\":{");
    (count, text.lines().filter(has_fault).count() as u64)
}

#[test]
fn records_of_all_games_are_replayed_by_another_program() {
    if !has_program("python3") || !has_program("cc") {
        return;
    }
    for ladder in LADDERS {
        let (matches, faults) = check(ladder, 2);
        println!("{}: {matches} matches, {faults} with a fault", ladder.name);
        assert!(matches >= 4 && (faults > 0) == ladder.clients.contains(&"faulty"), "{}", ladder.name);
    }
}

#[test]
#[ignore = "takes minutes; it prints how many matches of each kind were replayed"]
fn a_thousand_matches_are_replayed_by_another_program() {
    assert!(has_program("python3") && has_program("cc"));
    let (mut all, mut at_fault) = (0, 0);
    for ladder in LADDERS {
        let (matches, faults) = check(ladder, ladder.many);
        println!("{}: {matches} matches, {faults} with a fault", ladder.name);
        (all, at_fault) = (all + matches, at_fault + faults);
    }
    println!("{all} matches, {at_fault} with a fault");
    assert!(all >= MANY && at_fault >= MANY / 10);
}

/// A replay that accepts everything would be none: whatever is changed in a record, it is told.
#[test]
fn a_changed_record_is_told() {
    if !has_program("python3") {
        return;
    }
    let arena = Arena::new();
    ["random", "greedy"].iter().for_each(|client| drop(arena.rust_client(client)));
    arena.ladder_toml(&LADDERS[1].toml(1));
    arena.agon(["ladder", "--quiet"]).well();
    arena.agon(["record", "export", "jsonl", "--out", "whole.jsonl"]).well();
    let text = std::fs::read_to_string(arena.path("whole.jsonl")).unwrap();
    assert!(replayed(&[arena.path("whole.jsonl")]) > 0);
    let digit = |text: &str, key: &str, last: bool| {
        let at = if last { text.rfind(key) } else { text.find(key) }.unwrap() + key.len();
        let other = if text[at..].starts_with('1') { "2" } else { "1" };
        format!("{}{other}{}", &text[..at], &text[at + 1..])
    };
    for (key, last) in [
        ("\"hash\":\"", true),
        ("\"hash\":\"", false),
        ("\"start\":\"", true),
        ("\"bytes\":\"", true),
        ("\"score\":", true),
        ("\"rank\":", true),
        ("\"plies\":[\"", true),
        ("\"blocked\":[", true),
        ("\"side_to_move\":", false),
        ("\"side_to_move\":", true),
    ] {
        let output = replay(&[arena.file("changed.jsonl", digit(&text, key, last))]);
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.code() == Some(1) && told.contains(": match "), "{key} {last}: {told}");
    }
    let ends_early = text.replacen("\"ending\":\"over\"", "\"ending\":\"fault\"", 1);
    assert_eq!(replay(&[arena.file("changed.jsonl", ends_early)]).status.code(), Some(1));
}

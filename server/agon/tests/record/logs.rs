//! Readable logs: which matches leave one, and that the record makes the same lines again.

use crate::builder::Arena;
use crate::held::{games, pairs, pairs_toml, sixes};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// A ladder in which one client declines every match.
fn with_a_decliner(logs: &str) -> Arena {
    let arena = pairs(1);
    let decliner = "[[client]]\nname = \"decliner\"\nfile = \"clients/random.so\"\noptions = { style = \"none\" }\n";
    arena.ladder_toml(&format!("{}{decliner}[run]\nlogs = \"{logs}\"\n", pairs_toml(1)));
    arena.agon(["ladder", "--quiet"]).well();
    arena
}

fn logged(arena: &Arena) -> BTreeSet<String> {
    let files = fs::read_dir(arena.path("agon-out/matches")).into_iter().flatten();
    files.map(|file| file.unwrap().file_name().to_string_lossy().replace(".jsonl", "")).collect()
}

#[track_caller]
fn assert_same_lines(arena: &Arena, id: &str) {
    let log = fs::read_to_string(arena.path("agon-out/matches").join(format!("{id}.jsonl"))).unwrap();
    assert_eq!(arena.agon(["show", id, "--jsonl"]).well().stdout, log);
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = lines.iter().map(|line| line["t"].as_str().unwrap()).collect();
    assert_eq!((kinds[0], kinds[kinds.len() - 1]), ("header", "result"), "{kinds:?}");
    assert_eq!((&lines[0]["schema"], &lines[0]["id"]), (&Value::from("agon.match/3"), &Value::from(id)));
}

#[test]
fn every_match_leaves_the_lines_that_the_record_makes_again() {
    for arena in [with_a_decliner("all"), sixes(2)] {
        arena.agon(["ladder", "--quiet"]).well();
        let games = games(&arena);
        assert_eq!(logged(&arena), games.keys().cloned().collect());
        games.keys().for_each(|id| assert_same_lines(&arena, id));
    }
}

#[test]
fn matches_with_a_fault_leave_a_log() {
    let arena = with_a_decliner("faults");
    let games = games(&arena);
    let with_fault = games.iter().filter(|(_, game)| game.clients.iter().any(|client| client == "decliner"));
    let with_fault: BTreeSet<String> = with_fault.map(|(id, _)| id.clone()).collect();
    assert!(!with_fault.is_empty() && with_fault.len() < games.len());
    assert_eq!(logged(&arena), with_fault);
    with_fault.iter().for_each(|id| assert_same_lines(&arena, id));
}

#[test]
fn no_log_is_left_where_none_is_wanted() {
    let arena = with_a_decliner("none");
    assert_eq!(logged(&arena), BTreeSet::new());
    let id = games(&arena).into_keys().next().unwrap();
    let lines = arena.agon(["show", &id, "--jsonl"]).well().stdout;
    assert!(lines.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()) && lines.lines().count() > 3);
}

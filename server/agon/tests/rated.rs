//! The ratings of a ladder are the same bytes in whatever order it was played and wherever its record has come from.

use crate::builder::Arena;
use crate::held::{pairs, threes};

/// The ratings and the table for programs.
fn answers(arena: &Arena, words: &[&str]) -> [String; 2] {
    let ask = |first: &[&str]| arena.agon(first.iter().chain(words).copied().collect::<Vec<_>>()).well().stdout;
    [ask(&["standings", "--ratings", "--json"]), ask(&["standings", "--json"])]
}

/// The same export with its blocks in the opposite order.
fn turned(export: &str) -> String {
    let read = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
    let (matches, head): (Vec<&str>, Vec<&str>) = export.lines().partition(|line| read(line)["moves"].is_array());
    let block = |line: &str| read(line)["id"].as_str().unwrap().split('-').next().unwrap().to_owned();
    let blocks: Vec<&[&str]> = matches.chunk_by(|a, b| block(a) == block(b)).collect();
    assert!(blocks.len() > 5 && !head.is_empty(), "an export has {} blocks", blocks.len());
    head.iter().chain(blocks.into_iter().rev().flatten()).map(|line| format!("{line}\n")).collect()
}

#[test]
fn jobs_and_imports_leave_the_ratings_byte_for_byte() {
    let made: [fn(u32) -> Arena; 2] = [pairs, threes];
    for make in made {
        let one = make(12);
        one.agon(["ladder", "--quiet", "--jobs", "1"]).well();
        let expected = answers(&one, &[]);
        let two = make(12);
        two.agon(["ladder", "--quiet", "--jobs", "2"]).well();
        assert_eq!(answers(&two, &[])[0], expected[0], "two jobs");
        let export = one.agon(["record", "export", "jsonl"]).well().stdout;
        for (place, lines) in [("copy", export.clone()), ("turned", turned(&export))] {
            std::fs::write(one.path("in.jsonl"), lines).unwrap();
            one.agon(["record", "import", "in.jsonl", "--record", place]).well();
            let found = answers(&one, &["--record", place]);
            assert_eq!(found[0], expected[0], "{place}");
            assert_eq!(found[1], expected[1], "{place}");
        }
    }
}

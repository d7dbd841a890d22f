//! Records that older versions wrote are brought up to date, and nothing in them changes. The fixtures are dumps of
//! real ones, and the export that agon made of them then.

use crate::builder::Arena;
use crate::held::{assert_whole, matches};
use rusqlite::Connection;
use serde_json::Value;
use std::path::Path;

/// The lines of an export, but for what the first version of exports did not tell.
fn as_version_1(text: &str) -> Vec<Value> {
    let line = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let fields = line.as_object_mut().unwrap();
        ["resolved", "drawn"].iter().for_each(|key| drop(fields.remove(*key)));
        if fields.contains_key("schema") {
            line["schema"] = "agon.export/1".into();
        }
        line
    };
    text.lines().map(line).collect()
}

#[test]
fn exports_of_the_first_version_are_taken_in() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/record.jsonl");
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains("agon.export/1") && !text.contains("drawn\":{"));
    let arena = Arena::new();
    arena.file("old.jsonl", &text);
    let taken = arena.agon(["record", "import", "old.jsonl"]).well().stdout;
    assert!(taken.contains(": 6 matches imported"), "{taken}");
    let exported = arena.agon(["record", "export", "jsonl"]).well().stdout;
    assert_eq!(as_version_1(&exported), as_version_1(&text), "nothing is lost");
    assert!(exported.contains("\"schema\":\"agon.export/2\"") && exported.contains("\"drawn\":{\"plies\":[]"));
}

#[test]
fn records_of_all_versions_open() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let expected = std::fs::read_to_string(folder.join("record.jsonl")).unwrap();
    for version in 1..=2 {
        let arena = Arena::new();
        std::fs::create_dir(arena.path("agon-out")).unwrap();
        let dump = std::fs::read_to_string(folder.join(format!("record-{version}.sql"))).unwrap();
        let dump = format!("PRAGMA foreign_keys = off;\n{dump}");
        Connection::open(arena.path("agon-out/record.sqlite")).unwrap().execute_batch(&dump).unwrap();
        let exported = arena.agon(["record", "export", "jsonl"]).well().stdout;
        assert_eq!(as_version_1(&exported), as_version_1(&expected), "version {version}");
        assert_whole(&arena, 2);
        assert_eq!(matches(&arena), 6);
        let sound = Connection::open(arena.path("agon-out/record.sqlite")).unwrap();
        let broken: i64 =
            sound.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0)).unwrap();
        assert_eq!(broken, 0);
        arena.agon(["show", "last"]).well();
        arena.agon(["standings"]).well();
    }
}

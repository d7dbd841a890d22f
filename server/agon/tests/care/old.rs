//! Records and exports of released versions stay usable, and nothing in them changes. The fixtures are the dump of a real
//! record, and the export that agon made of it then.

use crate::builder::Arena;
use crate::held::{assert_whole, matches};
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// The versions of the tables that releases had.
const VERSIONS: [u32; 1] = [12];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

#[test]
fn exports_of_all_versions_are_taken_in() {
    let text = std::fs::read_to_string(fixture("record.jsonl")).unwrap();
    let arena = Arena::new();
    arena.file("old.jsonl", &text);
    let taken = arena.agon(["record", "import", "old.jsonl"]).well().stdout;
    assert!(taken.contains(": 6 matches imported"), "{taken}");
    assert_eq!(arena.agon(["record", "export", "jsonl"]).well().stdout, text, "nothing is lost");
}

#[test]
fn records_of_all_versions_open() {
    let expected = std::fs::read_to_string(fixture("record.jsonl")).unwrap();
    for version in VERSIONS {
        let arena = Arena::new();
        std::fs::create_dir(arena.path("agon-out")).unwrap();
        let dump = std::fs::read_to_string(fixture(&format!("record-{version}.sql"))).unwrap();
        let dump = format!("PRAGMA foreign_keys = off;\n{dump}");
        Connection::open(arena.path("agon-out/record.sqlite")).unwrap().execute_batch(&dump).unwrap();
        assert_eq!(arena.agon(["record", "export", "jsonl"]).well().stdout, expected, "version {version}");
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

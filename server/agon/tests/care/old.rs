//! Records and exports of released versions stay usable, and nothing in them changes. The fixtures are dumps of records,
//! and the exports that agon made of them then. `drawn` has each kind of line, fault, notice, stage and excuse.

use crate::builder::Arena;
use crate::held::{assert_whole, matches};
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// The versions of the tables that releases had.
const VERSIONS: [u32; 1] = [13];
/// The fixtures, and how many matches they have.
const RECORDS: [(&str, u64); 2] = [("record", 6), ("drawn", 18)];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

#[test]
fn exports_of_all_versions_are_taken_in() {
    for (name, count) in RECORDS {
        let text = std::fs::read_to_string(fixture(&format!("{name}.jsonl"))).unwrap();
        let arena = Arena::new();
        arena.file("old.jsonl", &text);
        let taken = arena.agon(["record", "import", "old.jsonl"]).well().stdout;
        assert!(taken.contains(&format!(": {count} matches imported")), "{taken}");
        assert_eq!(arena.agon(["record", "export", "jsonl"]).well().stdout, text, "nothing is lost");
    }
}

#[test]
fn records_of_all_versions_open() {
    for (version, (name, count)) in VERSIONS.into_iter().flat_map(|version| RECORDS.map(|record| (version, record))) {
        let expected = std::fs::read_to_string(fixture(&format!("{name}.jsonl"))).unwrap();
        let arena = Arena::new();
        std::fs::create_dir(arena.path("agon-out")).unwrap();
        let dump = std::fs::read_to_string(fixture(&format!("{name}-{version}.sql"))).unwrap();
        let dump = format!("PRAGMA foreign_keys = off;\n{dump}");
        Connection::open(arena.path("agon-out/record.sqlite")).unwrap().execute_batch(&dump).unwrap();
        assert_eq!(arena.agon(["record", "export", "jsonl"]).well().stdout, expected, "{name} of version {version}");
        assert_whole(&arena, 2);
        assert_eq!(matches(&arena), count);
        let sound = Connection::open(arena.path("agon-out/record.sqlite")).unwrap();
        let broken: i64 =
            sound.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0)).unwrap();
        assert_eq!(broken, 0);
        arena.agon(["show", "last"]).well();
        arena.agon(["standings"]).well();
    }
}

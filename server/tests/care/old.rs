//! Records that older versions wrote are brought up to date, and nothing in them changes. The fixtures are dumps of real ones, and
//! the export that agon made of them then.

use crate::builder::Arena;
use crate::held::{assert_whole, matches};
use rusqlite::Connection;
use std::path::Path;

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
        assert_eq!(arena.agon(["export", "jsonl"]).well().stdout, expected, "version {version}");
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

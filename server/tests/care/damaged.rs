//! Records that are empty or damaged: nothing is begun in them in silence, and what is said helps.

use crate::builder::Ran;
use crate::held::pairs;
use rusqlite::Connection;
use std::fs;
use std::os::unix::fs::FileExt;

#[track_caller]
fn assert_refused(ran: &Ran, what: &str, help: &str) {
    assert_eq!(ran.status, Some(1), "{}\n{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains(what) && ran.stderr.contains(&format!("help: {help}")), "{}", ran.stderr);
}

#[test]
fn an_empty_record_is_not_begun_by_who_only_reads() {
    let arena = pairs(1);
    fs::create_dir(arena.path("agon-out")).unwrap();
    let record = arena.file("agon-out/record.sqlite", "");
    for words in [&["standings"][..], &["matches"], &["show", "last"], &["export", "jsonl"], &["backup", "copy.sqlite"]]
    {
        let help = "restore it from a backup, or remove the file to begin anew";
        assert_refused(&arena.agon(words), "agon-out/record.sqlite: it is empty", help);
        assert_eq!(fs::metadata(&record).unwrap().len(), 0, "{words:?}");
        assert_eq!(fs::read_dir(arena.path("agon-out")).unwrap().count(), 1, "{words:?}");
    }
    arena.agon(["ladder", "--quiet"]).well();
    arena.agon(["standings"]).well();
}

#[test]
fn a_damaged_record_is_not_backed_up() {
    let arena = pairs(40);
    arena.agon(["ladder", "--quiet"]).well();
    let record = arena.path("agon-out/record.sqlite");
    let db = Connection::open(&record).unwrap();
    let page: i64 =
        db.query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'seat'", [], |row| row.get(0)).unwrap();
    db.close().unwrap();
    let file = fs::OpenOptions::new().write(true).open(&record).unwrap();
    file.write_all_at(&[0xa5; 4096], (page as u64 - 1) * 4096).unwrap();
    let refused = arena.agon(["backup", "copy.sqlite"]);
    assert_refused(&refused, "agon-out/record.sqlite: it is damaged: ", "restore an older backup");
    let left: Vec<_> = fs::read_dir(arena.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("copy.sqlite")), "{left:?}");
}

#[test]
fn values_that_cannot_be_read_are_damage() {
    let update = |column: &str, value: &str| format!("UPDATE ladder SET {column} = {value}");
    let invalid_utf8 = update("game", "CAST(x'ff' AS TEXT)");
    for change in [invalid_utf8, update("settings", "'{'"), update("seats", "CAST(x'ff' AS TEXT)")] {
        let arena = pairs(1);
        arena.agon(["ladder", "--quiet"]).well();
        let db = Connection::open(arena.path("agon-out/record.sqlite")).unwrap();
        // A strict table takes no value of another type, but bytes of a disk may become one.
        let loose = "PRAGMA writable_schema = on; UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'ladder'";
        db.execute_batch(loose).unwrap();
        db.close().unwrap();
        let db = Connection::open(arena.path("agon-out/record.sqlite")).unwrap();
        db.execute_batch(&change).unwrap();
        db.close().unwrap();
        let help = "restore it from a backup; it is not repaired in silence";
        assert_refused(&arena.agon(["standings"]), "the record agon-out/record.sqlite: ", help);
    }
}

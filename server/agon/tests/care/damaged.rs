//! Records that are empty or damaged: nothing is begun in them in silence, and what is said helps.

use crate::builder::{Arena, Ran};
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
    for words in [
        &["standings"][..],
        &["matches"],
        &["show", "last"],
        &["record", "export", "jsonl"],
        &["record", "backup", "copy.sqlite"],
    ] {
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
    let refused = arena.agon(["record", "backup", "copy.sqlite"]);
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

/// What people are shown of a record: tables, lists, every move of every match.
fn shown(arena: &Arena) -> Vec<(Option<i32>, String)> {
    let words: [&[&str]; 4] = [
        &["standings", "--json"],
        &["matches", "--json"],
        &["show", "last", "--json", "--moves"],
        &["clients", "--json"],
    ];
    words.map(|words| arena.agon(words)).map(|ran| (ran.status, ran.stdout)).to_vec()
}

#[test]
fn sixty_places_of_damage_are_told_or_change_nothing() {
    let arena = pairs(30);
    arena.agon(["ladder", "--quiet"]).well();
    let record = arena.path("agon-out/record.sqlite");
    Connection::open(&record).unwrap().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    let whole = fs::read(&record).unwrap();
    let exported = arena.agon(["record", "export", "jsonl"]).well().stdout;
    let before = shown(&arena);
    let blocks = crate::held::count(&arena, "SELECT count(*) FROM block");
    assert!(arena.agon(["doctor", "--record"]).well().stdout.contains(&format!("{blocks} blocks\n")) && blocks >= 30);
    let (mut told, mut place) = (0, 0x9e37_79b9_7f4a_7c15_u64);
    for number in 0..60 {
        // Spread over the file by a fixed rule, so that a failure comes again.
        place = place.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = (place >> 16) as usize % whole.len();
        let mut bytes = whole.clone();
        bytes[at..].iter_mut().take(1 + number % 4).for_each(|byte| *byte ^= 0x15);
        for part in ["-wal", "-shm"] {
            let _ = fs::remove_file(arena.path(format!("agon-out/record.sqlite{part}")));
        }
        fs::write(&record, &bytes).unwrap();
        let (backup, doctor) = (arena.agon(["record", "backup", "copy.sqlite"]), arena.agon(["doctor", "--record"]));
        let export = arena.agon(["record", "export", "jsonl"]);
        assert_eq!(backup.status == Some(0), doctor.status == Some(0), "byte {at}: {backup:?} {doctor:?}");
        if backup.status == Some(0) {
            fs::remove_file(arena.path("copy.sqlite")).unwrap();
            assert!(export.status == Some(0) && export.stdout == exported, "byte {at} changed the export in silence");
            assert_eq!(shown(&arena), before, "byte {at} changed what is shown in silence");
        } else {
            told += 1;
            assert!(backup.stderr.contains("help: "), "byte {at}: {}", backup.stderr);
            // An export reads neither indexes nor packs.
            assert!(export.status != Some(0) || export.stdout == exported, "byte {at}: a damaged export");
        }
    }
    assert!(told >= 30, "only {told} were told");
}

#[test]
fn a_block_that_was_changed_by_hand_is_refused_and_named() {
    let arena = pairs(2);
    arena.agon(["ladder", "--quiet"]).well();
    let record = arena.path("agon-out/record.sqlite");
    let db = Connection::open(&record).unwrap();
    db.execute("UPDATE detail SET seats = replace(seats, '\"seed\":', '\"seed\": ') WHERE match = 1", []).unwrap();
    let refused = arena.agon(["record", "export", "csv"]);
    assert_refused(&refused, "it is damaged: block ", "restore it from a backup; agon doctor --record");
    let looked = arena.agon(["doctor", "--record"]);
    assert!(looked.status == Some(5) && looked.stdout.contains("is not what was written"), "{}", looked.stdout);
}

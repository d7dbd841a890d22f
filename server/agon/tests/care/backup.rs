//! A copy of a record that is being written: of one moment, whole, and good to read.

use crate::held::{matches, pairs, table, wait_until};
use rusqlite::Connection;
use std::fs;

#[test]
fn a_running_ladder_is_backed_up() {
    let arena = pairs(20_000);
    let mut server = arena.start(["ladder", "--quiet"]);
    let mut before = 0;
    for number in 0..5 {
        wait_until("more is played", || matches(&arena) > before);
        let file = format!("copy-{number}.sqlite");
        let said = arena.agon(["record", "backup", &file]).well().stdout;
        assert!(said.contains(&format!("agon standings --record {file} reads it")), "{said}");
        let copy = Connection::open(arena.path(&file)).unwrap();
        let number = |select: &str| copy.query_row(select, [], |row| row.get::<_, i64>(0)).unwrap() as u64;
        let whole = "SELECT count(*) FROM block WHERE (SELECT count(*) FROM match WHERE match.block = block.row) != 2";
        assert_eq!((number(whole), number("SELECT count(*) % 2 FROM match")), (0, 0));
        assert!(number("SELECT count(*) FROM match") >= before, "a later copy has less");
        before = number("SELECT count(*) FROM match");
        let check: String = copy.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(check, "ok");
        let shown = arena.agon(["standings", "--record", &file]).well().stdout;
        assert!(shown.contains(&format!("{before} matches")), "{shown}");
    }
    assert!(server.try_wait().unwrap().is_none(), "it went on all the time");
    server.kill().unwrap();
    server.wait().unwrap();
}

#[test]
fn a_copy_is_whole_and_never_over_another_file() {
    let arena = pairs(1);
    arena.agon(["ladder", "--quiet"]).well();
    arena.agon(["record", "backup", "copy.sqlite"]).well();
    let of_copy = arena.agon(["standings", "--record", "copy.sqlite"]).well().stdout;
    assert_eq!(of_copy, table(&arena));
    let again = arena.agon(["record", "backup", "copy.sqlite"]);
    assert_eq!(again.status, Some(2));
    assert!(again.stderr.contains("copy.sqlite is there already; help: "), "{}", again.stderr);
    let nowhere = arena.agon(["record", "backup", "no/where.sqlite"]);
    assert_eq!(nowhere.status, Some(1));
    assert!(nowhere.stderr.contains("no/.where.sqlite") && nowhere.stderr.contains("help: "), "{}", nowhere.stderr);
    let empty = crate::builder::Arena::new().agon(["record", "backup", "copy.sqlite"]);
    assert!(empty.status == Some(1) && empty.stderr.contains("there is none yet"), "{}", empty.stderr);
}

#[test]
fn a_copy_in_one_file_is_only_read() {
    let arena = pairs(1);
    arena.agon(["ladder", "--quiet"]).well();
    arena.agon(["record", "backup", "copy.sqlite"]).well();
    arena.agon(["standings", "--record", "copy.sqlite"]).well();
    let before = fs::read(arena.path("copy.sqlite")).unwrap();
    let changes: [&[&str]; 6] = [
        &["record", "forget", "random", "--yes"],
        &["record", "clean", "--yes"],
        &["record", "import", "copy.sqlite"],
        &["ladder"],
        &["match", "random", "greedy"],
        &["sprt", "random", "greedy", "-o", "opening=4"],
    ];
    for change in changes {
        let said = arena.agon(change.iter().copied().chain(["--record", "copy.sqlite"]));
        assert_eq!(said.status, Some(2), "{change:?}: {}", said.stderr);
        assert!(
            said.stderr.contains("copy.sqlite: this is a file; a copy of a record can only be read; help: "),
            "{}",
            said.stderr
        );
        assert_eq!(fs::read(arena.path("copy.sqlite")).unwrap(), before, "{change:?}");
    }
}

//! What may go is shown, and goes only when that is wished; results never do.

use crate::builder::Arena;
use crate::held::{assert_whole, games, matches, pairs, table, wait_until};
use std::fs;

fn files(arena: &Arena, folder: &str) -> usize {
    fs::read_dir(arena.path("agon-out").join(folder)).map_or(0, Iterator::count)
}

fn clean(arena: &Arena, words: &[&str]) -> String {
    arena.agon([&["record", "clean"], words].concat()).well().stdout
}

#[test]
fn logs_copies_and_half_files_go_and_results_stay() {
    let arena = pairs(2);
    arena.agon(["ladder", "--quiet"]).well();
    let (kept, shown) = (games(&arena), table(&arena));
    assert_eq!(clean(&arena, &[]), "nothing to remove\n");

    let unknown = "ab".repeat(32);
    for (name, text) in [
        (format!("files/{unknown}.so"), "old bytes"),
        (format!("files/{unknown}.123.partial"), "half"),
        ("files/notes.txt".to_owned(), "a person's"),
        ("matches/0123456789abcdef-a.jsonl".to_owned(), "{}"),
    ] {
        arena.file(&format!("agon-out/{name}"), text);
    }
    let dry = clean(&arena, &["--logs"]);
    for line in [
        "      12 files",
        "  logs of matches\n",
        "       1 files      2 B  logs of matches that no ladder has\n",
        "       1 files      9 B  copies of clients' files that no ladder names\n",
        "       1 files      4 B  half copies, and requests for debuggers\n",
        "nothing is removed yet; the same options and --yes remove it\n",
    ] {
        assert!(dry.contains(line), "{line} is not in {dry}");
    }
    assert_eq!((files(&arena, "matches"), files(&arena, "files")), (13, 5));
    assert!(clean(&arena, &["--yes"]).ends_with("removed\n"));
    assert_eq!((files(&arena, "matches"), files(&arena, "files")), (12, 3), "two clients' files and a person's");
    assert!(clean(&arena, &["--yes", "--logs", "faults"]).ends_with("removed\n"));
    assert_eq!(files(&arena, "matches"), 0, "nobody was at fault");
    assert_eq!((games(&arena), table(&arena)), (kept, shown));
    let id = games(&arena).into_keys().next().unwrap();
    arena.agon(["rerun", &id, "--verify"]).well();
}

#[test]
fn archived_ladders_go_with_what_is_theirs() {
    let arena = pairs(2);
    arena.agon(["ladder", "--quiet"]).well();
    fs::write(arena.path("agon-out/files/zz"), "").unwrap();
    arena.ladder_toml(&crate::held::pairs_toml(1).replace("seed = 11", "seed = 12"));
    arena.agon(["ladder", "--quiet", "--fresh"]).well();
    arena.agon(["match", "random", "greedy", "-b", "square:5", "--quiet"]).well();
    arena.agon(["match", "random", "greedy", "-b", "square:6", "--quiet"]).well();
    let before = matches(&arena);
    let dry = clean(&arena, &["--aside"]);
    assert!(dry.contains("      12 matches         ladder pairs~1, set aside\n"), "{dry}");
    assert!(dry.contains("       2 matches         ladder match~3, set aside\n"), "{dry}");
    assert!(dry.contains("      14 files"), "their logs: {dry}");
    clean(&arena, &["--aside", "--yes"]);
    assert_eq!((matches(&arena), files(&arena, "matches")), (before - 14, 8));
    assert_eq!(clean(&arena, &["--aside"]), "nothing to remove\n");
    assert_whole(&arena, 2);
    assert_eq!(arena.agon(["standings", "--ladder", "pairs~1"]).status, Some(2));
    arena.agon(["standings", "--ladder", "pairs"]).well();
}

#[test]
fn nothing_is_removed_while_a_ladder_runs() {
    let arena = pairs(20_000);
    let mut server = arena.start(["ladder", "--quiet"]);
    wait_until("it plays", || matches(&arena) > 0);
    let refused = arena.agon(["record", "clean", "--yes", "--logs"]);
    assert_eq!(refused.status, Some(1));
    let said = format!("process {} is running the ladder pairs; help: wait until it is done", server.id());
    assert!(refused.stderr.contains(&said), "{}", refused.stderr);
    server.kill().unwrap();
    server.wait().unwrap();
}

//! Nimbers of large heaps from a file: written, checked and read by commands, given to a client by a ladder, refused
//! with what to do where it is missing, too small or damaged.

use crate::builder::{Arena, Ran};
use agon_games::grundy::nimbers;
use std::fs;

/// Sticks of the heap, and of the largest with which the match is over.
const HEAP: usize = 200_000;
const UNTIL: u32 = 500;

fn arena() -> Arena {
    let arena = Arena::new();
    arena.rust_client("grundy");
    arena
}

/// A match of version 6 on all seats, or against `other`.
fn play(arena: &Arena, heap: usize, other: &str) -> Ran {
    let own = "grundy:data=grundy.table,version=6";
    let (heap, until) = (format!("heaps={heap}"), format!("until={UNTIL}"));
    let options = ["-g", "grundy", "-o", &heap, "-o", &until, "-o", "moves=4000", "-q"];
    arena.agon([&["match", own, other][..], &options].concat())
}

/// What is wrong with the matches of the record: what the client said when it declined or ended. In one of them it has
/// the first move, for which it must know all heaps.
fn said(arena: &Arena) -> String {
    let list = arena.agon(["matches", "--json"]).json();
    let ids = list["matches"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap());
    ids.map(|id| arena.agon(["show", id]).well().stdout).collect()
}

#[test]
fn a_table_is_written_checked_and_drawn() {
    let arena = Arena::new();
    let made = arena.agon(["grundy", "table", "grundy.table", "--to", "100000"]).well();
    assert!(made.stdout.contains("1274 heaps have an exceptional nimber, the last one 82860 sticks: 108"), "{made:?}");
    assert!(made.stdout.contains("written to grundy.table in "), "{made:?}");
    assert!(made.stderr.contains("65 %: 65536 of 100000"), "{made:?}");
    let checked = arena.agon(["grundy", "check", "grundy.table"]).well();
    assert!(checked.stdout.contains("the first 50000 heaps are as by the definition"), "{checked:?}");
    let listed = arena.agon(["grundy", "exceptions", "grundy.table", "--out", "all.csv"]).well();
    assert_eq!(listed.stdout, "");
    assert_eq!(fs::read_to_string(arena.path("all.csv")).unwrap().lines().count(), 1 + 1_274);
    assert!(arena.agon(["grundy", "plot", "grundy.table"]).well().stdout.starts_with("<svg "));
    for (words, status, said) in [
        (&["grundy", "table", "grundy.table"][..], 2, "grundy.table is there already; help: choose a file"),
        (&["grundy", "table"], 2, "the name of a file is missing; help: agon grundy --help"),
        (&["grundy", "tabel", "x"], 2, "agon grundy has no command \"tabel\""),
        (&["grundy", "table", "x", "--to", "much"], 2, "--to much: a whole number from 1 to 100000000"),
        (&["grundy", "check", "grundy.table", "x"], 2, "\"x\" is one word too many"),
        (&["grundy", "check", "all.csv"], 3, "all.csv: this is not a table of nimbers; help: make it anew"),
        (&["grundy", "check", "nothing"], 3, "nothing: there is no such file"),
    ] {
        let ran = arena.agon(words);
        assert!(ran.status == Some(status) && ran.stderr.contains(said), "{words:?}: {ran:?}");
    }
    assert!(arena.agon(["grundy", "--help"]).well().stdout.contains("agon grundy exceptions FILE"));
}

#[test]
fn a_large_heap_is_played_perfectly_by_a_table() {
    let arena = arena();
    arena.agon(["grundy", "table", "grundy.table", "--to", &HEAP.to_string()]).well();
    assert_ne!(nimbers(HEAP)[HEAP], 0, "the side that begins can win");
    play(&arena, HEAP, "grundy:data=grundy.table,version=6").well();
    let both = arena.agon(["matches", "--json"]).json();
    for one in both["matches"].as_array().unwrap() {
        assert_eq!(one["seats"][0]["rank"], 1, "the seat that begins has won: {one}");
        assert!(one["plies"].as_u64().unwrap() < 4_000, "{one}");
    }
    play(&arena, HEAP, "grundy:version=random").well();
    let faults = arena.agon(["matches", "--json", "--fault"]).json();
    assert_eq!(faults["matches"].as_array().unwrap().len(), 0, "{faults}");
    let after = arena.agon(["matches", "--json"]).json();
    let won = |one: &serde_json::Value| one["seats"].as_array().unwrap().iter().any(|seat| seat["rank"] == 1);
    assert!(after["matches"].as_array().unwrap().iter().all(won), "nothing is drawn: {after}");
}

#[test]
fn a_table_that_is_missing_small_or_damaged_is_refused_with_what_to_do() {
    let arena = arena();
    let refused = |words: &str| {
        let shown = said(&arena);
        assert!(shown.contains(words), "{words} in {shown}");
        fs::remove_dir_all(arena.path("agon-out")).unwrap();
    };
    arena.agon(["match", "grundy:version=6", "grundy", "-g", "grundy", "-q"]).well();
    refused("make one with `agon grundy table grundy.table`, and give it by data = [");
    arena.agon(["grundy", "table", "grundy.table", "--to", "100000"]).well();
    play(&arena, HEAP, "grundy:version=random").well();
    refused("grundy.table knows heaps of up to 100000 sticks, and there is one of 200000; help: make a larger one");
    let mut table = fs::read(arena.path("grundy.table")).unwrap();
    *table.last_mut().unwrap() ^= 1;
    arena.file("grundy.table", &table);
    play(&arena, 100_000, "grundy:version=random").well();
    refused("the table is damaged among the heaps 65536 to 100000; help: make it anew");
    arena.file("grundy.table", &table[..1_000]);
    play(&arena, 100_000, "grundy:version=random").well();
    refused("and its 1000 bytes are not those; help: make it anew");
}

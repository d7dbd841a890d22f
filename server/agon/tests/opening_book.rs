//! The clients of Amazons play from a book that a ladder gives them, say so, search elsewhere, and decline with what to
//! do where it is no use.

use crate::builder::{Arena, Ran};

/// The book that comes with agon, of standard-10.
const BOOK: &[u8] = include_bytes!("../../../docs/openings/opening.book");

fn arena(book: &[u8]) -> Arena {
    let arena = Arena::new();
    arena.rust_client("alphabeta");
    arena.rust_client("mcts");
    std::fs::create_dir(arena.path("books")).unwrap();
    arena.file("books/opening.book", book);
    arena
}

/// One match of the two on a board, each with the book.
fn play(arena: &Arena, board: &str) -> Ran {
    let clients = ["alphabeta", "mcts"].map(|client| format!("{client}:nodes=300,data=books/opening.book"));
    arena.agon(["match", &clients[0], &clients[1], "-b", board, "-n", "1", "-s", "1", "--quiet"])
}

/// What was logged with each ply of the first match of the record: `ply key value`.
fn logged(arena: &Arena) -> Vec<String> {
    let shown = arena.agon(["show", "last", "--jsonl"]).well().stdout;
    let lines = shown.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let of_line = |line: serde_json::Value| {
        let (ply, text) = (line["n"].as_u64()?, line["text"].as_str()?.to_owned());
        Some(text.lines().map(|text| format!("{ply} {}", text.replace('\t', " "))).collect::<Vec<_>>())
    };
    lines.filter_map(of_line).flatten().collect()
}

#[test]
fn both_clients_play_from_the_book_and_then_search() {
    let arena = arena(BOOK);
    play(&arena, "standard-10").well();
    let logged = logged(&arena);
    let has = |begin: &str| logged.iter().any(|line| line.starts_with(begin));
    // The first moves of both are in it, and nothing is searched for them.
    for ply in 0..2 {
        assert!(has(&format!("{ply} book ")) && has(&format!("{ply} value ")), "{logged:?}");
        assert!(!has(&format!("{ply} nodes ")), "{logged:?}");
    }
    assert!(has("20 nodes ") && !has("20 book "), "{logged:?}");
    let said = arena
        .agon(["analyse", "-g", "amazons", "-b", "standard-10", "-c", "alphabeta:data=books/opening.book"])
        .well()
        .stdout;
    assert!(said.contains("It plays from its opening book"), "{said}");
}

#[test]
fn a_book_that_is_no_use_is_declined_with_what_to_do() {
    let mut damaged = BOOK.to_vec();
    damaged[100] ^= 1;
    for (book, board, why) in [
        (&damaged[..], "standard-10", "opening.book: this book of openings is damaged; help: "),
        (BOOK, "square:6", "opening.book: this book of openings has none of this board; help: "),
    ] {
        let arena = arena(book);
        play(&arena, board);
        let shown = arena.agon(["show", "last"]).well().stdout;
        assert!(shown.contains(why), "{shown}");
    }
}

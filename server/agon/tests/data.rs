//! Files that a ladder gives to a client: read through the sandbox, named in the record by their contents, and refused
//! with what to do.

use crate::builder::{Arena, Ran, users};
use serde_json::Value;

/// Splits by the file `book.txt`: what stands in it first is how many sticks to take away. Reads all of it, and `big`
/// where that is given.
const READER: &str = r#"
#include <agon/grundy.h>
const char *get_player_name(void) { return "reader"; }
int initialize(const grundy_setup *setup) {
    size_t size = 0, sum = 0;
    const char *book = (const char *)agon_data("book.txt", &size);
    agon_log_number("bytes", book ? (long long)size : -1);
    if (book) { char first[2] = {book[0], 0}; agon_log("first", first); }
    const unsigned char *big = (const unsigned char *)agon_data("big", &size);
    for (size_t i = 0; big && i < size; i += 4096) sum += big[i];
    agon_log_number("sum", big ? (long long)sum : -1);
    agon_log("other", agon_data("../book.txt", NULL) ? "there" : "none");
    return setup == 0;
}
grundy_move play(const grundy_turn *turn) {
    for (uint32_t heap = 0; heap < turn->num_heaps; heap++)
        for (uint32_t split = 1; split < turn->heaps[heap]; split++)
            if (grundy_may_split(turn->heaps[heap], split)) { grundy_move move = {heap, split}; return move; }
    grundy_move none = {0, 0};
    return none;
}
void finalize(void) {}
AGON_CLIENT(grundy)
"#;

/// A ladder of the reader, with these keys of its own, against the shipped client.
fn ladder(arena: &Arena, keys: &str, rest: &str) {
    arena.ladder_toml(&format!(
        "[ladder]\ngame = \"grundy\"\nname = \"books\"\nclients = [\"clients/grundy.so\"]\nopenings = 1\nseed = 4\n\
         [options]\nheaps = \"9\"\n[[client]]\nname = \"reader\"\nfile = \"clients/reader.so\"\n{keys}\n{rest}"
    ));
}

fn arena(user: Option<u32>) -> Option<Arena> {
    let arena = Arena::new().as_user(user);
    arena.rust_client("grundy");
    arena.c_client("reader", READER)?;
    std::fs::create_dir_all(arena.path("books/a")).unwrap();
    arena.file("books/book.txt", "3 sticks\n");
    Some(arena)
}

/// What the reader has logged in the first match of the record, one line each.
fn logged(arena: &Arena) -> Vec<String> {
    let matches = arena.agon(["matches", "--json"]).json();
    let id = matches["matches"][0]["id"].as_str().unwrap().to_owned();
    let shown = arena.agon(["show", &id, "--jsonl"]).well().stdout;
    let outputs = shown.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    outputs.filter_map(|line| Some(line["text"].as_str()?.replace('\t', "="))).collect()
}

fn first_id(arena: &Arena) -> String {
    arena.agon(["matches", "--json"]).json()["matches"][0]["id"].as_str().unwrap().to_owned()
}

/// Lines `key=value` that the reader logged, in all matches.
fn assert_logged(arena: &Arena, wanted: &[&str]) {
    let logged = logged(arena).concat();
    for line in wanted {
        assert!(logged.contains(line), "{line} in {logged}");
    }
}

fn refused(ran: Ran, wanted: &str) {
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stderr.contains(wanted), "{}", ran.stderr);
}

#[test]
fn a_client_reads_what_its_ladder_gives_it() {
    for user in users() {
        let Some(arena) = arena(user) else { return };
        ladder(&arena, "data = [\"books/book.txt\"]", "");
        arena.agon(["ladder", "-q"]).well();
        assert_logged(&arena, &["bytes=9", "first=3", "sum=-1", "other=none"]);
    }
}

#[test]
fn a_client_that_is_given_nothing_has_nothing() {
    let Some(arena) = arena(None) else { return };
    ladder(&arena, "", "");
    arena.agon(["ladder", "-q"]).well();
    assert_logged(&arena, &["bytes=-1", "other=none"]);
}

#[test]
fn other_contents_make_another_entrant_and_the_record_names_both() {
    let Some(arena) = arena(None) else { return };
    ladder(&arena, "data = [\"books/book.txt\"]", "");
    arena.agon(["ladder", "-q"]).well();
    let before = first_id(&arena);
    let options = arena.agon(["standings", "--json"]).json().to_string();
    let hash = "data.book.txt\":\"";
    let at = options.find(hash).expect("the record names the file") + hash.len();
    let copy = format!("agon-out/files/{}.data", &options[at..at + 64]);
    assert_eq!(std::fs::read(arena.path(&copy)).unwrap(), b"3 sticks\n");
    // The ladder played by the copy: what happens to the file afterwards changes nothing of it.
    arena.file("books/book.txt", "4 sticks\n");
    let again = arena.agon(["rerun", &before]).well();
    assert!(again.stdout.contains("the same"), "{again:?}");
    arena.agon(["ladder", "-q"]).well();
    let listed = arena.agon(["matches", "--json"]).json();
    let listed = listed["matches"].as_array().unwrap();
    assert!(listed.len() == 4 && listed.iter().any(|one| one["id"] == before.as_str()), "{listed:?}");
    let cleaned = arena.agon(["record", "clean", "--yes"]).well();
    assert!(arena.path(&copy).is_file(), "{cleaned:?}");
}

#[test]
fn what_a_client_is_given_is_not_its_memory() {
    let Some(arena) = arena(None) else { return };
    arena.file("books/big", vec![1u8; 96 << 20]);
    let limits = "[limits]\nmemory = \"32 MiB\"\n";
    ladder(&arena, "data = [\"books/big\"]", limits);
    arena.agon(["ladder", "-q"]).well();
    assert_logged(&arena, &[&format!("sum={}", (96 << 20) / 4096)]);
    let faults = arena.agon(["matches", "--json", "--fault"]).json();
    assert_eq!(faults["matches"].as_array().unwrap().len(), 0, "{faults}");
}

#[test]
fn clients_in_the_server_are_given_the_same() {
    let Some(arena) = arena(None) else { return };
    ladder(&arena, "data = [\"books/book.txt\"]", "[run]\nisolation = \"none\"\n");
    arena.agon(["ladder", "-q"]).well();
    assert_logged(&arena, &["bytes=9"]);
}

#[test]
fn a_match_gives_files_too() {
    let Some(arena) = arena(None) else { return };
    arena.agon(["match", "reader:data=books/book.txt", "grundy", "-g", "grundy", "-q"]).well();
    assert_logged(&arena, &["bytes=9"]);
}

#[test]
fn what_cannot_be_given_is_told_with_what_to_do() {
    let Some(arena) = arena(None) else { return };
    arena.file("books/a/book.txt", "");
    arena.file("books/a book", "");
    for (data, wanted) in [
        ("\"books/bok.txt\"", "there is no file \"books/bok.txt\""),
        ("\"books\"", "there is no file \"books\""),
        ("\"books/book.txt\", \"books/a/book.txt\"", "two files are called \"book.txt\""),
        ("\"books/a book\"", "a client cannot ask for a file called \"a book\""),
    ] {
        ladder(&arena, &format!("data = [{data}]"), "");
        refused(arena.agon(["ladder"]), wanted);
    }
    ladder(&arena, "options = { \"data.book.txt\" = \"00\" }", "");
    refused(arena.agon(["ladder"]), "the option \"data.book.txt\" is reserved");
}

#[test]
fn a_copy_that_is_gone_is_told() {
    let Some(arena) = arena(None) else { return };
    ladder(&arena, "data = [\"books/book.txt\"]", "");
    arena.agon(["ladder", "-q"]).well();
    let id = first_id(&arena);
    for copy in std::fs::read_dir(arena.path("agon-out/files")).unwrap().map(|entry| entry.unwrap().path()) {
        if copy.extension().is_some_and(|ending| ending == "data") {
            std::fs::remove_file(copy).unwrap();
        }
    }
    let ran = arena.agon(["rerun", &id]);
    assert!(ran.status != Some(0) && ran.stderr.contains("is missing; help: restore it"), "{ran:?}");
}

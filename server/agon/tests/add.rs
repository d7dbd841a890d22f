//! `agon add`: what files are called, what is never lost by it, and what its trial match shows.

use crate::builder::{Arena, has_program};
use std::fs;

/// A client of Amazons that passes back no move after so many turns; `END` is its last line.
const CLIENT: &str = "#include <agon/amazons_kit.h>
const char *get_player_name(void) { return \"Anna\"; }
static amazons_board board;
int initialize(const amazons_setup *setup) { return amazons_start(&board, setup); }
amazons_move play(const amazons_turn *turn) {
    amazons_move move = {0, 0, 0};
    amazons_apply(&board, turn->previous);
    if (amazons_moves(&board, &move, 1) == 0 || BAD) return (amazons_move){0, 0, 0};
    amazons_apply(&board, move);
    return move;
}
void finalize(void) {}
END
";

/// A client with this last line, in a file of its own below the arena.
fn client(arena: &Arena, file: &str, bad: &str, end: &str) {
    let path = arena.path(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let flags = [format!("-DBAD={bad}"), format!("-DEND={end}")];
    let built = arena.c_client_with("built", CLIENT, &[&flags[0], &flags[1]]).unwrap();
    fs::rename(built, path).unwrap();
    fs::remove_file(arena.path("clients/built.c")).unwrap();
}

#[test]
fn files_of_one_name_are_called_after_their_folders() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    for team in ["red", "blue"] {
        client(&arena, &format!("teams/{team}/player.so"), "0", "AGON_CLIENT(amazons)");
    }
    let ran = arena.agon(["add", "teams/red/player.so", "teams/blue/player.so"]).well();
    assert!(
        ran.stdout.contains("added    clients/red.so") && ran.stdout.contains("added    clients/blue.so"),
        "{ran:?}"
    );
    assert!(arena.path("clients/red.so").exists() && arena.path("clients/blue.so").exists());
    fs::copy(arena.path("teams/red/player.so"), arena.path("player.so")).unwrap();
    let ran = arena.agon(["add", "player.so", "teams/red/player.so"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("would both be called player.so; help: "), "{ran:?}");
    assert!(!arena.path("clients/player.so").exists(), "nothing is put there before all is clear");
}

#[test]
fn another_file_is_not_replaced_without_being_asked() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    client(&arena, "one.so", "0", "AGON_CLIENT(amazons)");
    arena.agon(["add", "one.so"]).well();
    let before = fs::read(arena.path("clients/one.so")).unwrap();
    arena.agon(["add", "one.so"]).well();
    client(&arena, "one.so", "board.num_vertices > 4000", "AGON_CLIENT(amazons)");
    let ran = arena.agon(["add", "one.so"]);
    assert!(ran.status == Some(4) && ran.stdout.contains("help: --replace replaces it"), "{ran:?}");
    assert_eq!(fs::read(arena.path("clients/one.so")).unwrap(), before);
    arena.agon(["add", "--replace", "one.so"]).well();
    assert_ne!(fs::read(arena.path("clients/one.so")).unwrap(), before);
    let left: Vec<_> = fs::read_dir(arena.path("clients")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["one.so"], "no part of a copy stays");
}

#[test]
fn a_trial_match_shows_what_a_look_does_not() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    client(&arena, "good.so", "0", "AGON_CLIENT(amazons)");
    client(&arena, "bad.so", "1", "AGON_CLIENT(amazons)");
    let ran = arena.agon(["add", "good.so", "bad.so"]).well();
    let trials: Vec<&str> = ran.stdout.lines().filter(|line| line.contains("trial against itself")).collect();
    assert!(trials.len() == 2 && trials[0].ends_with(", no fault") && trials[1].contains("illegal-move"), "{ran:?}");
    assert!(!arena.path("agon-out").exists(), "nothing is recorded");
    assert!(!arena.agon(["add", "good.so", "--no-trial"]).well().stdout.contains("trial"));
}

/// Four functions, without a header of agon or its last line.
const PLAIN: &str = "struct move { unsigned a, b, c; };
const char *get_player_name(void) { return \"Anna\"; }
void initialize(void) {}
struct move play(struct move previous) { return previous; }
void finalize(void) {}
";

#[test]
fn functions_without_a_macro_are_told_apart_from_a_client_of_the_course() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    arena.adapter();
    let built = arena.c_client("plain", PLAIN).unwrap();
    fs::rename(built, arena.path("plain.so")).unwrap();
    let ran = arena.agon(["add", "plain.so"]);
    let said = "the last line of its source is missing: AGON_CLIENT(amazons)";
    assert!(ran.stdout.contains("taken for a client of the original course") && ran.stdout.contains(said), "{ran:?}");
}

//! What a client is given is its own copy: destroying it changes nothing for anybody else.

use super::act::client_that;
use crate::builder::{Arena, Shown, has_program};

/// All moves of both matches against a sound client, as bytes and hashes.
fn moves_of(flags: &[&str], board: &str) -> Vec<(String, String)> {
    let arena = Arena::new();
    client_that("").build(&arena, "bad", flags);
    client_that("").build(&arena, "good", &[]);
    arena.agon(["match", "bad", "good", "--seed", "1", "--board", board, "--quiet"]).well();
    let all: Vec<Shown> = arena.all_shown();
    assert!(all.iter().all(|shown| shown.ending() == "over" && shown.json["events"] == serde_json::json!([])));
    let moves = all.iter().flat_map(|shown| shown.json["moves"].as_array().unwrap());
    moves.map(|row| (row["bytes"].to_string(), row["hash"].to_string())).collect()
}

#[test]
fn a_client_that_wrecks_its_setup_plays_the_game_of_its_tidy_twin() {
    if !has_program("cc") {
        return;
    }
    let wrecks = ["-DAT_INITIALIZE=wreck(setup)", "-DAT_EVERY_PLAY=wreck(NULL)", "-DAT_FINALIZE=wreck(NULL)"];
    for board in ["square:5", "donut:6"] {
        let tidy = moves_of(&[], board);
        assert!(tidy.len() > 10 && tidy == moves_of(&wrecks, board), "{board}");
    }
}

#[test]
fn a_client_that_wrecks_its_turns_plays_the_game_of_its_tidy_twin() {
    if !has_program("cc") {
        return;
    }
    let wrecks =
        "-DAT_EVERY_PLAY=static amazons_turn kept; kept = *turn; memset((void *)turn, 0xee, sizeof kept); turn = &kept";
    assert_eq!(moves_of(&[], "square:6"), moves_of(&[wrecks], "square:6"));
}

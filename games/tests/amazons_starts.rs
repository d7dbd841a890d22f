//! Where matches of Amazons begin: positions and openings, and what clients are told of them.

use agon_abi::{Blob, read};
use agon_games::amazons::{Amazons, AmazonsMove, AmazonsSetup, AmazonsTurn, Prepared, perft};
use agon_games::{Opening, Options, Rules};
use std::collections::BTreeSet;
use std::sync::Arc;

fn prepare(options: &[(&str, &str)]) -> Result<Arc<Prepared>, String> {
    let mut given = Options::default();
    options.iter().for_each(|(key, value)| given.set(key, value));
    let complete = Amazons::FACTS.complete(&given).unwrap();
    Amazons::prepare(&complete, 2).map(Arc::new).map_err(|bad| bad.to_string())
}

fn opening(number: u8) -> Opening {
    Opening { number: number.into(), seed: [number; 32] }
}

fn start(options: &[(&str, &str)], number: u8) -> Amazons {
    Amazons::start(&prepare(options).unwrap(), 2, &opening(number))
}

fn bad(options: &[(&str, &str)]) -> String {
    prepare(options).err().unwrap()
}

fn setup(state: &Amazons) -> (AmazonsSetup, Blob) {
    let mut blob = Blob::new();
    state.setup(0, &mut blob);
    (read(blob.bytes()).unwrap(), blob)
}

fn numbers(blob: &Blob, at: u64, count: u32) -> Vec<u32> {
    (0..count as usize).map(|index| read(&blob.bytes()[at as usize + 4 * index..]).unwrap()).collect()
}

const AFTER_ONE: &str = "1=a4,d7,g1,j4/2=a7,d10,g10,j7/x=g7/move=2";

#[test]
fn a_position_is_the_start() {
    let setting = prepare(&[("board", "standard-10"), ("from", AFTER_ONE)]).unwrap();
    assert_eq!(perft(&setting, 2), 2_423_006);
    let mut played = start(&[("board", "standard-10")], 0);
    played.play(&[(0, played.read("d1-d7/g7").unwrap())]);
    let state = Amazons::start(&setting, 2, &opening(0));
    assert_eq!(state.hash(), played.hash());
    assert_eq!(state.to_move(), played.to_move());
    let (setup, blob) = setup(&state);
    assert_eq!((setup.num_blocked, setup.side_to_move), (1, 1));
    assert_eq!(numbers(&blob, setup.blocked.word, 1), [36]);
    assert_eq!(numbers(&blob, setup.queens[0].word, 4), [33, 60, 69, 96]);
    let refused = state.check(1, state.read("g10-g7/g8").unwrap()).unwrap_err().why;
    assert!(refused.contains("g7 (vertex 36) is occupied by an obstacle that was there from the start"), "{refused}");
}

#[test]
fn bad_positions_say_where() {
    assert_eq!(
        bad(&[("from", "1=a1\n2=a99")]),
        "option from: line 2, column 3: there is no vertex \"a99\" on square 10"
    );
    assert!(
        bad(&[("from", "here")]).starts_with("option from: line 1, column 1: \"here\" is not a part of a position")
    );
}

#[test]
fn random_openings_follow_from_the_seed() {
    let options = [("board", "square:6"), ("opening", "4")];
    let hashes: BTreeSet<_> = (0..20).map(|number| start(&options, number).hash()).collect();
    assert_eq!(hashes.len(), 20);
    assert_eq!(start(&options, 7).hash(), start(&options, 7).hash());
    let state = start(&options, 7);
    let (setup, blob) = setup(&state);
    assert_eq!((setup.num_blocked, setup.side_to_move), (4, 0));
    let mut turn = Blob::new();
    state.turn(0, &mut turn);
    assert_eq!(read::<AmazonsTurn>(turn.bytes()).unwrap().previous, AmazonsMove::NONE);
    // The setup, taken as a position, is the same start.
    let list = |values: Vec<u32>| values.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let queens = [0, 1].map(|side| list(numbers(&blob, setup.queens[side].word, setup.num_queens[side])));
    let blocked = list(numbers(&blob, setup.blocked.word, 4));
    let from = format!("1={}/2={}/x={blocked}", queens[0], queens[1]);
    assert_eq!(start(&[("board", "square:6"), ("from", &from)], 0).hash(), state.hash());
}

#[test]
fn an_opening_never_ends_the_match() {
    for number in 0..50 {
        let state = start(&[("board", "mini-3"), ("opening", "4096")], number);
        assert!(!state.to_move().is_empty());
        assert!(setup(&state).0.num_blocked > 0);
    }
}

#[test]
fn openings_from_a_file() {
    let lines = "# two lines\nd1-d7/g7 a7-b7/b10\n\ng1-g7/d7   # one ply\n";
    let options = [("board", "standard-10"), ("opening", lines)];
    let begins: Vec<_> = (0..5).map(|number| setup(&start(&options, number)).0.side_to_move).collect();
    assert_eq!(begins, [0, 1, 0, 1, 0], "the lines are played in turn");
}

#[test]
fn bad_openings_say_where() {
    let bad = |text: &str| bad(&[("board", "standard-10"), ("opening", text)]);
    assert_eq!(
        bad("d1-d7/g7 hello"),
        "option opening: line 1, column 10: \"hello\" is not a move; a move is written d1-d7/g7"
    );
    let illegal = bad("\n d1-d7/g7 d7-d8/d9");
    assert!(illegal.starts_with("option opening: line 2, column 11: d7-d8/d9 is not legal here: queen_src: on d7"));
    assert!(bad("# nothing").ends_with("neither a number of plies from 0 to 4096 nor a file with lines of play"));
    let neither = "is neither a number of plies from 0 to 4096 nor a file with lines of play";
    for word in ["-1", "x", "book"] {
        assert_eq!(bad(word), format!("option opening: \"{word}\" {neither}"));
    }
    assert!(bad("5000").ends_with("\"5000\" is not a whole number from 0 to 4096"));
    let last = prepare(&[("board", "picture = \"\"\"\n1.2\n\"\"\"\n"), ("opening", "a1-b1/a1")]).err().unwrap();
    assert_eq!(last, "option opening: line 1, column 1: a1-b1/a1 ends the match, and nothing would be left to play");
}

/// Every small board, from its start until nobody can move.
#[test]
fn the_text_of_a_position_leads_back_to_it() {
    for small in Amazons::FACTS.small_options() {
        let setting = Arc::new(Amazons::prepare(&Amazons::FACTS.complete(&small).unwrap(), 2).unwrap());
        let mut state = Amazons::start(&setting, 2, &opening(1));
        let mut rng = agon_games::rng_from(&[7; 32]);
        loop {
            let mut options = small.clone();
            options.set("from", &state.position().unwrap());
            options.set("opening", "0");
            let again = Arc::new(Amazons::prepare(&Amazons::FACTS.complete(&options).unwrap(), 2).unwrap());
            assert_eq!(Amazons::start(&again, 2, &opening(0)).hash(), state.hash(), "{:?}", state.position());
            let Some(seat) = state.to_move().iter().next() else { break };
            let mv = state.sample(seat, &mut rng);
            state.play(&[(seat, mv)]);
        }
    }
}

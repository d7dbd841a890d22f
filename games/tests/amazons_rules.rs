//! The rules of Amazons as a client meets them: what is refused and why, notation, setup, pictures, the end.

use agon_abi::{Blob, bytes_of, read};
use agon_games::amazons::{Amazons, AmazonsMove, AmazonsSetup, AmazonsTurn, HAS_ONE_WAY, IS_GRID, Prepared};
use agon_games::{Illegal, Language, Opening, Options, Rules, Scores, Stroke, rng_from};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

fn start(options: &[(&str, &str)]) -> Amazons {
    let mut given = Options::default();
    options.iter().for_each(|(key, value)| given.set(key, value));
    let setting = Amazons::prepare(&Amazons::FACTS.complete(&given).unwrap(), 2).unwrap();
    Amazons::start(&Arc::new(setting), 2, &Opening::ANY)
}

fn on(board: &str) -> Amazons {
    start(&[("board", board)])
}

/// Plays moves in notation, each legal.
fn after(mut state: Amazons, moves: &str) -> Amazons {
    for text in moves.split_whitespace() {
        let seat = state.to_move().iter().next().unwrap();
        let mv = state.read(text).unwrap();
        state.check(seat, mv).unwrap();
        state.play(&[(seat, mv)]);
    }
    state
}

fn all(state: &Amazons) -> Vec<AmazonsMove> {
    let mut moves = Vec::new();
    state.legal(0, &mut |mv| {
        moves.push(mv);
        ControlFlow::Continue(())
    });
    moves
}

fn refused(state: &Amazons, text: &str) -> (&'static str, String) {
    let Illegal { rule, why, .. } = state.check(0, state.read(text).unwrap()).unwrap_err();
    (rule, why)
}

#[test]
fn refusals_say_which_rule_and_what_blocks() {
    let state = after(on("standard-10"), "d1-d7/g7 a7-b7/b10");
    let cases = [
        (
            "a5-a6/a7",
            "not-your-queen",
            "queen_src: on a5 (vertex 50) stands nothing; your queens are on d7 a4 j4 g1 (vertices 33 60 69 96)",
        ),
        (
            "b7-b8/b9",
            "not-your-queen",
            "queen_src: on b7 (vertex 31) stands a queen of the other side; your queens are on d7 a4 j4 g1 (vertices 33 60 69 96)",
        ),
        (
            "g7-g8/g9",
            "not-your-queen",
            "queen_src: on g7 (vertex 36) stands an arrow; your queens are on d7 a4 j4 g1 (vertices 33 60 69 96)",
        ),
        ("g1-g1/g2", "queen-must-move", "the queen on g1 (vertex 96) must leave its square"),
        (
            "g1-h3/h4",
            "queen-not-straight",
            "the queen cannot go from g1 (vertex 96) to h3 (vertex 77): no direction leads there in a straight line",
        ),
        (
            "g1-g9/g8",
            "queen-path-blocked",
            "the queen cannot go from g1 (vertex 96) to g9 (vertex 16): g7 (vertex 36) is occupied by an arrow",
        ),
        (
            "d7-b7/b6",
            "queen-path-blocked",
            "the queen cannot go from d7 (vertex 33) to b7 (vertex 31): b7 (vertex 31) is occupied by a queen of the other side",
        ),
        ("g1-g6/g6", "arrow-on-own-queen", "the arrow cannot hit g6 (vertex 46), where its own queen stands now"),
        (
            "g1-g6/h8",
            "arrow-not-straight",
            "the arrow cannot go from g6 (vertex 46) to h8 (vertex 27): no direction leads there in a straight line",
        ),
        (
            "g1-g6/g8",
            "arrow-path-blocked",
            "the arrow cannot go from g6 (vertex 46) to g8 (vertex 26): g7 (vertex 36) is occupied by an arrow",
        ),
    ];
    for (text, rule, why) in cases {
        assert_eq!(refused(&state, text), (rule, why.to_owned()), "{text}");
    }
    let state = on("standard-10");
    let outside =
        |queen_src, queen_dst, arrow_dst| state.check(0, AmazonsMove { queen_src, queen_dst, arrow_dst }).unwrap_err();
    assert_eq!(outside(60, 113, 3).rule, "no-such-vertex");
    assert_eq!(outside(60, 113, 3).why, "queen_dst: vertex 113 does not exist, the board has 0..99");
    assert!(outside(u32::MAX, 0, 3).why.starts_with("queen_src: vertex 4294967295 does not exist"));
    assert!(outside(60, 50, 100).why.starts_with("arrow_dst: vertex 100"));
}

#[test]
fn holes_obstacles_and_vertices_without_names() {
    let donut = on("donut:9");
    let (rule, why) = refused(&donut, "a7-e5/a7");
    assert_eq!((rule, why.as_str()), ("hole", "queen_dst: e5 (vertex 40) is a hole of the board"));
    let ring = on("mini-ring");
    assert_eq!(
        refused(&ring, "0-3/1").1,
        "the queen cannot go from vertex 0 to vertex 3: vertex 3 is occupied by a queen of the other side"
    );
    let drawn = on("picture = \"\"\"\n1x.2\n\"\"\"\n");
    assert!(
        refused(&drawn, "a1-c1/b1")
            .1
            .ends_with("b1 (vertex 1) is occupied by an obstacle that was there from the start")
    );
}

#[test]
fn a_place_is_a_square_on_a_grid_and_else_a_vertex() {
    let (rule, why) = refused(&on("mini-ring"), "0-0/1");
    assert_eq!((rule, why.as_str()), ("queen-must-move", "the queen on vertex 0 must leave its vertex"));
}

#[test]
fn the_vacated_vertex() {
    let text = "a1-a2/a1";
    let free = on("mini-3");
    assert_eq!(free.check(0, free.read(text).unwrap()), Ok(()));
    let blocked = start(&[("board", "mini-3"), ("vacated", "blocked")]);
    let (rule, why) = refused(&blocked, text);
    assert_eq!(rule, "arrow-path-blocked");
    assert!(why.ends_with("its queen has just left a1 (vertex 6), which is closed by vacated = \"blocked\""), "{why}");
}

#[test]
fn every_triple_is_legal_exactly_if_it_is_listed() {
    for options in Amazons::FACTS.small_options() {
        let setting = Arc::new(Amazons::prepare(&options, 2).unwrap());
        let mut state = Amazons::start(&setting, 2, &Opening::ANY);
        let mut rng = rng_from(&[3; 32]);
        while let Some(seat) = state.to_move().iter().next() {
            let listed = all(&state);
            let mut legal = 0;
            for code in 0..10 * 10 * 10 {
                let mv = AmazonsMove { queen_src: code / 100, queen_dst: code / 10 % 10, arrow_dst: code % 10 };
                assert_eq!(state.check(seat, mv).is_ok(), listed.contains(&mv), "{}", state.write(mv));
                legal += usize::from(listed.contains(&mv));
            }
            assert_eq!(legal, listed.len(), "each move is listed once");
            let mv = state.sample(seat, &mut rng);
            state.play(&[(seat, mv)]);
        }
        let blocked = all(&state);
        assert!(blocked.is_empty());
    }
}

#[test]
fn every_move_is_as_likely_as_any_other() {
    let mut rng = rng_from(&[5; 32]);
    for options in Amazons::FACTS.small_options() {
        let state = Amazons::start(&Arc::new(Amazons::prepare(&options, 2).unwrap()), 2, &Opening::ANY);
        let moves = all(&state);
        let mut counts = BTreeMap::new();
        for _ in 0..1000 * moves.len() {
            *counts.entry(bytes_of(&state.sample(0, &mut rng)).to_vec()).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), moves.len());
        // Six standard deviations of a count around 1000.
        assert!(counts.values().all(|count| count.abs_diff(1000) < 190), "{counts:?}");
    }
}

#[test]
fn who_cannot_move_loses() {
    let state = on("picture = \"\"\"\n1.2\n\"\"\"\n");
    assert_eq!(state.to_move().iter().collect::<Vec<_>>(), [0]);
    let state = after(state, "a1-b1/a1");
    assert!(state.to_move().is_empty());
    assert_eq!(state.scores(), Scores { values: vec![1, 0], higher_wins: true, tie_break: vec![] });
    let blocked = on("to_move = 2\npicture = \"\"\"\n1x2\n\"\"\"\n");
    assert!(blocked.to_move().is_empty());
    assert_eq!(blocked.scores().values, [1, 0]);
    // The queen could step along the only edge, but nothing can be shot from there.
    let trap = on(
        "vertices = 3\nqueens = [[0], [2]]\n[[edge]]\nfrom = \"0\"\nto = \"1\"\ndirection = \"E\"\none_way = true\n",
    );
    assert!(trap.to_move().is_empty());
}

#[test]
fn hashes_are_those_of_the_position() {
    let start = on("standard-10");
    let one = after(start.clone(), "d1-d2/d3 a7-a8/a9 g1-g2/g3");
    let other = after(start.clone(), "g1-g2/g3 a7-a8/a9 d1-d2/d3");
    assert_eq!(one.hash(), other.hash());
    assert_ne!(one.hash(), start.hash());
    assert_ne!(one.hash(), after(start.clone(), "d1-d2/d3 a7-a8/a9 g1-g2/g4").hash());
    assert_eq!(start.hash(), FROZEN, "hashes are kept in records: they must never change");
}

const FROZEN: u64 = 1_457_247_604_469_955_803;

#[test]
fn texts_of_moves() {
    let state = on("standard-10");
    let mv = AmazonsMove { queen_src: 93, queen_dst: 33, arrow_dst: 36 };
    assert_eq!(state.write(mv), "d1-d7/g7");
    assert_eq!(state.read("d1-d7/g7"), Some(mv));
    assert_eq!(state.read("93-33/36"), Some(mv));
    assert_eq!(state.write(AmazonsMove::NONE), "4294967295-4294967295/4294967295");
    for text in ["", "d1", "d1-d7", "d1-d7/", "d1/d7-g7", "d1-d7/k7", "d1-d7/g7 ", "d1-d7/g7/g8"] {
        assert_eq!(state.read(text), None, "{text}");
    }
    let ring = on("mini-ring");
    assert_eq!(ring.write(all(&ring)[0]).replace(|c: char| c.is_ascii_digit(), "0"), "0-0/0");
}

#[test]
fn the_structs_keep_their_sizes() {
    let facts = Amazons::FACTS;
    assert_eq!((facts.setup.size, facts.turn.size, facts.mv.size), (264, 64, 12), "compiled clients rely on these");
}

#[test]
fn the_setup_carries_the_board() {
    let state = on("lagoon");
    let mut blob = Blob::new();
    state.setup(1, &mut blob);
    let setup: AmazonsSetup = read(blob.bytes()).unwrap();
    assert_eq!((setup.num_vertices, setup.columns, setup.rows, setup.num_queens), (99, 11, 9, [3, 3]));
    assert_eq!((setup.side, setup.side_to_move, setup.vacated), (1, 0, 0));
    assert_eq!(setup.flags, IS_GRID | HAS_ONE_WAY);
    assert_eq!((setup.blocked.word, setup.coordinates.word), (0, 0));
    let number =
        |start: u64, index: u32| -> u32 { read(&blob.bytes()[start as usize + 4 * index as usize..]).unwrap() };
    assert_eq!(number(setup.row_start.word, 99), setup.num_edges);
    assert_eq!(number(setup.queens[0].word, 2), 93);
    let vertex = 3 * 11 + 3; // d6, with a current to h6
    let edges = number(setup.row_start.word, vertex)..number(setup.row_start.word, vertex + 1);
    let leads_east = |edge: &u32| blob.bytes()[setup.directions.word as usize + *edge as usize] == 3;
    let east: Vec<_> = edges.filter(leads_east).map(|edge| number(setup.targets.word, edge)).collect();
    assert_eq!(east, [3 * 11 + 7]);
    // The setup tells of the start only.
    let mut later = Blob::new();
    after(state, "f1-f2/f1").setup(1, &mut later);
    assert_eq!(later, blob);
}

#[test]
fn a_turn_tells_the_move_before() {
    let turn = |state: &Amazons, seat| {
        let mut blob = Blob::new();
        state.turn(seat, &mut blob);
        read::<AmazonsTurn>(blob.bytes()).unwrap()
    };
    let state = on("standard-10");
    assert_eq!(turn(&state, 0).previous, AmazonsMove::NONE);
    let state = after(state, "d1-d7/g7");
    assert_eq!(turn(&state, 1).previous, AmazonsMove { queen_src: 93, queen_dst: 33, arrow_dst: 36 });
}

#[test]
fn pictures() {
    let state = after(on("mini-3"), "a1-a2/b1");
    let scene = state.scene(None, Language::English);
    assert_eq!(scene.to_text(), "3 .  .  2\n2[1] .  .\n1[.][x] .\n  a  b  c\n");
    assert_eq!(scene.spoken, "Player 1 moved from a1 to a2 and shot at b1; player 2 to move.");
    let ring = on("mini-ring").scene(None, Language::English);
    assert_eq!((ring.columns, ring.cells.len(), ring.cells[2].at), (0, 6, Some([1500, 900])));
    assert_eq!(ring.edges, [[0, 1], [0, 5], [1, 2], [1, 4], [2, 3], [3, 4], [4, 5]]);
    let path = after(on("mini-ring"), "0-2/1").scene(None, Language::English).path;
    assert_eq!(path, [Stroke::Slide(vec![0, 1, 2]), Stroke::Shot(vec![2, 1])], "around the ring, cell by cell");
    assert_eq!(
        ring.panels[0].lines,
        ["    0:1     1", "", "", "5               2", "", "    4       3:2"],
        "drawn from its coordinates"
    );
    let crowded = "vertices = 3\nqueens = [[0], [2]]\ncoordinates = [[0, 0], [1, 0], [2147483647, -2147483648]]\n";
    assert_eq!(on(crowded).scene(None, Language::English).panels[0].lines[0], "queens of player 1: 0");
    let apart = crowded.replace("[1, 0]", "[1000000000, 0]");
    let lines = &on(&apart).scene(None, Language::English).panels[0].lines;
    assert_eq!(
        (lines.len(), lines[0].len(), lines[60].trim()),
        (61, 153, "0:1                                                                   1")
    );
    let nowhere = crowded.lines().take(2).collect::<Vec<_>>().join("\n") + "\n";
    assert_eq!(on(&nowhere).scene(None, Language::English).panels[0].lines[3], "free: 1");
}

#[test]
fn bad_options_say_what_would_be_right() {
    let bad = |key: &str, value: &str| {
        let mut options = Options::default();
        options.set(key, value);
        Prepared::from_options(&Amazons::FACTS.complete(&options).unwrap()).err().unwrap().to_string()
    };
    assert!(bad("board", "donut:10").starts_with("option board: the width of a donut is a multiple of 3"));
    assert!(bad("board", "picture = \"\"\"\n1?2\n\"\"\"\n").starts_with("option board: line 2, column 2: '?'"));
    assert_eq!(bad("vacated", "maybe"), "option vacated: \"maybe\" is not one of \"free\", \"blocked\"");
    assert!(bad("placement", "corner").contains("\"figures\", \"corners\""));
}

//! Boards written as maps and graphs read back as themselves; damaged maps are refused with a place; what is odd is
//! told.

use agon_boards::{BadBoard, Board, Diagonals, Direction, Draft, Lines, MAPS, Map, Placement, Shape, Start, parse};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRng};

fn read(text: &str) -> Result<Board, BadBoard> {
    parse(text, Placement::Figures, Diagonals::Natural)
}

#[test]
fn every_board_is_read_back_from_its_map() {
    for (name, text) in MAPS {
        let board = read(text).unwrap();
        assert_eq!(read(&board.to_map()).as_ref(), Ok(&board), "{name}:\n{}", board.to_map());
    }
    for shape in Shape::ALL {
        for width in shape.widths() {
            for diagonals in [Diagonals::Natural, Diagonals::Cut] {
                let board = parse(&format!("{}:{width}", shape.name()), Placement::Corners, diagonals).unwrap();
                let map = board.to_map();
                assert_eq!(read(&map).as_ref(), Ok(&board), "{map}");
                // The bridge is all that a picture does not say.
                let bridge = shape == Shape::Eight && diagonals == Diagonals::Cut;
                assert_eq!(map.matches("[[").count(), usize::from(bridge), "{map}");
            }
        }
    }
}

type EdgeList = Vec<(usize, usize, usize, bool)>;

fn edge_lists() -> impl Strategy<Value = EdgeList> {
    prop::collection::vec((0usize..64, 0usize..64, 0usize..8, prop::bool::weighted(0.3)), 0..40)
}

/// Adds what the draft accepts.
fn connect(draft: &mut Draft, edges: &EdgeList) {
    let count = draft.num_vertices();
    for &(from, to, direction, one_way) in edges {
        let direction = Direction::ALL[direction];
        let (from, to) = (from % count, to % count);
        if draft.connect(from, to, direction).is_ok() && !one_way {
            let _ = draft.connect(to, from, direction.opposite());
        }
    }
}

fn graphs() -> impl Strategy<Value = Board> {
    (3u32..20, edge_lists(), any::<bool>(), any::<bool>(), any::<i32>()).prop_map(
        |(count, edges, placed, second, far)| {
            let mut draft = Draft::graph(count as usize).unwrap();
            connect(&mut draft, &edges);
            draft.title = "a \"graph\" \\ of é".to_owned();
            draft.start = Start { queens: [vec![count - 1], vec![0]], blocked: vec![1], to_move: usize::from(second) };
            draft.coordinates = placed.then(|| (0..count as i32).map(|x| [x * 1000, far.wrapping_mul(x)]).collect());
            draft.finish().unwrap()
        },
    )
}

fn grids() -> impl Strategy<Value = Board> {
    let cuts = prop::collection::vec((0usize..64, 0usize..64), 0..20);
    (1usize..9, 2usize..9, prop::collection::vec(prop::bool::weighted(0.15), 64), cuts, edge_lists(), any::<bool>())
        .prop_map(|(columns, rows, holes, cuts, edges, cut)| {
            let mut exists: Vec<_> = holes[..columns * rows].iter().map(|hole| !hole).collect();
            (exists[0], exists[1]) = (true, true);
            let diagonals = if cut { Diagonals::Cut } else { Diagonals::Natural };
            let mut draft = Draft::grid(columns, exists, diagonals).unwrap();
            for (from, to) in cuts {
                let _ = draft.cut(from % (columns * rows), to % (columns * rows));
            }
            connect(&mut draft, &edges);
            draft.title = "grid".to_owned();
            draft.start.queens = [vec![0], vec![1]];
            draft.finish().unwrap()
        })
}

proptest! {
    /// Both ways to write a graph keep every edge, queen and coordinate.
    #[test]
    fn graphs_are_read_back(board in graphs()) {
        let map = board.to_map();
        prop_assert_eq!(read(&map), Ok(board.clone()), "{}", map);
        prop_assert!(map.contains(&board.to_matrix_market()));
    }

    #[test]
    fn grids_are_read_back(board in grids()) {
        let map = board.to_map();
        prop_assert_eq!(read(&map), Ok(board.clone()), "{}", map);
    }
}

/// Draws maps one after the other, the same at every run.
fn draw<T: std::fmt::Debug>(strategy: &impl Strategy<Value = T>, runner: &mut prop::test_runner::TestRunner) -> T {
    strategy.new_tree(runner).unwrap().current()
}

#[test]
fn a_thousand_maps_with_one_byte_changed() {
    let rng = TestRng::deterministic_rng(prop::test_runner::RngAlgorithm::ChaCha);
    let mut runner = prop::test_runner::TestRunner::new_with_rng(Config::default(), rng);
    let maps = prop_oneof![grids(), graphs()].prop_map(|board| board.to_map());
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 25);
    let (mut refused, mut accepted) = (0, 0);
    for _ in 0..1000 {
        let text = draw(&maps, &mut runner);
        for (at, byte) in draw(&changes, &mut runner) {
            let mut bytes = text.clone().into_bytes();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            // Bytes that are no text never come here: whoever reads the file refuses them.
            let Ok(damaged) = String::from_utf8(bytes) else { continue };
            match Map::parse(&damaged) {
                Ok(map) => {
                    accepted += 1;
                    Lines::new(map.board());
                    map.warnings().iter().for_each(|warning| is_a_place(&damaged, warning.place));
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.why.is_empty());
                    is_a_place(&damaged, error.place.unwrap_or_else(|| panic!("{error}, but where?\n{damaged}")));
                }
            }
        }
    }
    assert!(refused > 3000 && accepted > 500, "{refused} refused and {accepted} accepted");
}

/// The line exists, and the column is at most one past its end.
fn is_a_place(text: &str, (line, column): (usize, usize)) {
    let shown = text.split('\n').nth(line - 1).unwrap_or_else(|| panic!("line {line} of\n{text}"));
    assert!((1..=shown.chars().count() + 1).contains(&column), "line {line}, column {column} of\n{text}");
}

fn warnings(text: &str) -> Vec<String> {
    let warnings = Map::parse(text).unwrap().warnings();
    warnings.into_iter().map(|warning| format!("{}:{}: {}", warning.place.0, warning.place.1, warning.what)).collect()
}

#[test]
fn what_is_odd_is_told_with_its_place() {
    let ring = MAPS.iter().find(|(name, _)| *name == "mini-ring").unwrap().1;
    assert_eq!(
        warnings(ring),
        ["4:12: direction E leads round in a circle: 0 1 2 3 4 5; a slide ends before it is back"]
    );
    assert_eq!(
        warnings("picture = \"\"\"\n1#..2\n##...\n.#..x\n\"\"\"\n"),
        ["2:1: the queen on a3 is isolated: it can never move", "4:1: no queen can ever reach a1",]
    );
    assert_eq!(
        warnings("picture = \"\"\"\n11...\n.....\n.2..2\n\"\"\"\n"),
        [
            "2:1: the course asks for queens of both sides in symmetry: turned by half a turn, or mirrored",
            "2:1: the course asks for as many queens in the border rows as in the border columns; here they are 4 and 2",
            "2:2: the course asks for queens that are no neighbours in a row or column; a3 and b3 are",
        ]
    );
    for name in ["standard-10", "standard-8", "standard-6", "mini-4"] {
        let text = MAPS.iter().find(|(known, _)| *known == name).unwrap().1;
        assert!(name == "mini-4" || warnings(text).is_empty(), "{name}: {:?}", warnings(text));
    }
}

#[test]
fn graphs_in_maps() {
    let map = "queens = [[0], [2]]\ngraph = \"\"\"\n%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 3\n2 3 3\n3 1 3\n\"\"\"\n";
    let board = read(map).unwrap();
    assert_eq!((board.num_vertices(), board.neighbour(2, Direction::E), board.is_grid()), (3, Some(0), false));
    assert_eq!(warnings(map), ["1:12: direction E leads round in a circle: 0 1 2; a slide ends before it is back"]);
    let bad = |from: &str, to: &str| read(&map.replace(from, to)).unwrap_err().to_string();
    assert_eq!(
        bad("2 3 3\n", "1 3 3\n"),
        "line 6, column 1: 0 already has 1 as its neighbour in direction E; cut that edge first (vertices counted from 0, in the graph from 1)"
    );
    assert_eq!(bad("3 3 3", "3 3 2"), "line 7, column 1: 2 edges are announced, and this is one more");
    assert_eq!(bad("[2]", "[3]"), "line 1, column 17: vertex 3 does not exist, the board has 0..2");
    assert_eq!(bad("[2]", "[0]"), "line 1, column 17: two things stand on 0");
    assert!(bad("queens = [[0], [2]]\n", "").starts_with("line 1, column 9: a graph needs `queens"));
    let alone = read(map.split("\"\"\"\n").nth(1).unwrap()).unwrap_err();
    assert!(alone.why.contains("`agon boards import` makes a map of it"), "{alone}");
}

#[test]
fn dot_names_vertices_and_directions() {
    let dot = read(MAPS.iter().find(|(name, _)| *name == "mini-ring").unwrap().1).unwrap().to_dot();
    assert!(dot.starts_with("digraph \"Mini ring\" {\n  0 [label=\"0\" pos=\"0.000,0.000!\" style=filled"), "{dot}");
    assert!(dot.contains("  1 -> 4 [label=S];\n") && dot.contains("pos=\"-0.500,-0.900!\""), "{dot}");
}

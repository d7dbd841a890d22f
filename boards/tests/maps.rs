//! Map files: what they mean, and where exactly they are wrong.

use agon_boards::{Board, Diagonals, Direction, Lines, MAPS, Placement, parse};
use proptest::prelude::*;

fn read(text: &str) -> Result<Board, String> {
    parse(text, Placement::Figures, Diagonals::Natural).map_err(|error| error.to_string())
}

fn bad(text: &str) -> String {
    read(text).unwrap_err()
}

const SMALL: &str = "picture = \"\"\"\n1.x\n.#.\n..2\n\"\"\"\n";

#[test]
fn a_picture() {
    let board = read(&format!("title = \"T\"\nto_move = 2\n{SMALL}")).unwrap();
    assert_eq!((board.columns(), board.rows(), board.title(), board.to_move()), (3, 3, "T", 1));
    assert_eq!((board.queens(0), board.queens(1), board.blocked()), (&[0][..], &[8][..], &[2][..]));
    assert!(board.is_hole(4));
    assert_eq!(board.neighbours(4).count(), 0);
    assert_eq!(board.neighbour(1, Direction::SE), Some(5));
    let cut = read(&format!("diagonals = \"cut\"\n{SMALL}")).unwrap();
    assert_eq!(cut.neighbour(1, Direction::SE), None);
    let windows = read(&SMALL.replace('\n', "\r\n")).unwrap();
    assert_eq!(windows.queens(1), &[8]);
    let marked = read(&format!("\u{feff}{SMALL}")).unwrap();
    assert_eq!(marked.queens(1), &[8]);
}

#[test]
fn edges_added_and_cut() {
    let board = read(&format!(
        "{SMALL}[[cut]]\nfrom = \"a3\"\nto = \"b3\"\none_way = true\n[[edge]]\nfrom = \"a3\"\nto = \"8\"\ndirection = \"E\"\none_way = true\n"
    ))
    .unwrap();
    assert_eq!(board.neighbour(0, Direction::E), Some(8));
    assert_eq!(board.neighbour(8, Direction::W), Some(7));
    assert_eq!(board.neighbour(1, Direction::W), Some(0));
    assert!(board.has_one_way());
}

#[test]
fn a_graph_that_is_no_grid() {
    let board =
        read("vertices = 3\nqueens = [[2], [0]]\nblocked = [1]\ncoordinates = [[0, 0], [5, -5], [9, 9]]\n").unwrap();
    assert_eq!((board.columns(), board.rows(), board.num_vertices()), (0, 0, 3));
    assert_eq!(board.name(2), "2");
    assert_eq!(board.coordinates().unwrap()[1], [5, -5]);
}

#[test]
fn errors_say_where() {
    assert_eq!(
        bad("picture = \"\"\"\n1..\n..\n..2\n\"\"\"\n"),
        "line 3, column 3: this row has 2 squares and the first has 3; draw a hole as #"
    );
    assert_eq!(
        bad("title = \"x\"\n\npicture = '''\n1..\n.Q2\n'''\n"),
        "line 5, column 2: 'Q' means nothing in a picture: . is free, # or a blank a hole, 1 and 2 are queens, x is blocked"
    );
    assert_eq!(
        bad("\npicture = \"\"\"\n1.1\n..2\n\"\"\"\n"),
        "line 2, column 11: side 1 has 2 queens and side 2 has 1; they need equally many"
    );
    assert_eq!(bad("picture = \"\"\"\n...\n\"\"\"\n"), "line 1, column 11: each side needs at least one queen");
    assert!(bad("picture = \"12\"\n").starts_with("line 1, column 1: draw the picture on lines of its own"));
    assert!(bad("picture = \"\"\"\n\"\"\"\n").contains("the picture is empty"));
    let unknown = bad(&format!("{SMALL}colour = 3\n"));
    assert!(unknown.starts_with("line 6, column 1: unknown field `colour`"), "{unknown}");
    let syntax = bad("picture = \n");
    assert!(syntax.starts_with("line 1, column 1"), "{syntax}");
    assert!(bad("title = 3\n").starts_with("line 1, column 9: "), "{}", bad("title = 3\n"));
    assert!(bad("title = \"\"\n").contains("a map needs a picture"));
    assert!(bad(&format!("title = \"\"\n{SMALL}")).starts_with("line 1, column 9: a title is one line"));
    assert_eq!(bad(&format!("to_move = 3\n{SMALL}")), "line 1, column 11: to_move is side 1 or 2, not 3");
    assert!(
        bad(&format!("vertices = 9\n{SMALL}"))
            .contains("a map has a picture, or vertices, or a graph; only one of them")
    );
    assert!(bad("vertices = 9999999999999\nqueens = [[0], [1]]\n").contains("1 to 4096 vertices"));
    assert!(bad("vertices = 3\n").contains("a graph needs `queens"));
    assert!(bad("vertices = 3\nqueens = [[0], [3]]\n").contains("vertex 3 does not exist, the board has 0..2"));
    assert!(bad("vertices = 3\nqueens = [[0], [0]]\n").contains("two things stand on 0"));
    assert!(
        bad("vertices = 3\nqueens = [[0], [1]]\ncoordinates = [[1, 2]]\n").contains("there are 1 coordinates for 3")
    );
}

#[test]
fn bad_edges_say_where() {
    let edge = |from: &str, to: &str, direction: &str| {
        bad(&format!("{SMALL}[[edge]]\nfrom = \"{from}\"\nto = \"{to}\"\ndirection = \"{direction}\"\n"))
    };
    assert_eq!(edge("a3", "d9", "E"), "line 8, column 6: there is no \"d9\"; squares are a1..c3, vertices 0..8");
    assert_eq!(edge("a3", "c1", "UP"), "line 9, column 13: \"UP\" is not a direction; they are N NE E SE S SW W NW");
    assert_eq!(edge("b2", "c1", "E"), "line 7, column 8: b2 is a hole and can have no edge");
    assert_eq!(edge("c1", "c1", "E"), "line 7, column 8: c1 cannot be its own neighbour");
    assert_eq!(
        edge("a3", "c1", "E"),
        "line 7, column 8: a3 already has b3 as its neighbour in direction E; cut that edge first"
    );
    assert_eq!(
        edge("a3", "b3", "W"),
        "line 7, column 8: b3 already is the neighbour of a3 in direction E; cut that edge first"
    );
    let cut = bad(&format!("{SMALL}[[cut]]\nfrom = \"a3\"\nto = \"c1\"\n"));
    assert_eq!(cut, "line 7, column 8: there is no edge from a3 to c1");
    let missing = bad(&format!("{SMALL}[[edge]]\nfrom = \"a3\"\n"));
    assert!(missing.contains("missing field `to`"), "{missing}");
}

proptest! {
    /// Damaged maps are boards or errors, never a panic.
    #[test]
    fn damaged_maps(map in 0..MAPS.len(), cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..4, "[#.12x\"'\\[\\]=\n\r é\u{feff}0-9]{0,3}"), 1..4)) {
        let mut text: Vec<char> = MAPS[map].1.chars().collect();
        for (at, length, with) in cuts {
            let at = at.index(text.len());
            text.splice(at..(at + length).min(text.len()), with.chars());
        }
        if let Ok(board) = read(&text.into_iter().collect::<String>()) {
            Lines::new(&board);
        }
    }
}

//! Move counts of Amazons: published and known ones, and the fast count against the plain walker on every shape.

use agon_boards::{Board, Diagonals, Direction, Draft, Placement, Shape, column_name, parse, walk};
use agon_games::amazons::{Amazons, Prepared, perft};
use agon_games::{Options, Rules};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const VECTORS: &str = include_str!("vectors/perft.json");

/// The position of an entry as a map, after at most one move.
fn map_of(entry: &serde_json::Value) -> String {
    let (columns, rows) = (entry["columns"].as_u64().unwrap() as usize, entry["rows"].as_u64().unwrap() as usize);
    let names = |key: &str| -> Vec<String> {
        entry[key].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    };
    let (mut first, second, mut arrows) = (names("first"), names("second"), vec![]);
    let after = names("after");
    for mv in &after {
        let parts: Vec<_> = mv.split(['-', '/']).collect();
        let queen = first.iter_mut().find(|name| *name == parts[0]).unwrap();
        *queen = parts[1].to_owned();
        arrows.push(parts[2].to_owned());
    }
    let mut map = format!("to_move = {}\npicture = \"\"\"\n", after.len() % 2 + 1);
    for row in (1..=rows).rev() {
        for column in 0..columns {
            let name = format!("{}{row}", column_name(column));
            let lists = [(&first, '1'), (&second, '2'), (&arrows, 'x')];
            map.push(lists.iter().find(|(list, _)| list.contains(&name)).map_or('.', |(_, piece)| *piece));
        }
        map.push('\n');
    }
    map + "\"\"\"\n"
}

fn compare(most: u64, least: u64) {
    let vectors: serde_json::Value = serde_json::from_str(VECTORS).unwrap();
    for entry in vectors["positions"].as_array().unwrap() {
        let board = parse(&map_of(entry), Placement::Figures, Diagonals::Natural).unwrap();
        let setting = Prepared::new(board, true);
        for (depth, expected) in (1..).zip(entry["perft"].as_array().unwrap()) {
            let expected = expected.as_u64().unwrap();
            if (least..most).contains(&expected) {
                assert_eq!(perft(&setting, depth), expected, "{} at depth {depth}", entry["name"]);
            }
        }
    }
}

#[test]
fn known_counts() {
    compare(100_000_000, 0);
}

#[test]
#[ignore = "seconds; only worth it in release"]
fn known_counts_in_depth() {
    compare(u64::MAX, 100_000_000);
}

/// The count as the rules say it, without any table.
fn plain(board: &Board, queens: [&[usize]; 2], taken: &[bool], vacated_is_free: bool, depth: u32) -> u64 {
    let reach = |from: usize, free: &dyn Fn(usize) -> bool| -> BTreeSet<usize> {
        Direction::ALL.into_iter().flat_map(|direction| walk(board, from, direction, free)).collect()
    };
    let mut total = 0;
    for (index, &from) in queens[0].iter().enumerate() {
        for to in reach(from, &|vertex| !taken[vertex]) {
            let mut after = taken.to_vec();
            (after[from], after[to]) = (!vacated_is_free, true);
            for arrow in reach(to, &|vertex| !after[vertex]) {
                if depth == 1 {
                    total += 1;
                    continue;
                }
                let mut after = after.clone();
                (after[from], after[arrow]) = (false, true);
                let mut moved = queens[0].to_vec();
                moved[index] = to;
                total += plain(board, [queens[1], &moved], &after, vacated_is_free, depth - 1);
            }
        }
    }
    total
}

fn plain_start(board: &Board, vacated_is_free: bool, depth: u32) -> u64 {
    let side = |side| board.queens(side).iter().map(|&vertex| vertex as usize).collect::<Vec<_>>();
    let (first, second) = (side(board.to_move()), side(1 - board.to_move()));
    let mut taken = vec![false; board.num_vertices()];
    first.iter().chain(&second).for_each(|&vertex| taken[vertex] = true);
    board.blocked().iter().for_each(|&vertex| taken[vertex as usize] = true);
    plain(board, [&first, &second], &taken, vacated_is_free, depth)
}

fn agrees(spec: &str, placement: Placement, diagonals: Diagonals, depth: u32) {
    let board = parse(spec, placement, diagonals).unwrap();
    for vacated_is_free in [true, false] {
        let expected = plain_start(&board, vacated_is_free, depth);
        let setting = Prepared::new(board.clone(), vacated_is_free);
        assert_eq!(perft(&setting, depth), expected, "{spec} {placement:?} {diagonals:?} vacated {vacated_is_free}");
    }
}

const PLACEMENTS: [Placement; 2] = [Placement::Figures, Placement::Corners];
const DIAGONALS: [Diagonals; 2] = [Diagonals::Natural, Diagonals::Cut];

#[test]
fn first_moves_on_every_generated_board() {
    for shape in Shape::ALL {
        for width in shape.widths() {
            for placement in PLACEMENTS {
                for diagonals in DIAGONALS {
                    agrees(&format!("{}:{width}", shape.name()), placement, diagonals, 1);
                }
            }
        }
    }
    let first = |spec| perft(&Prepared::new(parse(spec, Placement::Figures, Diagonals::Natural).unwrap(), true), 1);
    assert_eq!(first("square:10"), 3632);
}

/// The counts of the plain walker, at every setting that the vectors of the shapes are for.
fn walked(spec: &str, placement: &str, diagonals: &str, vacated: &str, depth: u32) -> u64 {
    let placement = if placement == "corners" { Placement::Corners } else { Placement::Figures };
    let diagonals = if diagonals == "cut" { Diagonals::Cut } else { Diagonals::Natural };
    plain_start(&parse(spec, placement, diagonals).unwrap(), vacated == "free", depth)
}

/// The counts of the plain walker, frozen: `board placement diagonals vacated` and the counts at depth 1 and 2.
const SHAPES: &str = include_str!("vectors/perft-shapes.json");

#[test]
fn two_plies_on_every_shape_as_frozen() {
    let vectors: BTreeMap<String, [u64; 2]> = serde_json::from_str(SHAPES).unwrap();
    for (name, counts) in &vectors {
        let words: Vec<_> = name.split(' ').collect();
        let mut options = Options::default();
        for (key, word) in ["board", "placement", "diagonals", "vacated"].into_iter().zip(&words) {
            options.set(key, word);
        }
        let setting = Prepared::from_options(&Amazons::FACTS.complete(&options).unwrap()).unwrap();
        assert_eq!([1, 2].map(|depth| perft(&setting, depth)), *counts, "{name}");
    }
    assert_eq!(vectors.len(), 88);
}

/// Writes the vectors anew, by the plain walker alone: `cargo test --release -p agon-games -- --ignored walk_the_shapes
/// --nocapture`.
#[test]
#[ignore = "minutes; writes the vectors of the shapes"]
fn walk_the_shapes() {
    let mut vectors = BTreeMap::new();
    let widths = [
        ("square", [5, 6, 7, 8, 9, 10, 11, 12].as_slice()),
        ("donut", &[6, 9, 12]),
        ("clover", &[5, 10]),
        ("eight", &[8, 12]),
    ];
    for (shape, widths) in widths {
        // A square has no hole that a diagonal could pass.
        let diagonals = if shape == "square" { ["natural"].as_slice() } else { &["natural", "cut"] };
        for width in widths {
            for placement in ["figures", "corners"] {
                for diagonals in diagonals {
                    for vacated in ["free", "blocked"] {
                        let counts = [1, 2]
                            .map(|depth| walked(&format!("{shape}:{width}"), placement, diagonals, vacated, depth));
                        vectors.insert(format!("{shape}:{width} {placement} {diagonals} {vacated}"), counts);
                    }
                }
            }
        }
    }
    println!("{}", serde_json::to_string_pretty(&vectors).unwrap());
}

proptest! {
    /// Directed graphs of any kind: cycles, edges one way, several ways to one vertex.
    #[test]
    fn random_directed_graphs(
        count in 4usize..10,
        edges in prop::collection::vec((0usize..10, 0usize..10, 0usize..8, prop::bool::weighted(0.3)), 6..50),
        blocked in prop::bool::ANY,
    ) {
        let mut draft = Draft::graph(count).unwrap();
        for (from, to, direction, one_way) in edges {
            let direction = Direction::ALL[direction];
            // What the draft refuses is simply not there.
            if draft.connect(from % count, to % count, direction).is_ok() && !one_way {
                let _ = draft.connect(to % count, from % count, direction.opposite());
            }
        }
        draft.start.queens = [vec![0], vec![1]];
        draft.start.blocked = if blocked { vec![2] } else { vec![] };
        let board = draft.finish().unwrap();
        for vacated_is_free in [true, false] {
            let setting = Prepared::new(board.clone(), vacated_is_free);
            for depth in 1..=3 {
                prop_assert_eq!(perft(&setting, depth), plain_start(&board, vacated_is_free, depth));
            }
        }
    }
}

#[test]
fn two_plies_on_small_generated_boards() {
    for spec in ["square:5", "donut:6", "clover:5", "eight:8"] {
        for placement in PLACEMENTS {
            for diagonals in DIAGONALS {
                agrees(spec, placement, diagonals, 2);
            }
        }
    }
    agrees("square:7", Placement::Figures, Diagonals::Natural, 2);
}

#[test]
fn boards_that_are_not_made_of_lines() {
    for (spec, depth) in [("mini-ring", 4), ("mini-2", 5), ("mini-3", 3), ("lagoon", 1)] {
        agrees(spec, Placement::Figures, Diagonals::Natural, depth);
    }
}

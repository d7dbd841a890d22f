//! All paths of evaluation agree with the reference, on every shape and on random directed graphs.

use super::reference;
use crate::boards::{random_board, random_tunnels, shapes, tunnels, walk_randomly};
use agon_boards::{Board, Diagonals, Placement, parse};
use agon_search::{BoardTables, Evaluator, Heuristic, Path, Weights};
use proptest::prelude::*;

const HEURISTICS: [fn() -> Heuristic; 4] = [
    || Heuristic::Full(Weights::TUNED),
    || Heuristic::Network,
    || Heuristic::Territory,
    || Heuristic::Mobility { own: 2, other: 3 },
];

fn compare(board: &Board, seed: u64, stride: usize) {
    let tables = BoardTables::new(board, seed.is_multiple_of(2));
    let on = |heuristic: fn() -> Heuristic| Path::ALL.map(|path| Evaluator::on_path(&tables, heuristic(), path));
    let evaluators = HEURISTICS.map(on);
    walk_randomly(&tables, seed, stride, |position| {
        let expected = reference::terms(board, &tables, position);
        let trapped = reference::trapped(board, &tables, position);
        let census = [0, 1].map(|side| reference::census(board, &tables, position, side));
        for evaluators in &evaluators {
            let mut values = Vec::new();
            for evaluator in evaluators {
                let path = evaluator.path();
                assert_eq!(evaluator.terms(&tables, position), expected, "{path:?} on {}", board.title());
                values.push(evaluator.value(&tables, position));
                let features = evaluator.features(&tables, position, true);
                let counted = evaluator.census(&tables, position).0;
                let is_right = (0..2).all(|side| counted[side].starts_with(&census[side]));
                assert!(is_right || expected.contested == 0, "{counted:?} {census:?} {path:?} on {}", board.title());
                // Each of at most 32 queens is rounded down.
                let is_near = (f64::from(features.trapped) - trapped).abs() <= 32.0;
                assert!(is_near || expected.contested == 0, "{trapped} {features:?} {path:?} on {}", board.title());
            }
            assert!(values.iter().all(|value| *value == values[0]), "{values:?} on {}", board.title());
        }
    });
}

#[test]
fn all_paths_agree_on_all_shapes() {
    for (seed, board) in (0..).zip(shapes()) {
        compare(&board, seed, 1 + board.num_vertices() / 50);
    }
}

#[test]
fn what_fits_a_grid_is_embedded() {
    let embeds =
        |spec| BoardTables::new(&parse(spec, Placement::Figures, Diagonals::Natural).unwrap(), true).is_embedded();
    for spec in ["square:5", "square:32", "donut:12", "clover:15", "eight:12"] {
        assert!(embeds(spec), "{spec}");
    }
    // All edges but those of its tunnels.
    assert!(BoardTables::new(&tunnels(), true).is_embedded());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn all_paths_agree_on_random_graphs(seed in any::<u64>()) {
        compare(&random_board(seed), seed, 1);
    }

    #[test]
    fn all_paths_agree_on_grids_with_tunnels(seed in any::<u64>()) {
        let board = random_tunnels(seed);
        // Tunnels side by side pass for steps of the grid.
        prop_assume!(BoardTables::new(&board, true).is_embedded());
        compare(&board, seed, 1);
    }
}

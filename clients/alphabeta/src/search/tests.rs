//! The search against plain minimax, on every path of evaluation, and on boards whose winner is known.

use super::*;
use crate::options::Depth;
use crate::options::Widths;
use agon_boards::{Diagonals, Placement, parse};
use agon_search::{CERTAIN, Heuristic, Lanes, Level, Path, WON, Weights};

fn tables(spec: &str) -> BoardTables {
    BoardTables::new(&parse(spec, Placement::Figures, Diagonals::Natural).unwrap(), true)
}

fn settings(heuristic: Heuristic, widths: Widths) -> Settings {
    let (depth, lanes) = (Depth::Plies(255), Lanes::Auto);
    Settings {
        heuristic,
        lanes,
        depth,
        nodes: u64::MAX,
        level: Level::of(10),
        widths,
        table: 1 << 22,
        threads: 1,
        name: "",
    }
}

/// Every move, without a window, by the same leaves.
fn minimax(searcher: &mut Searcher, tables: &BoardTables, position: &mut Position, depth: u8, ply: usize) -> i32 {
    let mut moves = Vec::new();
    position.moves(tables, &mut moves);
    let mut best = ply as i32 - WON;
    for mv in moves {
        position.play(tables, mv);
        let leaf = searcher.first.judge.leaf(tables, position);
        let is_end = depth == 1 || leaf.abs() >= CERTAIN;
        best = best.max(-if is_end { leaf } else { minimax(searcher, tables, position, depth - 1, ply + 1) });
        position.undo(tables, mv);
    }
    best
}

const HEURISTICS: [Heuristic; 3] =
    [Heuristic::Full(Weights::TUNED), Heuristic::Territory, Heuristic::Mobility { own: 1, other: 1 }];

#[test]
fn full_width_equals_minimax() {
    for (spec, plies, depths) in [("mini-4", 0, 3), ("clover:5", 1, 3), ("mini-ring", 0, 5), ("square:5", 6, 3)] {
        let tables = tables(spec);
        for heuristic in HEURISTICS {
            let mut position = Position::start(&tables);
            for _ in 0..plies {
                let mut moves = Vec::new();
                position.moves(&tables, &mut moves);
                position.play(&tables, moves[moves.len() / 2]);
            }
            for depth in 1..=depths {
                let mut searcher = Searcher::new(&tables, &settings(heuristic, Widths::full()));
                let expected = minimax(&mut searcher, &tables, &mut position, depth, 0);
                let found = searcher.search(&tables, &mut position, depth, SearchLimits::of_nodes(u64::MAX));
                if found.value.abs() < CERTAIN || found.depth == depth {
                    assert_eq!(found.value, expected, "{spec} {heuristic:?} depth {depth}");
                }
            }
        }
    }
}

#[test]
fn all_paths_search_alike_within_the_same_nodes() {
    std::thread::scope(|scope| {
        for spec in ["square:10", "eight:12", "square:17", "clover:15"] {
            scope.spawn(move || all_paths_search_alike_on(spec));
        }
    });
}

fn all_paths_search_alike_on(spec: &str) {
    let tables = tables(spec);
    let found = Path::ALL.map(|path| {
        let settings =
            settings(HEURISTICS[0], Widths { few: 40, early: 4, margin: 3_000, hope: 0, ..Widths::of(&[20, 10], 12) });
        let evaluator = Evaluator::on_path(&tables, settings.heuristic, path);
        let mut searcher = Searcher::with_evaluator(&tables, evaluator, &settings);
        let mut position = Position::start(&tables);
        let mut all = Vec::new();
        for _ in 0..2 {
            let found = searcher.search(&tables, &mut position, 9, SearchLimits::of_nodes(12_000));
            position.play(&tables, found.line[0]);
            all.push(found);
        }
        all
    });
    assert!(found.iter().all(|one| *one == found[0]), "{spec} {found:?}");
}

#[test]
fn a_search_leaves_the_position_as_it_was() {
    let tables = tables("square:6");
    let mut position = Position::start(&tables);
    let before = position.clone();
    let mut searcher = Searcher::new(&tables, &settings(HEURISTICS[0], Widths::of(&[9], 5)));
    let found = searcher.search(&tables, &mut position, 9, SearchLimits::of_nodes(5_000));
    assert_eq!(position, before);
    assert!(position.allows(&tables, found.line[0]) && found.nodes >= 5_000);
}

/// The winners of small boards, from the literature; the searches are full-width to the end.
#[test]
fn small_boards_are_solved() {
    for (spec, first_wins) in [("mini-2", true), ("mini-3", true), ("mini-4", false)] {
        let tables = tables(spec);
        for heuristic in HEURISTICS {
            let mut searcher = Searcher::new(&tables, &settings(heuristic, Widths::full()));
            let found = searcher.search(&tables, &mut Position::start(&tables), 60, SearchLimits::of_nodes(u64::MAX));
            assert!(found.value.abs() >= CERTAIN, "{spec} {found:?}");
            assert_eq!(found.value > 0, first_wins, "{spec} {found:?}");
        }
    }
}

#[test]
fn several_threads_find_what_one_does() {
    for (spec, first_wins) in [("mini-3", true), ("mini-4", false)] {
        let tables = tables(spec);
        let settings = Settings { threads: 4, ..settings(HEURISTICS[0], Widths::full()) };
        let mut searcher = Searcher::new(&tables, &settings);
        for _ in 0..20 {
            let found = searcher.search(&tables, &mut Position::start(&tables), 60, SearchLimits::of_nodes(u64::MAX));
            assert_eq!((found.value.abs() >= CERTAIN, found.value > 0), (true, first_wins), "{spec} {found:?}");
        }
    }
    let tables = tables("square:8");
    let settings = Settings { threads: 3, ..settings(HEURISTICS[0], Widths::of(&[20, 10], 9)) };
    let (mut searcher, mut position) = (Searcher::new(&tables, &settings), Position::start(&tables));
    while position.has_move(&tables) {
        let found = searcher.search(&tables, &mut position, 20, SearchLimits::of_nodes(9_000));
        // Each thread stops at its third, and may be some evaluations late.
        assert!(found.nodes <= 9_000 + 3 * 40, "{}", found.nodes);
        assert!(position.allows(&tables, found.line[0]));
        position.play(&tables, found.line[0]);
    }
}

//! The search plays legal moves on every board, leaves the position as it was, proves small boards, and does the same
//! on all paths of evaluation.

use agon_boards::{Diagonals, Placement, parse};
use agon_client_api::Options;
use agon_search::{BoardTables, Evaluator, Path, Position, SearchLimits};
use mcts::{Searcher, Settings};

fn tables(spec: &str) -> BoardTables {
    BoardTables::new(&parse(spec, Placement::Figures, Diagonals::Natural).expect("a board"), true)
}

fn settings(options: &str) -> Settings {
    Settings::read(&Options(options), 512 << 20, 4).expect("options")
}

/// Plays a match of the client against itself; returns its length and who won.
fn play_out(tables: &BoardTables, options: &str, nodes: u64) -> (usize, usize) {
    let mut searchers = [1, 2].map(|seed| Searcher::new(tables, settings(options), seed));
    let mut position = Position::start(tables);
    let mut plies = 0;
    while position.has_move(tables) {
        let before = position.clone();
        let found = searchers[position.side()].search(tables, &mut position, SearchLimits::of_nodes(nodes));
        assert_eq!(position, before);
        assert!((-1.0..=1.0).contains(&found.value));
        let mut ahead = position.clone();
        for &mv in &found.line {
            assert!(ahead.allows(tables, mv), "{mv:?}");
            ahead.play(tables, mv);
        }
        position.play(tables, found.line[0]);
        searchers.iter_mut().for_each(|searcher| searcher.follow(found.line[0]));
        plies += 1;
    }
    (plies, 1 - position.side())
}

#[test]
fn every_move_is_legal_however_few_nodes_there_are() {
    for (spec, nodes) in [("square:6", 1), ("clover:10", 300), ("mini-ring", 50), ("eight:8", 3_000), ("square:17", 40)]
    {
        play_out(&tables(spec), "", nodes);
    }
    play_out(&tables("square:8"), "threads = 4", 3_000);
    for playouts in ["random", "mobility"] {
        play_out(&tables("square:6"), &format!("playouts = {playouts}"), 3_000);
    }
}

#[test]
fn all_paths_search_alike_within_the_same_nodes() {
    for spec in ["square:10", "eight:12", "clover:15"] {
        let tables = tables(spec);
        let found = Path::ALL.map(|path| {
            let settings = settings("");
            let evaluator = Evaluator::on_path(&tables, settings.heuristic, path);
            let mut searcher = Searcher::with_evaluator(&tables, evaluator, settings, 0);
            let mut position = Position::start(&tables);
            let mut all = Vec::new();
            for _ in 0..2 {
                let found = searcher.search(&tables, &mut position, SearchLimits::of_nodes(15_000));
                position.play(&tables, found.line[0]);
                searcher.follow(found.line[0]);
                all.push(found);
            }
            all
        });
        assert!(found.iter().all(|one| *one == found[0]), "{spec} {found:?}");
    }
}

/// The winners of small boards, from the literature.
#[test]
fn small_boards_are_solved() {
    for (spec, first_wins) in [("mini-2", true), ("mini-3", true), ("mini-4", false)] {
        let tables = tables(spec);
        for threads in ["", "\nthreads = 3"] {
            let mut searcher = Searcher::new(&tables, settings(&format!("keep = 1\nslides = 2{threads}")), 0);
            let found = searcher.search(&tables, &mut Position::start(&tables), SearchLimits::of_nodes(50_000_000));
            assert_eq!(found.value, if first_wins { 1.0 } else { -1.0 }, "{spec} {found:?}");
        }
    }
}

#[test]
fn what_lies_below_a_move_is_used_again() {
    let tables = tables("standard-8");
    let mut position = Position::start(&tables);
    let mut searcher = Searcher::new(&tables, settings(""), 0);
    let first = searcher.search(&tables, &mut position, SearchLimits::of_nodes(400_000));
    for &mv in &first.line[..2] {
        position.play(&tables, mv);
        searcher.follow(mv);
    }
    let mut fresh = Searcher::new(&tables, settings(""), 0);
    let [again, anew] = [&mut searcher, &mut fresh]
        .map(|searcher| searcher.search(&tables, &mut position, SearchLimits::of_nodes(20_000)));
    assert!(again.visits > anew.visits + 10, "{} and {}", again.visits, anew.visits);
}

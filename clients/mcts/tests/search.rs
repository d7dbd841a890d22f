//! The search plays legal moves on every board, leaves the position as it was, proves small boards, and does the same
//! on all paths of evaluation.

use agon_boards::{Diagonals, Placement, parse};
use agon_client_api::Options;
use agon_search::{Arena, Evaluator, Limits, Path, Position};
use mcts::{Searcher, Settings};

fn arena(spec: &str) -> Arena {
    Arena::new(&parse(spec, Placement::Figures, Diagonals::Natural).expect("a board"), true)
}

fn settings(options: &str) -> Settings {
    Settings::read(&Options(options), 512 << 20, 4).expect("options")
}

/// Plays a match of the client against itself; returns its length and who won.
fn play_out(arena: &Arena, options: &str, nodes: u64) -> (usize, usize) {
    let mut searchers = [1, 2].map(|seed| Searcher::new(arena, settings(options), seed));
    let mut position = Position::start(arena);
    let mut plies = 0;
    while position.has_move(arena) {
        let before = position.clone();
        let found = searchers[position.side()].search(arena, &mut position, Limits::of_nodes(nodes));
        assert_eq!(position, before);
        assert!((-1.0..=1.0).contains(&found.value));
        let mut ahead = position.clone();
        for &mv in &found.line {
            assert!(ahead.allows(arena, mv), "{mv:?}");
            ahead.play(arena, mv);
        }
        position.play(arena, found.line[0]);
        searchers.iter_mut().for_each(|searcher| searcher.follow(found.line[0]));
        plies += 1;
    }
    (plies, 1 - position.side())
}

#[test]
fn every_move_is_legal_however_few_nodes_there_are() {
    for (spec, nodes) in [("square:6", 1), ("clover:10", 300), ("mini-ring", 50), ("eight:8", 3_000), ("square:17", 40)]
    {
        play_out(&arena(spec), "", nodes);
    }
    play_out(&arena("square:8"), "threads = 4", 3_000);
    for playouts in ["random", "mobility"] {
        play_out(&arena("square:6"), &format!("playouts = {playouts}"), 3_000);
    }
}

#[test]
fn all_paths_search_alike_within_the_same_nodes() {
    for spec in ["square:10", "eight:12", "clover:15"] {
        let arena = arena(spec);
        let found = Path::ALL.map(|path| {
            let settings = settings("");
            let evaluator = Evaluator::on_path(&arena, settings.heuristic, path);
            let mut searcher = Searcher::with_evaluator(&arena, evaluator, settings, 0);
            let mut position = Position::start(&arena);
            let mut all = Vec::new();
            for _ in 0..2 {
                let found = searcher.search(&arena, &mut position, Limits::of_nodes(15_000));
                position.play(&arena, found.line[0]);
                searcher.follow(found.line[0]);
                all.push(found);
            }
            all
        });
        assert!(found.iter().all(|one| *one == found[0]), "{spec} {found:?}");
    }
}

/// Who wins small boards, as the literature has it.
#[test]
fn small_boards_are_solved() {
    for (spec, first_wins) in [("mini-2", true), ("mini-3", true), ("mini-4", false)] {
        let arena = arena(spec);
        for threads in ["", "\nthreads = 3"] {
            let mut searcher = Searcher::new(&arena, settings(&format!("keep = 1\nslides = 2{threads}")), 0);
            let found = searcher.search(&arena, &mut Position::start(&arena), Limits::of_nodes(50_000_000));
            assert_eq!(found.value, if first_wins { 1.0 } else { -1.0 }, "{spec} {found:?}");
        }
    }
}

#[test]
fn what_lies_below_a_move_is_used_again() {
    let arena = arena("standard-8");
    let mut position = Position::start(&arena);
    let mut searcher = Searcher::new(&arena, settings(""), 0);
    let first = searcher.search(&arena, &mut position, Limits::of_nodes(400_000));
    for &mv in &first.line[..2] {
        position.play(&arena, mv);
        searcher.follow(mv);
    }
    let mut fresh = Searcher::new(&arena, settings(""), 0);
    let [again, anew] =
        [&mut searcher, &mut fresh].map(|searcher| searcher.search(&arena, &mut position, Limits::of_nodes(20_000)));
    assert!(again.visits > anew.visits + 10, "{} and {}", again.visits, anew.visits);
}

//! Measures one core: `cargo run --release -p agon-search --example speed [BOARD or map.toml]`. It evaluates the
//! positions of random games, from the first ply to the last, and shows the best of several runs.
#![allow(clippy::print_stdout)]

mod board;

use agon_games::{Rng, below, rng_from};
use agon_search::{BoardTables, Evaluator, Heuristic, Move, Path, Position, Weights};
use std::hint::black_box;
use std::time::Instant;

const GAMES: usize = 30;
const RUNS: usize = 7;
const PLAYOUTS: usize = 100;

#[expect(clippy::too_many_lines)]
fn main() {
    let spec = std::env::args().nth(1).unwrap_or_else(|| "standard-10".to_owned());
    let Some(board) = board::read(&spec) else { return };
    let tables = BoardTables::new(&board, true);
    let positions = positions(&tables);
    println!("{}, positions of {GAMES} random games", board.title());
    for path in Path::ALL {
        let evaluator = Evaluator::on_path(&tables, Heuristic::Full(Weights::TUNED), path);
        if evaluator.path() != path {
            println!("{path:?} is not for this board or processor");
            continue;
        }
        let rate = best_rate(positions.len(), || {
            positions.iter().for_each(|position| {
                black_box(evaluator.terms(&tables, position));
            });
        });
        print(&format!("{path:?}: t1, t2, c1, c2, w"), rate, "evaluations/s");
        let rate = best_rate(positions.len(), || {
            positions.iter().for_each(|position| {
                black_box(evaluator.value(&tables, position));
            });
        });
        print(&format!("{path:?}: with mobility"), rate, "evaluations/s");
        let evaluator = Evaluator::on_path(&tables, Heuristic::Network, path);
        let rate = best_rate(positions.len(), || {
            positions.iter().for_each(|position| {
                black_box(evaluator.value(&tables, position));
            });
        });
        print(&format!("{path:?}: with the network"), rate, "evaluations/s");
        let evaluator = Evaluator::on_path(&tables, Heuristic::Territory, path);
        let rate = best_rate(positions.len(), || {
            positions.iter().for_each(|position| {
                black_box(evaluator.value(&tables, position));
            });
        });
        print(&format!("{path:?}: territory"), rate, "evaluations/s");
    }
    let mut copies = positions.clone();
    let moves: u64 = copies.iter_mut().map(|position| position.count_moves(&tables)).sum();
    let rate = best_rate(moves as usize, || {
        copies.iter_mut().for_each(|position| {
            black_box(position.count_moves(&tables));
        });
    });
    print("moves counted, all positions", rate, "moves/s");
    let rate = best_rate(moves as usize, || {
        let mut list = Vec::new();
        copies.iter_mut().for_each(|position| {
            list.clear();
            position.moves(&tables, &mut list);
        });
    });
    print("moves listed, all positions", rate, "moves/s");
    let start = Position::start(&tables);
    let mut rng: Rng = rng_from(&[7; 32]);
    let rate = best_rate(PLAYOUTS, || {
        for _ in 0..PLAYOUTS {
            let mut position = start.clone();
            while position.play_by_chance(&tables, |bound| below(&mut rng, bound)).is_some() {}
            black_box(position.side());
        }
    });
    print("random games from the start", rate, "games/s");
}

/// Every position of some random games.
fn positions(tables: &BoardTables) -> Vec<Position> {
    let mut rng: Rng = rng_from(&[7; 32]);
    let mut all = Vec::new();
    for _ in 0..GAMES {
        let mut position = Position::start(tables);
        loop {
            let mut moves: Vec<Move> = Vec::new();
            position.moves(tables, &mut moves);
            if moves.is_empty() {
                break;
            }
            all.push(position.clone());
            position.play(tables, moves[below(&mut rng, moves.len() as u64) as usize]);
        }
    }
    all
}

fn best_rate(items: usize, mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        let mut rounds = 0;
        while start.elapsed().as_secs_f64() < 0.05 {
            run();
            rounds += 1;
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(rounds));
    }
    items as f64 / best
}

fn print(what: &str, rate: f64, unit: &str) {
    println!("{what:<32} {:>9.3} M {unit}", rate / 1e6);
}

//! How long each depth takes in games of the client against itself: the medians over the positions of the first plies.
//! `cargo run --release -p client-alphabeta --example depths [GAMES [DEEPEST [OPTIONS]]]`, options as in ladder.toml,
//! a comma between them. By the wall clock: nothing else should run.
#![allow(clippy::print_stdout)]

mod start;

use agon_games::{below, rng_from, seed_of};
use agon_search::{BoardTables, Position, SearchLimits};
use alphabeta::{Searcher, Settings};
use start::{board, settings};
use std::time::Instant;

const BOARD: &str = "standard-10";
/// Plies of each game, after so many by chance.
const PLIES: usize = 20;
const BY_CHANCE: usize = 2;
/// Positions evaluated to choose the move that is played.
const NODES: u64 = 20_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default| arguments.get(at).map_or(default, |text| text.parse().expect("a whole number"));
    let (games, deepest) = (number(0, 20), number(1, 5) as u8);
    let options = arguments.get(2).map_or(String::new(), |text| text.replace(',', "\n").replace('=', " = "));
    let settings = settings(&options);
    let tables = BoardTables::new(&board(BOARD), true);
    let mut took = vec![Vec::new(); usize::from(deepest) + 1];
    for game in 0..games {
        let mut rng = rng_from(&seed_of(game));
        let mut position = Position::start(&tables);
        for _ in 0..BY_CHANCE {
            position.play_by_chance(&tables, |bound| below(&mut rng, bound));
        }
        for _ in 0..PLIES {
            for depth in 2..=deepest {
                took[usize::from(depth)].push(time(&tables, &settings, &mut position, depth));
            }
            let found = Searcher::new(&tables, &settings).search(
                &tables,
                &mut position,
                u8::MAX,
                SearchLimits::of_nodes(NODES),
            );
            let Some(mv) = found.line.first() else { break };
            position.play(&tables, *mv);
        }
    }
    println!("{games} games on {BOARD}, {PLIES} plies of each: depth, positions evaluated, milliseconds (medians)");
    for (depth, took) in took.iter_mut().enumerate().skip(2) {
        let nodes = median(took.iter().map(|(nodes, _)| *nodes as f64).collect());
        println!("{depth} {nodes:10.0} {:10.1}", median(took.iter().map(|(_, ms)| *ms).collect()));
    }
}

/// Positions evaluated and milliseconds, from an empty table.
fn time(tables: &BoardTables, settings: &Settings, position: &mut Position, depth: u8) -> (u64, f64) {
    let mut searcher = Searcher::new(tables, settings);
    let began = Instant::now();
    let found = searcher.search(tables, position, depth, SearchLimits::of_nodes(u64::MAX));
    (found.nodes, began.elapsed().as_secs_f64() * 1e3)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

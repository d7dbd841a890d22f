//! Finds the winner of a small board with best play: `cargo run --release -p agon-search --example prove [BOARD or
//! map.toml] [MiB of memory]`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod board;

use agon_search::{BoardTables, Evaluator, Heuristic, Move, Position, Prover, Weights};
use std::time::Instant;

/// After so many positions it is said how far the proof is.
const TOLD_EVERY: u64 = 100_000_000;

fn main() {
    let mut words = std::env::args().skip(1);
    let spec = words.next().unwrap_or_else(|| "mini-4".to_owned());
    let memory = words.next().unwrap_or_else(|| "1024".to_owned());
    let Ok(memory) = memory.parse::<u32>() else { return eprintln!("{memory}: not a number of MiB") };
    let Some(board) = board::read(&spec) else { return };
    let tables = BoardTables::new(&board, true);
    let evaluator = Evaluator::new(&tables, Heuristic::Full(Weights::TUNED));
    let mut prover = Prover::new(&tables, evaluator, u64::from(memory) << 20);
    let mut position = Position::start(&tables);
    let (began, mut nodes) = (Instant::now(), 0);
    loop {
        let proven = prover.prove(&tables, &mut position, TOLD_EVERY);
        nodes += proven.nodes;
        let so_far = format!("{nodes} positions evaluated in {:.1} s", began.elapsed().as_secs_f64());
        let Some(wins) = proven.wins else {
            let [win, loss] = proven.effort;
            eprintln!("{so_far}; a win takes {win} more at least, a loss {loss}, as far as can be seen");
            continue;
        };
        let name = |vertex: u16| board.name(vertex.into());
        let won = |mv: Move| format!(" by {}-{}/{}", name(mv.from), name(mv.to), name(mv.arrow));
        let (end, by) = (if wins { "wins" } else { "loses" }, proven.best.map_or_else(String::new, won));
        return println!("{}: the side to move {end}{by}; {so_far}", board.title());
    }
}

//! Who wins a small board with best play: `cargo run --release -p agon-search --example prove [BOARD or map.toml] [MiB of memory]`.

use agon_boards::{Diagonals, Map, Placement, parse};
use agon_search::{Arena, Evaluator, Heuristic, Move, Position, Prover, Weights};
use std::time::Instant;

fn main() {
    let mut words = std::env::args().skip(1);
    let spec = words.next().unwrap_or_else(|| "mini-4".to_owned());
    let memory = words.next().and_then(|word| word.parse::<u64>().ok()).unwrap_or(1024);
    let read = || match std::fs::read_to_string(&spec) {
        Ok(text) => Map::parse(&text).map(|map| map.board().clone()),
        Err(_) => parse(&spec, Placement::Figures, Diagonals::Natural),
    };
    let board = match read() {
        Ok(board) => board,
        Err(bad) => return eprintln!("{spec}: {}", bad.why),
    };
    let arena = Arena::new(&board, true);
    let evaluator = Evaluator::new(&arena, Heuristic::Full(Weights::TUNED));
    let began = Instant::now();
    let proven = Prover::new(evaluator, memory << 20).prove(&arena, &mut Position::start(&arena), u64::MAX);
    let name = |vertex: u16| board.name(vertex.into());
    let won = |mv: Move| format!("the side to move wins by {}-{}/{}", name(mv.from), name(mv.to), name(mv.arrow));
    let winner = proven.best.map_or_else(|| "the side to move loses".to_owned(), won);
    let seconds = began.elapsed().as_secs_f64();
    println!("{}: {winner}; {} positions evaluated in {seconds:.1} s", board.title(), proven.nodes);
}

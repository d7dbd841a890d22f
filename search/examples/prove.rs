//! Who wins a small board with best play: `cargo run --release -p agon-search --example prove [BOARD or map.toml] [MiB
//! of memory]`.

mod board;

use agon_search::{Arena, Evaluator, Heuristic, Move, Position, Prover, Weights};
use std::time::Instant;

fn main() {
    let mut words = std::env::args().skip(1);
    let spec = words.next().unwrap_or_else(|| "mini-4".to_owned());
    let memory = words.next().unwrap_or_else(|| "1024".to_owned());
    let Ok(memory) = memory.parse::<u32>() else { return eprintln!("{memory}: not a number of MiB") };
    let Some(board) = board::read(&spec) else { return };
    let arena = Arena::new(&board, true);
    let evaluator = Evaluator::new(&arena, Heuristic::Full(Weights::TUNED));
    let began = Instant::now();
    let proven =
        Prover::new(&arena, evaluator, u64::from(memory) << 20).prove(&arena, &mut Position::start(&arena), u64::MAX);
    let name = |vertex: u16| board.name(vertex.into());
    let won = |mv: Move| format!("the side to move wins by {}-{}/{}", name(mv.from), name(mv.to), name(mv.arrow));
    let winner = proven.best.map_or_else(|| "the side to move loses".to_owned(), won);
    let seconds = began.elapsed().as_secs_f64();
    println!("{}: {winner}; {} positions evaluated in {seconds:.1} s", board.title(), proven.nodes);
}

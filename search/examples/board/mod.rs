//! The board that an example is about: a spec, or a map file.
#![allow(clippy::print_stderr)]

use agon_boards::{Board, Diagonals, Map, Placement, parse};

/// Says on stderr what is wrong with it.
pub fn read(spec: &str) -> Option<Board> {
    let board = match std::fs::read_to_string(spec) {
        Ok(text) => Map::parse(&text).map(|map| map.board().clone()),
        Err(_) => parse(spec, Placement::Figures, Diagonals::Natural),
    };
    board.inspect_err(|bad| eprintln!("{spec}: {}", bad.why)).ok()
}

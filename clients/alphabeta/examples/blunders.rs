//! Positions in which a game is thrown away by who looks at few positions, as `search/tests/positions/late.txt` has
//! them: `cargo run --release -p client-alphabeta --example blunders [GAMES [FEW [MANY]]]`, so many positions a move to
//! play, and to find out what that is worth. Behind each the values for the mover: of the best move, and of the one
//! played.
#![allow(clippy::print_stdout)]

mod start;

use agon_boards::{Board, Start};
use agon_games::{below, rng_from, seed_of};
use agon_search::{BoardTables, Move, Position, SearchLimits, VERTEX};
use alphabeta::{Found, Searcher};
use start::{board, settings};

const BOARD: &str = "standard-10";
const BY_CHANCE: usize = 4;
/// A move that turns being so far ahead into being so far behind throws the game away, thousandths of a vertex.
const AHEAD: i32 = 2 * VERTEX;

fn main() {
    let arguments: Vec<u64> = std::env::args().skip(1).map(|text| text.parse().expect("a whole number")).collect();
    let number = |at: usize, default| arguments.get(at).copied().unwrap_or(default);
    let (games, few, many) = (number(0, 20), number(1, 30_000), number(2, 1_000_000));
    let board = board(BOARD);
    let tables = BoardTables::new(&board, true);
    for game in 0..games {
        let mut rng = rng_from(&seed_of(game + 1000));
        let mut position = Position::start(&tables);
        let mut arrows = Vec::new();
        for _ in 0..BY_CHANCE {
            arrows.extend(position.play_by_chance(&tables, |bound| below(&mut rng, bound)).map(|mv| mv.arrow));
        }
        loop {
            let found = search(&tables, &position, few);
            let Some(&played) = found.line.first() else { break };
            let best = search(&tables, &position, many);
            let mut after = position.clone();
            after.play(&tables, played);
            if best.line.first() != Some(&played) && best.value > AHEAD {
                let refuted = search(&tables, &after, many);
                if refuted.value > AHEAD {
                    let text = position_of(&position, &arrows).text(&board);
                    let names: Vec<String> = refuted.line.iter().map(|mv| name(&board, *mv)).collect();
                    println!("# {} at {}: refuted by {}", best.value, -refuted.value, names.join(" "));
                    println!("avoids {} {text}", name(&board, played));
                }
            }
            position = after;
            arrows.push(played.arrow);
        }
    }
}

fn search(tables: &BoardTables, position: &Position, nodes: u64) -> Found {
    Searcher::new(tables, &settings("")).search(tables, &mut position.clone(), u8::MAX, SearchLimits::of_nodes(nodes))
}

fn position_of(position: &Position, arrows: &[u16]) -> Start {
    let queens = [0, 1].map(|side| position.queens(side).iter().map(|queen| u32::from(*queen)).collect());
    Start { queens, blocked: arrows.iter().map(|arrow| u32::from(*arrow)).collect(), to_move: position.side() }
}

fn name(board: &Board, mv: Move) -> String {
    let [from, to, arrow] = [mv.from, mv.to, mv.arrow].map(|vertex| board.name(vertex.into()));
    format!("{from}-{to}/{arrow}")
}

//! The three players of the course, as it defines them. Each lists the cards within reach in the order of the board,
//! the row from left to right and then the column from top to bottom, and takes the first of those with the highest
//! score.

use crate::board::{Board, Cell};

/// The card that a player takes.
pub type Strategy = fn(&mut Board) -> Option<Cell>;

/// The highest value.
pub fn naive(board: &mut Board) -> Option<Cell> {
    first_best(board, |board, cell| i32::from(board.value(cell)))
}

/// The highest value less the highest that the next player then finds.
pub fn level1(board: &mut Board) -> Option<Cell> {
    first_best(board, |board, cell| i32::from(board.value(cell)) - i32::from(board.best_reply(cell)))
}

/// The highest value, less a reply of the highest value, plus the highest that one then finds oneself. Of several such
/// replies the one that suits oneself best is counted on. As in the course, the reply is not what a thinking opponent
/// would choose.
pub fn depth2(board: &mut Board) -> Option<Cell> {
    first_best(board, |board, cell| {
        let gain = i32::from(board.value(cell));
        let cursor = board.take(cell);
        let highest = board.best();
        let replies: Vec<Cell> = board.reach().filter(|reply| board.value(*reply) == highest).collect();
        let after = replies.iter().map(|reply| i32::from(board.best_reply(*reply)) - i32::from(highest)).max();
        board.put_back(cell, cursor);
        gain + after.unwrap_or(0)
    })
}

/// The first cell within reach that has the highest score.
fn first_best(board: &mut Board, score: impl Fn(&mut Board, Cell) -> i32) -> Option<Cell> {
    let mut best = None;
    for cell in board.reach().collect::<Vec<_>>() {
        let score = score(board, cell);
        if best.is_none_or(|(highest, _)| highest < score) {
            best = Some((score, cell));
        }
    }
    best.map(|(_, cell)| cell)
}

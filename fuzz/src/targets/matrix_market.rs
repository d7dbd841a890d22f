//! A board as a graph in the Matrix Market format; what is read is written and read again.

use agon_boards::Board;

pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(board) = Board::from_matrix_market(text, "fuzz", "fuzz") else { return };
    let again = Board::from_matrix_market(&board.to_matrix_market(), "fuzz", "fuzz");
    assert_eq!(again.map(|again| again.matrix().clone()), Ok(board.matrix().clone()));
}

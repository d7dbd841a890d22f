//! Moves as text: `d1-d7/g7`, or `12-40/33` on a board that is not a grid.

use super::abi::AmazonsMove;
use agon_boards::Board;

pub(super) fn write(board: &Board, mv: AmazonsMove) -> String {
    let [from, to, arrow] = [mv.queen_src, mv.queen_dst, mv.arrow_dst].map(|vertex| board.name(vertex as usize));
    format!("{from}-{to}/{arrow}")
}

/// Reads the move in a text, legal or not.
pub(super) fn read(board: &Board, text: &str) -> Option<AmazonsMove> {
    let (from, rest) = text.split_once('-')?;
    let (to, arrow) = rest.split_once('/')?;
    let vertex = |name| board.vertex(name).map(|vertex| vertex as u32);
    Some(AmazonsMove { queen_src: vertex(from)?, queen_dst: vertex(to)?, arrow_dst: vertex(arrow)? })
}

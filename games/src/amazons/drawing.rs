//! Draws a board that is not a grid in characters, from its coordinates.

use crate::Piece;
use agon_boards::Board;

/// Columns and rows between two vertices that are one square apart.
const SCALE: [i64; 2] = [8, 3];
/// The most columns and rows of a drawing.
const LARGEST: [i64; 2] = [150, 60];

/// How to draw a vertex.
pub(super) struct Mark {
    pub piece: Piece,
    /// Whether it is part of the last move.
    pub marked: bool,
}

/// The lines of the drawing: `4` for a free vertex, `0:1` for a queen of player 1 on vertex 0, `5:x` for a blocked one,
/// in brackets the vertices of the last move. `None` without coordinates, or if vertices stand too close to each other.
pub(super) fn draw(board: &Board, mark: impl Fn(usize) -> Mark) -> Option<Vec<String>> {
    let places = place(board.coordinates()?);
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_unstable_by_key(|&vertex| (places[vertex][1], places[vertex][0]));
    let rows = places.iter().map(|place| place[1]).max()? as usize + 1;
    let mut lines = vec![String::new(); rows];
    for vertex in order {
        let [column, row] = places[vertex];
        let line = &mut lines[row as usize];
        let (label, column) = (label(vertex, &mark(vertex)), column as usize);
        if !line.is_empty() && line.len() >= column {
            return None;
        }
        line.extend(std::iter::repeat_n(' ', column - line.len()));
        *line += &label;
    }
    Some(lines)
}

fn label(vertex: usize, mark: &Mark) -> String {
    let text = match mark.piece {
        Piece::Empty | Piece::Number(_) => vertex.to_string(),
        Piece::Of(side) => format!("{vertex}:{}", side + 1),
        Piece::Wall => format!("{vertex}:x"),
    };
    if mark.marked { format!("[{text}]") } else { text }
}

/// Column and row of each vertex, from 0.
fn place(coordinates: &[[i32; 2]]) -> Vec<[i64; 2]> {
    let mut places = vec![[0; 2]; coordinates.len()];
    for axis in [0, 1] {
        let values = || coordinates.iter().map(|place| i64::from(place[axis]));
        let (low, high) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
        let size = ((high - low) * SCALE[axis] / 1000).clamp(0, LARGEST[axis]);
        for (place, value) in places.iter_mut().zip(values()) {
            place[axis] = ((value - low) * size * 2 + (high - low)) / ((high - low) * 2).max(1);
        }
    }
    places
}

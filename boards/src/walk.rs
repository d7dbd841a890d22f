//! The plain way to slide, neighbour by neighbour, as the definition requires. Tests compare all faster ways with it.

use crate::{Board, Direction};

/// The vertices that a slide from `from` in one direction reaches over free vertices, in order. A slide that comes back
/// to where it started, or to where it was, reaches nothing new and stops.
pub fn walk(board: &Board, from: usize, direction: Direction, is_free: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut reached = Vec::new();
    let mut here = from;
    while let Some(next) = board.neighbour(here, direction) {
        if next == from || reached.contains(&next) || !is_free(next) {
            break;
        }
        reached.push(next);
        here = next;
    }
    reached
}

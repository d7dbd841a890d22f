//! How freely a queen can move, after Lieberum's alpha.

use crate::arena::{Arena, NONE};
use crate::position::Position;
use std::ops::ControlFlow;

/// Vertices farther than that add nothing.
const STEPS: usize = 3;
/// A queen with so much is free; more is not counted.
pub(crate) const FREE: u32 = 16 << STEPS;

/// Over the vertices at most three steps along a ray from a queen that the other side can reach, the sum of 2^-steps * free
/// neighbours, in units of 1/8; [`FREE`] or a little more as soon as it is so much. Each ray counts by itself.
#[inline]
pub(crate) fn alpha(arena: &Arena, position: &Position, queen: u16, other_reaches: impl Fn(usize) -> bool) -> u32 {
    let mut alpha = 0;
    if !arena.lines.is_plain() {
        arena.lines.each_ray(&position.occupied, queen.into(), |step, vertex| {
            if step > STEPS {
                return ControlFlow::Break(());
            }
            if other_reaches(vertex) {
                alpha += u32::from(position.liberties[vertex]) << (STEPS - step);
            }
            ControlFlow::Continue(())
        });
        return alpha;
    }
    for direction in 0..8 {
        let mut here = queen;
        for step in 1..=STEPS {
            here = arena.next[usize::from(here)][direction];
            // All vertices of a line's gap hang together on plain boards: who does not reach one reaches none.
            if here == NONE || !other_reaches(here.into()) {
                break;
            }
            alpha += u32::from(position.liberties[usize::from(here)]) << (STEPS - step);
        }
        if alpha >= FREE {
            break;
        }
    }
    alpha
}

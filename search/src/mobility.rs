//! How freely a queen can move: Lieberum's alpha.

use crate::arena::Arena;
use crate::position::Position;
use std::ops::ControlFlow;

/// Beyond that many steps alpha has nothing to add, in its unit.
const STEPS: usize = 6;

/// Lieberum's alpha of a queen, in units of 1/64: over the vertices one slide away that the other side can reach, the sum of
/// 2^-steps * free neighbours. Each ray counts by itself.
#[inline]
pub(crate) fn alpha(arena: &Arena, position: &Position, queen: u16, other_reaches: impl Fn(usize) -> bool) -> u32 {
    let is_plain = arena.lines.is_plain();
    let mut alpha = 0;
    arena.lines.each_ray(&position.occupied, queen.into(), |step, vertex| {
        if step > STEPS {
            return ControlFlow::Break(());
        }
        // All vertices of a line's gap hang together: who reaches the first of them reaches all.
        if !(is_plain && step > 1 || other_reaches(vertex)) {
            return if is_plain { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        }
        alpha += u32::from(position.liberties[vertex]) << (STEPS - step);
        ControlFlow::Continue(())
    });
    alpha
}

//! The move to play once the board is filled into private regions: one that wastes nothing, within a time plan.

use crate::arena::Arena;
use crate::filling::Effort;
use crate::plan::Plan;
use crate::position::{Move, Position};
use crate::regions::{Regions, winner};
use crate::room::Room;
use std::fmt;

/// Moves looked at to find out who wins where that hangs on queens between the sides: what is known of the positions
/// after them has to be kept.
const MOST_WORK: u64 = 1_000_000;

/// The move found, and the rooms of both sides before it.
#[derive(Clone, Copy, Debug)]
pub struct Filling {
    /// The move.
    pub mv: Move,
    /// How many moves the side to move has left.
    pub own: Room,
    /// How many the other side has.
    pub other: Room,
}

impl fmt::Display for Filling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Filling { own, other, .. } = self;
        write!(f, "{} to {} moves, the other side {} to {}", own.least, own.most, other.least, other.most)
    }
}

impl Regions {
    /// Where nobody can come to the other side any more, a move that keeps all room; `None` where somebody can, or where
    /// it hangs on a queen between the sides who wins, and no move is found that does.
    pub fn fill(&mut self, arena: &Arena, position: &Position, plan: Plan, clock: fn() -> u64) -> Option<Filling> {
        let side = position.side;
        let told = self.rooms(arena, position, 0)?;
        let part = if winner(&told, side).is_some() { plan.hard_us / 4 } else { plan.hard_us / 2 };
        let rooms = self.rooms_until(arena, position, u64::MAX, &mut || clock() > part)?;
        let filling = |mv| Filling { mv, own: rooms[side], other: rooms[1 - side] };
        let is_exact = rooms.iter().all(|room| room.is_exact());
        if winner(&rooms, side).is_some() || is_exact || clock() > part {
            return self.best(arena, position, &mut || clock() > plan.hard_us / 4 * 3).map(filling);
        }
        let mut is_late = || clock() > plan.hard_us / 4 * 3;
        self.settle(arena, position, &mut Effort::new(MOST_WORK, &mut is_late)).flatten().map(filling)
    }
}

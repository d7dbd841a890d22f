//! The move to play once the board is filled into private regions: the one that wastes least room, within a time plan.

use crate::arena::Arena;
use crate::filling::Room;
use crate::plan::Plan;
use crate::position::{Move, Position};
use crate::regions::{best_filling, deciding_rooms, winner};
use std::fmt;

/// Moves to look at in each region: where it is known who wins, and where it is not.
const FILLING: [u64; 2] = [100, 2_000];
/// Microseconds of a turn for each of them.
const FILLING_US: u64 = 50;
/// Moves that may be tried for one that fills without waste.
const TRIES: u32 = 60;

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

/// Where nobody can come to the other side any more, the move that keeps most room.
pub fn fill(arena: &Arena, position: &Position, plan: Plan, clock: fn() -> u64) -> Option<Filling> {
    let side = position.side;
    let within = |work: u64| (plan.hard_us / FILLING_US).min(work) as u32;
    let work = within(FILLING[1]);
    let rooms = deciding_rooms(arena, position, work)?;
    let work = if winner(&rooms, side).is_some() { within(FILLING[0]) } else { work };
    let mut tries = 0;
    let mv = best_filling(arena, position, work, || {
        tries += 1;
        tries >= TRIES || clock() > plan.hard_us / 3
    })?;
    Some(Filling { mv, own: rooms[side], other: rooms[1 - side] })
}

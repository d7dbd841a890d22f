//! The move to play once the board is filled into private regions: one that wastes nothing, within a time plan.

use crate::board_tables::BoardTables;
use crate::filling::{Bounds, Effort};
use crate::judge::SearchLimits;
use crate::position::{Move, Position};
use crate::regions::{Regions, winner};
use crate::room::Room;
use std::fmt;

/// The work to find the winner where that depends on queens between the sides: known positions on the way must be kept.
const MOST_WORK: u64 = 20_000_000;

/// Moves looked at in a region for each position that a search may evaluate: as long, about.
const WORK_A_NODE: u64 = 20;
/// Moves looked at in a region where nothing limits the time, some seconds: a region may take for ever.
const MOST_UNTIMED: u64 = 100_000_000;

/// The move found, and the rooms of both sides before it.
#[derive(Clone, Debug)]
pub struct Filling {
    pub mv: Move,
    /// How many moves the side to move has left.
    pub own: Room,
    /// How many the other side has.
    pub other: Room,
    /// The regions of side 0 and of side 1, each by a vertex with a queen in it, and its room.
    pub regions: [Vec<(u16, Room)>; 2],
}

impl fmt::Display for Filling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Filling { own, other, .. } = self;
        write!(f, "{own} moves, the other side {other}")?;
        let ahead = i64::from(own.least) - i64::from(other.least);
        match (own.is_exact() && other.is_exact(), ahead) {
            (true, 1..) => write!(f, ": ahead by {ahead}"),
            (true, ..0) => write!(f, ": behind by {}", -ahead),
            (true, 0) => write!(f, ": level, and it is to move, which loses"),
            (false, _) => Ok(()),
        }
    }
}

impl Filling {
    /// The logged `value` for the side to move if the winner is certain: beyond 9,000 by the spare moves. The side to
    /// move loses unless it has more moves than the other.
    pub fn value(&self) -> Option<i64> {
        const CERTAIN: i64 = 9_000;
        let by = |more: Room, less: Room| i64::from(more.least) - i64::from(less.most);
        match (by(self.own, self.other), by(self.other, self.own)) {
            (ahead @ 1.., _) => Some(CERTAIN + ahead),
            (_, behind @ 0..) => Some(-CERTAIN - behind),
            _ => None,
        }
    }

    /// Every region and its room, vertices by their names on a grid of this many columns and rows, 0 if there is none.
    pub fn regions(&self, columns: usize, rows: usize) -> String {
        let region = |(queen, room): &(u16, Room)| format!("{} {room}", name(usize::from(*queen), columns, rows));
        let side = |side: usize| self.regions[side].iter().map(region).collect::<Vec<_>>().join(", ");
        format!("of player 1: {}; of player 2: {}", side(0), side(1))
    }
}

/// A letter for the column and a number for the row, counted from below; elsewhere the vertex as a number.
fn name(vertex: usize, columns: usize, rows: usize) -> String {
    if !(1..=26).contains(&columns) {
        return vertex.to_string();
    }
    let letter = char::from(b'a' + (vertex % columns) as u8);
    format!("{letter}{}", rows.saturating_sub(vertex / columns))
}

impl Regions {
    /// A move that keeps all room, if no side can reach the other any more. `None` if one can, or if the winner depends
    /// on a queen between the sides and no winning move is found.
    pub fn fill(&mut self, tables: &BoardTables, position: &Position, limits: SearchLimits) -> Option<Filling> {
        let SearchLimits { nodes, plan, clock } = limits;
        let untimed = if plan.hard_us == u64::MAX { MOST_UNTIMED } else { u64::MAX };
        let work = nodes.saturating_mul(WORK_A_NODE).min(untimed);
        let side = position.side;
        let told = self.rooms(tables, position, 0)?;
        let part = if winner(&told, side).is_some() { plan.hard_us / 4 } else { plan.hard_us / 2 };
        let rooms = self.rooms_until(tables, position, &mut Bounds { work, is_late: &mut || clock() > part })?;
        let is_exact = rooms.iter().all(|room| room.is_exact());
        let mut is_late = || clock() > plan.hard_us / 4 * 3;
        let mv = if winner(&rooms, side).is_some() || is_exact || clock() > part {
            self.best(tables, position, &mut Bounds { work, is_late: &mut is_late })
        } else {
            self.settle(tables, position, &mut Effort::new(MOST_WORK.min(work), &mut is_late)).flatten()
        };
        let regions = [0, 1].map(|side| self.list(tables, position, side));
        mv.map(|mv| Filling { mv, own: rooms[side], other: rooms[1 - side], regions })
    }
}

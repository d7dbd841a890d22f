//! Works on one region of a position: the number of moves in it, and the move to play.

use crate::board_tables::BoardTables;
use crate::cells::CellSet;
use crate::filling::{Bounds, Effort, Filler};
use crate::position::{Move, Position};
use crate::realms::Realms;
use crate::region::{Child, Filled, Region};
use crate::room::{Memory, Room};

/// The tools for work on one region.
#[derive(Clone, Debug)]
pub(crate) struct Bench<S> {
    region: Region<S>,
    children: Vec<Child<S>>,
}

/// A region of a position.
pub(crate) struct Part<'a> {
    pub tables: &'a BoardTables,
    pub position: &'a Position,
    /// Which have found it last.
    pub realms: &'a Realms,
    pub side: usize,
}

impl Part<'_> {
    fn is_queen(&self, vertex: u16) -> bool {
        self.position.free[usize::from(vertex) / 64] >> (vertex % 64) & 1 == 0
    }

    /// Vertices that nothing stands on.
    pub fn free(&self) -> impl Iterator<Item = u16> + '_ {
        self.realms.part().iter().copied().filter(|vertex| !self.is_queen(*vertex))
    }

    fn is_border(&self, vertex: u16) -> bool {
        self.is_queen(vertex) && self.realms.is_border(self.tables, self.side, vertex)
    }

    /// Whether some edge leads to vertices that the other side can reach, or from there: along one-way edges, a queen
    /// may get out where none gets in.
    pub fn hangs_on_others(&self) -> bool {
        self.realms.part().iter().any(|&vertex| self.realms.touches(self.tables, 1 - self.side, vertex))
    }

    /// Whether a queen keeps the other side out.
    pub fn has_border(&self) -> bool {
        self.realms.part().iter().any(|vertex| self.is_border(*vertex))
    }
}

impl<S: CellSet> Bench<S> {
    pub fn new() -> Bench<S> {
        Bench { region: Region::new(), children: Vec::new() }
    }

    fn load(&mut self, part: &Part, local: &mut [u8]) -> Filled<S> {
        self.region.load(part.tables, part.realms.part(), |vertex| part.is_border(vertex), local);
        self.region.filled(|vertex| part.is_queen(vertex))
    }

    fn filler<'a, 'b>(&'a mut self, memory: &'a mut Memory, effort: &'a mut Effort<'b>) -> Filler<'a, 'b, S> {
        Filler { region: &self.region, memory, children: &mut self.children, effort }
    }

    /// Least: with the other side kept out. Most: however much the queens leave open, if the other side does not come.
    pub fn room(&mut self, part: &Part, local: &mut [u8], memory: &mut Memory, bounds: &mut Bounds) -> Room {
        let filled = self.load(part, local);
        let mut room = self.filler(memory, &mut bounds.effort()).room(filled);
        if !part.realms.are_apart || !part.has_border() {
            return room;
        }
        room.most = part.free().count() as u32;
        if room.least < room.most {
            self.region.open_border();
            room.most = self.filler(memory, &mut bounds.effort()).room(filled).most;
        }
        room
    }

    /// A move that keeps most, and whether that is known for certain.
    pub fn best(
        &mut self,
        part: &Part,
        local: &mut [u8],
        memory: &mut Memory,
        bounds: &mut Bounds,
    ) -> Option<(Move, bool)> {
        let filled = self.load(part, local);
        let work = bounds.work;
        let mut effort = bounds.effort();
        let mut filler = self.filler(memory, &mut effort);
        let room = filler.room(filled);
        filler.effort.moves = work;
        let child = filler.best(filled, room)?;
        let [from, to, arrow] = child.step.map(|cell| self.region.vertex(cell));
        Some((Move { from, to, arrow }, room.is_exact()))
    }
}

//! How many moves the sides have left in regions of their own, and who wins by that: the side to move does if it is
//! certain of more than the other can come to. A queen that keeps the other side out may move as long as what it
//! leaves is shut again by the same move.

use crate::arena::Arena;
use crate::cells::CellSet;
use crate::filling::{Effort, Filler};
use crate::position::{Move, Position};
use crate::realms::Realms;
use crate::region::{Child, Filled, OUT, Region};
use crate::room::{Memory, Room};

/// Bytes for what is known of regions.
const MEMORY: usize = 4 << 20;
/// Moves looked at in each region to know how many moves there are to spare.
const SPARE_WORK: u64 = 300;

/// Looks at the regions of positions of one board, and remembers them.
#[derive(Clone, Debug)]
pub struct Regions {
    realms: Realms,
    small: Bench<u64>,
    large: Bench<u128>,
    memory: Memory,
    local: Vec<u8>,
    spare: Spare,
}

/// What a side has to spare in regions that nothing else hangs on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spare {
    /// Its queens there.
    pub queens: Vec<u16>,
    /// A move that wastes nothing, if there is one.
    pub mv: Option<Move>,
}

/// What one region is worked on with.
#[derive(Clone, Debug)]
struct Bench<S> {
    region: Region<S>,
    children: Vec<Child<S>>,
}

impl Regions {
    /// With nothing known yet.
    pub fn new(arena: &Arena) -> Regions {
        Regions {
            realms: Realms::new(arena),
            small: Bench { region: Region::new(), children: Vec::new() },
            large: Bench { region: Region::new(), children: Vec::new() },
            memory: Memory::new(MEMORY),
            local: vec![OUT; arena.num_vertices()],
            spare: Spare::default(),
        }
    }

    /// The rooms of both sides where their realms have no vertex in common, `None` where they have; at most `work`
    /// moves are looked at in each region. The bounds hold whatever the other side does.
    pub fn rooms(&mut self, arena: &Arena, position: &Position, work: u64) -> Option<[Room; 2]> {
        self.rooms_until(arena, position, work, &mut || false)
    }

    /// As [`Regions::rooms`], within bounds once `is_late`.
    pub(crate) fn rooms_until(
        &mut self,
        arena: &Arena,
        position: &Position,
        work: u64,
        is_late: &mut dyn FnMut() -> bool,
    ) -> Option<[Room; 2]> {
        self.realms.find(arena, position);
        let mut room = |side| self.room(arena, position, side, work, is_late);
        let rooms = [room(0), room(1)];
        self.realms.are_apart.then_some(rooms)
    }

    /// The side that wins for certain, and by how many moves at least, if the rooms tell: they may while some vertices
    /// are still open to both sides, each of which counts for either. Where none is, at most `work` moves are looked at
    /// in each region.
    pub fn decide(&mut self, arena: &Arena, position: &Position, work: u64) -> Option<(usize, u32)> {
        self.realms.find(arena, position);
        let told = self.told(arena, position, 0);
        if told.is_some() || work == 0 || !self.realms.are_apart { told } else { self.told(arena, position, work) }
    }

    /// What is told at once of the rooms of a side and of the other.
    pub(crate) fn bounds(&mut self, arena: &Arena, position: &Position, side: usize) -> [Room; 2] {
        self.realms.find(arena, position);
        [side, 1 - side].map(|side| self.room(arena, position, side, 0, &mut || false))
    }

    fn told(&mut self, arena: &Arena, position: &Position, work: u64) -> Option<(usize, u32)> {
        let rooms = [0, 1].map(|side| self.room(arena, position, side, work, &mut || false));
        let side = if winner(&rooms, position.side)? { position.side } else { 1 - position.side };
        Some((side, rooms[side].least - rooms[1 - side].most))
    }

    /// The room of a side in all its regions.
    fn room(
        &mut self,
        arena: &Arena,
        position: &Position,
        side: usize,
        work: u64,
        is_late: &mut dyn FnMut() -> bool,
    ) -> Room {
        let mut total = Room::default();
        self.realms.begin(side);
        while self.realms.next(arena, &position.queens[side]).is_some() {
            total = total.and(self.part_room(arena, position, side, work, is_late));
        }
        if !self.realms.are_apart {
            total.most = self.realms.num_free(position, side);
        }
        total
    }

    /// The room of the region found last.
    fn part_room(
        &mut self,
        arena: &Arena,
        position: &Position,
        side: usize,
        work: u64,
        is_late: &mut dyn FnMut() -> bool,
    ) -> Room {
        let Regions { realms, small, large, memory, local, .. } = self;
        let part = Part { arena, position, realms, side };
        match realms.part().len() {
            0..=64 => small.room(&part, local, memory, work, is_late),
            65..=128 => large.room(&part, local, memory, work, is_late),
            _ => Room { least: 0, most: part.free().count() as u32 },
        }
    }

    /// The move after which the side to move is certain to be most moves ahead, where the board is filled into private
    /// regions: it loses nothing that is certain, or, where that takes too long, as little as is seen.
    pub(crate) fn best(
        &mut self,
        arena: &Arena,
        position: &Position,
        is_late: &mut dyn FnMut() -> bool,
    ) -> Option<Move> {
        self.realms.find(arena, position);
        if !self.realms.are_apart {
            return None;
        }
        let side = position.side;
        let mut inexact = None;
        self.realms.begin(side);
        while self.realms.next(arena, &position.queens[side]).is_some() {
            let Some((mv, is_exact)) = self.best_of_part(arena, position, u64::MAX, is_late) else { continue };
            if is_exact {
                return Some(mv);
            }
            // There may be more time for that later.
            inexact = inexact.or(Some(mv));
        }
        inexact.or_else(|| self.least_bad(arena, position))
    }

    /// The queens of the side to move in regions that nothing else hangs on and of which it is known how many moves they
    /// have room for, and a move there that wastes nothing: to a search all other moves of those queens are as good, or
    /// worse.
    pub(crate) fn spare(&mut self, arena: &Arena, position: &Position) -> &Spare {
        let side = position.side;
        self.spare.queens.clear();
        self.spare.mv = None;
        self.realms.find(arena, position);
        self.realms.begin(side);
        while self.realms.next(arena, &position.queens[side]).is_some() {
            let part = Part { arena, position, realms: &self.realms, side };
            if part.has_border() {
                continue;
            }
            let room = self.part_room(arena, position, side, SPARE_WORK, &mut || false);
            if !room.is_exact() {
                continue;
            }
            if room.most > 0 && self.spare.mv.is_none() {
                let best = self.best_of_part(arena, position, SPARE_WORK, &mut || false);
                let Some((mv, true)) = best else { continue };
                self.spare.mv = Some(mv);
            }
            let queens = self.realms.part().iter().filter(|vertex| position.queens[side].contains(vertex));
            self.spare.queens.extend(queens);
        }
        &self.spare
    }

    /// See [`Regions::spare`]: of the position that was asked for last.
    pub(crate) fn spare_move(&self) -> Option<Move> {
        self.spare.mv
    }

    /// Moves of the side to move but for those that are as good as another.
    pub fn count_moves(&mut self, arena: &Arena, position: &mut Position) -> u64 {
        self.spare(arena, position);
        let Spare { queens, mv } = &self.spare;
        position.count_moves_of(arena, |queen| !queens.contains(&queen)) + u64::from(mv.is_some())
    }

    /// A move in the region found last that keeps most, and whether that is known for certain.
    fn best_of_part(
        &mut self,
        arena: &Arena,
        position: &Position,
        work: u64,
        is_late: &mut dyn FnMut() -> bool,
    ) -> Option<(Move, bool)> {
        let Regions { realms, small, large, memory, local, .. } = self;
        let part = Part { arena, position, realms, side: position.side };
        match realms.part().len() {
            0..=64 => small.best(&part, local, memory, work, is_late),
            65..=128 => large.best(&part, local, memory, work, is_late),
            _ => None,
        }
    }

    /// Where no move keeps the other side out, the one after which one is most moves ahead.
    fn least_bad(&mut self, arena: &Arena, position: &Position) -> Option<Move> {
        let side = position.side;
        let mut next = position.clone();
        let mut moves = Vec::new();
        next.moves(arena, &mut moves);
        let mut ahead = |mv: &Move| {
            next.play(arena, *mv);
            let [own, other] = self.bounds(arena, &next, side);
            next.undo(arena, *mv);
            i64::from(own.least) - i64::from(other.most)
        };
        moves.into_iter().rev().max_by_key(|mv| ahead(mv))
    }
}

/// A region of a position.
struct Part<'a> {
    arena: &'a Arena,
    position: &'a Position,
    realms: &'a Realms,
    side: usize,
}

impl Part<'_> {
    fn is_queen(&self, vertex: u16) -> bool {
        self.position.free[usize::from(vertex) / 64] >> (vertex % 64) & 1 == 0
    }

    fn free(&self) -> impl Iterator<Item = u16> + '_ {
        self.realms.part().iter().copied().filter(|vertex| !self.is_queen(*vertex))
    }

    fn is_border(&self, vertex: u16) -> bool {
        self.is_queen(vertex) && self.realms.is_border(self.arena, self.side, vertex)
    }

    fn has_border(&self) -> bool {
        self.realms.part().iter().any(|vertex| self.is_border(*vertex))
    }
}

impl<S: CellSet> Bench<S> {
    fn load(&mut self, part: &Part, local: &mut [u8]) -> Filled<S> {
        self.region.load(part.arena, part.realms.part(), |vertex| part.is_border(vertex), local);
        self.region.filled(|vertex| part.is_queen(vertex))
    }

    fn filler<'a, 'b>(&'a mut self, memory: &'a mut Memory, effort: &'a mut Effort<'b>) -> Filler<'a, 'b, S> {
        Filler { region: &self.region, memory, children: &mut self.children, effort }
    }

    /// Least: with the other side kept out. Most: however much the queens leave open, if the other side does not come.
    fn room(
        &mut self,
        part: &Part,
        local: &mut [u8],
        memory: &mut Memory,
        work: u64,
        is_late: &mut dyn FnMut() -> bool,
    ) -> Room {
        let filled = self.load(part, local);
        let mut room = self.filler(memory, &mut Effort::new(work, is_late)).room(filled);
        if !part.realms.are_apart || !part.has_border() {
            return room;
        }
        room.most = part.free().count() as u32;
        if room.least < room.most {
            self.region.open_border();
            room.most = self.filler(memory, &mut Effort::new(work, is_late)).room(filled).most;
        }
        room
    }

    fn best(
        &mut self,
        part: &Part,
        local: &mut [u8],
        memory: &mut Memory,
        work: u64,
        is_late: &mut dyn FnMut() -> bool,
    ) -> Option<(Move, bool)> {
        let filled = self.load(part, local);
        let mut effort = Effort::new(work, is_late);
        let mut filler = self.filler(memory, &mut effort);
        let room = filler.room(filled);
        filler.effort.moves = work;
        let child = filler.best(filled, room)?;
        let [from, to, arrow] = child.step.map(|cell| self.region.vertex(cell));
        Some((Move { from, to, arrow }, room.is_exact()))
    }
}

/// Whether the side to move wins, if its room and that of the other side tell.
pub fn winner(rooms: &[Room; 2], side: usize) -> Option<bool> {
    let (own, other) = (rooms[side], rooms[1 - side]);
    if own.least > other.most {
        Some(true)
    } else if other.least >= own.most {
        Some(false)
    } else {
        None
    }
}

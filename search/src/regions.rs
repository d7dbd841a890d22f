//! Counts the moves left to the sides in their own regions, and decides the winner. The side to move wins if it is
//! certain of more moves than the other can reach. A queen that keeps the other side out may move as long as the same
//! move closes its gap again.

use crate::board_tables::BoardTables;
use crate::filling::Bounds;
use crate::part::{Bench, Part};
use crate::position::{Move, Position};
use crate::realms::Realms;
use crate::region::NO_NEIGHBOUR;
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

/// The spare moves of a side in regions that nothing else depends on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spare {
    /// The hash of the position.
    of: Option<u64>,
    pub queens: Vec<u16>,
    /// A move that wastes nothing, if there is one.
    pub mv: Option<Move>,
}

impl Regions {
    /// With nothing known yet.
    pub fn new(tables: &BoardTables) -> Regions {
        Regions {
            realms: Realms::new(tables),
            small: Bench::new(),
            large: Bench::new(),
            memory: Memory::new(MEMORY),
            local: vec![NO_NEIGHBOUR; tables.num_vertices()],
            spare: Spare::default(),
        }
    }

    /// Moves looked at in regions so far.
    pub(crate) fn spent(&self) -> u64 {
        self.memory.spent
    }

    /// The rooms of both sides where their realms have no vertex in common, `None` where they have; at most `work`
    /// moves are looked at in each region. The bounds hold whatever the other side does.
    pub fn rooms(&mut self, tables: &BoardTables, position: &Position, work: u64) -> Option<[Room; 2]> {
        self.rooms_until(tables, position, &mut Bounds { work, is_late: &mut || false })
    }

    /// As [`Regions::rooms`], within bounds once `is_late`.
    pub(crate) fn rooms_until(
        &mut self,
        tables: &BoardTables,
        position: &Position,
        bounds: &mut Bounds,
    ) -> Option<[Room; 2]> {
        self.realms.find(tables, position);
        let mut room = |side| self.room(tables, position, side, bounds);
        let rooms = [room(0), room(1)];
        self.realms.are_apart.then_some(rooms)
    }

    /// The side that wins for certain, and by how many moves at least, if the rooms tell: they may while some vertices
    /// are still open to both sides, each of which counts for either. Where none is, at most `work` moves are looked at
    /// in each region.
    pub fn decide(&mut self, tables: &BoardTables, position: &Position, work: u64) -> Option<(usize, u32)> {
        self.realms.find(tables, position);
        let told = self.told(tables, position, 0);
        if told.is_some() || work == 0 || !self.realms.are_apart { told } else { self.told(tables, position, work) }
    }

    /// The facts about the rooms of both sides that need no search.
    pub(crate) fn bounds(&mut self, tables: &BoardTables, position: &Position, side: usize) -> [Room; 2] {
        self.realms.find(tables, position);
        [side, 1 - side].map(|side| self.room(tables, position, side, &mut Bounds { work: 0, is_late: &mut || false }))
    }

    fn told(&mut self, tables: &BoardTables, position: &Position, work: u64) -> Option<(usize, u32)> {
        let rooms = [0, 1].map(|side| self.room(tables, position, side, &mut Bounds { work, is_late: &mut || false }));
        let side = if winner(&rooms, position.side)? { position.side } else { 1 - position.side };
        Some((side, rooms[side].least - rooms[1 - side].most))
    }

    /// The room of a side in all its regions.
    fn room(&mut self, tables: &BoardTables, position: &Position, side: usize, bounds: &mut Bounds) -> Room {
        let mut total = Room::default();
        self.realms.begin(side);
        while self.realms.next(tables, &position.queens[side]).is_some() {
            total = total.and(self.part_room(tables, position, side, bounds));
        }
        if !self.realms.are_apart {
            total.most = self.realms.num_free(position, side);
        }
        total
    }

    /// The regions of a side, each by a vertex with a queen in it, with what is known of its room.
    pub(crate) fn list(&mut self, tables: &BoardTables, position: &Position, side: usize) -> Vec<(u16, Room)> {
        let mut list = Vec::new();
        self.realms.find(tables, position);
        self.realms.begin(side);
        while let Some(&queen) = self.realms.next(tables, &position.queens[side]).and_then(|part| part.first()) {
            list.push((queen, self.part_room(tables, position, side, &mut Bounds { work: 0, is_late: &mut || false })));
        }
        list
    }

    /// The room of the region found last.
    fn part_room(&mut self, tables: &BoardTables, position: &Position, side: usize, bounds: &mut Bounds) -> Room {
        let Regions { realms, small, large, memory, local, .. } = self;
        let part = Part { tables, position, realms, side };
        match realms.part().len() {
            0..=64 => small.room(&part, local, memory, bounds),
            65..=128 => large.room(&part, local, memory, bounds),
            _ => Room { least: 0, most: part.free().count() as u32 },
        }
    }

    /// The move after which the side to move is certain to be most moves ahead, where the board is filled into private
    /// regions: it loses nothing that is certain, or, where that takes too long, as little as is seen.
    pub(crate) fn best(&mut self, tables: &BoardTables, position: &Position, bounds: &mut Bounds) -> Option<Move> {
        self.realms.find(tables, position);
        if !self.realms.are_apart {
            return None;
        }
        let side = position.side;
        let mut inexact = None;
        self.realms.begin(side);
        while self.realms.next(tables, &position.queens[side]).is_some() {
            let Some((mv, is_exact)) = self.best_of_part(tables, position, bounds) else { continue };
            if is_exact {
                return Some(mv);
            }
            // There may be more time for that later.
            inexact = inexact.or(Some(mv));
        }
        inexact.or_else(|| self.least_bad(tables, position))
    }

    /// The queens of the side to move in regions that nothing else hangs on and of which it is known how many moves
    /// they have room for, and a move there that wastes nothing: to a search all other moves of those queens are as
    /// good, or worse.
    pub(crate) fn spare(&mut self, tables: &BoardTables, position: &Position) -> &Spare {
        let side = position.side;
        if self.spare.of == Some(position.hash()) {
            return &self.spare;
        }
        self.note_no_spare(position);
        self.realms.find(tables, position);
        self.realms.begin(side);
        while self.realms.next(tables, &position.queens[side]).is_some() {
            let part = Part { tables, position, realms: &self.realms, side };
            if part.hangs_on_others() {
                continue;
            }
            let room = self.part_room(tables, position, side, &mut Bounds { work: SPARE_WORK, is_late: &mut || false });
            if !room.is_exact() {
                continue;
            }
            if room.most > 0 && self.spare.mv.is_none() {
                let best =
                    self.best_of_part(tables, position, &mut Bounds { work: SPARE_WORK, is_late: &mut || false });
                let Some((mv, true)) = best else { continue };
                self.spare.mv = Some(mv);
            }
            let queens = self.realms.part().iter().filter(|vertex| position.queens[side].contains(vertex));
            self.spare.queens.extend(queens);
        }
        &self.spare
    }

    /// Notes that the side to move has nothing to spare, where that is known without a look.
    pub(crate) fn note_no_spare(&mut self, position: &Position) {
        self.spare.of = Some(position.hash());
        self.spare.queens.clear();
        self.spare.mv = None;
    }

    /// See [`Regions::spare`]: of the position that was asked for last.
    pub(crate) fn spare_move(&self) -> Option<Move> {
        self.spare.mv
    }

    /// Moves of the side to move but for those that are as good as another; counted until they are more than `most`.
    pub(crate) fn count_moves(&mut self, tables: &BoardTables, position: &mut Position, most: u64) -> u64 {
        self.spare(tables, position);
        let Spare { queens, mv, .. } = &self.spare;
        position.count_moves_of(tables, |queen| !queens.contains(&queen), most) + u64::from(mv.is_some())
    }

    /// A move in the region found last that keeps most, and whether that is known for certain.
    fn best_of_part(&mut self, tables: &BoardTables, position: &Position, bounds: &mut Bounds) -> Option<(Move, bool)> {
        let Regions { realms, small, large, memory, local, .. } = self;
        let part = Part { tables, position, realms, side: position.side };
        match realms.part().len() {
            0..=64 => small.best(&part, local, memory, bounds),
            65..=128 => large.best(&part, local, memory, bounds),
            _ => None,
        }
    }

    /// Where no move keeps the other side out, the one after which one is most moves ahead.
    fn least_bad(&mut self, tables: &BoardTables, position: &Position) -> Option<Move> {
        let side = position.side;
        let mut next = position.clone();
        let mut moves = Vec::new();
        next.moves(tables, &mut moves);
        let mut ahead = |mv: &Move| {
            next.play(tables, *mv);
            let [own, other] = self.bounds(tables, &next, side);
            next.undo(tables, *mv);
            i64::from(own.least) - i64::from(other.most)
        };
        moves.into_iter().rev().max_by_key(|mv| ahead(mv))
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

//! Queens, arrows and the side to move, with all data for evaluations kept up to date move by move.

use crate::board_tables::{BoardTables, SIDE_KEY};
use crate::sets::{Cells, NONE, WORDS};
use agon_boards::Occupancy;
use agon_games::amazons::AmazonsMove;
use std::ops::ControlFlow;

/// A move: where a queen comes from, where it stops, and where its arrow stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where a queen of the mover stands.
    pub from: u16,
    /// The vertex where it stops.
    pub to: u16,
    /// Where its arrow stops.
    pub arrow: u16,
}

impl Move {
    /// Stands for no move.
    pub const NONE: Move = Move { from: NONE, to: NONE, arrow: NONE };
}

impl From<Move> for AmazonsMove {
    fn from(mv: Move) -> AmazonsMove {
        if mv == Move::NONE {
            return AmazonsMove::NONE;
        }
        AmazonsMove { queen_src: mv.from.into(), queen_dst: mv.to.into(), arrow_dst: mv.arrow.into() }
    }
}

impl From<AmazonsMove> for Move {
    fn from(mv: AmazonsMove) -> Move {
        Move { from: mv.queen_src as u16, to: mv.queen_dst as u16, arrow: mv.arrow_dst as u16 }
    }
}

/// A position on the board of an [`BoardTables`], which each call needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) occupied: Occupancy,
    pub(crate) queens: [Vec<u16>; 2],
    pub(crate) side: usize,
    hash: u64,
    /// The free vertices, a bit each.
    pub(crate) free: Vec<u64>,
    /// The free cells of the grid; zero on boards that fit none.
    pub(crate) cells: Cells,
}

impl Position {
    /// The start of a match.
    pub fn start(tables: &BoardTables) -> Position {
        let start = &tables.start;
        let mut position = Position {
            occupied: tables.lines.empty(),
            queens: start.queens.each_ref().map(|queens| queens.iter().map(|&vertex| vertex as u16).collect()),
            side: start.to_move,
            hash: if start.to_move == 1 { SIDE_KEY } else { 0 },
            free: vec![0; tables.num_vertices().div_ceil(64)],
            cells: [0; WORDS],
        };
        (0..tables.num_vertices()).for_each(|vertex| position.free[vertex / 64] |= 1 << (vertex % 64));
        for only in tables.grid.iter().flat_map(|grid| &grid.only) {
            position.cells.iter_mut().zip(only).for_each(|(word, cell)| *word |= cell);
        }
        for (kind, pieces) in [&start.queens[0], &start.queens[1], &start.blocked].into_iter().enumerate() {
            for &vertex in pieces {
                position.toggle(tables, vertex as usize);
                position.hash ^= tables.keys[vertex as usize][kind];
            }
        }
        position
    }

    /// The side to move, 0 or 1.
    pub fn side(&self) -> usize {
        self.side
    }

    /// Equal for equal positions with the same side to move; the order of queens does not count.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Where the queens of a side stand, in no order.
    pub fn queens(&self, side: usize) -> &[u16] {
        &self.queens[side]
    }

    /// Whether something stands on the vertex.
    #[inline]
    pub fn is_occupied(&self, tables: &BoardTables, vertex: u16) -> bool {
        self.occupied.has(&tables.lines, vertex.into())
    }

    #[inline]
    fn toggle(&mut self, tables: &BoardTables, vertex: usize) {
        self.occupied.toggle(&tables.lines, vertex);
        self.free[vertex / 64] ^= 1 << (vertex % 64);
        if let Some(grid) = &tables.grid {
            let bit = grid.cell[vertex];
            if bit != NONE {
                self.cells[usize::from(bit / 64)] ^= 1 << (bit % 64);
            }
        }
    }

    /// The first half of a move: a queen of the side to move slides.
    #[inline]
    pub fn slide(&mut self, tables: &BoardTables, from: u16, to: u16) {
        let Some(queen) = self.queens[self.side].iter().position(|queen| *queen == from) else { return };
        self.queens[self.side][queen] = to;
        self.toggle(tables, from.into());
        self.toggle(tables, to.into());
        self.hash ^= tables.keys[usize::from(from)][self.side] ^ tables.keys[usize::from(to)][self.side];
    }

    /// The second half: the arrow; then the other side is to move.
    #[inline]
    pub fn shoot(&mut self, tables: &BoardTables, arrow: u16) {
        self.toggle(tables, arrow.into());
        self.hash ^= tables.keys[usize::from(arrow)][2] ^ SIDE_KEY;
        self.side ^= 1;
    }

    /// Takes back a call of [`Position::shoot`].
    #[inline]
    pub fn unshoot(&mut self, tables: &BoardTables, arrow: u16) {
        self.side ^= 1;
        self.hash ^= tables.keys[usize::from(arrow)][2] ^ SIDE_KEY;
        self.toggle(tables, arrow.into());
    }

    /// Hands the turn to the other side without a move, which the rules do not allow.
    pub fn pass(&mut self) {
        self.side ^= 1;
        self.hash ^= SIDE_KEY;
    }

    /// How many vertices are free, those without edges included.
    pub fn num_free(&self) -> usize {
        self.free.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the side to move has a legal move.
    pub fn has_move(&mut self, tables: &BoardTables) -> bool {
        // On a plain board, a queen that can step can shoot back to its start.
        let lines = &tables.lines;
        if tables.vacated_is_free && lines.is_plain() {
            return self.queens[self.side].iter().any(|&queen| lines.can_leave(&self.occupied, queen.into()));
        }
        self.count_moves(tables) > 0
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, tables: &BoardTables, mv: Move) {
        self.slide(tables, mv.from, mv.to);
        self.shoot(tables, mv.arrow);
    }

    /// Takes back the last move.
    #[inline]
    pub fn undo(&mut self, tables: &BoardTables, mv: Move) {
        self.unshoot(tables, mv.arrow);
        self.slide(tables, mv.to, mv.from);
    }

    /// Whether the move is legal for the side to move.
    pub fn allows(&self, tables: &BoardTables, mv: Move) -> bool {
        let [from, to, arrow] = [mv.from, mv.to, mv.arrow].map(usize::from);
        let freed = tables.vacated_is_free.then_some(from);
        self.queens[self.side].contains(&mv.from)
            && tables.lines.slides(&self.occupied, from, to, None)
            && tables.lines.slides(&self.occupied, to, arrow, freed)
    }

    /// Calls `visit` with each vertex that the queen on `from` can slide to.
    #[inline]
    pub fn each_slide(&self, tables: &BoardTables, from: u16, mut visit: impl FnMut(u16)) {
        let _ = tables.lines.each(&self.occupied, from.into(), |to| {
            visit(to as u16);
            ControlFlow::Continue(())
        });
    }

    /// Calls `visit` with each vertex that an arrow can hit, shot by the queen that stands on `to` and came from
    /// `from`: after
    /// [`Position::slide`].
    #[inline]
    pub fn each_arrow(&mut self, tables: &BoardTables, from: u16, to: u16, visit: impl FnMut(u16)) {
        if tables.vacated_is_free {
            return self.each_slide(tables, to, visit);
        }
        self.toggle(tables, from.into());
        self.each_slide(tables, to, visit);
        self.toggle(tables, from.into());
    }

    /// All legal moves of the side to move, appended to `moves`.
    pub fn moves(&mut self, tables: &BoardTables, moves: &mut Vec<Move>) {
        for queen in 0..self.queens[self.side].len() {
            let from = self.queens[self.side][queen];
            let lift = tables.vacated_is_free;
            if lift {
                self.toggle(tables, from.into());
            }
            self.each_slide(tables, from, |to| {
                self.each_slide(tables, to, |arrow| moves.push(Move { from, to, arrow }))
            });
            if lift {
                self.toggle(tables, from.into());
            }
        }
    }

    /// Plays a random move, each slide equally likely and then each arrow; `None` if there is no move. `below` gives a
    /// number below another, each equally likely.
    pub fn play_by_chance(&mut self, tables: &BoardTables, mut below: impl FnMut(u64) -> u64) -> Option<Move> {
        let slides = self.count_slides(tables, self.side) as usize;
        if slides == 0 {
            return None;
        }
        let (from, to) = self.nth_slide(tables, below(slides as u64) as usize)?;
        if let Some(mv) = self.slide_and_shoot(tables, from, to, &mut below) {
            return Some(mv);
        }
        // Where a queen has no way back from where it slid to, there may be no arrow: among the other slides, then.
        let mut left: Vec<(u16, u16)> = (0..slides).filter_map(|index| self.nth_slide(tables, index)).collect();
        while !left.is_empty() {
            let (from, to) = left.swap_remove(below(left.len() as u64) as usize);
            if let Some(mv) = self.slide_and_shoot(tables, from, to, &mut below) {
                return Some(mv);
            }
        }
        None
    }

    /// The slide with this index, in an order of its own.
    #[inline]
    fn nth_slide(&self, tables: &BoardTables, mut index: usize) -> Option<(u16, u16)> {
        for &from in &self.queens[self.side] {
            let count = tables.lines.count(&self.occupied, from.into());
            if index < count {
                return tables.lines.nth(&self.occupied, from.into(), index, None).map(|to| (from, to as u16));
            }
            index -= count;
        }
        None
    }

    /// Plays a random slide and arrow; `None` if there is no arrow.
    #[inline]
    fn slide_and_shoot(
        &mut self,
        tables: &BoardTables,
        from: u16,
        to: u16,
        below: &mut impl FnMut(u64) -> u64,
    ) -> Option<Move> {
        self.slide(tables, from, to);
        let lift = !tables.vacated_is_free;
        if lift {
            self.toggle(tables, from.into());
        }
        let arrows = tables.lines.count(&self.occupied, to.into());
        let index = if arrows == 0 { 0 } else { below(arrows as u64) as usize };
        let arrow = tables.lines.nth(&self.occupied, to.into(), index, None);
        if lift {
            self.toggle(tables, from.into());
        }
        let Some(arrow) = arrow else {
            self.slide(tables, to, from);
            return None;
        };
        self.shoot(tables, arrow as u16);
        Some(Move { from, to, arrow: arrow as u16 })
    }

    /// How many vertices the queens of a side can slide to, each queen counted.
    pub fn count_slides(&self, tables: &BoardTables, side: usize) -> i32 {
        self.queens[side].iter().map(|&queen| tables.lines.count(&self.occupied, queen.into()) as i32).sum()
    }

    /// How many legal moves the side to move has.
    pub fn count_moves(&mut self, tables: &BoardTables) -> u64 {
        self.count_moves_of(tables, |_| true, u64::MAX)
    }

    /// How many legal moves some of the queens of the side to move have; once they are more than `most`, the other
    /// queens are not asked.
    pub fn count_moves_of(&mut self, tables: &BoardTables, is_wanted: impl Fn(u16) -> bool, most: u64) -> u64 {
        let mut count = 0;
        for queen in 0..self.queens[self.side].len() {
            let from = self.queens[self.side][queen];
            if count > most || !is_wanted(from) {
                continue;
            }
            let lift = tables.vacated_is_free && !tables.lines.is_plain();
            if lift {
                self.toggle(tables, from.into());
            }
            if tables.vacated_is_free {
                count += tables.lines.count_pairs(&self.occupied, from.into());
            } else {
                self.each_slide(tables, from, |to| count += tables.lines.count(&self.occupied, to.into()) as u64);
            }
            if lift {
                self.toggle(tables, from.into());
            }
        }
        count
    }
}

//! Queens, arrows and the side to move: counts, lists and draws the legal moves.

use super::abi::AmazonsMove;
use super::setting::Prepared;
use crate::{Rng, below};
use agon_boards::{Board, Lines, Occupancy, Start};
use std::ops::ControlFlow;

/// Draws of [`Position::sample`] before all moves are counted.
const DRAWS: usize = 40;
/// With more queens than this, moves are counted as well.
const MOST_QUEENS: usize = 16;

/// A position on the board of a [`Prepared`] setting, which each call needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub(super) occupied: Occupancy,
    pub(super) queens: [Vec<u16>; 2],
    pub(super) side: usize,
    /// Free vertices, without holes.
    pub(super) free: u64,
}

impl Position {
    pub(super) fn start(board: &Board, lines: &Lines) -> Position {
        let mut occupied = lines.empty();
        for &vertex in board.queens(0).iter().chain(board.queens(1)).chain(board.blocked()) {
            occupied.toggle(lines, vertex as usize);
        }
        let queens = [0, 1].map(|side| board.queens(side).iter().map(|&vertex| vertex as u16).collect());
        let on_board = (0..board.num_vertices()).filter(|&vertex| !board.is_hole(vertex));
        let free = on_board.filter(|&vertex| !occupied.has(lines, vertex)).count() as u64;
        Position { occupied, queens, side: board.to_move(), free }
    }

    /// The position as the start of a match.
    pub(super) fn to_start(&self, setting: &Prepared) -> Start {
        let ascending = |side: usize| {
            let mut queens: Vec<u32> = self.queens[side].iter().map(|&vertex| vertex.into()).collect();
            queens.sort_unstable();
            queens
        };
        let all = 0..setting.board.num_vertices();
        let blocked = all.filter(|&vertex| self.is_blocked(setting, vertex)).map(|vertex| vertex as u32).collect();
        Start { queens: [ascending(0), ascending(1)], blocked, to_move: self.side }
    }

    /// Whether something other than a queen stands on the vertex.
    pub(super) fn is_blocked(&self, setting: &Prepared, vertex: usize) -> bool {
        self.occupied.has(&setting.lines, vertex)
            && !self.queens.iter().flatten().any(|&queen| usize::from(queen) == vertex)
    }

    /// The queen of the side to move that stands on the vertex, if any.
    #[inline]
    pub(super) fn queen_on(&self, vertex: u32) -> Option<usize> {
        self.queens[self.side].iter().position(|&queen| u32::from(queen) == vertex)
    }

    /// Whether the rules allow the move.
    #[inline]
    pub(super) fn allows(&self, setting: &Prepared, mv: AmazonsMove) -> bool {
        let (from, to, arrow) = (mv.queen_src as usize, mv.queen_dst as usize, mv.arrow_dst as usize);
        let freed = setting.vacated_is_free.then_some(from);
        to.max(arrow) < setting.board.num_vertices()
            && self.queen_on(mv.queen_src).is_some()
            && setting.lines.slides(&self.occupied, from, to, None)
            && setting.lines.slides(&self.occupied, to, arrow, freed)
    }

    /// Makes a legal move. A move without a queen of the mover changes nothing.
    #[inline]
    pub(super) fn make(&mut self, setting: &Prepared, mv: AmazonsMove) {
        let Some(queen) = self.queen_on(mv.queen_src) else { return };
        self.queens[self.side][queen] = mv.queen_dst as u16;
        for vertex in [mv.queen_src, mv.queen_dst, mv.arrow_dst] {
            self.occupied.toggle(&setting.lines, vertex as usize);
        }
        self.side ^= 1;
        self.free -= 1;
    }

    /// Whether the side to move has a legal move.
    pub(super) fn has_move(&mut self, setting: &Prepared) -> bool {
        (0..self.queens[self.side].len()).any(|queen| {
            let from = usize::from(self.queens[self.side][queen]);
            if setting.can_shoot_back || !setting.lines.can_leave(&self.occupied, from) {
                return setting.lines.can_leave(&self.occupied, from);
            }
            self.lift(setting, from);
            let shoots = |to| {
                if setting.lines.can_leave(&self.occupied, to) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            let found = setting.lines.each(&self.occupied, from, shoots).is_break();
            self.lift(setting, from);
            found
        })
    }

    /// The number of legal moves.
    pub(super) fn count(&self, setting: &Prepared) -> u64 {
        self.queens[self.side].iter().map(|&queen| self.count_of(setting, queen.into())).sum()
    }

    /// The number of legal moves of the queen on a vertex.
    fn count_of(&self, setting: &Prepared, from: usize) -> u64 {
        let lines = &setting.lines;
        if !setting.vacated_is_free {
            let mut moves = 0;
            let _ = lines.each(&self.occupied, from, |to| {
                moves += lines.count(&self.occupied, to) as u64;
                ControlFlow::Continue(())
            });
            return moves;
        }
        if lines.is_plain() {
            lines.count_pairs(&self.occupied, from)
        } else {
            lines.count_pairs(&self.without(setting, from), from)
        }
    }

    /// The occupied vertices once the queen has left one.
    fn without(&self, setting: &Prepared, from: usize) -> Occupancy {
        let mut occupied = self.occupied.clone();
        occupied.toggle(&setting.lines, from);
        occupied
    }

    /// The arrow with this index from `to`, after the queen came from `from`; `None` after the last.
    #[inline]
    fn arrow(&self, setting: &Prepared, from: usize, to: usize, index: usize) -> Option<usize> {
        let lines = &setting.lines;
        match setting.vacated_is_free {
            false => lines.nth(&self.occupied, to, index, None),
            true if lines.is_plain() => lines.nth(&self.occupied, to, index, Some(from)),
            true => lines.nth(&self.without(setting, from), to, index, None),
        }
    }

    /// Takes the queen off the board, or puts it back, if its arrow may use the vertex that it leaves.
    pub(super) fn lift(&mut self, setting: &Prepared, from: usize) {
        if setting.vacated_is_free {
            self.occupied.toggle(&setting.lines, from);
        }
    }

    /// Calls `visit` with each legal move, until it breaks. Leaves the position as it was.
    pub(super) fn each(&mut self, setting: &Prepared, visit: &mut dyn FnMut(AmazonsMove) -> ControlFlow<()>) {
        for queen in 0..self.queens[self.side].len() {
            let from = usize::from(self.queens[self.side][queen]);
            self.lift(setting, from);
            let flow = setting.lines.each(&self.occupied, from, |to| {
                setting.lines.each(&self.occupied, to, |arrow| {
                    visit(AmazonsMove { queen_src: from as u32, queen_dst: to as u32, arrow_dst: arrow as u32 })
                })
            });
            self.lift(setting, from);
            if flow.is_break() {
                return;
            }
        }
    }

    /// A legal move, each equally likely; `NONE` if there is none.
    ///
    /// It draws from a box that contains every move, a stop of a queen times the number of an arrow, until the arrow
    /// exists. That is much cheaper than counting all moves, which it does only after many misses.
    pub(super) fn sample(&self, setting: &Prepared, rng: &mut Rng) -> AmazonsMove {
        let mut stops = [0; MOST_QUEENS];
        let queens = &self.queens[self.side];
        if queens.len() > MOST_QUEENS {
            return self.sample_counted(setting, rng);
        }
        for (stops, &queen) in stops.iter_mut().zip(queens) {
            *stops = setting.lines.count(&self.occupied, queen.into()) as u64;
        }
        let total: u64 = stops.iter().sum();
        if total == 0 {
            return AmazonsMove::NONE;
        }
        // An arrow hits a free vertex, including the one that the queen has left, but not the one that it has reached.
        let most_arrows = setting.most_arrows.min(self.free);
        for _ in 0..DRAWS {
            let drawn = below(rng, total * most_arrows);
            let (stop, arrow) = (drawn / most_arrows, drawn % most_arrows);
            if let Some(mv) = self.find(setting, &stops, stop, arrow as usize) {
                return mv;
            }
        }
        self.sample_counted(setting, rng)
    }

    /// The move with this arrow and this stop, counted over all queens; `None` if there are fewer arrows. `stops` has a
    /// count for each queen.
    #[inline]
    fn find(&self, setting: &Prepared, stops: &[u64], mut stop: u64, arrow: usize) -> Option<AmazonsMove> {
        let mut queen = 0;
        while stop >= stops[queen] {
            stop -= stops[queen];
            queen += 1;
        }
        let from = usize::from(self.queens[self.side][queen]);
        let to = setting.lines.nth(&self.occupied, from, stop as usize, None)?;
        let arrow = self.arrow(setting, from, to, arrow)?;
        Some(AmazonsMove { queen_src: from as u32, queen_dst: to as u32, arrow_dst: arrow as u32 })
    }

    /// The same as [`Position::sample`], by counting all moves.
    fn sample_counted(&self, setting: &Prepared, rng: &mut Rng) -> AmazonsMove {
        let total = self.count(setting);
        let mut index = if total == 0 { return AmazonsMove::NONE } else { below(rng, total) };
        for &queen in &self.queens[self.side] {
            let moves = self.count_of(setting, queen.into());
            if index < moves {
                return self.nth(setting, queen.into(), index);
            }
            index -= moves;
        }
        AmazonsMove::NONE
    }

    /// The move with this index among those of the queen on a vertex.
    fn nth(&self, setting: &Prepared, from: usize, mut index: u64) -> AmazonsMove {
        let lifted = if setting.vacated_is_free { &self.without(setting, from) } else { &self.occupied };
        let mut mv = AmazonsMove { queen_src: from as u32, ..AmazonsMove::NONE };
        let _ = setting.lines.each(lifted, from, |to| {
            let arrows = setting.lines.count(lifted, to) as u64;
            mv.queen_dst = to as u32;
            if index < arrows {
                ControlFlow::Break(())
            } else {
                index -= arrows;
                ControlFlow::Continue(())
            }
        });
        if let Some(arrow) = setting.lines.nth(lifted, mv.queen_dst as usize, index as usize, None) {
            mv.arrow_dst = arrow as u32;
        }
        mv
    }
}

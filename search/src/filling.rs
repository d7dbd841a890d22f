//! Finds the most moves in a region of one side, exactly: is there a way to fill it that leaves no square, or else one,
//! or two? It searches depth first with a memory, and fills separate parts one by one.

use crate::cells::CellSet;
use crate::region::{Child, Filled, Region};
use crate::room::{Known, Memory, Room};

/// How much may be looked at.
pub(crate) struct Effort<'a> {
    /// Moves that may still be looked at.
    pub moves: u64,
    /// Whether time is up; it is asked after a fixed number of moves.
    pub is_late: &'a mut dyn FnMut() -> bool,
    patience: u64,
}

/// Moves between two looks at the clock: some tenths of a millisecond.
const CLOCK_EVERY: u64 = 4_000;

/// The limits of each look at a region.
pub(crate) struct Bounds<'a> {
    /// Moves that may be looked at.
    pub work: u64,
    /// Whether time is up.
    pub is_late: &'a mut dyn FnMut() -> bool,
}

impl Bounds<'_> {
    /// A look that has not begun yet.
    pub fn effort(&mut self) -> Effort<'_> {
        Effort::new(self.work, self.is_late)
    }
}

impl<'a> Effort<'a> {
    pub fn new(moves: u64, is_late: &'a mut dyn FnMut() -> bool) -> Effort<'a> {
        Effort { moves, is_late, patience: CLOCK_EVERY }
    }

    /// Counts moves; `None` if there have been too many.
    pub fn spend(&mut self, moves: u64) -> Option<()> {
        self.moves = self.moves.saturating_sub(moves);
        self.patience = self.patience.saturating_sub(moves);
        if self.patience == 0 {
            self.patience = CLOCK_EVERY;
            if (self.is_late)() {
                self.moves = 0;
            }
        }
        (self.moves > 0).then_some(())
    }
}

pub(crate) struct Filler<'a, 'b, S> {
    pub region: &'a Region<S>,
    pub memory: &'a mut Memory,
    pub children: &'a mut Vec<Child<S>>,
    pub effort: &'a mut Effort<'b>,
}

impl<S: CellSet> Filler<'_, '_, S> {
    /// The most moves, as exactly as the effort allows, including earlier results.
    pub fn room(&mut self, filled: Filled<S>) -> Room {
        let filled = self.without_lost(filled);
        let hash = self.region.hash(filled);
        let Known { mut room, mut tried } = self.known(hash, filled);
        let before = self.effort.moves;
        while !room.is_exact() && u32::from(tried) < before.max(1).ilog2() {
            match self.fills(filled, filled.free.len() - room.most) {
                Some(true) => room.least = room.most,
                Some(false) => room.most -= 1,
                None => {
                    tried = (before - self.effort.moves).max(1).ilog2() as u8;
                    break;
                }
            }
        }
        self.memory.put(hash, Known { room, tried });
        room
    }

    /// Without the cells that no queen can come to.
    fn without_lost(&self, filled: Filled<S>) -> Filled<S> {
        Filled { free: self.region.reached(filled), ..filled }
    }

    /// The known results, or those found at once.
    fn known(&self, hash: u64, filled: Filled<S>) -> Known {
        self.memory.get(hash).unwrap_or_else(|| {
            let most = filled.free.len();
            Known { room: Room { least: self.region.stroll(filled), most }, tried: 0 }
        })
    }

    /// A move that loses only itself, if the number of moves is known; else the move after which the most moves are
    /// certain. `None` if there is no move.
    pub fn best(&mut self, filled: Filled<S>, room: Room) -> Option<Child<S>> {
        let filled = self.without_lost(filled);
        if filled.free == S::EMPTY {
            return None;
        }
        let cells = filled.free.len();
        let mut all = Vec::new();
        self.memory.spent += u64::from(self.region.children(filled, S::SIZE, cells, &mut all));
        all.sort_by_key(order);
        if room.is_exact() {
            for child in &all {
                let is_enough = child.lost + room.most <= cells;
                match is_enough.then(|| self.fills(child.after, cells - room.most - child.lost)) {
                    Some(Some(true)) => return Some(*child),
                    Some(None) => break,
                    _ => {}
                }
            }
        }
        all.into_iter().rev().max_by_key(|child| {
            let after = self.without_lost(child.after);
            self.known(self.region.hash(after), after).room.least
        })
    }

    /// Whether all squares except at most `waste` can be filled; `None` if that would take too long.
    pub fn fills(&mut self, filled: Filled<S>, mut waste: u32) -> Option<bool> {
        let mut left = self.without_lost(filled);
        loop {
            let part = self.region.part(left);
            if part == left {
                return self.fills_part(part, waste);
            }
            left = Filled { free: left.free & !part.free, queens: left.queens & !part.queens };
            let mut least = 0;
            while !self.fills_part(part, least)? {
                least += 1;
                if least > waste {
                    return Some(false);
                }
            }
            waste -= least;
            if left.queens == S::EMPTY {
                return Some(true);
            }
        }
    }

    /// As [`Filler::fills`], of cells that hang together.
    fn fills_part(&mut self, part: Filled<S>, waste: u32) -> Option<bool> {
        let cells = part.free.len();
        if cells <= waste {
            return Some(true);
        }
        let hash = self.region.hash(part);
        let known = self.memory.get(hash).unwrap_or(Known { room: Room { least: 0, most: cells }, tried: 0 });
        if cells - waste <= known.room.least {
            return Some(true);
        }
        if cells - waste > known.room.most {
            return Some(false);
        }
        let first = self.children.len();
        let result = self.try_moves(part, 1, waste, first);
        let result = if result == Some(false) { self.try_moves(part, S::SIZE, waste, first) } else { result };
        self.children.truncate(first);
        let room = if result? {
            Room { least: cells - waste, ..known.room }
        } else {
            Room { most: cells - waste - 1, ..known.room }
        };
        self.memory.put(hash, Known { room, tried: known.tried });
        result
    }

    /// Whether one of the moves with slides of this many steps leads to that.
    fn try_moves(&mut self, part: Filled<S>, steps: usize, waste: u32, first: usize) -> Option<bool> {
        self.children.truncate(first);
        let looked_at = self.region.children(part, steps, waste, self.children);
        self.memory.spent += u64::from(looked_at) + 1;
        self.effort.spend(u64::from(looked_at) + 1)?;
        self.children[first..].sort_unstable_by_key(order);
        for index in first..self.children.len() {
            let child = self.children[index];
            if self.fills(child.after, waste - child.lost)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

/// Moves that lose less come first; of equals, those that leave more connected free squares have used the worst ones.
fn order<S>(child: &Child<S>) -> (u32, std::cmp::Reverse<u32>, [u8; 3]) {
    (child.lost, std::cmp::Reverse(child.looseness), child.step)
}

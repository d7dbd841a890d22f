//! How many moves a side can make in a region of its own: exactly, by depth-first search with a memory, or within
//! bounds.

use crate::arena::Arena;
use crate::grid::NONE;
use crate::position::Position;
use std::cmp::Reverse;
use std::collections::HashMap;

/// The largest region that is searched; in larger ones only bounds are known.
const LARGEST: usize = 64;
/// No neighbour, in a region.
const OUT: u8 = u8::MAX;

/// A region with the queens in it: free cells and queens are sets of its own numbers.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    next: Vec<[u8; 8]>,
    /// The neighbours of each cell, as sets.
    around: Vec<u64>,
    free: u64,
    queens: u64,
    vacated_is_free: bool,
    known: HashMap<(u64, u64), u8>,
    /// Moves that may still be looked at.
    work: u32,
}

/// How many moves can be made: at least and at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// So many are certain.
    pub least: u32,
    /// More are impossible.
    pub most: u32,
}

/// What a move leaves of a region.
#[derive(Clone, Copy, Debug)]
struct Child {
    bound: u32,
    looseness: u32,
    free: u64,
    queens: u64,
}

/// The numbers of the cells of a set, ascending.
fn cells(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(first)
    })
}

impl Region {
    /// Of these vertices, free or with a queen that may move; `None` if there are too many.
    pub fn new(arena: &Arena, position: &Position, vertices: &[u16]) -> Option<Region> {
        if vertices.len() > LARGEST {
            return None;
        }
        let own = |vertex: u16| vertices.iter().position(|known| *known == vertex).map_or(OUT, |index| index as u8);
        let row = |vertex: &u16| arena.next[usize::from(*vertex)].map(|to| if to == NONE { OUT } else { own(to) });
        let next: Vec<[u8; 8]> = vertices.iter().map(row).collect();
        let around = next.iter().map(|row| row.iter().filter(|to| **to != OUT).fold(0, |set, to| set | 1 << to));
        let around = around.collect();
        let all = if vertices.len() == LARGEST { u64::MAX } else { (1 << vertices.len()) - 1 };
        let taken = vertices.iter().enumerate().filter(|(_, vertex)| position.is_occupied(arena, **vertex));
        let queens = taken.fold(0, |set, (index, _)| set | 1 << index);
        let (free, vacated_is_free) = (all & !queens, arena.vacated_is_free);
        Some(Region { next, around, free, queens, vacated_is_free, known: HashMap::new(), work: 0 })
    }

    /// Exactly, or within bounds once so many moves have been looked at; with no work, within bounds that are told at
    /// once.
    pub fn room(&mut self, work: u32) -> Room {
        let (free, queens) = (self.free, self.queens);
        let most = self.bound(free, queens);
        let mut least = self.stroll(free, queens);
        if least == most || work == 0 {
            return Room { least, most };
        }
        self.work = work;
        least = least.max(self.plod(free, queens));
        if least == most {
            return Room { least, most };
        }
        match self.fill(free, queens) {
            Some(exact) => Room { least: exact, most: exact },
            None => Room { least, most },
        }
    }

    /// No more moves than free cells that the queens can come to: each arrow takes one.
    fn bound(&self, free: u64, queens: u64) -> u32 {
        let mut found = queens;
        let mut todo = queens;
        while todo != 0 {
            let from = todo.trailing_zeros() as usize;
            let new = self.around[from] & free & !found;
            found |= new;
            todo = todo & (todo - 1) | new;
        }
        (found & free).count_ones()
    }

    /// Always one step on and the arrow back, to the cell with the fewest ways on (Warnsdorff's rule): how far that
    /// leads.
    fn stroll(&self, mut free: u64, mut queens: u64) -> u32 {
        if !self.vacated_is_free {
            return 0;
        }
        let mut made = 0;
        loop {
            let back = |from: usize| move |to: &usize| self.around[*to] >> from & 1 == 1;
            let steps_of = |from| cells(self.around[from] & free).filter(back(from)).map(move |to| (from, to));
            // A dead end comes last.
            let ways = |to: usize| (self.around[to] & free).count_ones().wrapping_sub(1);
            let Some((from, to)) = cells(queens).flat_map(steps_of).min_by_key(|(_, to)| ways(*to)) else {
                return made;
            };
            free &= !(1 << to);
            queens = queens & !(1 << from) | 1 << to;
            made += 1;
        }
    }

    /// Always on with the step that leaves most: how far that leads.
    fn plod(&mut self, mut free: u64, mut queens: u64) -> u32 {
        let mut made = 0;
        while self.work > 0 {
            let Some(&child) = self.children(free, queens, 1).first() else { break };
            (free, queens) = (child.free, child.queens);
            made += 1;
        }
        made
    }

    /// The most moves; `None` when the nodes are used up.
    fn fill(&mut self, free: u64, queens: u64) -> Option<u32> {
        let most = self.bound(free, queens);
        if self.work == 0 {
            return None;
        }
        if most <= 1 {
            // One free cell beside a queen: step there and shoot back, or, where that is not allowed, no move at all.
            return Some(if most == 1 && self.children(free, queens, 1).is_empty() { 0 } else { most });
        }
        if let Some(known) = self.known.get(&(free, queens)) {
            return Some((*known).into());
        }
        let children = self.children(free, queens, LARGEST);
        if self.work == 0 {
            return None;
        }
        let mut best = 0;
        for child in children {
            if best == most || child.bound < best {
                break;
            }
            best = best.max(1 + self.fill(child.free, child.queens)?);
        }
        self.known.insert((free, queens), best as u8);
        Some(best)
    }

    /// Every move with slides of at most so many steps, the most promising first; not all of them if
    /// no work is left then.
    fn children(&mut self, free: u64, queens: u64, steps: usize) -> Vec<Child> {
        let mut children = Vec::new();
        for from in cells(queens) {
            let freed = free | 1 << from;
            self.each_slide(free, from, steps, |to| {
                let moved = queens & !(1 << from) | 1 << to;
                let over = if self.vacated_is_free { freed } else { free } & !(1 << to);
                self.each_slide(over, to, steps, |arrow| {
                    if children.len() >= self.work as usize {
                        return;
                    }
                    let next = freed & !(1 << to) & !(1 << arrow);
                    children.push(Child {
                        bound: self.bound(next, moved),
                        looseness: self.looseness(next),
                        free: next,
                        queens: moved,
                    });
                });
            });
        }
        // Of equal bounds, what leaves more free cells together has used up the worst ones.
        children
            .sort_unstable_by_key(|child| (Reverse(child.bound), Reverse(child.looseness), child.free, child.queens));
        self.work = self.work.saturating_sub(children.len() as u32 + 1);
        children
    }

    /// How many pairs of free cells touch.
    fn looseness(&self, free: u64) -> u32 {
        cells(free).map(|cell| (self.around[cell] & free).count_ones()).sum()
    }

    fn each_slide(&self, free: u64, from: usize, steps: usize, mut visit: impl FnMut(usize)) {
        for direction in 0..8 {
            let (mut here, mut seen) = (from, 1u64 << from);
            for _ in 0..steps {
                let to = self.next[here][direction];
                if to == OUT || free & !seen & (1 << to) == 0 {
                    break;
                }
                here = usize::from(to);
                seen |= 1 << here;
                visit(here);
            }
        }
    }
}

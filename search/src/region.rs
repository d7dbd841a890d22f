//! A region that only one side can reach, with its own numbering: its free squares and queens are sets. The effect of a
//! move is computed without the board.

use crate::board_tables::BoardTables;
use crate::cells::CellSet;
use crate::sets::NONE;

/// No neighbour, in a region.
pub(crate) const NO_NEIGHBOUR: u8 = u8::MAX;

/// The free cells of a region, and the queens in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Filled<S> {
    pub free: S,
    pub queens: S,
}

/// A move within a region, in its own numbers, and what it leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child<S> {
    pub after: Filled<S>,
    /// Free cells that the queens cannot come to any more.
    pub lost: u32,
    /// The less, the less promising: how much hangs together that is left.
    pub looseness: u32,
    pub step: [u8; 3],
}

/// The board of a region; the memory of one is used for the next.
#[derive(Clone, Debug)]
pub(crate) struct Region<S> {
    vertices: Vec<u16>,
    next: Vec<[u8; 8]>,
    /// The cells that each cell has an edge to, and those with an edge either way.
    around: Vec<S>,
    touching: Vec<S>,
    /// The keys of a free cell, of a queen, and of a queen that keeps the other side out.
    keys: Vec<[u64; 3]>,
    /// Cells that the other side would come to if they were free after a move.
    border: S,
    vacated_is_free: bool,
}

impl<S: CellSet> Region<S> {
    pub fn new() -> Region<S> {
        let (vertices, next, keys) = (Vec::new(), Vec::new(), Vec::new());
        let (around, touching) = (Vec::new(), Vec::new());
        Region { vertices, next, around, touching, keys, border: S::EMPTY, vacated_is_free: true }
    }

    /// Loads a region of these vertices, at most [`CellSet::SIZE`]; those of `is_border` must not be free after a move.
    /// `local` has [`NO_NEIGHBOUR`] for every vertex, before and after the call.
    pub fn load(&mut self, tables: &BoardTables, vertices: &[u16], is_border: impl Fn(u16) -> bool, local: &mut [u8]) {
        self.vertices.clear();
        self.vertices.extend_from_slice(vertices);
        for (index, &vertex) in vertices.iter().enumerate() {
            local[usize::from(vertex)] = index as u8;
        }
        self.load_edges(tables, local);
        self.keys.clear();
        self.keys.extend(vertices.iter().map(|&vertex| tables.keys[usize::from(vertex)]));
        let cells = vertices.iter().enumerate().filter(|(_, vertex)| is_border(**vertex));
        self.border = cells.fold(S::EMPTY, |set, (cell, _)| set | S::only(cell));
        self.vacated_is_free = tables.vacated_is_free;
        vertices.iter().for_each(|&vertex| local[usize::from(vertex)] = NO_NEIGHBOUR);
    }

    fn load_edges(&mut self, tables: &BoardTables, local: &[u8]) {
        let row = |&vertex: &u16| {
            tables.next[usize::from(vertex)].map(|to| if to == NONE { NO_NEIGHBOUR } else { local[usize::from(to)] })
        };
        self.next.clear();
        self.next.extend(self.vertices.iter().map(row));
        self.around.clear();
        let set = |row: &[u8; 8]| {
            row.iter().filter(|to| **to != NO_NEIGHBOUR).fold(S::EMPTY, |set, &to| set | S::only(usize::from(to)))
        };
        self.around.extend(self.next.iter().map(set));
        self.touching.clear();
        self.touching.extend_from_slice(&self.around);
        for (from, around) in self.around.iter().enumerate() {
            around.each().for_each(|to| self.touching[to] = self.touching[to] | S::only(from));
        }
    }

    /// Forgets that some cells must not be free.
    pub fn open_border(&mut self) {
        self.border = S::EMPTY;
    }

    /// The vertex of a cell.
    pub fn vertex(&self, cell: u8) -> u16 {
        self.vertices[usize::from(cell)]
    }

    /// The cells with these queens, the others free.
    pub fn filled(&self, is_queen: impl Fn(u16) -> bool) -> Filled<S> {
        let mut filled = Filled { free: S::EMPTY, queens: S::EMPTY };
        for (cell, &vertex) in self.vertices.iter().enumerate() {
            let set = if is_queen(vertex) { &mut filled.queens } else { &mut filled.free };
            *set = *set | S::only(cell);
        }
        filled
    }

    /// A number for what is left of a region, the same whichever region it was a part of.
    pub fn hash(&self, filled: Filled<S>) -> u64 {
        let free = filled.free.each().fold(0, |hash, cell| hash ^ self.keys[cell][0]);
        let queens = filled.queens.each().fold(free, |hash, cell| hash ^ self.keys[cell][1]);
        (filled.queens & self.border).each().fold(queens, |hash, cell| hash ^ self.keys[cell][2])
    }

    /// The free cells that the queens can come to, through each other.
    #[inline]
    pub fn reached(&self, filled: Filled<S>) -> S {
        let (mut found, mut todo) = (filled.queens, filled.queens);
        while todo != S::EMPTY {
            let new = self.around[todo.first()] & filled.free & !found;
            found = found | new;
            todo = todo.without_first() | new;
        }
        found & filled.free
    }

    /// The part that is connected with one of the queens.
    pub fn part(&self, filled: Filled<S>) -> Filled<S> {
        let all = filled.free | filled.queens;
        let start = S::only(filled.queens.first());
        let (mut found, mut todo) = (start, start);
        while todo != S::EMPTY {
            let new = self.touching[todo.first()] & all & !found;
            found = found | new;
            todo = todo.without_first() | new;
        }
        Filled { free: found & filled.free, queens: found & filled.queens }
    }

    /// Always one step on and the arrow back, to the cell with the fewest ways on (Warnsdorff's rule): how far that
    /// leads. It keeps the other side out.
    pub fn stroll(&self, mut filled: Filled<S>) -> u32 {
        if !self.vacated_is_free {
            return 0;
        }
        let mut made = 0;
        loop {
            let mut best: Option<(u32, usize, usize)> = None;
            for from in filled.queens.each() {
                for to in (self.around[from] & filled.free).each().filter(|to| self.around[*to].has(from)) {
                    // A dead end comes last.
                    let ways = (self.around[to] & filled.free).len().wrapping_sub(1);
                    if best.is_none_or(|(fewest, ..)| ways < fewest) {
                        best = Some((ways, from, to));
                    }
                }
            }
            let Some((_, from, to)) = best else { return made };
            filled.free = filled.free & !S::only(to);
            filled.queens = filled.queens & !S::only(from) | S::only(to);
            made += 1;
        }
    }

    /// Appends every move that loses at most so many cells, of slides of at most so many steps; returns how many were
    /// looked at.
    pub fn children(&self, filled: Filled<S>, steps: usize, most_lost: u32, children: &mut Vec<Child<S>>) -> u32 {
        let mut looked_at = 0;
        let left = filled.free.len() - 1;
        for from in filled.queens.each() {
            let freed = filled.free | S::only(from);
            self.each_slide(filled.free, from, steps, |to| {
                let queens = filled.queens & !S::only(from) | S::only(to);
                let over = if self.vacated_is_free { freed } else { filled.free } & !S::only(to);
                self.each_slide(over, to, steps, |arrow| {
                    looked_at += 1;
                    let free = freed & !S::only(to) & !S::only(arrow);
                    if free & self.border != S::EMPTY {
                        return;
                    }
                    let after = Filled { free, queens };
                    let lost = left - self.reached(after).len();
                    if lost <= most_lost {
                        let step = [from, to, arrow].map(|cell| cell as u8);
                        children.push(Child { after, lost, looseness: self.looseness(free), step });
                    }
                });
            });
        }
        looked_at
    }

    /// How many pairs of free cells touch.
    fn looseness(&self, free: S) -> u32 {
        free.each().map(|cell| (self.around[cell] & free).len()).sum()
    }

    fn each_slide(&self, free: S, from: usize, steps: usize, mut visit: impl FnMut(usize)) {
        for direction in 0..8 {
            let (mut here, mut seen) = (from, S::only(from));
            for _ in 0..steps {
                let to = usize::from(self.next[here][direction]);
                if to == usize::from(NO_NEIGHBOUR) || !free.has(to) || seen.has(to) {
                    break;
                }
                here = to;
                seen = seen | S::only(here);
                visit(here);
            }
        }
    }
}

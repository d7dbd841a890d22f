//! Line words: each of the four axes splits the vertices into maximal lines, and a slide along a line is two bit
//! operations.
//!
//! An axis may contain an edge without its way back, a cycle, or a line too long for a word. Then each such vertex is a
//! line of its own, which no slide leaves, and slides walk through a table of neighbours instead.

use crate::chains::{Chain, NONE, chains};
use crate::{Board, Direction, Occupancy, walk};
use std::ops::{ControlFlow, Range};

/// The place of a vertex on one of its four lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Index in `Lines::order`, next to the neighbours along the line.
    here: u16,
    /// Index of the line and its word.
    pub(crate) line: u16,
    /// Bit in the word, 1 to 62.
    pub(crate) position: u16,
}

/// Tables of a board that answer how far a slide goes. Vertices are numbers below [`Board::num_vertices`]; others
/// panic.
#[derive(Clone, Debug)]
pub struct Lines {
    pub(crate) places: Vec<[Place; 4]>,
    order: Vec<u16>,
    empty: Vec<u64>,
    next: Vec<[u16; 8]>,
    /// The most steps of a walk before it repeats itself; 0 where line words answer.
    limits: Vec<[u16; 8]>,
    walks: bool,
    /// Whether no vertex is reached from another in two directions, so that counts add up.
    disjoint: bool,
}

impl Lines {
    /// Works out the tables of a board.
    pub fn new(board: &Board) -> Lines {
        let count = board.num_vertices();
        let mut next = vec![[NONE; 8]; count];
        for (from, row) in next.iter_mut().enumerate() {
            board.neighbours(from).for_each(|(to, direction)| row[direction.index()] = to as u16);
        }
        let start = Place { here: 0, line: 0, position: 1 };
        let (places, limits) = (vec![[start; 4]; count], vec![[0; 8]; count]);
        let mut lines =
            Lines { places, order: Vec::new(), empty: Vec::new(), next, limits, walks: false, disjoint: true };
        for axis in 0..4 {
            for chain in chains(&lines.next, axis) {
                lines.add(axis, &chain);
            }
        }
        lines.disjoint = lines.find_disjoint(board);
        lines
    }

    fn add(&mut self, axis: usize, chain: &Chain) {
        if chain.is_line {
            return self.add_line(axis, &chain.vertices);
        }
        self.walks = true;
        for &vertex in &chain.vertices {
            self.add_line(axis, &[vertex]);
            for direction in [axis, axis + 4] {
                self.limits[usize::from(vertex)][direction] = self.limit(vertex, direction);
            }
        }
    }

    fn add_line(&mut self, axis: usize, vertices: &[u16]) {
        let line = self.empty.len() as u16;
        for (offset, &vertex) in vertices.iter().enumerate() {
            let here = (self.order.len() + offset) as u16;
            self.places[usize::from(vertex)][axis] = Place { here, line, position: offset as u16 + 1 };
        }
        self.order.extend_from_slice(vertices);
        self.empty.push(!(((1 << vertices.len()) - 1) << 1));
    }

    fn limit(&self, from: u16, direction: usize) -> u16 {
        let mut seen = vec![false; self.next.len()];
        let (mut here, mut steps) = (from, 0);
        loop {
            seen[usize::from(here)] = true;
            here = self.next[usize::from(here)][direction];
            if here == NONE || seen[usize::from(here)] {
                return steps;
            }
            steps += 1;
        }
    }

    fn find_disjoint(&self, board: &Board) -> bool {
        // On a grid of king steps alone, eight rays never meet; only walks can bend.
        if !self.walks && board.is_grid() && self.is_straight(board) {
            return true;
        }
        (0..board.num_vertices()).all(|from| {
            let mut seen = vec![false; board.num_vertices()];
            let rays = Direction::ALL.into_iter().flat_map(|direction| walk(board, from, direction, |_| true));
            rays.into_iter().all(|vertex| !std::mem::replace(&mut seen[vertex], true))
        })
    }

    fn is_straight(&self, board: &Board) -> bool {
        let columns = board.columns() as isize;
        (0..board.num_vertices()).all(|from| {
            board.neighbours(from).all(|(to, direction)| {
                let (right, down) = direction.step();
                let column = from as isize % columns + right;
                (0..columns).contains(&column) && from as isize + down * columns + right == to as isize
            })
        })
    }

    /// The vertices of all lines, one line after another, each vertex on four.
    pub fn order(&self) -> &[u16] {
        &self.order
    }

    /// The free vertices around `from` on the line of one of the four axes, and `from` itself, as a range of
    /// [`Lines::order`].
    #[inline(always)]
    pub fn gap(&self, occupied: &Occupancy, from: usize, axis: usize) -> Range<usize> {
        let place = &self.places[from][axis];
        let (down, up) = reach(occupied, place);
        let here = usize::from(place.here);
        here - down..here + up + 1
    }

    /// Whether some slides follow no line, so that [`Lines::gap`] does not cover them.
    #[inline]
    pub fn walks(&self) -> bool {
        self.walks
    }

    /// Calls `visit` with each vertex that a slide from `from` reaches where it follows no line; some come more than
    /// once.
    pub fn each_walk(&self, occupied: &Occupancy, from: usize, mut visit: impl FnMut(usize)) {
        let _ = self.walk_each(occupied, from, |to| {
            visit(to);
            ControlFlow::Continue(())
        });
    }

    /// An occupancy with nothing on the board.
    pub fn empty(&self) -> Occupancy {
        Occupancy { words: self.empty.clone() }
    }

    /// Whether some neighbour of `from` is free.
    #[inline]
    pub fn can_leave(&self, occupied: &Occupancy, from: usize) -> bool {
        let beside = |place: &Place| occupied.words[usize::from(place.line)] >> (place.position - 1) & 0b101 != 0b101;
        self.places[from].iter().any(beside)
            || self.walks && self.walk_each(occupied, from, |_| ControlFlow::Break(())).is_break()
    }

    /// The number of vertices that a slide from `from` can reach, each counted once.
    #[inline]
    pub fn count(&self, occupied: &Occupancy, from: usize) -> usize {
        if !self.disjoint {
            let mut count = 0;
            let _ = self.each(occupied, from, |_| {
                count += 1;
                ControlFlow::Continue(())
            });
            return count;
        }
        let mut count = 0;
        for place in &self.places[from] {
            count += gap(occupied, place);
        }
        if self.walks {
            let _ = self.walk_each(occupied, from, |_| {
                count += 1;
                ControlFlow::Continue(())
            });
        }
        count
    }

    /// Whether each vertex is reached in one direction at most, and never by a walk: then no piece need be lifted for
    /// [`Lines::count_pairs`] and [`Lines::nth`].
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.disjoint && !self.walks
    }

    /// The number of pairs of slides, the second from where the first stops, each pair of ends counted once. `from`
    /// must be free, unless the board is plain: no second slide then meets it except along the line of the first.
    pub fn count_pairs(&self, occupied: &Occupancy, from: usize) -> u64 {
        let mut pairs = 0;
        if !self.is_plain() {
            let _ = self.each(occupied, from, |middle| {
                pairs += self.count(occupied, middle) as u64;
                ControlFlow::Continue(())
            });
            return pairs;
        }
        let places = &self.places[from];
        pairs += self.count_pairs_along::<0>(occupied, places);
        pairs += self.count_pairs_along::<1>(occupied, places);
        pairs += self.count_pairs_along::<2>(occupied, places);
        pairs += self.count_pairs_along::<3>(occupied, places);
        pairs
    }

    /// The pairs whose first slide is along one axis: from all its ends, the second slide has the same gap on that
    /// axis.
    #[inline]
    fn count_pairs_along<const AXIS: usize>(&self, occupied: &Occupancy, places: &[Place; 4]) -> u64 {
        let place = places[AXIS];
        let (down, up) = reach(occupied, &place);
        let here = usize::from(place.here);
        let mut pairs = (down + up) * (down + up);
        for &middle in &self.order[here - down..=here + up] {
            let places = &self.places[usize::from(middle)];
            pairs += gap(occupied, &places[(AXIS + 1) % 4]);
            pairs += gap(occupied, &places[(AXIS + 2) % 4]);
            pairs += gap(occupied, &places[(AXIS + 3) % 4]);
        }
        for axis in 1..4 {
            pairs -= gap(occupied, &places[(AXIS + axis) % 4]);
        }
        pairs as u64
    }

    /// Calls `visit` with each vertex that a slide from `from` can reach, once, until it breaks.
    #[inline]
    pub fn each(
        &self,
        occupied: &Occupancy,
        from: usize,
        mut visit: impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.disjoint {
            return self.each_way(occupied, from, visit);
        }
        let mut seen = [0u64; crate::MAX_VERTICES / 64];
        self.each_way(occupied, from, |to| {
            let (word, bit) = (to / 64, 1 << (to % 64));
            if seen[word] & bit != 0 {
                return ControlFlow::Continue(());
            }
            seen[word] |= bit;
            visit(to)
        })
    }

    #[inline]
    fn each_way(
        &self,
        occupied: &Occupancy,
        from: usize,
        mut visit: impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for place in &self.places[from] {
            let (down, up) = reach(occupied, place);
            let here = usize::from(place.here);
            for &to in self.order[here - down..here].iter().rev() {
                visit(usize::from(to))?;
            }
            for &to in &self.order[here + 1..=here + up] {
                visit(usize::from(to))?;
            }
        }
        if self.walks { self.walk_each(occupied, from, visit) } else { ControlFlow::Continue(()) }
    }

    fn walk_each(
        &self,
        occupied: &Occupancy,
        from: usize,
        mut visit: impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for direction in 0..8 {
            let mut here = from;
            for _ in 0..self.limits[from][direction] {
                here = usize::from(self.next[here][direction]);
                if occupied.has(self, here) {
                    break;
                }
                visit(here)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The vertex with this index among those that a slide from `from` can reach, in a fixed order; `None` after the
    /// last. On a plain board `freed` counts as free; on others it must be free.
    #[inline]
    pub fn nth(&self, occupied: &Occupancy, from: usize, mut index: usize, freed: Option<usize>) -> Option<usize> {
        if !self.is_plain() {
            let mut found = None;
            let _ = self.each(occupied, from, |to| {
                found = (index == 0).then_some(to);
                index = index.wrapping_sub(1);
                if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            return found;
        }
        for (axis, place) in self.places[from].iter().enumerate() {
            let mut word = occupied.words[usize::from(place.line)];
            if let Some(freed) = freed.map(|freed| self.places[freed][axis]).filter(|freed| freed.line == place.line) {
                word &= !(1 << freed.position);
            }
            let (down, up) = reach_in(word, place);
            if index < down + up {
                // It skips the vertex itself, which stands between both parts.
                let first = usize::from(place.here) - down;
                return Some(usize::from(self.order[first + index + usize::from(index >= down)]));
            }
            index -= down + up;
        }
        None
    }

    /// Whether a slide from `from` reaches `to`, if `freed` counts as free.
    #[inline]
    pub fn slides(&self, occupied: &Occupancy, from: usize, to: usize, freed: Option<usize>) -> bool {
        for axis in 0..4 {
            let (a, b) = (self.places[from][axis], self.places[to][axis]);
            if a.line != b.line || a.position == b.position {
                continue;
            }
            let mut word = occupied.words[usize::from(a.line)];
            if let Some(place) = freed.map(|freed| self.places[freed][axis]).filter(|place| place.line == a.line) {
                word &= !(1 << place.position);
            }
            // From the neighbour of `from` to `to`, both included.
            let (low, high) =
                if a.position < b.position { (a.position + 1, b.position) } else { (b.position, a.position - 1) };
            if word >> low & ((2 << (high - low)) - 1) == 0 {
                return true;
            }
        }
        self.walks && self.walks_to(occupied, from, to, freed)
    }

    fn walks_to(&self, occupied: &Occupancy, from: usize, to: usize, freed: Option<usize>) -> bool {
        (0..8).any(|direction| {
            let mut here = from;
            for _ in 0..self.limits[from][direction] {
                here = usize::from(self.next[here][direction]);
                if occupied.has(self, here) && freed != Some(here) {
                    return false;
                }
                if here == to {
                    return true;
                }
            }
            false
        })
    }
}

/// Free vertices before and after a place, up to the next occupied one.
#[inline]
fn reach(occupied: &Occupancy, place: &Place) -> (usize, usize) {
    reach_in(occupied.words[usize::from(place.line)], place)
}

#[inline]
fn reach_in(word: u64, place: &Place) -> (usize, usize) {
    // The bits set here are sentinels already; they show the compiler that the words are not zero.
    let down = (word << (64 - place.position) | 1).leading_zeros();
    let up = (word >> (place.position + 1) | 1 << 63).trailing_zeros();
    (down as usize, up as usize)
}

#[inline]
fn gap(occupied: &Occupancy, place: &Place) -> usize {
    let (down, up) = reach(occupied, place);
    down + up
}

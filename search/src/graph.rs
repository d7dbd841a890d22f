//! Steps on any graph, with a word for 64 vertices. The reach of a slide along a line is the difference of two
//! precomputed sets. Each step goes out from the vertices reached last, or in from those left, whichever are fewer.

use crate::board_tables::{BoardTables, Neighbours};
use crate::position::Position;
use crate::sets::{Field, NONE, Set, Two, Words};

/// A set of at most `64 * W` vertices.
type Vertices<const W: usize> = Words<W>;

/// The tables of a board.
#[derive(Debug)]
pub(crate) struct Graph<const W: usize> {
    /// For each place of `Lines::order` and the end, the vertices that stand an odd number of times before it: those
    /// between two places are the difference of two entries.
    before: Vec<Vertices<W>>,
    /// The neighbours of each vertex, and the vertices that it is a neighbour of.
    next: Vec<Vertices<W>>,
    sources: Vec<Vertices<W>>,
}

/// A graph with its pieces.
pub(crate) struct OnGraph<'a, const W: usize> {
    graph: &'a Graph<W>,
    tables: &'a BoardTables,
    position: &'a Position,
    free: Vertices<W>,
}

impl<const W: usize> Graph<W> {
    pub fn new(tables: &BoardTables) -> Graph<W> {
        let sets = |neighbours: &Neighbours| {
            let word = |set: &[u64], word: usize| set.get(word).copied().unwrap_or(0);
            let set = |vertex| Words(std::array::from_fn(|index| word(neighbours.of(vertex), index)));
            (0..tables.num_vertices() as u16).map(set).collect()
        };
        let mut before = vec![Vertices::NONE];
        for (place, &vertex) in tables.lines.order().iter().enumerate() {
            before.push(before[place].xor(Vertices::only(vertex)));
        }
        Graph { before, next: sets(&tables.around), sources: sets(&tables.sources) }
    }
}

impl<'a, const W: usize> OnGraph<'a, W> {
    /// The pieces on a board in a position.
    pub fn new(graph: &'a Graph<W>, tables: &'a BoardTables, position: &'a Position) -> OnGraph<'a, W> {
        let free = Words(std::array::from_fn(|word| position.free.get(word).copied().unwrap_or(0)));
        OnGraph { graph, tables, position, free }
    }

    /// The vertices that a slide from a vertex reaches, and the vertex itself.
    #[inline(always)]
    fn reach(&self, from: u16) -> Vertices<W> {
        let mut reached = Vertices::NONE;
        let before = &self.graph.before;
        let (lines, occupied) = (&self.tables.lines, &self.position.occupied);
        for axis in 0..4 {
            let gap = lines.gap(occupied, from.into(), axis);
            reached = reached.or(before[gap.start].xor(before[gap.end]));
        }
        if lines.walks() {
            lines.each_walk(occupied, from.into(), |to| reached = reached.or(Vertices::only(to as u16)));
        }
        reached
    }

    /// As [`Field::queen_steps`] for one side: out from `from`, or in from `left`, whichever are fewer.
    #[inline(always)]
    fn queen_step(&self, from: Vertices<W>, left: Vertices<W>, distance: u32) -> Vertices<W> {
        let mut reached = Vertices::NONE;
        // Lines lead both ways, walks do not; and a slide ends before a queen.
        if distance > 0 && !self.tables.lines.walks() && left.count() < from.count() {
            for to in left {
                if !self.reach(to).and(from).is_empty() {
                    reached = reached.or(Vertices::only(to));
                }
            }
            return reached;
        }
        for vertex in from {
            reached = reached.or(self.reach(vertex));
        }
        reached.and(left)
    }

    /// As [`Field::king_steps`] for one side.
    #[inline(always)]
    fn king_step(&self, from: Vertices<W>, left: Vertices<W>) -> Vertices<W> {
        let mut reached = Vertices::NONE;
        if left.count() < from.count() {
            for to in left {
                if !self.graph.sources[usize::from(to)].and(from).is_empty() {
                    reached = reached.or(Vertices::only(to));
                }
            }
            return reached;
        }
        for vertex in from {
            reached = reached.or(self.graph.next[usize::from(vertex)]);
        }
        reached.and(left)
    }
}

impl<const W: usize> Field for OnGraph<'_, W> {
    type Both = Two<Vertices<W>>;

    #[inline(always)]
    fn free(&self) -> Self::Both {
        Two([self.free; 2])
    }
    #[inline(always)]
    fn pieces(&self, [a, b]: [u16; 2]) -> Self::Both {
        Two([Vertices::only(a), Vertices::only(b)])
    }
    #[inline(always)]
    fn queen_steps(&self, from: Self::Both, left: Self::Both, distance: u32) -> Self::Both {
        let ([a, b], [c, d]) = (from.0, left.0);
        Two([self.queen_step(a, c, distance), self.queen_step(b, d, distance)])
    }
    #[inline(always)]
    fn king_steps(&self, from: Self::Both, left: Self::Both) -> Self::Both {
        let ([a, b], [c, d]) = (from.0, left.0);
        Two([self.king_step(a, c), self.king_step(b, d)])
    }
}

impl<const W: usize> Vertices<W> {
    const NONE: Vertices<W> = Words([0; W]);

    /// One vertex; none for [`NONE`].
    #[inline(always)]
    fn only(vertex: u16) -> Vertices<W> {
        let mut words = [0; W];
        if vertex == NONE {
            return Words(words);
        }
        words[usize::from(vertex) / 64] = 1 << (vertex % 64);
        Words(words)
    }
}

/// The members of a set, ascending.
pub(crate) struct Members<const W: usize> {
    words: [u64; W],
    word: usize,
}

impl<const W: usize> IntoIterator for Vertices<W> {
    type Item = u16;
    type IntoIter = Members<W>;

    #[inline(always)]
    fn into_iter(self) -> Members<W> {
        Members { words: self.0, word: 0 }
    }
}

impl<const W: usize> Iterator for Members<W> {
    type Item = u16;

    #[inline(always)]
    fn next(&mut self) -> Option<u16> {
        while self.word < W {
            let bits = self.words[self.word];
            if bits != 0 {
                self.words[self.word] = bits & (bits - 1);
                return Some((64 * self.word) as u16 + bits.trailing_zeros() as u16);
            }
            self.word += 1;
        }
        None
    }
}

//! The vertices that each side can ever reach, if it may walk through its own queens; and the regions of one side alone
//! into which these fall.

use crate::board_tables::BoardTables;
use crate::position::Position;

/// The realms of both sides in one position; the memory of one is used for the next.
#[derive(Clone, Debug)]
pub(crate) struct Realms {
    vertices: [Vec<u16>; 2],
    is_in: [Vec<u64>; 2],
    /// Vertices that one side alone reaches, and that are not yet in a region.
    left: Vec<u64>,
    /// The vertices of a region.
    part: Vec<u16>,
    pub are_apart: bool,
}

impl Realms {
    pub fn new(tables: &BoardTables) -> Realms {
        let none = vec![0; tables.around.words()];
        let is_in = [none.clone(), none.clone()];
        Realms { vertices: [Vec::new(), Vec::new()], is_in, left: none, part: Vec::new(), are_apart: false }
    }

    /// Those of a position.
    pub fn find(&mut self, tables: &BoardTables, position: &Position) {
        for side in [0, 1] {
            let (vertices, is_in) = (&mut self.vertices[side], &mut self.is_in[side]);
            vertices.clone_from(&position.queens[side]);
            is_in.fill(0);
            vertices.iter().for_each(|&queen| is_in[usize::from(queen) / 64] |= 1 << (queen % 64));
            let mut done = 0;
            while let Some(&from) = vertices.get(done) {
                done += 1;
                for (word, around) in tables.around.of(from).iter().enumerate() {
                    let new = around & position.free[word] & !is_in[word];
                    is_in[word] |= new;
                    push(vertices, word, new);
                }
            }
        }
        self.are_apart = self.is_in[0].iter().zip(&self.is_in[1]).all(|(a, b)| a & b == 0);
    }

    /// Vertices that a side can come to and that nothing stands on.
    pub fn num_free(&self, position: &Position, side: usize) -> u32 {
        (self.vertices[side].len() - position.queens[side].len()) as u32
    }

    /// Whether the other side would come to a vertex of `side` if nothing stood on it.
    pub fn is_border(&self, tables: &BoardTables, side: usize, vertex: u16) -> bool {
        tables.sources.of(vertex).iter().zip(&self.is_in[1 - side]).any(|(sources, other)| sources & other != 0)
    }

    /// Whether an edge joins the vertex, either way, with what a side can come to.
    pub fn touches(&self, tables: &BoardTables, side: usize, vertex: u16) -> bool {
        let both = tables.around.of(vertex).iter().zip(tables.sources.of(vertex));
        both.zip(&self.is_in[side]).any(|((around, sources), realm)| (around | sources) & realm != 0)
    }

    /// Begins with the regions of a side.
    pub fn begin(&mut self, side: usize) {
        for (word, left) in self.left.iter_mut().enumerate() {
            *left = self.is_in[side][word] & !self.is_in[1 - side][word];
        }
    }

    /// The next region of the side with a queen in it, whichever way its edges lead; see [`Realms::part`].
    pub fn next(&mut self, tables: &BoardTables, queens: &[u16]) -> Option<&[u16]> {
        let is_left = |left: &[u64], vertex: u16| left[usize::from(vertex) / 64] >> (vertex % 64) & 1 == 1;
        let &start = queens.iter().find(|queen| is_left(&self.left, **queen))?;
        self.part.clear();
        self.part.push(start);
        self.left[usize::from(start) / 64] ^= 1 << (start % 64);
        let mut done = 0;
        while let Some(&from) = self.part.get(done) {
            done += 1;
            let both = tables.around.of(from).iter().zip(tables.sources.of(from));
            for (word, (around, sources)) in both.enumerate() {
                let new = (around | sources) & self.left[word];
                self.left[word] ^= new;
                push(&mut self.part, word, new);
            }
        }
        Some(&self.part)
    }

    /// The region found last.
    pub fn part(&self) -> &[u16] {
        &self.part
    }
}

/// Appends the vertices of a word of a set.
fn push(vertices: &mut Vec<u16>, word: usize, mut set: u64) {
    while set != 0 {
        vertices.push((64 * word) as u16 + set.trailing_zeros() as u16);
        set &= set - 1;
    }
}

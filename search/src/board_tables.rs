//! The constants of a match: the lines and neighbours of the board, its place on a grid, and the keys of the hash.

use crate::grid::Grid;
use crate::sets::NONE;
use agon_boards::{BadBoard, Board, Lines, Start};
use agon_games::amazons::Graph;
use agon_games::mix::splitmix64;

/// The tables of a board, worked out once a match.
#[derive(Clone, Debug)]
pub struct BoardTables {
    pub(crate) lines: Lines,
    /// The neighbours of each vertex, ascending by direction, [`NONE`] where there is none.
    pub(crate) next: Vec<[u16; 8]>,
    /// The same, as sets; and the vertices with an edge to each vertex.
    pub(crate) around: Neighbours,
    pub(crate) sources: Neighbours,
    /// Each vertex as a number of the hash, for a queen of side 0, of side 1, and for an arrow.
    pub(crate) keys: Vec<[u64; 3]>,
    pub(crate) grid: Option<Grid>,
    pub(crate) vacated_is_free: bool,
    pub(crate) start: Start,
}

/// The part of the hash that says that side 1 is to move.
pub(crate) const SIDE_KEY: u64 = splitmix64(0);

impl BoardTables {
    /// For a board, and whether the arrow may use the vertex that its queen has left.
    pub fn new(board: &Board, vacated_is_free: bool) -> BoardTables {
        let count = board.num_vertices();
        let mut next = vec![[NONE; 8]; count];
        let (mut around, mut sources) = (Neighbours::none(count), Neighbours::none(count));
        for (from, row) in next.iter_mut().enumerate() {
            for (to, direction) in board.neighbours(from) {
                row[direction.index()] = to as u16;
                around.add(from, to);
                sources.add(to, from);
            }
        }
        let key = |vertex: usize, kind: usize| splitmix64((3 * vertex + kind) as u64 + 1);
        BoardTables {
            lines: Lines::new(board),
            grid: Grid::embed(&next),
            next,
            around,
            sources,
            keys: (0..count).map(|vertex| [0, 1, 2].map(|kind| key(vertex, kind))).collect(),
            vacated_is_free,
            start: Start {
                queens: [0, 1].map(|side| board.queens(side).to_vec()),
                blocked: board.blocked().to_vec(),
                to_move: board.to_move(),
            },
        }
    }

    /// For the board of a setup.
    ///
    /// # Errors
    /// The arrays do not describe a board.
    pub fn from_graph(graph: &Graph) -> Result<BoardTables, BadBoard> {
        Ok(BoardTables::new(&graph.board()?, graph.vacated_is_free))
    }

    pub fn num_vertices(&self) -> usize {
        self.next.len()
    }

    /// Whether the directions of all edges fit a grid of at most 32 x 32 cells, so that evaluation takes the fast path.
    pub fn is_embedded(&self) -> bool {
        self.grid.is_some()
    }
}

/// Sets of vertices, one for each vertex.
#[derive(Clone, Debug)]
pub(crate) struct Neighbours {
    words: usize,
    sets: Vec<u64>,
}

impl Neighbours {
    fn none(vertices: usize) -> Neighbours {
        let words = vertices.div_ceil(64);
        Neighbours { words, sets: vec![0; words * vertices] }
    }

    fn add(&mut self, of: usize, vertex: usize) {
        self.sets[self.words * of + vertex / 64] |= 1 << (vertex % 64);
    }

    /// Words of a set.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Those of a vertex, a bit each.
    #[inline]
    pub fn of(&self, vertex: u16) -> &[u64] {
        let first = self.words * usize::from(vertex);
        &self.sets[first..first + self.words]
    }
}

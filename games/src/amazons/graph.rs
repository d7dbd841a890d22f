//! The way back from a setup to a board: a client's side of the rules, from the plain arrays of its setup.

use super::Prepared;
use agon_boards::{BadBoard, Board, Direction, Draft, Start};

/// A board as a setup has it, in compressed-row form: the edges of vertex v are `row_start[v]..row_start[v + 1]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Graph<'a> {
    /// Vertices, holes included; one less than `row_start` has entries.
    pub num_vertices: usize,
    /// Where the edges of each vertex begin.
    pub row_start: &'a [u32],
    /// Where each edge leads.
    pub targets: &'a [u32],
    /// The direction of each edge, 1 to 8.
    pub directions: &'a [u8],
    /// The queens of each side.
    pub queens: [&'a [u32]; 2],
    /// Vertices that are blocked from the start.
    pub blocked: &'a [u32],
    /// The side that makes the first move.
    pub side_to_move: usize,
    /// Whether the arrow may pass and hit the vertex that its queen has just left.
    pub vacated_is_free: bool,
}

impl Graph<'_> {
    /// Makes the board, without names and pictures.
    ///
    /// # Errors
    /// The arrays do not describe a board.
    pub fn board(&self) -> Result<Board, BadBoard> {
        let mut draft = Draft::graph(self.num_vertices)?;
        let broken = || BadBoard { why: "the arrays of the graph do not fit together".to_owned(), place: None };
        for (from, ends) in self.row_start.windows(2).enumerate() {
            for edge in ends[0] as usize..ends[1] as usize {
                let target = *self.targets.get(edge).ok_or_else(broken)? as usize;
                let code = *self.directions.get(edge).ok_or_else(broken)?;
                let direction = Direction::from_code(code).ok_or_else(broken)?;
                if from >= self.num_vertices || target >= self.num_vertices {
                    return Err(broken());
                }
                draft.connect(from, target, direction)?;
            }
        }
        draft.start = Start {
            queens: self.queens.map(<[u32]>::to_vec),
            blocked: self.blocked.to_vec(),
            to_move: self.side_to_move,
        };
        draft.finish()
    }
}

impl Prepared {
    /// Makes the setting of a graph, without names and pictures but with the same rules.
    ///
    /// # Errors
    /// The arrays do not describe a board.
    pub fn from_graph(graph: &Graph) -> Result<Prepared, BadBoard> {
        Ok(Prepared::new(graph.board()?, graph.vacated_is_free))
    }
}

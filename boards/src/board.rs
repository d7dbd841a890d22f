//! The board: a sparse matrix of directions, the grid it is drawn on, and what stands on it at the start.

use crate::{BadBoard, Direction, Start};
use sprs::CsMat;
use std::collections::BTreeMap;

/// A board, complete and consistent.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    pub(crate) title: String,
    pub(crate) start: Start,
    pub(crate) coordinates: Option<Vec<[i32; 2]>>,
    columns: usize,
    rows: usize,
    exists: Vec<bool>,
    matrix: CsMat<u8>,
}

impl Board {
    pub(crate) fn from_draft(
        columns: usize,
        rows: usize,
        exists: Vec<bool>,
        edges: &[BTreeMap<usize, Direction>],
        fill: impl FnOnce(&mut Board),
    ) -> Result<Board, BadBoard> {
        let (mut starts, mut targets, mut directions) = (vec![0], Vec::new(), Vec::new());
        for row in edges {
            targets.extend(row.keys().copied());
            directions.extend(row.values().map(|direction| direction.code()));
            starts.push(targets.len());
        }
        let size = (exists.len(), exists.len());
        let matrix = CsMat::try_new(size, starts, targets, directions)
            .map_err(|(.., error)| BadBoard::new(format!("the edges are no matrix: {error}")))?;
        let mut board =
            Board { title: String::new(), start: Start::default(), coordinates: None, columns, rows, exists, matrix };
        fill(&mut board);
        Ok(board)
    }

    /// What people call it.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Entry (i, j) = d, 1 to 8: j is the neighbour of i in direction d. In compressed-row form, columns ascending.
    pub fn matrix(&self) -> &CsMat<u8> {
        &self.matrix
    }

    /// Vertices, holes included; at most [`crate::MAX_VERTICES`].
    pub fn num_vertices(&self) -> usize {
        self.exists.len()
    }

    /// Directed edges.
    pub fn num_edges(&self) -> usize {
        self.matrix.nnz()
    }

    /// Columns of the grid, 0 if there is none. Vertex = row * columns + column, row 0 on top.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Rows of the grid, 0 if there is none.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Whether vertices have a row and a column.
    pub fn is_grid(&self) -> bool {
        self.columns > 0
    }

    /// Whether the vertex is a hole of the grid: nothing is ever there.
    pub fn is_hole(&self, vertex: usize) -> bool {
        !self.exists[vertex]
    }

    /// The queens of a side, 0 or 1, at the start; ascending.
    pub fn queens(&self, side: usize) -> &[u32] {
        &self.start.queens[side]
    }

    /// Blocked from the start; ascending.
    pub fn blocked(&self) -> &[u32] {
        &self.start.blocked
    }

    /// The side that moves first, 0 or 1.
    pub fn to_move(&self) -> usize {
        self.start.to_move
    }

    /// Where each vertex is drawn: x and y, thousandths of a cell, y downwards.
    pub fn coordinates(&self) -> Option<&[[i32; 2]]> {
        self.coordinates.as_deref()
    }

    /// The neighbours of a vertex with their directions, ascending.
    pub fn neighbours(&self, vertex: usize) -> impl Iterator<Item = (usize, Direction)> + '_ {
        let row = self.matrix.indptr().outer_inds_sz(vertex);
        let entries = self.matrix.indices()[row.clone()].iter().zip(&self.matrix.data()[row]);
        entries.filter_map(|(&to, &code)| Some((to, Direction::from_code(code)?)))
    }

    /// The neighbour of a vertex in a direction.
    pub fn neighbour(&self, vertex: usize, direction: Direction) -> Option<usize> {
        self.neighbours(vertex).find(|&(_, found)| found == direction).map(|(to, _)| to)
    }

    /// Whether some edge has no edge back in the opposite direction.
    pub fn has_one_way(&self) -> bool {
        (0..self.num_vertices()).any(|from| {
            self.neighbours(from).any(|(to, direction)| self.neighbour(to, direction.opposite()) != Some(from))
        })
    }
}

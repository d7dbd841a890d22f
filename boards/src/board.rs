//! The board: a sparse matrix of directions, the grid on which it is drawn, and its start.

use crate::{Direction, Matrix, Start};
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
    matrix: Matrix,
}

impl Board {
    pub(crate) fn from_draft(
        columns: usize,
        rows: usize,
        exists: Vec<bool>,
        edges: &[BTreeMap<usize, Direction>],
        fill: impl FnOnce(&mut Board),
    ) -> Board {
        let (title, start, matrix) = (String::new(), Start::default(), Matrix::from_rows(edges));
        let mut board = Board { title, start, coordinates: None, columns, rows, exists, matrix };
        fill(&mut board);
        board
    }

    /// Its name for people.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The matrix of its edges.
    pub fn matrix(&self) -> &Matrix {
        &self.matrix
    }

    /// The number of vertices, including holes; at most [`crate::MAX_VERTICES`].
    pub fn num_vertices(&self) -> usize {
        self.exists.len()
    }

    /// The number of directed edges.
    pub fn num_edges(&self) -> usize {
        self.matrix.targets().len()
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

    /// Whether the vertex is a hole of the grid, where no piece ever stands.
    pub fn is_hole(&self, vertex: usize) -> bool {
        !self.exists[vertex]
    }

    /// The queens of a side, 0 or 1, at the start; ascending.
    pub fn queens(&self, side: usize) -> &[u32] {
        &self.start.queens[side]
    }

    /// The vertices that are blocked from the start; ascending.
    pub fn blocked(&self) -> &[u32] {
        &self.start.blocked
    }

    /// The side that moves first, 0 or 1.
    pub fn to_move(&self) -> usize {
        self.start.to_move
    }

    /// Where each vertex is drawn: x and y, thousandths of a square, y downwards.
    pub fn coordinates(&self) -> Option<&[[i32; 2]]> {
        self.coordinates.as_deref()
    }

    /// The neighbours of a vertex with their directions, ascending.
    pub fn neighbours(&self, vertex: usize) -> impl Iterator<Item = (usize, Direction)> + '_ {
        self.matrix.row(vertex).filter_map(|(to, code)| Some((to, Direction::from_code(code)?)))
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

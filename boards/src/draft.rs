//! A board under construction: edges are added and removed one by one, and impossible ones are refused with the reason.

use crate::{BadBoard, Board, Diagonals, Direction, Start};
use std::collections::BTreeMap;

/// The most vertices a board may have.
pub const MAX_VERTICES: usize = 4096;

/// A board under construction.
#[derive(Clone, Debug)]
pub struct Draft {
    columns: usize,
    rows: usize,
    exists: Vec<bool>,
    edges: Vec<BTreeMap<usize, Direction>>,
    /// Its name for people.
    pub title: String,
    /// The pieces at the start, and the side to move.
    pub start: Start,
    /// Where each vertex is drawn: x and y, thousandths of a square, y downwards.
    pub coordinates: Option<Vec<[i32; 2]>>,
}

impl Draft {
    /// Begins a graph that is not a grid, without edges.
    ///
    /// # Errors
    /// The number of vertices is not from 1 to 4096.
    pub fn graph(num_vertices: usize) -> Result<Draft, BadBoard> {
        if !(1..=MAX_VERTICES).contains(&num_vertices) {
            return Err(BadBoard::new(format!("a board has 1 to {MAX_VERTICES} vertices, not {num_vertices}")));
        }
        Ok(Draft {
            columns: 0,
            rows: 0,
            exists: vec![true; num_vertices],
            edges: vec![BTreeMap::new(); num_vertices],
            title: String::new(),
            start: Start::default(),
            coordinates: None,
        })
    }

    /// Begins a grid with all king steps between its squares; `exists` has an entry for each square, row by row from
    /// the top.
    ///
    /// # Errors
    /// The number of squares is not from 1 to 4096, or differs from the number of entries.
    pub fn grid(columns: usize, exists: Vec<bool>, diagonals: Diagonals) -> Result<Draft, BadBoard> {
        let mut draft = Draft::graph(exists.len())?;
        if columns == 0 || !exists.len().is_multiple_of(columns) {
            return Err(BadBoard::new(format!("{} squares do not make rows of {columns}", exists.len())));
        }
        (draft.columns, draft.rows, draft.exists) = (columns, exists.len() / columns, exists);
        for from in 0..draft.exists.len() {
            for direction in Direction::ALL {
                if let Some(to) = draft.king_step(from, direction, diagonals) {
                    draft.edges[from].insert(to, direction);
                }
            }
        }
        Ok(draft)
    }

    fn king_step(&self, from: usize, direction: Direction, diagonals: Diagonals) -> Option<usize> {
        let (right, down) = direction.step();
        let to = self.cell(from, right, down)?;
        let sides = [self.cell(from, right, 0), self.cell(from, 0, down)];
        let cut = diagonals == Diagonals::Cut && direction.is_diagonal() && sides.contains(&None);
        (self.exists[from] && !cut).then_some(to)
    }

    /// The square at this distance to the right and down; `None` outside and for a hole.
    fn cell(&self, from: usize, right: isize, down: isize) -> Option<usize> {
        let column = (from % self.columns).checked_add_signed(right).filter(|&column| column < self.columns)?;
        let row = (from / self.columns).checked_add_signed(down).filter(|&row| row < self.rows)?;
        Some(row * self.columns + column).filter(|&to| self.exists[to])
    }

    /// Columns of the grid, 0 without one.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Rows of the grid, 0 without one.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of vertices, including holes.
    pub fn num_vertices(&self) -> usize {
        self.exists.len()
    }

    /// The edges of each vertex.
    pub(crate) fn edges(&self) -> &Vec<BTreeMap<usize, Direction>> {
        &self.edges
    }

    /// Whether the square was drawn as a hole.
    pub fn is_hole(&self, vertex: usize) -> bool {
        !self.exists[vertex]
    }

    /// Adds an edge one way.
    ///
    /// # Errors
    /// A hole, a vertex joined to itself, two targets in one direction, or two directions to one target.
    pub fn connect(&mut self, from: usize, to: usize, direction: Direction) -> Result<(), BadBoard> {
        let (a, b) = (self.name(from), self.name(to));
        if let Some(hole) = [from, to].into_iter().find(|&vertex| self.is_hole(vertex)) {
            return Err(BadBoard::new(format!("{} is a hole and can have no edge", self.name(hole))));
        }
        if from == to {
            return Err(BadBoard::new(format!("{a} cannot be its own neighbour")));
        }
        if let Some((&other, _)) = self.edges[from].iter().find(|&(_, &found)| found == direction) {
            let other = self.name(other);
            let why =
                format!("{a} already has {other} as its neighbour in direction {direction:?}; cut that edge first");
            return Err(BadBoard::new(why));
        }
        if let Some(other) = self.edges[from].get(&to) {
            return Err(BadBoard::new(format!(
                "{b} already is the neighbour of {a} in direction {other:?}; cut that edge first"
            )));
        }
        self.edges[from].insert(to, direction);
        Ok(())
    }

    /// Removes an edge one way.
    ///
    /// # Errors
    /// There is no such edge.
    pub fn cut(&mut self, from: usize, to: usize) -> Result<(), BadBoard> {
        if self.edges[from].remove(&to).is_none() {
            return Err(BadBoard::new(format!("there is no edge from {} to {}", self.name(from), self.name(to))));
        }
        Ok(())
    }

    /// Finishes the board.
    ///
    /// # Errors
    /// Queens or blocked vertices do not exist, lie on a hole or coincide; or sides have unequal numbers of queens, or
    /// none.
    pub fn finish(self) -> Result<Board, BadBoard> {
        self.start.check(&self.exists, |vertex| self.name(vertex))?;
        if self.coordinates.as_ref().is_some_and(|all| all.len() != self.exists.len()) {
            let count = self.exists.len();
            return Err(BadBoard::new(format!("coordinates need one pair for each of the {count} vertices")));
        }
        Ok(self.build())
    }

    /// Makes the board without a check of its start.
    pub(crate) fn build(self) -> Board {
        Board::from_draft(self.columns, self.rows, self.exists, &self.edges, |board| {
            board.title = self.title;
            board.start = self.start.sorted();
            board.coordinates = self.coordinates;
        })
    }
}

//! The sparse matrix of a board in compressed rows.

use crate::Direction;
use std::collections::BTreeMap;

/// Entry (i, j) = d, 1 to 8: vertex j is the neighbour of vertex i in direction d.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    row_start: Vec<u32>,
    targets: Vec<u32>,
    directions: Vec<u8>,
}

impl Matrix {
    /// From the neighbours of each vertex; there are at most 8 of each of [`crate::MAX_VERTICES`].
    pub(crate) fn from_rows(rows: &[BTreeMap<usize, Direction>]) -> Matrix {
        let mut matrix = Matrix { row_start: vec![0], targets: Vec::new(), directions: Vec::new() };
        for row in rows {
            matrix.targets.extend(row.keys().map(|&target| target as u32));
            matrix.directions.extend(row.values().map(|direction| direction.code()));
            matrix.row_start.push(matrix.targets.len() as u32);
        }
        matrix
    }

    /// Where each row begins in the other two lists, and where the last row ends: one number more than vertices.
    pub fn row_start(&self) -> &[u32] {
        &self.row_start
    }

    /// The columns of all entries, row after row, ascending in each row.
    pub fn targets(&self) -> &[u32] {
        &self.targets
    }

    /// The values of all entries, 1 to 8, in the order of `targets`.
    pub fn directions(&self) -> &[u8] {
        &self.directions
    }

    /// The entries of a row, columns ascending.
    pub fn row(&self, vertex: usize) -> impl Iterator<Item = (usize, u8)> + '_ {
        let range = self.row_start[vertex] as usize..self.row_start[vertex + 1] as usize;
        let entries = self.targets[range.clone()].iter().zip(&self.directions[range]);
        entries.map(|(&target, &direction)| (target as usize, direction))
    }

    /// Rows, which are as many as columns.
    pub fn num_rows(&self) -> usize {
        self.row_start.len() - 1
    }
}

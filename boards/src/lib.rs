//! Boards as labelled graphs: entry (i, j) = d of a sparse matrix means that j is the neighbour of i in direction d.
//!
//! [`parse`] turns a spec (`square:10`, `standard-10`, the text of a map file) into a [`Board`]; [`Lines`] answers how
//! far a piece slides on it. The only rule of a game here is "slide in one direction over free vertices".

mod board;
mod chains;
mod check;
mod direction;
mod draft;
mod lines;
mod map;
mod map_file;
mod map_text;
mod matrix;
mod matrix_market;
mod names;
mod occupancy;
mod picture;
mod placement;
mod shape;
mod spec;
mod start;
mod walk;

pub use board::Board;
pub use check::Warning;
pub use direction::Direction;
pub use draft::{Draft, MAX_VERTICES};
pub use lines::Lines;
pub use map::{LineColumn, Map};
pub use matrix::Matrix;
pub use names::column_name;
pub use occupancy::Occupancy;
pub use placement::{Placement, queens};
pub use shape::{Diagonals, MAX_WIDTH, MIN_WIDTH, Shape};
pub use spec::{MAPS, parse};
pub use start::Start;
pub use walk::walk;

/// Why a spec, a map or a graph is not a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadBoard {
    /// The mistake and its correction.
    pub why: String,
    /// Line and column, from 1, where it stands in the text of a map.
    pub place: Option<(usize, usize)>,
}

impl BadBoard {
    /// An error without a place.
    pub fn new(why: impl Into<String>) -> BadBoard {
        BadBoard { why: why.into(), place: None }
    }
}

impl std::fmt::Display for BadBoard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some((line, column)) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.why)
    }
}

impl std::error::Error for BadBoard {}

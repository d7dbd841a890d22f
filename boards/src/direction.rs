//! The eight directions that label the edges of a board.

/// A direction; its code is the entry of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Direction {
    N = 1,
    NE = 2,
    E = 3,
    SE = 4,
    S = 5,
    SW = 6,
    W = 7,
    NW = 8,
}

impl Direction {
    /// All directions in the order of their codes; the opposite of the first four are the last four.
    pub const ALL: [Direction; 8] = {
        use Direction::*;
        [N, NE, E, SE, S, SW, W, NW]
    };

    /// The code, from 1 to 8.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The index, from 0 to 7.
    pub fn index(self) -> usize {
        self as usize - 1
    }

    pub fn opposite(self) -> Direction {
        Direction::ALL[(self.index() + 4) % 8]
    }

    /// Columns to the right and rows down of one step on a grid.
    pub fn step(self) -> (isize, isize) {
        [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)][self.index()]
    }

    /// Whether a step changes both row and column.
    pub fn is_diagonal(self) -> bool {
        self.index() % 2 == 1
    }

    /// The direction of a code; `None` unless 1 to 8.
    pub fn from_code(code: u8) -> Option<Direction> {
        Direction::ALL.get(usize::from(code).checked_sub(1)?).copied()
    }

    /// The direction with this name: `N`, `NE`, ….
    pub fn from_name(name: &str) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| format!("{direction:?}") == name)
    }
}

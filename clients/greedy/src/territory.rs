//! The worth of a position: the vertices that a side's queens reach in fewer moves than the other's, and their
//! mobility.

use agon_client_api::amazons::Board;

const UNREACHED: u8 = u8::MAX;

/// From the view of one side; compared field by field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Worth {
    /// Vertices nearer to this side, less those nearer to the other.
    pub territory: i32,
    /// Slides of this side's queens, less those of the other.
    pub mobility: i32,
}

impl Worth {
    /// Less than any position's.
    pub const LEAST: Worth = Worth { territory: i32::MIN, mobility: i32::MIN };
}

/// Evaluates positions, and keeps the memory for it.
pub struct Judge {
    distances: [Vec<u8>; 2],
    queue: Vec<u32>,
}

impl Judge {
    /// For positions on this board.
    pub fn new(board: &Board) -> Judge {
        let n = board.num_vertices();
        Judge { distances: [vec![0; n], vec![0; n]], queue: Vec::with_capacity(n) }
    }

    /// The worth of a position to a side.
    pub fn worth(&mut self, board: &Board, side: usize) -> Worth {
        let mobility = self.measure(board, side) - self.measure(board, 1 - side);
        let [mine, theirs] = [&self.distances[side], &self.distances[1 - side]];
        let territory =
            mine.iter().zip(theirs).map(|(mine, theirs)| i32::from(mine < theirs) - i32::from(mine > theirs));
        Worth { territory: territory.sum(), mobility }
    }

    /// Fills in how many moves a side's queens need to each vertex; returns how many vertices they reach in one, each
    /// queen counted.
    fn measure(&mut self, board: &Board, side: usize) -> i32 {
        let distances = &mut self.distances[side];
        distances.fill(UNREACHED);
        self.queue.clear();
        let mut mobility = 0;
        for &queen in board.queens(side) {
            for to in board.slides(queen) {
                mobility += 1;
                if distances[to as usize] == UNREACHED {
                    distances[to as usize] = 1;
                    self.queue.push(to);
                }
            }
        }
        let mut done = 0;
        while let Some(&from) = self.queue.get(done) {
            done += 1;
            let next = distances[from as usize].saturating_add(1).min(UNREACHED - 1);
            for to in board.slides(from) {
                if distances[to as usize] == UNREACHED {
                    distances[to as usize] = next;
                    self.queue.push(to);
                }
            }
        }
        mobility
    }
}

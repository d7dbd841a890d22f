//! The board as the strategies see it: which cards are left in each line, as bits and as counts, so that the cards
//! within reach and the best of them are found without a scan.

use agon_client_api::tirs_croises::{Move, Turn};

/// Most rows and columns.
pub const MAX_SIZE: usize = 20;
/// Room for every cell: the cell in column x and row y, both from 0, is `y * 20 + x`.
pub const CELLS: usize = MAX_SIZE * MAX_SIZE;

/// A cell by its number.
pub type Cell = u16;

/// How many cards of each value: six bits a value, and bit 0 for "none".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counts(u64);

impl Counts {
    const NONE: Counts = Counts(1);

    fn one(value: u8) -> u64 {
        1 << (6 * u32::from(value))
    }

    fn with(self, value: u8) -> Counts {
        Counts(self.0 + Counts::one(value))
    }

    fn without(self, value: u8) -> Counts {
        Counts(self.0 - Counts::one(value))
    }

    /// The highest value in either; 0 if there is no card.
    fn highest(self, other: Counts) -> u8 {
        ((63 - (self.0 | other.0).leading_zeros()) / 6) as u8
    }
}

/// The cells left on a board, and the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The values of all cells, those that were taken included.
    values: [u8; CELLS],
    cursor: Option<Cell>,
    /// Bit x of `rows[y]`, and bit y of `columns[x]`: there is a card.
    rows: [u32; MAX_SIZE],
    columns: [u32; MAX_SIZE],
    in_rows: [Counts; MAX_SIZE],
    in_columns: [Counts; MAX_SIZE],
}

fn column(cell: Cell) -> usize {
    usize::from(cell) % MAX_SIZE
}

fn row(cell: Cell) -> usize {
    usize::from(cell) / MAX_SIZE
}

/// The places of the bits that are set, from the lowest.
fn ones(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (place < u32::BITS).then_some(place as usize)
    })
}

impl Board {
    /// As it stands in a turn.
    pub fn new(turn: &Turn) -> Board {
        Board::from_values(&turn.facts.values, turn.cursor())
    }

    /// From values by row and column, 0 where there is no card, and the cursor.
    pub fn from_values(values: &[[u8; MAX_SIZE]; MAX_SIZE], cursor: Option<Move>) -> Board {
        let mut board = Board {
            values: [0; CELLS],
            cursor: cursor.map(|at| cell(at.x, at.y)),
            rows: [0; MAX_SIZE],
            columns: [0; MAX_SIZE],
            in_rows: [Counts::NONE; MAX_SIZE],
            in_columns: [Counts::NONE; MAX_SIZE],
        };
        for (cell, value) in (0..).zip(values.as_flattened()).filter(|(_, value)| **value > 0) {
            board.values[usize::from(cell)] = (*value).min(9);
            board.put(cell);
        }
        board
    }

    /// The value of a cell, taken or not.
    pub fn value(&self, cell: Cell) -> u8 {
        self.values[usize::from(cell)]
    }

    /// The cards within reach: the cursor's row from left to right, then its column from top to bottom; without a
    /// cursor all cards, row by row.
    pub fn reach(&self) -> impl Iterator<Item = Cell> {
        let (rows, x) = self.cursor.map_or((0..MAX_SIZE, None), |at| (row(at)..row(at) + 1, Some(column(at))));
        let in_rows = rows.flat_map(|y| ones(self.rows[y]).map(move |x| y * MAX_SIZE + x));
        let in_column = x.into_iter().flat_map(|x| ones(self.columns[x]).map(move |y| y * MAX_SIZE + x));
        in_rows.chain(in_column).map(|cell| cell as Cell)
    }

    /// The highest value within reach, 0 if there is none. There must be a cursor.
    pub fn best(&self) -> u8 {
        self.cursor.map_or(0, |at| self.in_rows[row(at)].highest(self.in_columns[column(at)]))
    }

    /// The highest value that the next player finds within reach of `cell`, once it is taken; 0 if none.
    pub fn best_reply(&self, cell: Cell) -> u8 {
        let value = self.value(cell);
        self.in_rows[row(cell)].without(value).highest(self.in_columns[column(cell)].without(value))
    }

    /// Takes a card that is there, and returns where the cursor was.
    pub fn take(&mut self, cell: Cell) -> Option<Cell> {
        let (x, y, value) = (column(cell), row(cell), self.value(cell));
        self.rows[y] ^= 1 << x;
        self.columns[x] ^= 1 << y;
        self.in_rows[y] = self.in_rows[y].without(value);
        self.in_columns[x] = self.in_columns[x].without(value);
        self.cursor.replace(cell)
    }

    /// Undoes `take`, which returned `cursor`.
    pub fn put_back(&mut self, cell: Cell, cursor: Option<Cell>) {
        self.put(cell);
        self.cursor = cursor;
    }

    fn put(&mut self, cell: Cell) {
        let (x, y, value) = (column(cell), row(cell), self.value(cell));
        self.rows[y] ^= 1 << x;
        self.columns[x] ^= 1 << y;
        self.in_rows[y] = self.in_rows[y].with(value);
        self.in_columns[x] = self.in_columns[x].with(value);
    }
}

/// The number of a cell, by column and row from 1.
pub fn cell(x: u8, y: u8) -> Cell {
    (usize::from(y) * MAX_SIZE + usize::from(x) - MAX_SIZE - 1) as Cell
}

/// The move that takes a cell.
pub fn to_move(cell: Cell) -> Move {
    Move { x: column(cell) as u8 + 1, y: row(cell) as u8 + 1 }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::cards::Values;
    use agon_client_api::chance::{below, rng};

    /// The example of the course, with the cursor on (2,1).
    pub const EXAMPLE: &str = "7#456/15857/45691/43262/99873";

    /// A cell by column and row from 1.
    pub fn at(x: u8, y: u8) -> Cell {
        cell(x, y)
    }

    /// Values and the cursor by rows of digits, `#` for the cursor.
    pub fn read(text: &str) -> (Values, Option<Move>) {
        let (mut values, mut cursor) = ([[0; MAX_SIZE]; MAX_SIZE], None);
        for (y, row) in text.split('/').enumerate() {
            for (x, character) in row.chars().enumerate() {
                match character.to_digit(10) {
                    Some(digit) => values[y][x] = digit as u8,
                    None if character == '.' => {}
                    None => cursor = Some(Move { x: x as u8 + 1, y: y as u8 + 1 }),
                }
            }
        }
        (values, cursor)
    }

    /// Values and the cursor as matches begin with.
    pub fn random(size: usize, seed: u64) -> (Values, Option<Move>) {
        let mut rng = rng(seed);
        let mut values = [[0; MAX_SIZE]; MAX_SIZE];
        values[..size].iter_mut().for_each(|row| row[..size].fill_with(|| 1 + below(&mut rng, 9) as u8));
        let (x, y) = (below(&mut rng, size as u64) as usize, below(&mut rng, size as u64) as usize);
        values[y][x] = 0;
        (values, Some(Move { x: x as u8 + 1, y: y as u8 + 1 }))
    }

    fn board((values, cursor): (Values, Option<Move>)) -> Board {
        Board::from_values(&values, cursor)
    }

    #[test]
    fn cells_are_listed_row_first() {
        let cells: Vec<_> = board(read(EXAMPLE)).reach().map(to_move).map(|Move { x, y }| (x, y)).collect();
        assert_eq!(cells, [(1, 1), (3, 1), (4, 1), (5, 1), (2, 2), (2, 3), (2, 4), (2, 5)]);
    }

    #[test]
    fn counts_follow_the_cards_and_back() {
        for seed in 0..50 {
            let mut board = board(random(4 + seed as usize % 17, seed));
            let mut rng = rng(seed);
            let mut undo = vec![];
            loop {
                let cells: Vec<_> = board.reach().collect();
                let values = |cells: &[Cell], without| {
                    cells.iter().filter(|cell| **cell != without).map(|cell| board.value(*cell)).max().unwrap_or(0)
                };
                assert_eq!(board.best(), values(&cells, Cell::MAX));
                let Some(&cell) = cells.get(below(&mut rng, cells.len().max(1) as u64) as usize) else { break };
                let (reply, before) = (board.best_reply(cell), board.clone());
                let cursor = board.take(cell);
                assert_eq!(reply, board.best());
                undo.push((cell, cursor, before));
            }
            for (cell, cursor, before) in undo.into_iter().rev() {
                board.put_back(cell, cursor);
                assert_eq!(board, before);
            }
        }
    }
}

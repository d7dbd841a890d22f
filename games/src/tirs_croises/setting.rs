//! The options of Tirs Croisés, worked out: size, the start of a match, and a board that is given as text.

use super::abi::{ANYWHERE, CURSOR, Move};
use super::grid::{Grid, MAX_SIZE, MIN_SIZE};
use crate::{BadOption, OptionFact, Options, Said};

/// The options worked out; see [`OPTIONS`].
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(super) size: u8,
    /// The start of a match: `CURSOR` or `ANYWHERE`.
    pub(super) start: u8,
    /// The board of all matches; `None` draws one for each opening.
    pub(super) board: Option<Grid>,
}

const DEFAULT_SIZE: &str = "8";

/// The options of the game.
pub(super) const OPTIONS: &[OptionFact] = &[
    OptionFact {
        key: "size",
        default: DEFAULT_SIZE,
        help: "rows and columns of a board that is drawn, 4 to 20",
        example: "size=4",
        asked: Some(Said::new("Size of the board (4 to 20)", "Taille du plateau (4 à 20)")),
        ..OptionFact::BASE
    },
    OptionFact {
        key: "start",
        default: "cursor",
        help: "cursor = a cursor is on the board; anywhere = the first player takes any card of the board",
        example: "start=anywhere",
        ..OptionFact::BASE
    },
    OptionFact {
        key: "board",
        default: "drawn",
        help: "drawn = at random for each opening; else a file with rows of digits 1 to 9 and # for the cursor, \
               or the same here with / between the rows",
        example: "board=12#4/5678/9123/4567",
        may_be_file: true,
        ..OptionFact::BASE
    },
];

impl Prepared {
    pub(super) fn from_options(options: &Options) -> Result<Prepared, BadOption> {
        let bounds = MIN_SIZE as i64..=MAX_SIZE as i64;
        let size = options.number("size", bounds)? as u8;
        let start = options.choice("start", &[("cursor", CURSOR), ("anywhere", ANYWHERE)])?;
        let text = options.get("board").unwrap_or_default();
        if text == "drawn" {
            return Ok(Prepared { size, start, board: None });
        }
        let board = read(text, start)?;
        // The default may stand next to any board; every other size was meant.
        if DEFAULT_SIZE.parse() != Ok(size) && size != board.size {
            let why = format!("{size} contradicts a board of {} rows; leave it out", board.size);
            return Err(BadOption::new("size", why));
        }
        Ok(Prepared { size: board.size, start, board: Some(board) })
    }
}

/// Line and column of a text, from 1.
type LineColumn = (usize, usize);

/// A board during reading.
#[derive(Default)]
struct Reader {
    rows: Vec<Vec<u8>>,
    /// The row that is being read.
    row: Vec<u8>,
    /// The place where the row begins.
    begin: LineColumn,
    cursor: Option<Move>,
}

/// Reads a board from text: a row on each line, or between two `/`; blanks do not count.
fn read(text: &str, start: u8) -> Result<Grid, BadOption> {
    let mut reader = Reader::default();
    let mut end = (1, 1);
    for (line, text) in text.lines().enumerate() {
        for (column, character) in text.chars().enumerate() {
            reader.add(character, start, (line + 1, column + 1))?;
        }
        end = (line + 1, text.chars().count() + 1);
        reader.end_row()?;
    }
    let size = reader.rows.len();
    if size < MIN_SIZE || size < reader.rows[0].len() {
        let columns = reader.rows.first().map_or(MIN_SIZE, |row| row.len().max(MIN_SIZE));
        return Err(wrong(end, format!("the board ends after {size} rows; it needs {columns}")));
    }
    if start == CURSOR && reader.cursor.is_none() {
        return Err(wrong(end, "the board has no cursor: put # where cards are first taken from"));
    }
    let mut grid = Grid { size: size as u8, values: [[0; MAX_SIZE]; MAX_SIZE], cursor: reader.cursor };
    for (to, from) in grid.values.iter_mut().zip(&reader.rows) {
        to[..size].copy_from_slice(from);
    }
    Ok(grid)
}

impl Reader {
    fn add(&mut self, character: char, start: u8, at: LineColumn) -> Result<(), BadOption> {
        let value = match character {
            '/' => return self.end_row(),
            blank if blank.is_whitespace() => return Ok(()),
            '1'..='9' => character as u8 - b'0',
            '#' if start == ANYWHERE => {
                return Err(wrong(at, "with start = anywhere there is no cursor: write a digit here"));
            }
            '#' if self.cursor.is_some() => return Err(wrong(at, "a second cursor; there is one on a board")),
            '#' => 0,
            other => {
                let form = "a board is rows of digits, in a file or with / between them";
                return Err(wrong(at, format!("'{other}' is neither a digit from 1 to 9 nor the cursor #; {form}")));
            }
        };
        if self.row.is_empty() {
            self.begin = at;
        }
        let columns = self.rows.first().map_or(MAX_SIZE, Vec::len);
        if self.row.len() == columns {
            return Err(wrong(at, format!("a square too many: this row may have {columns}")));
        }
        if self.rows.len() == columns {
            return Err(wrong(at, format!("a row too many: the board has {columns} columns and needs as many rows")));
        }
        self.row.push(value);
        if value == 0 {
            self.cursor = Some(Move { x: self.row.len() as u8, y: self.rows.len() as u8 + 1 });
        }
        Ok(())
    }

    fn end_row(&mut self) -> Result<(), BadOption> {
        let cells = self.row.len();
        if cells == 0 {
            return Ok(());
        }
        let columns = self.rows.first().map_or(cells.max(MIN_SIZE), Vec::len);
        if cells < columns {
            return Err(wrong(self.begin, format!("this row has {cells} squares; it needs {columns}")));
        }
        self.rows.push(std::mem::take(&mut self.row));
        Ok(())
    }
}

fn wrong(at: LineColumn, why: impl Into<String>) -> BadOption {
    BadOption { place: Some(at), ..BadOption::new("board", why) }
}

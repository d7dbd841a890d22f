//! A file of openings: the known moves of each position, sorted by position and checked.
//!
//! The head of 32 bytes contains 16 that name the format, a check of all that follows, and the counts of boards and of
//! rows. Eight bytes for each board follow, and 22 for each row. A row is the key of the position, the move's value in
//! thousandths of a vertex, the number of lines that go on with it, and from, to and arrow. All numbers are
//! little-endian.

use crate::position::Move;
use agon_games::mix::splitmix64;

const MAGIC: &[u8; 16] = b"agon openings v1";
/// Bytes of the magic that hold for every version.
const ANY_VERSION: usize = 15;
const HEAD: usize = 32;
const BOARD: usize = 8;
const ROW: usize = 22;
/// The largest file: all of it is read at the start of a match.
const MOST_BYTES: usize = 16 << 20;

/// Such a file, mapped or read.
#[derive(Clone, Copy, Debug)]
pub struct BookFile<'a> {
    boards: &'a [u8],
    rows: &'a [u8],
}

/// A move of a position, as the file has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The key of the position.
    pub key: u64,
    /// The move's value for its side, thousandths of a vertex, or from `CERTAIN` on.
    pub value: i32,
    /// How many lines go on with it.
    pub lines: u32,
    /// The move, as all positions that are alike have it.
    pub mv: Move,
}

/// Why a file is useless, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadBook(String);

impl BadBook {
    pub(crate) fn new(what: &str) -> BadBook {
        BadBook(format!("{what}; help: make it anew or copy it again, or leave it out (docs/guides/openings.md)"))
    }
}

impl std::fmt::Display for BadBook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadBook {}

impl<'a> BookFile<'a> {
    /// Looks at all of it.
    ///
    /// # Errors
    /// The file has another format or version, or is too large, cut off, or damaged.
    pub fn open(bytes: &'a [u8]) -> Result<BookFile<'a>, BadBook> {
        let head = bytes.get(..HEAD).filter(|head| head.starts_with(&MAGIC[..ANY_VERSION]));
        let head = head.ok_or_else(|| BadBook::new("this is not a book of openings"))?;
        if !head.starts_with(MAGIC) {
            return Err(BadBook::new("this book of openings is of another version of agon"));
        }
        if bytes.len() > MOST_BYTES {
            let what = format!("this book of openings has {} bytes, and {MOST_BYTES} are the most", bytes.len());
            return Err(BadBook::new(&what));
        }
        let [boards, rows] = [24, 28].map(|at| number(&head[at..at + 4]) as usize);
        if bytes.len() != HEAD + BOARD * boards + ROW * rows {
            let length = bytes.len();
            let what =
                format!("this book of openings says that it has {rows} rows, and its {length} bytes are not those");
            return Err(BadBook::new(&what));
        }
        if check(&bytes[24..]) != number(&head[16..24]) {
            return Err(BadBook::new("this book of openings is damaged"));
        }
        let (boards, rows) = bytes[HEAD..].split_at(BOARD * boards);
        Ok(BookFile { boards, rows })
    }

    /// The boards that it has openings of.
    pub fn boards(&self) -> impl Iterator<Item = u64> + use<'a> {
        self.boards.chunks_exact(BOARD).map(number)
    }

    /// All rows, by their keys; of one position as they were written.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row> + use<'a> {
        self.rows.chunks_exact(ROW).map(Row::read)
    }

    /// The moves of a position.
    pub fn of(&self, key: u64) -> impl Iterator<Item = Row> + use<'a> {
        let (rows, mut low, mut high) = (self.rows, 0, self.rows.len() / ROW);
        while low < high {
            let middle = low.midpoint(high);
            if number(&rows[ROW * middle..ROW * middle + 8]) < key { low = middle + 1 } else { high = middle }
        }
        rows[ROW * low..].chunks_exact(ROW).map(Row::read).take_while(move |row| row.key == key)
    }

    /// The bytes of a file with these boards and rows.
    pub fn write(mut boards: Vec<u64>, mut rows: Vec<Row>) -> Vec<u8> {
        boards.sort_unstable();
        boards.dedup();
        rows.sort_by_key(|row| row.key);
        let mut rest = [boards.len(), rows.len()].map(|count| (count as u32).to_le_bytes()).concat();
        boards.iter().for_each(|board| rest.extend(board.to_le_bytes()));
        rows.iter().for_each(|row| row.write(&mut rest));
        [&MAGIC[..], &check(&rest).to_le_bytes(), &rest].concat()
    }
}

impl Row {
    fn read(bytes: &[u8]) -> Row {
        let [from, to, arrow] = [16, 18, 20].map(|at| number(&bytes[at..at + 2]) as u16);
        let [value, lines] = [8, 12].map(|at| number(&bytes[at..at + 4]) as u32);
        Row { key: number(&bytes[..8]), value: value.cast_signed(), lines, mv: Move { from, to, arrow } }
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.key.to_le_bytes());
        to.extend(self.value.to_le_bytes());
        to.extend(self.lines.to_le_bytes());
        [self.mv.from, self.mv.to, self.mv.arrow].iter().for_each(|vertex| to.extend(vertex.to_le_bytes()));
    }
}

/// The number in at most eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Another number for bytes of which any one is different.
fn check(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(bytes.len() as u64, |check, word| splitmix64(check ^ number(word)))
}

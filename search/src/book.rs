//! Openings that a client plays without a search, if a ladder gives it a book of them.

use crate::board_tables::BoardTables;
use crate::book_file::{BadBook, BookFile, Row};
use crate::position::{Move, Position};
use crate::symmetry::Symmetries;
use agon_games::mix::splitmix64;
use std::fmt::Display;

/// The name of the file, if the option `book` says no other.
const NAME: &str = "opening.book";
/// Moves worth less than the best by at most this many thousandths of a vertex count as equal.
const AS_GOOD: i32 = 100;

/// The openings of one board.
#[derive(Clone, Debug)]
pub struct Book<'a> {
    file: BookFile<'a>,
    symmetries: Symmetries,
}

/// A move of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    pub mv: Move,
    /// The value for its side, thousandths of a vertex, or from `CERTAIN` on.
    pub value: i32,
    /// How many lines of the book go on with it.
    pub lines: u32,
}

impl BookMove {
    /// One of the moves of a position that are about as good as the best; `below` gives a number below another.
    pub fn one_of(moves: &[BookMove], below: impl FnOnce(u64) -> u64) -> Option<BookMove> {
        let best = moves.iter().map(|known| known.value).max()?;
        let as_good = moves.iter().filter(|known| known.value >= best.saturating_sub(AS_GOOD));
        as_good.clone().nth(below(as_good.count() as u64) as usize).copied()
    }

    /// Logs the explanation of the move under its keys and returns the move; `value` is in the client's scale.
    pub fn explain(self, value: &dyn Display, log: impl Fn(&str, &dyn Display)) -> Move {
        log("value", value);
        log("book", &self.lines);
        self.mv
    }
}

impl<'a> Book<'a> {
    /// The book of the ladder under this name, or under the usual one; `None` if it gives none. `data` finds a file.
    ///
    /// # Errors
    /// The named file is missing, or useless on this board; the text says which, why, and what to do.
    pub fn given(
        tables: &BoardTables,
        name: Option<&str>,
        data: impl Fn(&str) -> Option<&'a [u8]>,
    ) -> Result<Option<Book<'a>>, String> {
        let file = name.unwrap_or(NAME);
        match (data(file), name) {
            (Some(bytes), _) => Book::open(bytes, tables).map(Some).map_err(|bad| format!("{file}: {bad}")),
            (None, None) => Ok(None),
            (None, Some(_)) => Err(format!(
                "book = \"{file}\": no file of this name is given; help: data = [\"{file}\"] beside the options gives \
                 it (docs/guides/openings.md)"
            )),
        }
    }

    /// Looks at all of a file.
    ///
    /// # Errors
    /// It is damaged, no such file, or has no openings of this board.
    pub fn open(bytes: &'a [u8], tables: &BoardTables) -> Result<Book<'a>, BadBook> {
        let (file, symmetries) = (BookFile::open(bytes)?, Symmetries::of(tables));
        if file.boards().any(|board| board == symmetries.board()) {
            Ok(Book { file, symmetries })
        } else {
            Err(BadBook::new("this book of openings has none of this board"))
        }
    }

    /// The moves that it has of a position, those that are not legal left out.
    pub fn moves(&self, tables: &BoardTables, position: &Position) -> Vec<BookMove> {
        let place = self.symmetries.place(tables, position);
        let known = self.file.of(place.key);
        let moves =
            known.map(|Row { value, lines, mv, .. }| BookMove { mv: self.symmetries.from(place, mv), value, lines });
        moves.filter(|known| position.allows(tables, known.mv)).collect()
    }

    /// The move for a position, drawn if several moves are about equal.
    pub fn choose(&self, tables: &BoardTables, position: &Position, seed: u64) -> Option<BookMove> {
        let moves = self.moves(tables, position);
        BookMove::one_of(&moves, |bound| splitmix64(position.hash() ^ seed) % bound)
    }
}

//! The pieces on a board when a match begins, and the side to move: as data, and as a text such as
//! `1=a4,d1/2=a7,d10/x=g7/move=2`.

use crate::{BadBoard, Board};

/// The start of a match on some board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// The places of each side's queens.
    pub queens: [Vec<u32>; 2],
    /// Vertices that are blocked.
    pub blocked: Vec<u32>,
    /// The side that moves first, 0 or 1.
    pub to_move: usize,
}

/// The words before the `=`.
const KEYS: [&str; 4] = ["1", "2", "x", "move"];

impl Start {
    /// Reads words separated by `/` or blanks: `1=` and `2=` with the vertices of the queens, `x=` with blocked ones,
    /// `move=` with the player to move, 1 if not given. Vertices are names or numbers, separated by commas; `#` begins
    /// a comment.
    ///
    /// # Errors
    /// The text says what is wrong, with its place.
    pub fn parse(text: &str, board: &Board) -> Result<Start, BadBoard> {
        let mut reader =
            Reader { board, taken: vec![false; board.num_vertices()], given: [false; 4], start: Start::default() };
        for (row, line) in text.lines().enumerate() {
            for (column, word) in words(line) {
                reader.read(word).map_err(|(at, why)| {
                    let column = column + word[..at].chars().count();
                    BadBoard { why, place: Some((row + 1, column)) }
                })?;
            }
        }
        let start = reader.start;
        check_numbers(&start).map_err(|why| BadBoard { why, place: Some((1, 1)) })?;
        Ok(start)
    }

    /// The text that [`Start::parse`] reads.
    pub fn text(&self, board: &Board) -> String {
        let list =
            |vertices: &[u32]| vertices.iter().map(|&vertex| board.name(vertex as usize)).collect::<Vec<_>>().join(",");
        let blocked = if self.blocked.is_empty() { String::new() } else { format!("/x={}", list(&self.blocked)) };
        let [first, second] = self.queens.each_ref().map(|queens| list(queens));
        format!("1={first}/2={second}{blocked}/move={}", self.to_move + 1)
    }

    /// Sorts everything in ascending order.
    pub(crate) fn sorted(mut self) -> Start {
        self.queens.iter_mut().chain([&mut self.blocked]).for_each(|list| list.sort_unstable());
        self.to_move = self.to_move.min(1);
        self
    }

    /// Refuses queens or blocked vertices that do not exist, lie on a hole or coincide, and sides with unequal numbers
    /// of queens or none.
    pub(crate) fn check(&self, exists: &[bool], name: impl Fn(usize) -> String) -> Result<(), BadBoard> {
        check_numbers(self).map_err(BadBoard::new)?;
        let mut taken = vec![false; exists.len()];
        for &vertex in self.queens.iter().flatten().chain(&self.blocked) {
            let vertex = vertex as usize;
            if vertex >= taken.len() {
                let last = taken.len() - 1;
                return Err(BadBoard::new(format!("vertex {vertex} does not exist, the board has 0..{last}")));
            }
            if !exists[vertex] {
                return Err(BadBoard::new(format!("{} is a hole", name(vertex))));
            }
            if std::mem::replace(&mut taken[vertex], true) {
                return Err(BadBoard::new(format!("two things stand on {}", name(vertex))));
            }
        }
        Ok(())
    }
}

fn check_numbers(start: &Start) -> Result<(), String> {
    let [first, second] = start.queens.each_ref().map(Vec::len);
    if first != second {
        return Err(format!("side 1 has {first} queens and side 2 has {second}; they need equally many"));
    }
    if first == 0 { Err("each side needs at least one queen".to_owned()) } else { Ok(()) }
}

/// The words of a line before its comment, each with its column from 1.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let line = line.split('#').next().unwrap_or_default();
    line.split([' ', '\t', '/']).filter(|word| !word.is_empty()).map(move |word| {
        let before = word.as_ptr() as usize - line.as_ptr() as usize;
        (line[..before].chars().count() + 1, word)
    })
}

struct Reader<'a> {
    board: &'a Board,
    taken: Vec<bool>,
    given: [bool; 4],
    start: Start,
}

/// The byte within the word, and the error there.
type BadWord = (usize, String);

impl Reader<'_> {
    fn read(&mut self, word: &str) -> Result<(), BadWord> {
        let known = |(key, _): &(&str, &str)| KEYS.contains(key);
        let (key, list) = word.split_once('=').filter(known).ok_or_else(|| {
            let example = "write 1=… and 2=… for the queens, x=… for what is blocked, move=1 or move=2";
            (0, format!("\"{word}\" is not a part of a position; {example}"))
        })?;
        let index = KEYS.iter().position(|known| *known == key).unwrap_or_default();
        if std::mem::replace(&mut self.given[index], true) {
            return Err((0, format!("{key}= stands there twice")));
        }
        let mut at = key.len() + 1;
        if key == "move" {
            self.start.to_move = match list {
                "1" => 0,
                "2" => 1,
                _ => return Err((at, format!("the player to move is 1 or 2, not \"{list}\""))),
            };
            return Ok(());
        }
        for name in list.split(',') {
            let vertex = self.take(name).map_err(|why| (at, why))?;
            match key {
                "1" => self.start.queens[0].push(vertex),
                "2" => self.start.queens[1].push(vertex),
                _ => self.start.blocked.push(vertex),
            }
            at += name.len() + 1;
        }
        Ok(())
    }

    fn take(&mut self, name: &str) -> Result<u32, String> {
        let board = self.board;
        let vertex = board.vertex(name).ok_or_else(|| format!("there is no vertex \"{name}\" on {}", board.title()))?;
        if board.is_hole(vertex) {
            return Err(format!("{name} is a hole of {}", board.title()));
        }
        if std::mem::replace(&mut self.taken[vertex], true) {
            return Err(format!("two things stand on {name}"));
        }
        Ok(vertex as u32)
    }
}

impl Board {
    /// The pieces at the start, and the side to move.
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// Makes the same board with another start.
    ///
    /// # Errors
    /// Queens or blocked vertices do not exist, lie on a hole or coincide; or sides have unequal numbers of queens, or
    /// none.
    pub fn with_start(&self, start: Start) -> Result<Board, BadBoard> {
        let exists: Vec<_> = (0..self.num_vertices()).map(|vertex| !self.is_hole(vertex)).collect();
        start.check(&exists, |vertex| self.name(vertex))?;
        let mut board = self.clone();
        board.start = start.sorted();
        Ok(board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Diagonals, Placement, parse};

    fn board(spec: &str) -> Board {
        parse(spec, Placement::Figures, Diagonals::Natural).unwrap()
    }

    #[test]
    fn texts_are_read_back() {
        let standard = board("standard-6");
        let text = "1=a2,b1 2=a5,5 # two queens\n  x=c3,d4 move=2";
        let start = Start::parse(text, &standard).unwrap();
        let moved = standard.with_start(start.clone()).unwrap();
        assert_eq!((moved.queens(1), moved.blocked(), moved.to_move()), (&[5, 6][..], &[15, 20][..], 1));
        assert_eq!(moved.start().text(&standard), "1=a2,b1/2=f6,a5/x=d4,c3/move=2");
        assert_eq!(Start::parse(&start.text(&standard), &standard), Ok(start));
        for (name, _) in crate::MAPS {
            let board = board(name);
            assert_eq!(Start::parse(&board.start().text(&board), &board).as_ref(), Ok(board.start()), "{name}");
        }
    }

    #[test]
    fn bad_texts_say_where() {
        let lagoon = board("lagoon");
        let bad = |text: &str| Start::parse(text, &lagoon).unwrap_err().to_string();
        assert!(
            bad("queens").starts_with("line 1, column 1: \"queens\" is not a part of a position; write 1=… and 2=…")
        );
        assert_eq!(bad("1=f1\n 2=f9,z9"), "line 2, column 7: there is no vertex \"z9\" on Lagoon");
        assert_eq!(bad("1=f1 2=a9"), "line 1, column 8: a9 is a hole of Lagoon");
        assert_eq!(bad("1=f1/2=f9/x=e2,f1"), "line 1, column 16: two things stand on f1");
        assert_eq!(bad("1=f1 2=f9 move=3"), "line 1, column 16: the player to move is 1 or 2, not \"3\"");
        assert_eq!(bad("1=f1 1=f9"), "line 1, column 6: 1= stands there twice");
        assert_eq!(bad("1=f1,"), "line 1, column 6: there is no vertex \"\" on Lagoon");
        assert_eq!(bad("1=f1,f9"), "line 1, column 1: side 1 has 2 queens and side 2 has 0; they need equally many");
        assert_eq!(bad(""), "line 1, column 1: each side needs at least one queen");
    }
}

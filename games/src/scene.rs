//! One picture model for all games: squares with names and places, lines between them, the last move's path, and panels
//! of text or things. Terminal, SVG and page draw it; `to_text` is for the terminal.

/// A picture of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// Size of the grid; 0 by 0 for a game without a board, or with a board that is not a grid.
    pub columns: usize,
    /// See `columns`.
    pub rows: usize,
    /// The squares of the board; a hole is simply absent. They are the same, in the same order, throughout a match.
    pub cells: Vec<Cell>,
    /// Neighbours, by index into `cells`, that a grid does not show: on a grid those that do not touch, on other boards
    /// all.
    pub edges: Vec<[usize; 2]>,
    /// The last move on the board, in order.
    pub path: Vec<Stroke>,
    /// The names of the columns, from the left; may be empty.
    pub column_labels: Vec<String>,
    /// The names of the rows, from the top; may be empty.
    pub row_labels: Vec<String>,
    /// The blocks next to the board: hands, rows of cards, scores.
    pub panels: Vec<Panel>,
    /// The state in one sentence, for people who hear it.
    pub spoken: String,
    /// The number of parts of `spoken`, between semicolons, that tell more than the picture shows; 0 = all.
    pub brief: usize,
    /// Whether the numbers of moves are colours of pegs.
    pub has_pegs: bool,
    /// The overlay for the board, in games that have one; only in the picture that shows everything.
    pub overlay: Option<Overlay>,
}

/// Marks that a reader may lay over the board, such as territory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// A word or two for the button that shows the marks.
    pub title: String,
    /// The kinds of marks and what they mean; the same throughout a match.
    pub kinds: Vec<(Tint, String)>,
    /// The kind of each cell, by index into `kinds`; as many as there are cells.
    pub cells: Vec<Option<usize>>,
    /// Whether a page shows the marks before a reader asks for them.
    pub is_shown: bool,
}

/// The look of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    /// The square belongs to this seat.
    Of(usize),
    /// It belongs to several seats alike.
    Shared,
    /// It belongs to nobody.
    Nobody,
    /// It can be reached by the next move.
    Reach,
}

/// A square of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its unique name in the game's notation.
    pub name: String,
    /// The place of its middle, in thousandths of a square to the right and down: on a grid, its column and row, from
    /// 0. `None` if the drawing may choose it.
    pub at: Option<[i32; 2]>,
    /// The piece on the square.
    pub piece: Piece,
    /// Whether it is part of the last move.
    pub marked: bool,
}

/// The content of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// The square is empty.
    Empty,
    /// A piece of this seat.
    Of(usize),
    /// A block that belongs to no seat and that no piece can pass.
    Wall,
    /// A number, such as the value of a square.
    Number(u32),
}

/// One part of a move, from square to square, by index into `cells`; at least two of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// A piece went this way.
    Slide(Vec<usize>),
    /// Something was shot this way.
    Shot(Vec<usize>),
}

/// A titled block of lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Panel {
    /// The title; may be empty.
    pub title: String,
    /// The lines in words.
    pub lines: Vec<String>,
    /// The same as things that can be drawn, in as many lines or fewer, and empty places for what may follow; empty if
    /// there are only words.
    pub items: Vec<Vec<Item>>,
    /// The seat that the panel belongs to, if it is one seat's.
    pub seat: Option<usize>,
    /// The title in a picture, if it has another one there: the name of the seat's player, where a page knows it.
    pub caption: String,
    /// Whether its things only repeat a part of another panel's lines, for readers who see a picture.
    pub is_picture: bool,
    /// Whether it has the score of each seat, in their order: a seat, then words.
    pub is_score: bool,
    /// Whether the lines only repeat the squares, for readers who see no board.
    pub is_board: bool,
    /// Whether it holds the cards from which the viewer chooses.
    pub is_hand: bool,
    /// Whether it gives away a part of what players are to find out: a page for players shows it on request.
    pub is_aid: bool,
}

/// A thing in a line of a panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// Words without a drawing.
    Text(String),
    /// The seat to which the line belongs.
    Seat(usize),
    /// A card.
    Card {
        /// Its number.
        number: u32,
        /// Its value, as a number of marks; 0 for none.
        weight: u32,
    },
    /// An empty place for a card.
    Place,
    /// An empty place for a peg.
    Hole,
    /// A peg of this colour, from 0.
    Peg(u32),
    /// The reply to a guess: the numbers of values right, and right elsewhere.
    Reply(u32, u32),
    /// A heap with this number of sticks.
    Heap(u32),
    /// A heap that the last move made.
    NewHeap(u32),
    /// Things side by side that no column holds.
    Row(Vec<Item>),
}

impl Cell {
    /// A square on a grid that is not part of the last move.
    pub fn on_grid(name: impl Into<String>, column: usize, row: usize, piece: Piece) -> Cell {
        let at = [column, row].map(|index| i32::try_from(index * 1000).unwrap_or(i32::MAX));
        Cell { name: name.into(), at: Some(at), piece, marked: false }
    }

    /// Column and row, from 0, of a square of a grid.
    pub fn place(&self) -> Option<(usize, usize)> {
        let [x, y] = self.at?.map(|place| usize::try_from(place / 1000).ok());
        Some((x?, y?))
    }
}

impl Panel {
    /// A panel of words.
    pub fn new(title: impl Into<String>, lines: Vec<String>) -> Panel {
        Panel { title: title.into(), lines, ..Panel::default() }
    }

    /// Adds the same as things, line by line.
    pub fn with_items(self, items: Vec<Vec<Item>>) -> Panel {
        Panel { items, ..self }
    }
}

impl Item {
    /// An item of words.
    pub fn text(words: impl Into<String>) -> Item {
        Item::Text(words.into())
    }
}

impl Scene {
    /// The sentence for people who see the picture, and the rest of it for those who do not.
    pub fn halves(&self) -> (String, &str) {
        let mut ends = self.spoken.match_indices("; ").map(|(at, _)| at);
        match self.brief.checked_sub(1).and_then(|last| ends.nth(last)) {
            Some(end) => (format!("{}.", self.spoken[..end].trim_end()), &self.spoken[end + 2..]),
            None => (self.spoken.clone(), ""),
        }
    }

    /// The picture in characters that every terminal has, ended by a newline; the last move's squares are in brackets.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        let margin = self.row_labels.iter().map(String::len).max().unwrap_or(0);
        for row in 0..self.rows {
            let label = self.row_labels.get(row).map_or("", String::as_str);
            let mut line = format!("{label:>margin$}");
            for column in 0..self.columns {
                line += &self.cell_text(column, row);
            }
            out += line.trim_end();
            out.push('\n');
        }
        if !self.column_labels.is_empty() {
            let labels: String = self.column_labels.iter().map(|label| format!("{label:^3}")).collect();
            out += format!("{:margin$}{labels}", "").trim_end();
            out.push('\n');
        }
        for panel in self.panels.iter().filter(|panel| !panel.is_picture) {
            if !panel.title.is_empty() {
                out += &format!("{}\n", panel.title);
            }
            for line in &panel.lines {
                out += &format!("  {line}\n");
            }
        }
        out
    }

    fn cell_text(&self, column: usize, row: usize) -> String {
        let Some(cell) = self.cells.iter().find(|cell| cell.place() == Some((column, row))) else {
            return "   ".to_owned();
        };
        let piece = match cell.piece {
            Piece::Empty => ".".to_owned(),
            Piece::Of(seat) => (seat + 1).to_string(),
            Piece::Wall => "x".to_owned(),
            Piece::Number(number) => number.to_string(),
        };
        if cell.marked { format!("[{piece}]") } else { format!(" {piece} ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_who_sees_the_picture_is_told_the_first_parts() {
        let scene = |spoken: &str, brief| Scene { spoken: spoken.to_owned(), brief, ..Scene::default() };
        for (spoken, brief, seen, heard) in [
            ("turn 1; row 1: 5; row 2: 7.", 1, "turn 1.", "row 1: 5; row 2: 7."),
            ("tour 1 ; rangée 1 : 5 ; rangée 2.", 2, "tour 1 ; rangée 1 : 5.", "rangée 2."),
            ("a moved; b to move.", 0, "a moved; b to move.", ""),
            ("the match is over.", 1, "the match is over.", ""),
        ] {
            assert_eq!(scene(spoken, brief).halves(), (seen.to_owned(), heard));
        }
    }
}

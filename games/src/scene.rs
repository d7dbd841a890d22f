//! One picture model for all games: cells with names and places, lines between them, the last move's path, and panels
//! of text or things beside. Terminal, SVG and page draw it; `to_text` is the terminal's.

/// A picture of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// Size of the grid; 0 by 0 for a game without a board, or with one that is no grid.
    pub columns: usize,
    /// See `columns`.
    pub rows: usize,
    /// What exists of the board; a hole is simply absent. They are the same, in the same order, all through a match.
    pub cells: Vec<Cell>,
    /// Neighbours, by index into `cells`, that no grid shows: all of a board that is none, and of a grid those that do
    /// not touch.
    pub edges: Vec<[usize; 2]>,
    /// What the last move did on the board, in order.
    pub path: Vec<Stroke>,
    /// Names of the columns, from the left; may be empty.
    pub column_labels: Vec<String>,
    /// Names of the rows, from the top; may be empty.
    pub row_labels: Vec<String>,
    /// What stands beside the board: hands, rows of cards, scores.
    pub panels: Vec<Panel>,
    /// The state in one sentence, for those who hear it.
    pub spoken: String,
    /// Whether the numbers of moves are colours of pegs.
    pub has_pegs: bool,
}

/// One place of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// As the game's notation calls it; unique.
    pub name: String,
    /// Where its middle is, in thousandths of a cell to the right and down: on a grid, of its column and row, from 0.
    /// `None` where nobody said, and whoever draws may choose.
    pub at: Option<[i32; 2]>,
    /// What stands there.
    pub piece: Piece,
    /// Part of the last move.
    pub marked: bool,
}

/// What stands on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Nothing.
    Empty,
    /// A piece of this seat.
    Of(usize),
    /// Something that nobody owns and nobody can pass.
    Wall,
    /// A number, such as the value of a cell.
    Number(u32),
}

/// One part of a move, from cell to cell, by index into `cells`; at least two of them.
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
    /// What it is about; may be empty.
    pub title: String,
    /// As they stand, in words.
    pub lines: Vec<String>,
    /// The same as things that can be drawn, line by line; empty where the words are all there is.
    pub items: Vec<Vec<Item>>,
    /// The lines say no more than the cells do, for those who draw no cells.
    pub is_board: bool,
}

/// A thing of a panel's line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// Words.
    Text(String),
    /// The seat whose line it is.
    Seat(usize),
    /// A card.
    Card {
        /// Its number.
        number: u32,
        /// What it counts, as so many marks; 0 for none.
        weight: u32,
    },
    /// A place where nothing lies yet.
    Place,
    /// A peg of this colour, from 0.
    Peg(u32),
    /// What a guess was answered: so many right, so many right elsewhere.
    Reply(u32, u32),
    /// A heap of so many.
    Heap(u32),
}

impl Cell {
    /// On a grid, where no move has touched it.
    pub fn on_grid(name: impl Into<String>, column: usize, row: usize, piece: Piece) -> Cell {
        let at = [column, row].map(|index| i32::try_from(index * 1000).unwrap_or(i32::MAX));
        Cell { name: name.into(), at: Some(at), piece, marked: false }
    }

    /// Column and row, from 0, of a cell of a grid.
    pub fn place(&self) -> Option<(usize, usize)> {
        let [x, y] = self.at?.map(|place| usize::try_from(place / 1000).ok());
        Some((x?, y?))
    }
}

impl Panel {
    /// Of words.
    pub fn new(title: impl Into<String>, lines: Vec<String>) -> Panel {
        Panel { title: title.into(), lines, ..Panel::default() }
    }

    /// With the same as things, line by line.
    pub fn with_items(self, items: Vec<Vec<Item>>) -> Panel {
        Panel { items, ..self }
    }
}

impl Item {
    /// Words.
    pub fn text(words: impl Into<String>) -> Item {
        Item::Text(words.into())
    }
}

impl Scene {
    /// The picture in characters that every terminal has, ended by a newline; last move's cells in brackets.
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
        for panel in &self.panels {
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

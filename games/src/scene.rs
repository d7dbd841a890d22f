//! One picture model for all games: cells that stand on a grid, pieces on them, and panels of text beside.
//! Terminal, SVG and page draw it; `to_text` is the terminal's.

/// A picture of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// Size of the grid; 0 by 0 for a game without a board.
    pub columns: usize,
    /// See `columns`.
    pub rows: usize,
    /// What exists of the grid; a hole is simply absent.
    pub cells: Vec<Cell>,
    /// Names of the columns, from the left; may be empty.
    pub column_labels: Vec<String>,
    /// Names of the rows, from the top; may be empty.
    pub row_labels: Vec<String>,
    /// Text beside the board: hands, rows of cards, scores.
    pub panels: Vec<Panel>,
    /// The state in one sentence, for those who hear it.
    pub spoken: String,
}

/// One place of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Column from the left, from 0.
    pub column: usize,
    /// Row from the top, from 0.
    pub row: usize,
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

/// A titled block of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// What it is about; may be empty.
    pub title: String,
    /// As they stand.
    pub lines: Vec<String>,
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
        let Some(cell) = self.cells.iter().find(|cell| (cell.column, cell.row) == (column, row)) else {
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

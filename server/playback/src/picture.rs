//! A scene as lines of text with inks: what a terminal shows, with colours or without. Every seat has its digit and the
//! last move its brackets, so that no colour says anything alone.

use agon_games::{Cell, Piece, Scene, Seat};

/// What a piece of text is; a terminal may give each its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Nothing special.
    Plain,
    /// A title.
    Title,
    /// Something less important.
    Faint,
    /// Of a seat.
    Of(Seat),
    /// Part of the last move.
    Mark,
    /// A fault or a notice.
    Alarm,
}

/// A line, piece by piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextLine(
    /// Text and its ink.
    pub Vec<(Ink, String)>,
);

impl TextLine {
    /// Of one ink.
    pub fn new(ink: Ink, text: impl Into<String>) -> TextLine {
        TextLine(vec![(ink, text.into())])
    }

    /// One more piece.
    pub fn push(&mut self, ink: Ink, text: impl Into<String>) {
        self.0.push((ink, text.into()));
    }

    /// Without inks.
    pub fn plain(&self) -> String {
        self.0.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// How many characters.
    pub fn width(&self) -> usize {
        self.0.iter().map(|(_, text)| text.chars().count()).sum()
    }

    /// At most `width` characters; the last one says that some are left out.
    pub fn cut(mut self, width: usize, charset: Charset) -> TextLine {
        if self.width() <= width {
            return self;
        }
        let mut room = width.saturating_sub(1);
        for (_, text) in &mut self.0 {
            let kept: String = text.chars().take(room).collect();
            room -= kept.chars().count();
            *text = kept;
        }
        if width > 0 {
            self.push(Ink::Faint, charset.cut());
        }
        self
    }
}

/// Which characters may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// Those that every terminal has.
    Ascii,
    /// A few more.
    Unicode,
}

impl Charset {
    fn cut(self) -> &'static str {
        if self == Charset::Ascii { ">" } else { "…" }
    }

    fn piece(self, piece: Piece) -> (Ink, String) {
        let ascii = self == Charset::Ascii;
        match piece {
            Piece::Empty => (Ink::Faint, if ascii { "." } else { "·" }.to_owned()),
            Piece::Wall => (Ink::Plain, if ascii { "x" } else { "×" }.to_owned()),
            Piece::Of(seat) => (Ink::Of(seat), (seat + 1).to_string()),
            Piece::Number(number) => (Ink::Plain, number.to_string()),
        }
    }
}

/// Board and panels; cells are narrower where the board would not fit into `width`. Holes are blank.
pub fn picture(scene: &Scene, width: usize, charset: Charset) -> Vec<TextLine> {
    let margin = scene.row_labels.iter().map(String::len).max().unwrap_or(0);
    let wide = margin + 3 * scene.columns <= width;
    let mut grid: Vec<Vec<Option<&Cell>>> = vec![vec![None; scene.columns]; scene.rows];
    for cell in scene.cells.iter().filter(|_| scene.columns > 0) {
        if let Some((column, row)) = cell.place() {
            grid[row][column] = Some(cell);
        }
    }
    let mut lines: Vec<TextLine> = Vec::new();
    for (row, cells) in grid.iter().enumerate() {
        let label = scene.row_labels.get(row).map_or("", String::as_str);
        let mut line = TextLine::new(Ink::Faint, format!("{label:>margin$}"));
        cells.iter().for_each(|cell| push_cell(&mut line, *cell, wide, charset));
        lines.push(line);
    }
    if !scene.column_labels.is_empty() {
        let label = |label: &String| if wide { format!("{label:^3}") } else { format!(" {label:<1}") };
        let labels: String = scene.column_labels.iter().map(label).collect();
        lines.push(TextLine::new(Ink::Faint, format!("{:margin$}{labels}", "")));
    }
    for panel in &scene.panels {
        if !panel.title.is_empty() {
            lines.push(TextLine::new(Ink::Title, &panel.title));
        }
        lines.extend(panel.lines.iter().map(|line| TextLine::new(Ink::Plain, format!("  {line}"))));
    }
    lines
}

fn push_cell(line: &mut TextLine, cell: Option<&Cell>, wide: bool, charset: Charset) {
    let Some(cell) = cell else { return line.push(Ink::Plain, if wide { "   " } else { "  " }) };
    let (before, after) = match (cell.marked, wide) {
        (true, true) => ("[", "]"),
        (true, false) => ("*", ""),
        (false, true) => (" ", " "),
        (false, false) => (" ", ""),
    };
    let (ink, text) = charset.piece(cell.piece);
    line.push(Ink::Mark, before);
    line.push(ink, text);
    line.push(Ink::Mark, after);
}

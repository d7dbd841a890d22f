//! A scene as lines of text with inks: what a terminal shows, with colours or without. Every seat has its digit and the
//! last move its brackets, so that no colour says anything alone.

use agon_games::{Cell, Piece, Scene};
use agon_model::{Charset, Ink, TextLine};

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
    for panel in scene.panels.iter().filter(|panel| !panel.is_picture) {
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
    let (ink, text) = piece_text(charset, cell.piece);
    line.push(Ink::Mark, before);
    line.push(ink, text);
    line.push(Ink::Mark, after);
}

fn piece_text(charset: Charset, piece: Piece) -> (Ink, String) {
    let ascii = charset == Charset::Ascii;
    match piece {
        Piece::Empty => (Ink::Faint, if ascii { "." } else { "·" }.to_owned()),
        Piece::Wall => (Ink::Plain, if ascii { "x" } else { "×" }.to_owned()),
        Piece::Of(seat) => (Ink::Of(seat), (seat + 1).to_string()),
        Piece::Number(number) => (Ink::Plain, number.to_string()),
    }
}

//! The board of a picture: cells on a grid or at the ends of lines, what stands on them, the last move's way.

use super::layout;
use super::svg::{Svg, Units};
use agon_games::{Cell, Language, Piece, Scene, Stroke, Tint};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The side of a cell.
const CELL: f64 = 40.0;
/// Around the board.
const EDGE: f64 = 6.0;
/// Where rows and columns have names.
const LABELS: f64 = 22.0;

/// Colours of seats, told apart with every kind of sight (Okabe and Ito 2008), and of the digits on them.
pub(crate) const SEATS: [(&str, &str); 10] = [
    ("#0072b2", "#fff"),
    ("#e69f00", "#000"),
    ("#cc79a7", "#000"),
    ("#00795a", "#fff"),
    ("#b34700", "#fff"),
    ("#f0e442", "#000"),
    ("#56b4e9", "#000"),
    ("#bbbbbb", "#000"),
    ("#5d3a9b", "#fff"),
    ("#222222", "#fff"),
];

/// Where everything of a board is.
pub(crate) struct Board {
    /// The middle of every cell.
    middles: Vec<[f64; 2]>,
    /// Width and height.
    pub size: [f64; 2],
    is_grid: bool,
}

impl Board {
    /// The board of a scene that has cells.
    pub fn of(scene: &Scene) -> Option<Board> {
        if scene.cells.is_empty() {
            return None;
        }
        let is_grid = scene.columns > 0;
        let places = layout::places(scene);
        let left = if scene.row_labels.is_empty() { EDGE } else { LABELS };
        let below = if scene.column_labels.is_empty() { EDGE } else { LABELS };
        let middle = |[x, y]: &[f64; 2]| [left + CELL * (x + 0.5), EDGE + CELL * (y + 0.5)];
        let middles: Vec<[f64; 2]> = places.iter().map(middle).collect();
        let far = |axis: usize| middles.iter().map(|middle| middle[axis]).fold(0.0, f64::max) + CELL / 2.0;
        let size = if is_grid {
            [left + CELL * scene.columns as f64 + EDGE, EDGE + CELL * scene.rows as f64 + below]
        } else {
            [far(0) + EDGE, far(1) + EDGE]
        };
        Some(Board { middles, size, is_grid })
    }

    /// The constant part: cells, lines between them, names of rows and columns.
    pub fn ground(&self, scene: &Scene) -> Svg {
        let mut svg = Svg::default();
        if self.is_grid {
            let all: BTreeSet<(usize, usize)> =
                scene.cells.iter().filter_map(Cell::place).map(|(column, row)| (row, column)).collect();
            let dark = all.iter().copied().filter(|(row, column)| (row + column) % 2 == 1);
            svg.element("path", &[("class", &"l"), ("d", &self.bands(all.iter().copied()))]);
            svg.element("path", &[("class", &"d"), ("d", &self.bands(dark))]);
            self.labels(scene, &mut svg);
        }
        let mut lines = String::new();
        for &[a, b] in &scene.edges {
            push_line(&mut lines, [self.middles[a], self.middles[b]]);
        }
        if !lines.is_empty() {
            svg.element("path", &[("class", &"e"), ("d", &lines)]);
        }
        for (cell, [x, y]) in scene.cells.iter().zip(&self.middles).filter(|_| !self.is_grid) {
            svg.element("circle", &[("class", &"v"), ("cx", &Units(*x)), ("cy", &Units(*y)), ("r", &"18")]);
            svg.words("text", &[("class", &"u"), ("x", &Units(*x)), ("y", &Units(y + 4.0))], &cell.name);
        }
        svg
    }

    /// Lines as wide as a cell through the middles of these, row by row; those that touch are one line.
    fn bands(&self, cells: impl Iterator<Item = (usize, usize)>) -> String {
        let left = self.size[0] - EDGE - CELL * self.columns();
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        for (row, column) in cells {
            match runs.last_mut() {
                Some((same, begin, length)) if *same == row && *begin + *length == column => *length += 1,
                _ => runs.push((row, column, 1)),
            }
        }
        let (mut path, mut before) = (String::new(), None);
        for (row, column, length) in runs {
            let (x, y) = (Units(left + CELL * column as f64), Units(EDGE + CELL * (row as f64 + 0.5)));
            let _ = match before {
                Some((same, end)) if same == row => write!(path, "m{},0", CELL * (column - end) as f64),
                _ => write!(path, "M{x},{y}"),
            };
            let _ = write!(path, "h{}", CELL * length as f64);
            before = Some((row, column + length));
        }
        path
    }

    /// Columns of the grid, from the places of its cells.
    fn columns(&self) -> f64 {
        ((self.size[0] - EDGE) / CELL).floor()
    }

    fn labels(&self, scene: &Scene, svg: &mut Svg) {
        let left = self.size[0] - EDGE - CELL * scene.columns as f64;
        for (column, label) in scene.column_labels.iter().enumerate() {
            let x = left + CELL * (column as f64 + 0.5);
            svg.words("text", &[("class", &"c"), ("x", &Units(x)), ("y", &Units(self.size[1] - 6.0))], label);
        }
        for (row, label) in scene.row_labels.iter().enumerate() {
            let y = EDGE + CELL * (row as f64 + 0.5) + 4.0;
            svg.words("text", &[("class", &"c"), ("x", &Units(left / 2.0)), ("y", &Units(y))], label);
        }
    }

    /// The middle of a cell.
    pub fn middle(&self, cell: usize) -> [f64; 2] {
        self.middles[cell]
    }

    /// The figure on a cell, around its middle.
    pub fn look(&self, cell: &Cell) -> Svg {
        let mut svg = Svg::default();
        if cell.marked {
            svg.symbol(if self.is_grid { "m" } else { "r" }, [0.0; 2]);
        }
        match cell.piece {
            Piece::Empty => {}
            Piece::Of(seat) => svg.symbol(&format!("s{seat}"), [0.0; 2]),
            Piece::Wall => svg.symbol("w", [0.0; 2]),
            Piece::Number(number) => svg.words("text", &[("class", &"n"), ("y", &"6")], &number.to_string()),
        }
        svg
    }

    /// A mark that is laid over a cell, around its middle. Its form or its sign says the same as its colour.
    pub fn mark(&self, tint: Tint) -> Svg {
        let mut svg = Svg::default();
        let area = if self.is_grid { "M-20,-20h40v40h-40z" } else { "M-18,0a18,18,0,1,0,36,0a18,18,0,1,0,-36,0z" };
        let ring = if self.is_grid { "M-17,-17h34v34h-34z" } else { "M-17,0a17,17,0,1,0,34,0a17,17,0,1,0,-34,0z" };
        let mut shade = |colour: &str, sign: &str| {
            svg.element("path", &[("class", &"ov"), ("d", &area), ("fill", &colour)]);
            svg.words("text", &[("class", &"os"), ("y", &"5")], sign);
        };
        match tint {
            Tint::Of(seat) => shade(SEATS.get(seat).map_or("#888", |(colour, _)| colour), &(seat + 1).to_string()),
            Tint::Shared => shade("#888", "="),
            Tint::Nobody => shade("none", "·"),
            Tint::Reach => svg.element("path", &[("class", &"or"), ("d", &ring)]),
        }
        svg
    }

    /// The way of the last move: of each stroke its class, and the cells where it begins, turns and ends.
    pub fn ways(&self, scene: &Scene) -> Vec<(char, Vec<usize>)> {
        let strokes = scene.path.iter().map(|stroke| match stroke {
            Stroke::Slide(way) => ('p', way),
            Stroke::Shot(way) => ('q', way),
        });
        strokes.map(|(class, way)| (class, self.corners(way))).collect()
    }

    /// The cells of a way without those that it passes straight on.
    fn corners(&self, way: &[usize]) -> Vec<usize> {
        let mut corners: Vec<usize> = Vec::new();
        for &cell in way {
            if let [.., a, b] = corners[..]
                && goes_straight_on([a, b, cell].map(|cell| self.middles[cell]))
            {
                corners.pop();
            }
            corners.push(cell);
        }
        corners
    }
}

/// The figure on a cell, in words.
pub(crate) fn words(cell: &Cell, language: Language) -> String {
    let piece = match cell.piece {
        Piece::Empty => language.pick("free", "libre").to_owned(),
        Piece::Of(seat) => format!("{} {}", language.pick("player", "joueur"), seat + 1),
        Piece::Wall => language.pick("blocked", "bloqué").to_owned(),
        Piece::Number(number) => number.to_string(),
    };
    if cell.marked { piece + language.pick(", last move", ", dernier coup") } else { piece }
}

fn push_line(path: &mut String, [from, to]: [[f64; 2]; 2]) {
    let _ = write!(path, "M{},{}L{},{}", Units(from[0]), Units(from[1]), Units(to[0]), Units(to[1]));
}

/// Whether the last of three points is beyond the second, seen from the first.
fn goes_straight_on([a, b, c]: [[f64; 2]; 3]) -> bool {
    let ([right, down], [further, lower]) = ([b[0] - a[0], b[1] - a[1]], [c[0] - b[0], c[1] - b[1]]);
    (right * lower - down * further).abs() < 1e-6 && right * further + down * lower > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_ways_have_two_ends() {
        let middles = vec![[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 2.0]];
        let board = Board { middles, size: [4.0; 2], is_grid: true };
        assert_eq!(board.corners(&[0, 1, 2, 3, 2]), [0, 2, 3, 2]);
        assert_eq!(board.corners(&[0, 1, 0]), [0, 1, 0]);
    }

    #[test]
    fn cells_that_touch_are_one_band() {
        let board = Board { middles: Vec::new(), size: [EDGE + 4.0 * CELL + EDGE, 2.0 * CELL], is_grid: true };
        let cells = [(0, 0), (0, 1), (0, 3), (1, 2)];
        assert_eq!(board.bands(cells.into_iter()), "M6,26h80m40,0h40M86,66h40");
    }
}

//! The board of a picture: cells on a grid or at the ends of lines, what stands on them, the last move's way.

use super::layout;
use super::svg::{Svg, Units};
use agon_games::{Cell, Language, Piece, Scene, Stroke};
use std::fmt::Write;

/// The side of a cell.
const CELL: f64 = 40.0;
/// Around the board.
const EDGE: f64 = 6.0;
/// Where rows and columns have names.
const LABELS: f64 = 22.0;

/// Where everything of a board is.
pub(crate) struct Board {
    /// The middle of every cell.
    middles: Vec<[f64; 2]>,
    /// Width and height.
    pub size: [f64; 2],
    is_grid: bool,
}

impl Board {
    /// Of a scene that has cells.
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
        let size = match is_grid {
            true => [left + CELL * scene.columns as f64 + EDGE, EDGE + CELL * scene.rows as f64 + below],
            false => [far(0) + EDGE, far(1) + EDGE],
        };
        Some(Board { middles, size, is_grid })
    }

    /// What no move changes: cells, lines between them, names of rows and columns.
    pub fn ground(&self, scene: &Scene) -> Svg {
        let mut svg = Svg::default();
        if self.is_grid {
            for (class, parity) in [("l", 0), ("d", 1)] {
                let is_its = |cell: &&Cell| cell.place().is_some_and(|(column, row)| (column + row) % 2 == parity);
                svg.element("path", &[("class", &class), ("d", &self.squares(scene.cells.iter().filter(is_its)))]);
            }
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
            svg.element("circle", &[("class", &"l"), ("cx", &Units(*x)), ("cy", &Units(*y)), ("r", &"18")]);
            svg.words("text", &[("class", &"v"), ("x", &Units(*x)), ("y", &Units(y + 4.0))], &cell.name);
        }
        svg
    }

    fn squares<'a>(&self, cells: impl Iterator<Item = &'a Cell>) -> String {
        let mut path = String::new();
        for (column, row) in cells.filter_map(Cell::place) {
            let left = self.size[0] - EDGE - CELL * self.columns();
            let (x, y) = (left + CELL * column as f64, EDGE + CELL * row as f64);
            let _ = write!(path, "M{},{}h{CELL}v{CELL}h-{CELL}z", Units(x), Units(y));
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

    /// What stands on a cell, around its middle.
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

    /// The way of the last move.
    pub fn path(&self, scene: &Scene) -> Svg {
        let mut svg = Svg::default();
        for stroke in &scene.path {
            let (class, way) = match stroke {
                Stroke::Slide(way) => ("p", way),
                Stroke::Shot(way) => ("q", way),
            };
            let mut line = String::new();
            for (index, point) in corners(way.iter().map(|cell| self.middles[*cell])).iter().enumerate() {
                let letter = if index == 0 { 'M' } else { 'L' };
                let _ = write!(line, "{letter}{},{}", Units(point[0]), Units(point[1]));
            }
            svg.element("path", &[("class", &class), ("d", &line)]);
        }
        svg
    }
}

/// What stands on a cell, in words.
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

/// The points of a way without those that it passes straight on.
fn corners(points: impl Iterator<Item = [f64; 2]>) -> Vec<[f64; 2]> {
    let mut corners: Vec<[f64; 2]> = Vec::new();
    for point in points {
        if let [.., a, b] = corners[..] {
            let cross = (b[0] - a[0]) * (point[1] - b[1]) - (b[1] - a[1]) * (point[0] - b[0]);
            let along = (b[0] - a[0]) * (point[0] - b[0]) + (b[1] - a[1]) * (point[1] - b[1]);
            if cross.abs() < 1e-6 && along > 0.0 {
                corners.pop();
            }
        }
        corners.push(point);
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_ways_have_two_ends() {
        let points = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 2.0], [2.0, 2.0]];
        assert_eq!(corners(points.into_iter()), [[0.0, 0.0], [2.0, 2.0], [3.0, 2.0], [2.0, 2.0]]);
    }
}

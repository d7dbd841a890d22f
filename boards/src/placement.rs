//! Where queens stand on a generated board: two placements, both symmetric under half a turn.

/// A rule that places the queens of side 0; side 1 stands turned by 180 degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Spread evenly over the border.
    Figures,
    /// In every other cell from the upper corners.
    Corners,
}

/// The queens of both sides on a board of `width` x `width` cells, ascending; `width` is 5 to 32.
pub fn queens(placement: Placement, width: usize) -> [Vec<u32>; 2] {
    let count = 4 * (width / 10 + 1);
    let (top, side) = match placement {
        Placement::Figures => figures(width, count),
        Placement::Corners => corners(width, count),
    };
    let sides = side.iter().flat_map(|row| [row * width, row * width + width - 1]);
    let mut first: Vec<u32> = top.iter().copied().chain(sides).map(|vertex| vertex as u32).collect();
    first.sort_unstable();
    let last = (width * width - 1) as u32;
    let second = first.iter().rev().map(|vertex| last - vertex).collect();
    [first, second]
}

/// Columns of the top row, and rows of both side columns.
type Border = (Vec<usize>, Vec<usize>);

fn figures(width: usize, count: usize) -> Border {
    let half = count / 2;
    let spread = |i: usize| {
        let (above, below) = ((i + 1) * (width - half), half + 1);
        i + (2 * above + below) / (2 * below) // rounded to the nearest
    };
    let top: Vec<_> = (0..half).map(spread).collect();
    let side = top[..half / 2].to_vec();
    (top, side)
}

fn corners(width: usize, count: usize) -> Border {
    let side: Vec<_> = (0..count / 4).map(|i| 2 * i + 1).collect();
    let mirrored = side.iter().map(|column| width - 1 - column);
    (side.iter().copied().chain(mirrored).collect(), side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Shape, shape};

    /// Width, corners, figures (empty where the same).
    const TABLE: &str = "5|1 3 5 9|
6|1 4 6 11|
7|1 5 7 13|2 4 14 20
8|1 6 8 15|2 5 16 23
9|1 7 9 17|2 6 18 26
10|1 3 6 8 10 19 30 39|
11|1 3 7 9 11 21 33 43|1 4 6 9 11 21 44 54
12|1 3 8 10 12 23 36 47|2 4 7 9 24 35 48 59
13|1 3 9 11 13 25 39 51|2 5 7 10 26 38 65 77
14|1 3 10 12 14 27 42 55|2 5 8 11 28 41 70 83
15|1 3 11 13 15 29 45 59|2 5 9 12 30 44 75 89
16|1 3 12 14 16 31 48 63|2 6 9 13 32 47 96 111
17|1 3 13 15 17 33 51 67|3 6 10 13 51 67 102 118
18|1 3 14 16 18 35 54 71|3 7 10 14 54 71 126 143
19|1 3 15 17 19 37 57 75|3 7 11 15 57 75 133 151
20|1 3 5 14 16 18 20 39 60 79 100 119|2 5 8 11 14 17 40 59 100 119 160 179";

    #[test]
    fn the_table_of_placements() {
        for line in TABLE.lines() {
            let parts: Vec<_> = line.split('|').collect();
            let numbers = |text: &str| -> Vec<u32> { text.split(' ').map(|n| n.parse().unwrap()).collect() };
            let width = parts[0].parse().unwrap();
            assert_eq!(queens(Placement::Corners, width)[0], numbers(parts[1]), "corners {width}");
            let figures = if parts[2].is_empty() { parts[1] } else { parts[2] };
            assert_eq!(queens(Placement::Figures, width)[0], numbers(figures), "figures {width}");
        }
    }

    #[test]
    fn the_rules_of_the_course() {
        for width in shape::MIN_WIDTH..=shape::MAX_WIDTH {
            for placement in [Placement::Figures, Placement::Corners] {
                obeys(width, &queens(placement, width));
            }
        }
    }

    fn obeys(width: usize, [first, second]: &[Vec<u32>; 2]) {
        assert_eq!(first.len(), 4 * (width / 10 + 1));
        let mut all: Vec<usize> = first.iter().chain(second).map(|&v| v as usize).collect();
        all.sort_unstable();
        let turned: Vec<_> = all.iter().rev().map(|v| width * width - 1 - v).collect();
        assert_eq!(all, turned);
        let (row, column) = (|v: usize| v / width, |v: usize| v % width);
        for (i, &a) in all.iter().enumerate() {
            for &b in &all[..i] {
                let (high, wide) = (row(a).abs_diff(row(b)), column(a).abs_diff(column(b)));
                assert!(high + wide >= 2, "{width}: {a} and {b} are neighbours");
            }
            for shape in Shape::ALL.into_iter().filter(|shape| shape.check(width).is_ok()) {
                assert!(!shape.is_hole(width, column(a), row(a)), "{shape:?}:{width} has no cell {a}");
            }
        }
        let is_end = |place: usize| place == 0 || place == width - 1;
        let rows = all.iter().filter(|&&v| is_end(row(v))).count();
        let columns = all.iter().filter(|&&v| is_end(column(v))).count();
        assert_eq!(rows, columns, "{width}");
    }
}

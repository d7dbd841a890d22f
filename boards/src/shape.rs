//! The generated shapes: square, donut, clover and eight, for every good width.

use crate::{BadBoard, Draft};

/// The smallest width of a generated board.
pub const MIN_WIDTH: usize = 5;
/// The largest width of a generated board.
pub const MAX_WIDTH: usize = 32;

/// A family of boards of `width` x `width` cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Square,
    /// A hole in the middle, a third of the width wide.
    Donut,
    /// Four holes, each a fifth of the width wide.
    Clover,
    /// Two holes, each a quarter of the width wide; the two middle quadrants touch at one corner.
    Eight,
}

/// Which diagonal steps are edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diagonals {
    /// All between two cells that are no holes.
    Natural,
    /// Not those that pass a hole, the bridge of the eight excepted.
    Cut,
}

impl Shape {
    pub const ALL: [Shape; 4] = [Shape::Square, Shape::Donut, Shape::Clover, Shape::Eight];

    /// As in a spec.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Square => "square",
            Shape::Donut => "donut",
            Shape::Clover => "clover",
            Shape::Eight => "eight",
        }
    }

    /// Good widths are the multiples of this.
    pub fn unit(self) -> usize {
        match self {
            Shape::Square => 1,
            Shape::Donut => 3,
            Shape::Clover => 5,
            Shape::Eight => 4,
        }
    }

    /// The good widths, ascending.
    pub fn widths(self) -> impl DoubleEndedIterator<Item = usize> {
        (MIN_WIDTH..=MAX_WIDTH).filter(move |width| width % self.unit() == 0)
    }

    /// Whether a width is good.
    ///
    /// # Errors
    /// Which rule it breaks, and the nearest good widths.
    pub fn check(self, width: usize) -> Result<(), BadBoard> {
        if self.widths().any(|good| good == width) {
            return Ok(());
        }
        let (least, most) = (self.widths().next().unwrap_or(MIN_WIDTH), self.widths().next_back().unwrap_or(MAX_WIDTH));
        let rule = match self.unit() {
            1 => format!("a width is {least} to {most}, not {width}"),
            unit if (least..=most).contains(&width) => {
                format!("the width of {} is a multiple of {unit}, which {width} is not", self.with_article())
            }
            unit => format!(
                "the width of {} is a multiple of {unit} from {least} to {most}, not {width}",
                self.with_article()
            ),
        };
        let below = self.widths().rfind(|&good| good < width);
        let above = self.widths().find(|&good| good > width);
        let nearest = match (below, above) {
            (Some(below), Some(above)) => format!("the nearest good widths are {below} and {above}"),
            (Some(one), None) | (None, Some(one)) => format!("the nearest good width is {one}"),
            (None, None) => String::from("there is no good width"),
        };
        Err(BadBoard::new(format!("{rule}; {nearest}")))
    }

    /// Whether a cell is a hole; `width` must be good.
    pub fn is_hole(self, width: usize, column: usize, row: usize) -> bool {
        let part = width / self.unit();
        let block = (row / part, column / part);
        match self {
            Shape::Square => false,
            Shape::Donut => block == (1, 1),
            Shape::Clover => block.0 % 2 == 1 && block.1 % 2 == 1,
            Shape::Eight => block == (1, 2) || block == (2, 1),
        }
    }

    /// The graph, still without queens.
    ///
    /// # Errors
    /// The width is not good.
    pub fn draft(self, width: usize, diagonals: Diagonals) -> Result<Draft, BadBoard> {
        self.check(width)?;
        let exists = (0..width * width).map(|cell| !self.is_hole(width, cell % width, cell / width)).collect();
        let mut draft = Draft::grid(width, exists, diagonals)?;
        if self == Shape::Eight && diagonals == Diagonals::Cut {
            let half = width / 2;
            let (upper, lower) = ((half - 1) * (width + 1), half * (width + 1));
            draft.connect(upper, lower, crate::Direction::SE)?;
            draft.connect(lower, upper, crate::Direction::NW)?;
        }
        Ok(draft)
    }

    fn with_article(self) -> &'static str {
        match self {
            Shape::Square => "a square",
            Shape::Donut => "a donut",
            Shape::Clover => "a clover",
            Shape::Eight => "an eight",
        }
    }
}

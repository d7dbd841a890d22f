//! Evaluates positions by the fastest path there is for the board and the processor; all paths give the same numbers.

use crate::arena::{Arena, NONE};
use crate::avx2::Avx2;
use crate::grid::{Cells, Grid, WORDS};
use crate::levels::Reached;
use crate::mobility::alpha;
use crate::position::Position;
use crate::spread::{FAR, Spread};
use crate::terms::Terms;
use crate::value::{Features, Heuristic, VERTEX, trapped};
use crate::{lanes, levels};

/// How the terms are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// By lanes in registers of 256 bits: boards that fit a grid, processors with AVX2.
    Avx2,
    /// By lanes in words of 64 bits: boards that fit a grid.
    Portable,
    /// Along the lines of any graph.
    General,
}

impl Path {
    /// The fastest for a board on this processor.
    pub fn best(arena: &Arena) -> Path {
        if !arena.is_embedded() {
            return Path::General;
        }
        if Avx2::detect().is_some() { Path::Avx2 } else { Path::Portable }
    }
}

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Thousandths of a vertex.
    pub value: i32,
    /// Whether both sides can still come to some vertex, or, where that is not counted, whether both can still slide.
    pub is_contested: bool,
}

/// Evaluates positions of one board, and keeps the memory for it.
#[derive(Clone, Debug)]
pub struct Evaluator {
    heuristic: Heuristic,
    path: Path,
    avx2: Option<Avx2>,
    reached: Reached,
    spread: Spread,
}

impl Evaluator {
    /// By the fastest path.
    pub fn new(arena: &Arena, heuristic: Heuristic) -> Evaluator {
        Evaluator::on_path(arena, heuristic, Path::best(arena))
    }

    /// By a given path, or one that every board and processor has where that cannot be.
    pub fn on_path(arena: &Arena, heuristic: Heuristic, path: Path) -> Evaluator {
        let path = match (path, Path::best(arena)) {
            (_, Path::General) => Path::General,
            (Path::Avx2, best) => best,
            (path, _) => path,
        };
        let avx2 = Avx2::detect().filter(|_| path == Path::Avx2);
        Evaluator { heuristic, path, avx2, reached: [[0; WORDS]; 2], spread: Spread::new(arena) }
    }

    /// The path that is taken.
    pub fn path(&self) -> Path {
        self.path
    }

    /// The terms for the side to move.
    #[inline]
    pub fn terms(&mut self, arena: &Arena, position: &Position) -> Terms {
        self.measure::<true>(arena, position).seen_from(position.side)
    }

    /// What the full heuristic weighs; how trapped queens are counts only where something is contested, and if it is asked for.
    #[inline]
    pub fn features(&mut self, arena: &Arena, position: &Position, with_mobility: bool) -> Features {
        let (side, terms) = (position.side, self.terms(arena, position));
        if terms.contested == 0 {
            return Features { terms, trapped: 0, reached: 1 };
        }
        let mut trapped = 0;
        if with_mobility {
            trapped = self.trapped(arena, position, 1 - side) - self.trapped(arena, position, side);
        }
        Features { terms, trapped, reached: self.reached_by_any() }
    }

    /// What the position is worth.
    #[inline]
    pub fn value(&mut self, arena: &Arena, position: &Position) -> Value {
        let side = position.side;
        match self.heuristic {
            Heuristic::Mobility { own, other } => {
                let slides = [0, 1].map(|side| position.count_slides(arena, side));
                let value = VERTEX * (own * slides[side] - other * slides[1 - side]);
                Value { value, is_contested: slides[0] > 0 && slides[1] > 0 }
            }
            Heuristic::Territory => {
                let terms = self.measure::<false>(arena, position).seen_from(side);
                Value { value: VERTEX * terms.closer1, is_contested: terms.contested > 0 }
            }
            Heuristic::Full(weights) => {
                let features = self.features(arena, position, weights.has_mobility());
                Value { value: weights.value(&features), is_contested: features.terms.contested > 0 }
            }
        }
    }

    /// The grid, if evaluation goes by it.
    #[inline]
    fn grid<'a>(&self, arena: &'a Arena) -> Option<&'a Grid> {
        arena.grid.as_ref().filter(|_| self.path != Path::General)
    }

    /// Whether the side reached the vertex in the last evaluation.
    #[inline]
    fn has_reached(&self, arena: &Arena, side: usize, vertex: usize) -> bool {
        match self.grid(arena) {
            Some(grid) => {
                let bit = grid.cell[vertex];
                bit != NONE && self.reached[side][usize::from(bit / 64)] >> (bit % 64) & 1 == 1
            }
            None => self.spread.by_queens[side][vertex] != FAR,
        }
    }

    /// How many vertices somebody reached in the last evaluation.
    fn reached_by_any(&self) -> i32 {
        if self.path == Path::General {
            let [a, b] = &self.spread.by_queens;
            return a.iter().zip(b).filter(|(a, b)| **a != FAR || **b != FAR).count() as i32;
        }
        let [a, b] = &self.reached;
        a.iter().zip(b).map(|(a, b)| (a | b).count_ones() as i32).sum()
    }

    /// How trapped the queens of a side are, by the reach of the last evaluation.
    fn trapped(&self, arena: &Arena, position: &Position, side: usize) -> i32 {
        let of =
            |queen: u16| trapped(alpha(arena, position, queen, |vertex| self.has_reached(arena, 1 - side, vertex)));
        position.queens[side].iter().map(|&queen| of(queen)).sum()
    }

    #[inline]
    fn measure<const FULL: bool>(&mut self, arena: &Arena, position: &Position) -> Terms {
        let Some(grid) = self.grid(arena) else { return self.spread.measure::<FULL>(arena, position) };
        let queens = position.queens.each_ref().map(|queens| cells_of(grid, queens));
        if let Some(avx2) = self.avx2 {
            return avx2.measure::<FULL>(grid, &position.free, &queens, &mut self.reached);
        }
        if grid.is_wide {
            levels::measure::<lanes::Wide, FULL>(grid, &position.free, &queens, &mut self.reached)
        } else {
            levels::measure::<lanes::Narrow, FULL>(grid, &position.free, &queens, &mut self.reached)
        }
    }
}

#[inline]
fn cells_of(grid: &Grid, queens: &[u16]) -> Cells {
    let mut cells = [0; WORDS];
    for bit in queens.iter().map(|&queen| grid.cell[usize::from(queen)]).filter(|bit| *bit != NONE) {
        cells[usize::from(bit / 64)] |= 1 << (bit % 64);
    }
    cells
}

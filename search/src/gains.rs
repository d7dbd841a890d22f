//! Learns during a search how slides of queens and arrows change the evaluation, so that it need not evaluate moves
//! without prospect. In chess the same is known as gains: Björnsson and Marsland 2001 learn what to prune, Heinz 1998
//! prunes at the frontier.

use crate::board_tables::BoardTables;

/// A change counts as this part of a running mean, which so forgets changes of earlier stages.
const MEMORY: i32 = 8;
/// The same of the running mean of all errors, in powers of two.
const ERROR_SHIFT: u32 = 8;
/// How often a slide, and an arrow, that is a mean error below the requirement is skipped before the next look at it,
/// in powers of two. One arrow is skipped with many slides of a position.
const SKIP_BITS: [u32; 2] = [5, 9];
/// Entries of a table at most: larger boards share some of them.
const LARGEST: usize = 1 << 18;
/// Nothing has been seen yet.
const UNSEEN: i16 = i16::MIN;

/// Running means of changes, and how far they are off in the mean.
#[derive(Clone, Debug)]
struct Means {
    of: Vec<i16>,
    /// Thousandths of a vertex, shifted by [`ERROR_SHIFT`].
    error: i32,
    patience: u32,
}

/// The gains learned about one board.
#[derive(Clone, Debug)]
pub struct Gains {
    /// By side, from and to.
    slides: Means,
    /// By side and where the arrow stops.
    arrows: Means,
    vertices: usize,
}

impl Means {
    fn new(entries: usize, patience: u32) -> Means {
        Means { of: vec![UNSEEN; entries.next_power_of_two().min(LARGEST)], error: 0, patience }
    }

    /// The mean change, `None` where nothing has been seen.
    #[inline]
    fn get(&self, index: usize) -> Option<i32> {
        let mean = self.of[index & (self.of.len() - 1)];
        (mean != UNSEEN).then_some(mean.into())
    }

    #[inline]
    fn note(&mut self, index: usize, change: i32) {
        let index = index & (self.of.len() - 1);
        let mean = i32::from(self.of[index]);
        let change = change.clamp(-i32::from(i16::MAX), i16::MAX.into());
        if self.of[index] == UNSEEN {
            self.of[index] = change as i16;
            return;
        }
        let off = change - mean;
        self.of[index] = (mean + off / MEMORY) as i16;
        self.error += off.abs() - (self.error >> ERROR_SHIFT);
    }

    /// Raises the hope of skipped moves a little, so that they are looked at again some time.
    #[inline]
    fn raise(&mut self, index: usize) {
        let index = index & (self.of.len() - 1);
        if self.of[index] != UNSEEN {
            self.of[index] = self.of[index].saturating_add((self.error() >> self.patience) as i16 + 1);
        }
    }

    fn error(&self) -> i32 {
        self.error >> ERROR_SHIFT
    }
}

impl Gains {
    /// With nothing seen yet.
    pub fn new(tables: &BoardTables) -> Gains {
        let vertices = tables.num_vertices();
        let [slides, arrows] = SKIP_BITS;
        Gains {
            slides: Means::new(2 * vertices * vertices, slides),
            arrows: Means::new(2 * vertices, arrows),
            vertices,
        }
    }

    /// The mean gain of a slide of a side, thousandths of a vertex.
    #[inline]
    pub fn slide(&self, side: usize, from: u16, to: u16) -> Option<i32> {
        self.slides.get(self.slide_index(side, from, to))
    }

    /// The mean change by an arrow of a side.
    #[inline]
    pub fn arrow(&self, side: usize, arrow: u16) -> Option<i32> {
        self.arrows.get(self.arrow_index(side, arrow))
    }

    /// How far the means of slides, and of arrows, are off in the mean.
    pub fn errors(&self) -> [i32; 2] {
        [self.slides.error(), self.arrows.error()]
    }

    /// Records the gain of a side's slide.
    #[inline]
    pub fn note_slide(&mut self, side: usize, from: u16, to: u16, change: i32) {
        let index = self.slide_index(side, from, to);
        self.slides.note(index, change);
    }

    /// Records the change by a side's arrow.
    #[inline]
    pub fn note_arrow(&mut self, side: usize, arrow: u16, change: i32) {
        let index = self.arrow_index(side, arrow);
        self.arrows.note(index, change);
    }

    /// Notes that a slide was passed over.
    #[inline]
    pub fn pass_slide(&mut self, side: usize, from: u16, to: u16) {
        let index = self.slide_index(side, from, to);
        self.slides.raise(index);
    }

    /// Notes that an arrow was passed over.
    #[inline]
    pub fn pass_arrow(&mut self, side: usize, arrow: u16) {
        let index = self.arrow_index(side, arrow);
        self.arrows.raise(index);
    }

    #[inline]
    fn slide_index(&self, side: usize, from: u16, to: u16) -> usize {
        (usize::from(from) * self.vertices + usize::from(to)) * 2 + side
    }

    #[inline]
    fn arrow_index(&self, side: usize, arrow: u16) -> usize {
        usize::from(arrow) * 2 + side
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_boards::{Diagonals, Placement, parse};

    fn gains() -> Gains {
        Gains::new(&BoardTables::new(&parse("square:10", Placement::Figures, Diagonals::Natural).unwrap(), true))
    }

    #[test]
    fn means_follow_what_is_seen_of_each_slide_and_side() {
        let mut gains = gains();
        assert_eq!((gains.slide(0, 3, 7), gains.arrow(1, 7)), (None, None));
        gains.note_slide(0, 3, 7, 500);
        gains.note_arrow(1, 7, -90);
        assert_eq!((gains.slide(0, 3, 7), gains.arrow(1, 7)), (Some(500), Some(-90)));
        assert_eq!([gains.slide(1, 3, 7), gains.slide(0, 7, 3), gains.arrow(0, 7)], [None; 3]);
        for _ in 0..200 {
            gains.note_slide(0, 3, 7, -2_000);
        }
        let mean = gains.slide(0, 3, 7).unwrap();
        assert!((-2_000..-1_980).contains(&mean), "{mean}");
    }

    #[test]
    fn errors_are_those_of_the_means() {
        let mut gains = gains();
        for round in 0..20_000 {
            gains.note_slide(0, 3, 7, if round % 2 == 0 { 1_000 } else { -1_000 });
        }
        // A mean that forgets hangs back a little.
        let [slides, arrows] = gains.errors();
        assert!((900..1_200).contains(&slides) && arrows == 0, "{slides} {arrows}");
    }

    #[test]
    fn what_is_passed_over_comes_to_be_looked_at_again() {
        let mut gains = gains();
        gains.note_arrow(0, 5, 0);
        (0..1_000).for_each(|round| gains.note_arrow(0, 6, if round % 2 == 0 { 1_000 } else { -1_000 }));
        gains.note_arrow(0, 5, -3_000);
        let (before, [_, error]) = (gains.arrow(0, 5).unwrap(), gains.errors());
        (0..1 << SKIP_BITS[1]).for_each(|_| gains.pass_arrow(0, 5));
        let raised = gains.arrow(0, 5).unwrap() - before;
        assert!((error..2 * error).contains(&raised), "{raised} of {error}");
        gains.pass_arrow(0, 9);
        assert_eq!(gains.arrow(0, 9), None);
    }

    #[test]
    fn changes_beyond_all_bounds_are_held() {
        let mut gains = gains();
        for change in [i32::MAX / 2, i32::MIN / 2, i32::MAX / 2] {
            gains.note_slide(1, 0, 99, change);
            (0..100_000).for_each(|_| gains.pass_slide(1, 0, 99));
        }
        assert!(gains.slide(1, 0, 99).unwrap() <= i16::MAX.into());
    }
}

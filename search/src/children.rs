//! The moves of a position, in two stages: it ranks slides of queens as if there were no arrow, then the arrows of the
//! best. Earlier experience with both decides which are worth an evaluation.

use crate::board_tables::BoardTables;
use crate::judge::{CERTAIN, Judge};
use crate::position::{Move, Position};
use std::cmp::Reverse;

/// A move, with the value for its mover of the position it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child {
    /// Value of the position after the move, for the mover.
    pub value: i32,
    pub mv: Move,
}

/// A slide of a queen whose arrow is still to be shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slide {
    /// Value for the mover as if there were no arrow; [`Slide::UNKNOWN`] if it has not been evaluated.
    pub value: i32,
    /// Where the queen comes from.
    pub from: u16,
    /// The vertex where it stops.
    pub to: u16,
}

impl Slide {
    /// Stands for no value.
    pub const UNKNOWN: i32 = i32::MIN;
}

/// Which moves are evaluated, by what [`crate::Gains`] says of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sieve {
    /// Those that may be worth more than this to their mover.
    pub floor: i32,
    /// By how many eighths of the mean error better than expected a move is trusted to be.
    pub doubt: i32,
    /// The most moves to keep, those expected to be best.
    pub most: usize,
}

impl Sieve {
    pub const ALL: Sieve = Sieve { floor: i32::MIN, doubt: 0, most: usize::MAX };
}

impl Judge {
    /// The slides of the side to move, at most this many, the best first. If there are no more than that, they come in
    /// the order of the board and without values.
    pub fn slides(&mut self, tables: &BoardTables, position: &mut Position, most: usize) -> Vec<Slide> {
        let slides = self.list_slides(tables, position);
        if slides.len() <= most { slides } else { self.rank(tables, position, slides, Sieve { most, ..Sieve::ALL }) }
    }

    /// As [`Judge::slides`], always with values, and those alone that a sieve leaves.
    pub fn ranked_slides(&mut self, tables: &BoardTables, position: &mut Position, sieve: Sieve) -> Vec<Slide> {
        let slides = self.list_slides(tables, position);
        self.rank(tables, position, slides, sieve)
    }

    /// All slides, but for those of queens in regions that nothing else hangs on.
    fn list_slides(&mut self, tables: &BoardTables, position: &Position) -> Vec<Slide> {
        let mut slides = Vec::with_capacity(128);
        self.find_spare(tables, position);
        let spare = self.regions().spare(tables, position);
        for &from in position.queens(position.side()).iter().filter(|queen| !spare.queens.contains(queen)) {
            position.each_slide(tables, from, |to| slides.push(Slide { value: Slide::UNKNOWN, from, to }));
        }
        slides
    }

    /// How many moves there are, of all that are as good as another only one; counted until they are more than `most`.
    pub fn count_moves(&mut self, tables: &BoardTables, position: &mut Position, most: u64) -> u64 {
        self.find_spare(tables, position);
        self.regions().count_moves(tables, position, most)
    }

    /// Looks for spare moves of the side to move, where there may be some.
    fn find_spare(&mut self, tables: &BoardTables, position: &Position) {
        if !self.is_alone_somewhere(tables, position) {
            return self.regions().note_no_spare(position);
        }
        let before = self.regions().spent();
        self.regions().spare(tables, position);
        self.note_regions(before);
    }

    /// The move that stands for all those which [`Judge::slides`] leaves out, if there are such: of the position that
    /// was asked for last.
    pub fn spare_move(&mut self) -> Option<Move> {
        self.regions().spare_move()
    }

    fn rank(&mut self, tables: &BoardTables, position: &mut Position, slides: Vec<Slide>, sieve: Sieve) -> Vec<Slide> {
        let still = self.leaf(tables, position);
        let mut slides = self.hopeful(position.side(), still, slides, Sieve { most: usize::MAX, ..sieve });
        for slide in &mut slides {
            position.slide(tables, slide.from, slide.to);
            slide.value = if self.is_stopped() { Slide::UNKNOWN } else { self.look_at(tables, position, slide, still) };
            position.slide(tables, slide.to, slide.from);
        }
        // Equals keep their order, which is the same on every machine.
        slides.sort_by_key(|slide| Reverse(slide.value));
        slides.truncate(sieve.most);
        slides
    }

    /// The slides that pass a sieve, judged only by earlier experience, from the value of the position before them: the
    /// most hopeful first, all without values.
    pub fn hopeful_slides(
        &mut self,
        tables: &BoardTables,
        position: &Position,
        still: i32,
        sieve: Sieve,
    ) -> Vec<Slide> {
        let slides = self.list_slides(tables, position);
        self.hopeful(position.side(), still, slides, sieve)
    }

    fn hopeful(&mut self, side: usize, still: i32, mut slides: Vec<Slide>, sieve: Sieve) -> Vec<Slide> {
        if sieve == Sieve::ALL {
            return slides;
        }
        let mut hopes: Vec<(i32, Slide)> = Vec::with_capacity(slides.len());
        for slide in slides.drain(..) {
            let hope = self.hope_of_slide(side, still, &slide, sieve.doubt);
            if hope > sieve.floor {
                hopes.push((hope, slide));
            } else {
                self.gains.pass_slide(side, slide.from, slide.to);
            }
        }
        hopes.sort_by_key(|(hope, _)| Reverse(*hope));
        let most = hopes.len().min(sieve.most);
        for (_, slide) in &hopes[most..] {
            self.gains.pass_slide(side, slide.from, slide.to);
        }
        slides.extend(hopes[..most].iter().map(|(_, slide)| slide));
        slides
    }

    /// The value of a slide that has been played, from a position of that value.
    pub fn look_at(&mut self, tables: &BoardTables, position: &Position, slide: &Slide, still: i32) -> i32 {
        let value = self.slide(tables, position);
        if still.abs() < CERTAIN {
            self.gains.note_slide(position.side(), slide.from, slide.to, value - still);
        }
        value
    }

    /// The value that a slide may reach, from the value of the position before it.
    fn hope_of_slide(&self, side: usize, still: i32, slide: &Slide, doubt: i32) -> i32 {
        let [error, _] = self.gains.errors();
        let gain = self.gains.slide(side, slide.from, slide.to);
        gain.map_or(i32::MAX, |gain| still.saturating_add(gain + error * doubt / 8))
    }

    /// The value that a slide may reach with one of its arrows.
    #[inline]
    pub fn hope_of_arrow(&self, side: usize, slide: &Slide, arrow: u16, doubt: i32) -> i32 {
        let [_, error] = self.gains.errors();
        let gain = self.gains.arrow(side, arrow).filter(|_| slide.value != Slide::UNKNOWN);
        gain.map_or(i32::MAX, |gain| slide.value.saturating_add(gain + error * doubt / 8))
    }

    /// The best `keep` moves by the values of the resulting positions, the best first. It uses only the best `slides`
    /// slides, and one of all equal moves. At the limits it returns the moves seen so far.
    pub fn children(
        &mut self,
        tables: &BoardTables,
        position: &mut Position,
        keep: usize,
        slides: usize,
    ) -> Vec<Child> {
        let slides = self.slides(tables, position, slides);
        let spare = self.spare_child(tables, position);
        let mut children = self.arrows(tables, position, &slides, Sieve::ALL);
        children.extend(spare);
        children.sort_by_key(|child| Reverse(child.value));
        children.truncate(keep);
        children
    }

    /// [`Judge::spare_move`] with its value.
    pub fn spare_child(&mut self, tables: &BoardTables, position: &mut Position) -> Option<Child> {
        let mv = self.spare_move()?;
        position.play(tables, mv);
        let value = -self.leaf(tables, position);
        position.undo(tables, mv);
        Some(Child { value, mv })
    }

    /// These slides with their arrows that pass a sieve, in the order of the board; at the limits, those seen so far.
    pub fn arrows(
        &mut self,
        tables: &BoardTables,
        position: &mut Position,
        slides: &[Slide],
        sieve: Sieve,
    ) -> Vec<Child> {
        let floor = self.floor_of_arrows(tables, position, slides, sieve);
        let mut children = Vec::with_capacity(512);
        let mut arrows = Vec::with_capacity(64);
        let side = position.side();
        for slide in slides {
            let Slide { from, to, .. } = *slide;
            position.slide(tables, from, to);
            arrows.clear();
            position.each_arrow(tables, from, to, |arrow| arrows.push(arrow));
            for &arrow in &arrows {
                if self.is_stopped() {
                    break;
                }
                if floor == i32::MIN || self.hope_of_arrow(side, slide, arrow, sieve.doubt) > floor {
                    let value = self.shoot(tables, position, slide, arrow);
                    children.push(Child { value, mv: Move { from, to, arrow } });
                } else {
                    self.gains.pass_arrow(side, arrow);
                }
            }
            position.slide(tables, to, from);
        }
        children
    }

    /// The least hope of an arrow, so that no more remain than a sieve allows.
    fn floor_of_arrows(&self, tables: &BoardTables, position: &mut Position, slides: &[Slide], sieve: Sieve) -> i32 {
        if sieve.most == usize::MAX {
            return sieve.floor;
        }
        let side = position.side();
        let mut hopes = Vec::with_capacity(1024);
        for slide in slides {
            position.slide(tables, slide.from, slide.to);
            let hope = |arrow| hopes.push(self.hope_of_arrow(side, slide, arrow, sieve.doubt));
            position.each_arrow(tables, slide.from, slide.to, hope);
            position.slide(tables, slide.to, slide.from);
        }
        if hopes.len() <= sieve.most {
            return sieve.floor;
        }
        let (_, floor, _) = hopes.select_nth_unstable_by_key(sieve.most, |hope| Reverse(*hope));
        // Unknown moves are looked at.
        sieve.floor.max((*floor).min(i32::MAX - 1))
    }

    /// Notes that an arrow of a side is passed over.
    #[inline]
    pub fn pass_arrow(&mut self, side: usize, arrow: u16) {
        self.gains.pass_arrow(side, arrow);
    }

    /// The value for its mover of a slide, which has been played, with an arrow.
    pub fn shoot(&mut self, tables: &BoardTables, position: &mut Position, slide: &Slide, arrow: u16) -> i32 {
        position.shoot(tables, arrow);
        let value = -self.leaf(tables, position);
        position.unshoot(tables, arrow);
        if slide.value != Slide::UNKNOWN && value.abs() < CERTAIN {
            self.gains.note_arrow(position.side(), arrow, value - slide.value);
        }
        value
    }
}

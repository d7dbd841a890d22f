//! The moves of a position, in two stages: slides of queens are ranked as if there were no arrow, then the arrows of
//! the best.

use crate::arena::Arena;
use crate::judge::Judge;
use crate::position::{Move, Position};
use std::cmp::Reverse;

/// A move, with the value for its mover of the position it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child {
    /// Value of the position after the move, for the mover.
    pub value: i32,
    /// The move.
    pub mv: Move,
}

impl Judge {
    /// The slides of the side to move as (value, from, to), at most so many: the best first, or, where there are no
    /// more, in the order of the board and without values.
    pub fn slides(&mut self, arena: &Arena, position: &mut Position, most: usize) -> Vec<(i32, u16, u16)> {
        let slides = self.list_slides(arena, position);
        if slides.len() <= most { slides } else { self.rank(arena, position, slides, most) }
    }

    /// As [`Judge::slides`], always with values.
    pub fn ranked_slides(&mut self, arena: &Arena, position: &mut Position, most: usize) -> Vec<(i32, u16, u16)> {
        let slides = self.list_slides(arena, position);
        self.rank(arena, position, slides, most)
    }

    /// All slides, but for those of queens in regions that nothing else hangs on.
    fn list_slides(&mut self, arena: &Arena, position: &Position) -> Vec<(i32, u16, u16)> {
        let mut slides = Vec::with_capacity(128);
        let before = self.regions().spent();
        let spare = self.regions().spare(arena, position);
        for &from in position.queens(position.side()).iter().filter(|queen| !spare.queens.contains(queen)) {
            position.each_slide(arena, from, |to| slides.push((0, from, to)));
        }
        self.note_regions(before);
        slides
    }

    /// How many moves there are, of all that are as good as another only one.
    pub fn count_moves(&mut self, arena: &Arena, position: &mut Position) -> u64 {
        let before = self.regions().spent();
        let count = self.regions().count_moves(arena, position);
        self.note_regions(before);
        count
    }

    /// The move that stands for all those which [`Judge::slides`] leaves out, if there are such: of the position that
    /// was asked for last.
    pub fn spare_move(&mut self) -> Option<Move> {
        self.regions().spare_move()
    }

    fn rank(
        &mut self,
        arena: &Arena,
        position: &mut Position,
        mut slides: Vec<(i32, u16, u16)>,
        most: usize,
    ) -> Vec<(i32, u16, u16)> {
        for (value, from, to) in &mut slides {
            position.slide(arena, *from, *to);
            *value = if self.is_stopped() { i32::MIN } else { self.slide(arena, position) };
            position.slide(arena, *to, *from);
        }
        // Equals keep the order of the board, which is the same on every machine.
        slides.sort_by_key(|(value, ..)| Reverse(*value));
        slides.truncate(most);
        slides
    }

    /// The best `keep` moves by the values of the positions they lead to, the best first; of the best `slides` slides
    /// only, and of all moves that are as good as another only one. What has been seen so far when the limits are
    /// reached.
    pub fn children(&mut self, arena: &Arena, position: &mut Position, keep: usize, slides: usize) -> Vec<Child> {
        let slides = self.slides(arena, position, slides);
        let spare = self.spare_child(arena, position);
        let mut children = self.arrows(arena, position, &slides);
        children.extend(spare);
        children.sort_by_key(|child| Reverse(child.value));
        children.truncate(keep);
        children
    }

    /// [`Judge::spare_move`] with its value.
    pub fn spare_child(&mut self, arena: &Arena, position: &mut Position) -> Option<Child> {
        let mv = self.spare_move()?;
        position.play(arena, mv);
        let value = -self.leaf(arena, position);
        position.undo(arena, mv);
        Some(Child { value, mv })
    }

    /// These slides with each of their arrows, in the order of the board; what has been seen so far when the limits are
    /// reached.
    pub fn arrows(&mut self, arena: &Arena, position: &mut Position, slides: &[(i32, u16, u16)]) -> Vec<Child> {
        let mut children = Vec::with_capacity(512);
        let mut arrows = Vec::with_capacity(64);
        for &(_, from, to) in slides {
            position.slide(arena, from, to);
            arrows.clear();
            position.each_arrow(arena, from, to, |arrow| arrows.push(arrow));
            for &arrow in &arrows {
                if self.is_stopped() {
                    break;
                }
                position.shoot(arena, arrow);
                let value = -self.leaf(arena, position);
                position.unshoot(arena, arrow);
                children.push(Child { value, mv: Move { from, to, arrow } });
            }
            position.slide(arena, to, from);
        }
        children
    }
}

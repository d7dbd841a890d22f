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
    /// The slides of the side to move as (value, from, to), the best first, at most so many.
    pub fn slides(&mut self, arena: &Arena, position: &mut Position, most: usize) -> Vec<(i32, u16, u16)> {
        let mut slides = Vec::with_capacity(128);
        for &from in position.queens(position.side()) {
            position.each_slide(arena, from, |to| slides.push((0, from, to)));
        }
        if slides.len() <= most {
            return slides;
        }
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
    /// only. What has been seen so far when the limits are reached.
    pub fn children(&mut self, arena: &Arena, position: &mut Position, keep: usize, slides: usize) -> Vec<Child> {
        let mut children = Vec::with_capacity(512);
        let mut arrows = Vec::with_capacity(64);
        for (_, from, to) in self.slides(arena, position, slides) {
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
        children.sort_by_key(|child| Reverse(child.value));
        children.truncate(keep);
        children
    }
}

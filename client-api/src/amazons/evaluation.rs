//! What a position of Amazons is worth, in whole numbers: those of `agon/amazons_kit.h`, after Lieberum, "An evaluation
//! function for the game of Amazons" (2005).

use super::{Board, DIRECTIONS, NOWHERE};

/// A distance that no side goes: the vertex cannot be reached, or something stands there.
pub const FAR: u32 = u32::MAX;

/// How a side moves when its distance to a vertex is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// As a queen: a slide of any length is one move.
    Queen,
    /// As a king: each edge is one move.
    King,
}

/// A position in numbers, for the side to move. Each is its own less that of the other side, except for `tied1`,
/// `tied2`, `contested` and `reached`. D1 is the distance of a free vertex by [`Step::Queen`], D2 by [`Step::King`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Vertices nearer by D1.
    pub closer1: i32,
    /// Vertices as near to both by D1. t1 = `closer1` + `tied1` / 5, because the side to move comes first.
    pub tied1: i32,
    /// Vertices nearer by D2.
    pub closer2: i32,
    /// Vertices as near to both by D2. t2 = `closer2` + `tied2` / 5.
    pub tied2: i32,
    /// c1 in 1/64: the sum of 2 (2^-D1 - 2^-D1 of the other side). Distances above 7 add nothing.
    pub near1: i32,
    /// c2 in 1/6: the sum of D2 of the other side - D2, at most 6 either way.
    pub near2: i32,
    /// w in 1/128: the sum of 2^-|difference of D1| where both can come. If it is 0, all queens are closed in.
    pub contested: i32,
    /// Vertices where a side can come.
    pub reached: i32,
}

impl Terms {
    /// What the terms are worth to the side to move, in thousandths of a vertex: t1 alone where nothing is contested,
    /// and four terms with fixed weights where much is. Change the weights, and see whether your client plays better.
    pub fn value(&self) -> i32 {
        // The part of the vertices that is contested, in 1/256; from 38 on the weights stay.
        let part = (self.contested * 2 / self.reached.max(1)).min(38);
        let (t1, c1) = (900 + (290 - 900) * part / 38, 380 * part / 38);
        let (t2, c2) = (170 * part / 38, 430 * part / 38);
        t1 * (5 * self.closer1 + self.tied1) / 5
            + c1 * self.near1 / 64
            + t2 * (5 * self.closer2 + self.tied2) / 5
            + c2 * self.near2 / 6
    }
}

impl Board {
    /// For each vertex, the moves that a side needs to come there if nobody else moved; [`FAR`] where it cannot, and
    /// where something stands.
    pub fn distances(&self, side: usize, step: Step) -> Vec<u32> {
        let mut distance = vec![FAR; self.num_vertices()];
        let (mut edge, mut next) = (self.queens[side].clone(), Vec::new());
        for level in 1.. {
            for from in edge.drain(..) {
                for direction in 0..DIRECTIONS {
                    self.advance(from, direction, step, level, &mut distance, &mut next);
                }
            }
            if next.is_empty() {
                break;
            }
            std::mem::swap(&mut edge, &mut next);
        }
        distance
    }

    /// Marks the vertices of one slide that are not nearer, and collects those that are new.
    fn advance(&self, from: u32, direction: usize, step: Step, level: u32, distance: &mut [u32], new: &mut Vec<u32>) {
        let slide = self.reach[from as usize * DIRECTIONS + direction];
        let mut at = from;
        for _ in 0..if step == Step::King { slide.min(1) } else { slide } {
            at = self.next[at as usize * DIRECTIONS + direction];
            // A vertex that was reached in fewer moves goes on from there by itself.
            if at == NOWHERE || self.is_occupied(at) || distance[at as usize] < level {
                return;
            }
            if distance[at as usize] == FAR {
                distance[at as usize] = level;
                new.push(at);
            }
        }
    }

    /// Counts the terms of the position for the side to move.
    pub fn measure(&self, side: usize) -> Terms {
        let mut terms = Terms::default();
        let share = |distance: u32| if distance > 7 { 0 } else { 128 >> distance };
        let sign = |own: u32, other: u32| i32::from(own < other) - i32::from(own > other);
        let both = |step| [side, 1 - side].map(|side| self.distances(side, step));
        let [own, other] = both(Step::Queen);
        for (own, other) in own.into_iter().zip(other) {
            let is_far = own == FAR || other == FAR;
            terms.closer1 += sign(own, other);
            terms.tied1 += i32::from(own == other && !is_far);
            terms.near1 += share(own) - share(other);
            terms.contested += if is_far { 0 } else { 128 >> own.abs_diff(other).min(7) };
            terms.reached += i32::from(own != FAR || other != FAR);
        }
        let [own, other] = both(Step::King);
        for (own, other) in own.into_iter().zip(other) {
            terms.closer2 += sign(own, other);
            terms.tied2 += i32::from(own == other && own != FAR);
            terms.near2 += sign(own, other) * own.abs_diff(other).min(6) as i32;
        }
        terms
    }

    /// What the position is worth to `side` if it is to move, in thousandths of a vertex, without a look ahead. After
    /// your own move the other side is to move: `-board.evaluate(1 - side)` is what the position is worth to you.
    pub fn evaluate(&self, side: usize) -> i32 {
        self.measure(side).value()
    }
}

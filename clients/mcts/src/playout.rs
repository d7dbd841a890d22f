//! Games to the end without a search, from a leaf: what the course's tree search used instead of an evaluation.

use crate::options::Playouts;
use agon_client_api::chance::{Rng, below, rng};
use agon_search::{Arena, Move, Position};

/// Slides that a side which prefers mobility chooses from.
const CANDIDATES: usize = 4;

/// Plays games from leaves.
pub struct Playout {
    rng: Rng,
    slides: Vec<(u16, u16)>,
    arrows: Vec<u16>,
}

impl Playout {
    /// With its own chance.
    pub fn new(seed: u64) -> Playout {
        Playout { rng: rng(seed), slides: Vec::new(), arrows: Vec::new() }
    }

    /// 1 if the side to move wins, or -1.
    pub fn play(&mut self, arena: &Arena, position: &Position, kind: Playouts) -> f32 {
        let side = position.side();
        let mut position = position.clone();
        while self.step(arena, &mut position, kind) {}
        // Who cannot move has lost.
        if position.side() == side { -1.0 } else { 1.0 }
    }

    /// One move; `false` if there is none.
    fn step(&mut self, arena: &Arena, position: &mut Position, kind: Playouts) -> bool {
        self.slides.clear();
        for &from in position.queens(position.side()) {
            position.each_slide(arena, from, |to| self.slides.push((from, to)));
        }
        let tries = if kind == Playouts::Mobility { CANDIDATES } else { 1 };
        let mut best: Option<(i32, Move)> = None;
        for _ in 0..tries {
            let Some(mv) = self.draw(arena, position) else { break };
            if tries == 1 {
                best = Some((0, mv));
                break;
            }
            position.play(arena, mv);
            let side = 1 - position.side();
            let value = position.count_slides(arena, side) - position.count_slides(arena, 1 - side);
            position.undo(arena, mv);
            if best.is_none_or(|(best, _)| value > best) {
                best = Some((value, mv));
            }
        }
        let Some((_, mv)) = best else { return false };
        position.play(arena, mv);
        true
    }

    /// A slide by chance and then an arrow by chance; `None` if no slide leaves room for an arrow.
    fn draw(&mut self, arena: &Arena, position: &mut Position) -> Option<Move> {
        loop {
            if self.slides.is_empty() {
                return None;
            }
            let index = below(&mut self.rng, self.slides.len() as u64) as usize;
            let (from, to) = self.slides[index];
            position.slide(arena, from, to);
            self.arrows.clear();
            position.each_arrow(arena, from, to, |arrow| self.arrows.push(arrow));
            position.slide(arena, to, from);
            if !self.arrows.is_empty() {
                let arrow = self.arrows[below(&mut self.rng, self.arrows.len() as u64) as usize];
                return Some(Move { from, to, arrow });
            }
            self.slides.swap_remove(index);
        }
    }
}

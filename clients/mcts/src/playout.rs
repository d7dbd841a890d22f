//! Games to the end without a search, from a leaf: what the course's tree search used instead of an evaluation.

use crate::options::Playouts;
use agon_client_api::chance::{Rng, below, rng};
use agon_search::{BoardTables, Move, Position};

/// Slides that a side which prefers mobility chooses from.
const CANDIDATES: usize = 4;

/// Plays games from leaves.
pub struct Playout {
    rng: Rng,
}

impl Playout {
    /// With its own chance.
    pub fn new(seed: u64) -> Playout {
        Playout { rng: rng(seed) }
    }

    /// 1 if the side to move wins, or -1.
    pub fn play(&mut self, tables: &BoardTables, position: &Position, kind: Playouts) -> f32 {
        let side = position.side();
        let mut position = position.clone();
        while self.step(tables, &mut position, kind) {}
        // Who cannot move has lost.
        if position.side() == side { -1.0 } else { 1.0 }
    }

    /// One move; `false` if there is none.
    fn step(&mut self, tables: &BoardTables, position: &mut Position, kind: Playouts) -> bool {
        if kind != Playouts::Mobility {
            return position.play_by_chance(tables, |bound| below(&mut self.rng, bound)).is_some();
        }
        let mut best: Option<(i32, Move)> = None;
        for _ in 0..CANDIDATES {
            let Some(mv) = position.play_by_chance(tables, |bound| below(&mut self.rng, bound)) else { return false };
            let side = 1 - position.side();
            let value = position.count_slides(tables, side) - position.count_slides(tables, 1 - side);
            position.undo(tables, mv);
            if best.is_none_or(|(best, _)| value > best) {
                best = Some((value, mv));
            }
        }
        best.is_some_and(|(_, mv)| {
            position.play(tables, mv);
            true
        })
    }
}

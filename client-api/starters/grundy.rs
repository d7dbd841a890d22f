//! A first client for Grundy's game: it leaves the other side without a move where it can, and else splits at random.
//! What it prints by println! is kept with each match: agon show last shows it.

use agon_client_api::chance::{Rng, below, rng};
use agon_client_api::grundy::{Grundy, Move, Setup, Turn};
use agon_client_api::{Client, Declined, export_client};

struct Bot {
    rng: Rng,
}

impl Client for Bot {
    type Game = Grundy;
    const NAME: &'static str = "first-rust";

    fn new(setup: &Setup) -> Result<Self, Declined> {
        Ok(Bot { rng: rng(setup.facts.head.seed) })
    }

    fn play(&mut self, turn: &Turn) -> Move {
        let splits = splits(turn.heaps);
        let last = splits.iter().find(|split| heaps_left(turn.heaps, split) == 0);
        *last.unwrap_or(&splits[below(&mut self.rng, splits.len() as u64) as usize])
    }
}

fn splits(heaps: &[u32]) -> Vec<Move> {
    let of_heap = |(heap, sticks): (u32, &u32)| {
        let sticks = *sticks;
        (1..sticks).filter(move |split| 2 * split != sticks).map(move |split| Move { heap, split })
    };
    (0..).zip(heaps).flat_map(of_heap).collect()
}

/// How many heaps can still be split after a move. Next: combine the nimbers of all heaps by ^ instead; a split that
/// leaves 0 wins. The nimber of a heap is the least number that nimber(a) ^ nimber(b) is for none of its splits into a
/// and b.
fn heaps_left(heaps: &[u32], mv: &Move) -> usize {
    let parts = [mv.split, heaps[mv.heap as usize] - mv.split];
    let others = (0..).zip(heaps).filter(|(heap, _)| *heap != mv.heap).map(|(_, sticks)| *sticks);
    others.chain(parts).filter(|sticks| *sticks > 2).count()
}

export_client!(Bot);

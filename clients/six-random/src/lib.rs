//! 6 qui prend!: any card, each as likely as any other. One of the course's five.
#![forbid(unsafe_code)]

use agon_client_api::chance::{Rng, below, rng};
use agon_client_api::six_qui_prend::{CHEAPEST_ROW, Move, Setup, SixQuiPrend, Turn, lay, take};
use agon_client_api::{Client, Declined, export_client};

struct Random {
    rng: Rng,
}

impl Client for Random {
    type Game = SixQuiPrend;
    const NAME: &'static str = "Carte random";

    fn new(setup: &Setup) -> Result<Self, Declined> {
        Ok(Random { rng: rng(setup.facts.head.seed) })
    }

    fn play(&mut self, turn: &Turn) -> Move {
        if turn.pending().is_some() {
            return take(CHEAPEST_ROW);
        }
        let hand = turn.hand();
        lay(hand[below(&mut self.rng, hand.len() as u64) as usize])
    }
}

export_client!(Random);

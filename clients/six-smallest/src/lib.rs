//! 6 qui prend!: always the smallest card. One of the course's five.
#![forbid(unsafe_code)]

use agon_client_api::six_qui_prend::{CHEAPEST_ROW, Move, Setup, SixQuiPrend, Turn, lay, take};
use agon_client_api::{Client, Declined, export_client};

struct Smallest;

impl Client for Smallest {
    type Game = SixQuiPrend;
    const NAME: &'static str = "Carte la plus petite";

    fn new(_setup: &Setup) -> Result<Self, Declined> {
        Ok(Smallest)
    }

    fn play(&mut self, turn: &Turn) -> Move {
        if turn.pending().is_some() {
            return take(CHEAPEST_ROW);
        }
        let hand = turn.hand();
        lay(hand[0])
    }
}

export_client!(Smallest);

//! 6 qui prend!: always the largest card. One of the course's five.
#![forbid(unsafe_code)]

use agon_client_api::six_qui_prend::{CHEAPEST_ROW, Move, Setup, SixQuiPrend, Turn, lay, take};
use agon_client_api::{Client, Declined, export_client};

struct Largest;

impl Client for Largest {
    type Game = SixQuiPrend;
    const NAME: &'static str = "Carte la plus grande";

    fn new(_setup: &Setup) -> Result<Self, Declined> {
        Ok(Largest)
    }

    fn play(&mut self, turn: &Turn) -> Move {
        if turn.pending().is_some() {
            return take(CHEAPEST_ROW);
        }
        let hand = turn.hand();
        lay(hand[hand.len() - 1])
    }
}

export_client!(Largest);

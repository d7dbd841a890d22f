//! 6 qui prend!: always the card before the largest; the last one when it is alone. One of the course's five.
#![forbid(unsafe_code)]

use agon_client_api::six_qui_prend::{CHEAPEST_ROW, Move, Setup, SixQuiPrend, Turn, lay, take};
use agon_client_api::{Client, Declined, export_client};

struct SecondLargest;

impl Client for SecondLargest {
    type Game = SixQuiPrend;
    const NAME: &'static str = "Carte avant la plus grande";

    fn new(_setup: &Setup) -> Result<Self, Declined> {
        Ok(SecondLargest)
    }

    fn play(&mut self, turn: &Turn) -> Move {
        if turn.pending().is_some() {
            return take(CHEAPEST_ROW);
        }
        let hand = turn.hand();
        lay(hand[hand.len().saturating_sub(2)])
    }
}

export_client!(SecondLargest);

//! 6 qui prend!: always the card in the middle of the hand. One of the course's five.
#![forbid(unsafe_code)]

use agon_client_api::six_qui_prend::{CHEAPEST_ROW, Move, Setup, SixQuiPrend, Turn, lay, take};
use agon_client_api::{Client, Declined, export_client};

struct Middle;

impl Client for Middle {
    type Game = SixQuiPrend;
    const NAME: &'static str = "Carte au milieu de la main";

    fn new(_setup: &Setup) -> Result<Self, Declined> {
        Ok(Middle)
    }

    fn play(&mut self, turn: &Turn) -> Move {
        if turn.pending().is_some() {
            return take(CHEAPEST_ROW);
        }
        let hand = turn.hand();
        lay(hand[hand.len() / 2])
    }
}

export_client!(Middle);

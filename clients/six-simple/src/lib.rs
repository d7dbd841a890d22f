//! 6 qui prend!: the five players of the course. Option `card` says which card of the hand, sorted, is laid:
//! "smallest", "middle", "random" (default), "second-largest" or "largest". A row, if one is asked for, is the
//! cheapest.
#![forbid(unsafe_code)]

use agon_client_api::chance::{Rng, below, rng};
use agon_client_api::six_qui_prend::{CHEAPEST_ROW, Move, Setup, SixQuiPrend, Turn, lay, take};
use agon_client_api::{Client, Declined, export_client};

/// The values of `card`, and the names that the course gave to those who play so.
const CARDS: [(&str, &str); 5] = [
    ("smallest", "Carte la plus petite"),
    ("middle", "Carte au milieu de la main"),
    ("random", "Carte random"),
    ("second-largest", "Carte avant la plus grande"),
    ("largest", "Carte la plus grande"),
];

struct Simple {
    card: &'static str,
    name: &'static str,
    rng: Rng,
}

impl Client for Simple {
    type Game = SixQuiPrend;
    const NAME: &'static str = "six-simple";

    fn name(&self) -> &str {
        self.name
    }

    fn new(setup: &Setup) -> Result<Self, Declined> {
        let asked = setup.options.get("card").unwrap_or("random");
        let known = || CARDS.map(|(card, _)| card).join(", ");
        let (card, name) = *CARDS
            .iter()
            .find(|(card, _)| *card == asked)
            .ok_or_else(|| format!("card = \"{asked}\" is none of {}", known()))?;
        Ok(Simple { card, name, rng: rng(setup.facts.head.seed) })
    }

    fn play(&mut self, turn: &Turn) -> Move {
        if turn.pending().is_some() {
            return take(CHEAPEST_ROW);
        }
        let hand = turn.hand();
        let place = match self.card {
            "smallest" => 0,
            "middle" => hand.len() / 2,
            "random" => below(&mut self.rng, hand.len() as u64) as usize,
            "second-largest" => hand.len().saturating_sub(2),
            _ => hand.len() - 1,
        };
        lay(hand[place])
    }
}

export_client!(Simple);

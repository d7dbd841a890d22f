//! A first client for 6 qui prend!: it lays the card that comes nearest behind a row with room, and takes the cheapest
//! row.
//! What it prints by println! is kept with each match: agon show last shows it.

use agon_client_api::six_qui_prend::{CHEAPEST_ROW, Move, Setup, SixQuiPrend, Turn, lay, take};
use agon_client_api::{Client, Declined, export_client};

struct Bot;

impl Client for Bot {
    type Game = SixQuiPrend;
    const NAME: &'static str = "first-rust";

    fn new(_setup: &Setup) -> Result<Self, Declined> {
        Ok(Bot)
    }

    fn play(&mut self, turn: &Turn) -> Move {
        if turn.pending().is_some() {
            return take(CHEAPEST_ROW);
        }
        let hand = turn.hand();
        lay(*hand.iter().min_by_key(|card| cost(turn, **card)).unwrap_or(&hand[0]))
    }
}

/// What is bad about laying a card now: the gap, and much more where it may take a row.
/// Next: return the sum of the heads that you take in 20 rounds that you play out, with the same chance for each card. You
/// lay the card, then the rest of your hand in any order. The others lay cards drawn from those that nobody has shown
/// (seen) and you do not hold.
fn cost(turn: &Turn, card: u8) -> u32 {
    let ends = (0..4).map(|row| (row, *turn.row(row).last().unwrap_or(&0)));
    let Some((row, end)) = ends.filter(|(_, end)| *end < card).max_by_key(|(_, end)| *end) else { return 500 };
    match turn.row(row).len() as u32 {
        5 => 200 + 10 * u32::from(turn.facts.row_heads[row]),
        size => u32::from(card - end) * size,
    }
}

export_client!(Bot);

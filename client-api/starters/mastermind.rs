//! A first client for Mastermind: it guesses a code that agrees with all replies so far, found by drawing; as a maker
//! it keeps one secret.
//! What it prints by println! is kept with each match: agon show last shows it.

use agon_client_api::chance::{Rng, rng};
use agon_client_api::mastermind::{Asked, Code, Codes, Mastermind, Move, Setup, Turn, agrees};
use agon_client_api::{Client, Declined, export_client};

/// Codes that are drawn for a guess, at most.
const MOST_DRAWN: usize = 20_000;

struct Bot {
    codes: Codes,
    secret: Code,
    rng: Rng,
}

impl Client for Bot {
    type Game = Mastermind;
    const NAME: &'static str = "first-rust";

    fn new(setup: &Setup) -> Result<Self, Declined> {
        let (codes, mut rng) = (setup.codes(), rng(setup.facts.head.seed));
        Ok(Bot { codes, secret: codes.draw(&mut rng), rng })
    }

    fn play(&mut self, turn: &Turn) -> Move {
        let pegs = self.codes.pegs() as u8;
        match turn.asked() {
            Asked::Secret => Move::code(&self.secret, pegs),
            Asked::Reply(guess) => Move::reply(self.codes.reply(&self.secret, &guess)),
            Asked::Guess => Move::code(&self.choose(turn), pegs),
        }
    }
}

impl Bot {
    /// Chooses the first code that agrees with all replies.
    /// Next: draw up to 60 of them, and guess the one that gets most different replies from the others.
    fn choose(&mut self, turn: &Turn) -> Code {
        let mut code = self.codes.draw(&mut self.rng);
        for _ in 0..MOST_DRAWN {
            if agrees(self.codes, turn.history, &code) {
                break;
            }
            code = self.codes.draw(&mut self.rng);
        }
        code
    }
}

export_client!(Bot);

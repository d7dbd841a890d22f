//! A first client for Amazons: of 50 random moves it plays the one that leaves the other side fewest moves.
//! What it prints by println! is kept with each match: agon show last shows it.

use agon_client_api::amazons::{Amazons, AmazonsMove, Setup, Turn};
use agon_client_api::chance::{Rng, rng};
use agon_client_api::rules::{Position, position};
use agon_client_api::{Client, Declined, Rules, export_client};
use std::ops::ControlFlow;

struct Bot {
    position: Position,
    side: usize,
    rng: Rng,
}

impl Client for Bot {
    type Game = Amazons;
    const NAME: &'static str = "first-rust";

    fn new(setup: &Setup) -> Result<Self, Declined> {
        Ok(Bot { position: position(setup)?, side: setup.side, rng: rng(setup.head.seed) })
    }

    fn play(&mut self, turn: &Turn) -> AmazonsMove {
        if turn.previous != AmazonsMove::NONE {
            self.position.play(&[(1 - self.side, turn.previous)]);
        }
        let mv = self.choose();
        self.position.play(&[(self.side, mv)]);
        mv
    }
}

impl Bot {
    /// Choose: count one's own moves, too, and look at more than 50.
    fn choose(&mut self) -> AmazonsMove {
        let first = self.position.sample(self.side, &mut self.rng);
        let (mut best, mut fewest) = (first, self.left_after(first));
        for _ in 1..50 {
            let mv = self.position.sample(self.side, &mut self.rng);
            let left = self.left_after(mv);
            if left < fewest {
                (best, fewest) = (mv, left);
            }
        }
        best
    }

    /// How many moves the other side has after a move.
    fn left_after(&self, mv: AmazonsMove) -> usize {
        let mut position = self.position.clone();
        position.play(&[(self.side, mv)]);
        let mut left = 0;
        position.legal(1 - self.side, &mut |_| {
            left += 1;
            ControlFlow::Continue(())
        });
        left
    }
}

export_client!(Bot);

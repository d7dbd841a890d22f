//! A first client for Amazons: of 50 random moves it plays the one after which it has most moves left.

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
    /// Choose: count the moves of the other side, too, and look at more than 50.
    fn choose(&mut self) -> AmazonsMove {
        let first = self.position.sample(self.side, &mut self.rng);
        let (mut best, mut best_room) = (first, self.room_after(first));
        for _ in 1..50 {
            let mv = self.position.sample(self.side, &mut self.rng);
            let room = self.room_after(mv);
            if room > best_room {
                (best, best_room) = (mv, room);
            }
        }
        best
    }

    fn room_after(&self, mv: AmazonsMove) -> usize {
        let mut position = self.position.clone();
        position.play(&[(self.side, mv)]);
        let mut room = 0;
        position.legal(self.side, &mut |_| {
            room += 1;
            ControlFlow::Continue(())
        });
        room
    }
}

export_client!(Bot);

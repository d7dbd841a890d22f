//! Amazons: any legal move, each as likely as any other. With the option `style = "queen"` as the course's player:
//! first one of the queens that can move, then one of its moves.
#![forbid(unsafe_code)]

use agon_client_api::amazons::{Amazons, AmazonsMove, Setup, Turn};
use agon_client_api::chance::{Rng, below, rng};
use agon_client_api::rules::{Position, position};
use agon_client_api::{Client, Declined, Rules, export_client};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

struct Random {
    position: Position,
    side: usize,
    rng: Rng,
    queen_first: bool,
}

impl Client for Random {
    type Game = Amazons;
    const NAME: &'static str = "random";

    fn name(&self) -> &str {
        if self.queen_first { "random-queen" } else { Self::NAME }
    }

    fn new(setup: &Setup) -> Result<Self, Declined> {
        let queen_first = match setup.options.get("style") {
            None | Some("move") => false,
            Some("queen") => true,
            Some(other) => return Err(format!("style = \"{other}\": not \"move\" or \"queen\"").into()),
        };
        Ok(Random { position: position(setup)?, side: setup.side, rng: rng(setup.head.seed), queen_first })
    }

    fn play(&mut self, turn: &Turn) -> AmazonsMove {
        if turn.previous != AmazonsMove::NONE {
            self.position.play(&[(1 - self.side, turn.previous)]);
        }
        let mv =
            if self.queen_first { self.choose_queen_first() } else { self.position.sample(self.side, &mut self.rng) };
        self.position.play(&[(self.side, mv)]);
        mv
    }
}

impl Random {
    fn choose_queen_first(&mut self) -> AmazonsMove {
        let mut by_queen: BTreeMap<u32, Vec<AmazonsMove>> = BTreeMap::new();
        self.position.legal(self.side, &mut |mv| {
            by_queen.entry(mv.queen_src).or_default().push(mv);
            ControlFlow::Continue(())
        });
        let queens: Vec<_> = by_queen.into_values().collect();
        let moves = &queens[below(&mut self.rng, queens.len() as u64) as usize];
        moves[below(&mut self.rng, moves.len() as u64) as usize]
    }
}

export_client!(Random);

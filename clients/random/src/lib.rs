//! Amazons: any legal move, each as likely as any other. With the option `style = "queen"` as the course's player: first one of the
//! queens that can move, then one of its moves.
#![forbid(unsafe_code)]

use agon_client_api::amazons::{Amazons, AmazonsMove, Board, Setup, Turn};
use agon_client_api::chance::{Rng, below, rng};
use agon_client_api::{Client, Declined, export_client};

struct Random {
    board: Board,
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
        Ok(Random { board: Board::new(setup), side: setup.side, rng: rng(setup.head.seed), queen_first })
    }

    fn play(&mut self, turn: &Turn) -> AmazonsMove {
        self.board.play_if_any(1 - self.side, turn.previous);
        let mv = self.choose();
        self.board.play(self.side, mv);
        mv
    }
}

impl Random {
    fn choose(&mut self) -> AmazonsMove {
        if !self.queen_first {
            return pick(&mut self.rng, || self.board.moves(self.side));
        }
        let can_move = |queen: &&u32| self.board.moves_of(**queen).next().is_some();
        let queen = pick(&mut self.rng, || self.board.queens(self.side).iter().filter(can_move));
        pick(&mut self.rng, || self.board.moves_of(*queen))
    }
}

/// One of the items, which are made twice: to be counted and to be counted off.
fn pick<I: Iterator>(rng: &mut Rng, items: impl Fn() -> I) -> I::Item {
    let count = items().count() as u64;
    let index = below(rng, count.max(1)) as usize;
    items().nth(index).expect("play is called while there is a legal move")
}

export_client!(Random);

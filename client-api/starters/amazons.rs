//! A first client for Amazons: of 50 random moves it plays the one that leaves the other side fewest moves.
//! What it prints by println! is kept with each match: agon show last shows it.

use agon_client_api::amazons::{Amazons, AmazonsMove, Board, Setup, Turn};
use agon_client_api::chance::{Rng, rng, shuffle};
use agon_client_api::{Client, Declined, export_client};

struct Bot {
    board: Board,
    side: usize,
    rng: Rng,
}

impl Client for Bot {
    type Game = Amazons;
    const NAME: &'static str = "first-rust";

    fn new(setup: &Setup) -> Result<Self, Declined> {
        Ok(Bot { board: Board::new(setup), side: setup.side, rng: rng(setup.head.seed) })
    }

    fn play(&mut self, turn: &Turn) -> AmazonsMove {
        self.board.play_if_any(1 - self.side, turn.previous);
        let mv = self.choose();
        self.board.play(self.side, mv);
        mv
    }
}

impl Bot {
    /// Chooses. Next: look at all moves instead of 50, and let `room_after` return `-self.board.evaluate(1 - self.side)`.
    /// `evaluate` says what the position is worth to the side to move: after your move that is the other side.
    fn choose(&mut self) -> AmazonsMove {
        let mut moves: Vec<AmazonsMove> = self.board.moves(self.side).collect();
        shuffle(&mut self.rng, &mut moves);
        let looked_at = moves.iter().take(50).copied();
        looked_at.max_by_key(|mv| self.room_after(*mv)).unwrap_or(AmazonsMove::NONE)
    }

    /// How good a move is: the fewer moves the other side has after it, the better.
    fn room_after(&mut self, mv: AmazonsMove) -> i32 {
        self.board.play(self.side, mv);
        let room = -(self.board.moves(1 - self.side).count() as i32);
        self.board.undo(self.side, mv);
        room
    }
}

export_client!(Bot);

//! A person as a player: asked at the board, with all the time there is.

use super::board::SeatBoard;
use agon_abi::Blob;
use agon_games::Seat;
use agon_model::Answer;
use agon_player::clock::Allowance;
use agon_player::{Player, PlayerSummary, Trouble};
use std::time::Duration;

/// The person on one seat.
pub struct Person<'d> {
    board: &'d dyn SeatBoard,
    seat: Seat,
    ply: u32,
}

impl<'d> Person<'d> {
    /// A person at this board, which people share.
    pub fn new(board: &'d dyn SeatBoard, seat: Seat) -> Person<'d> {
        Person { board, seat, ply: 0 }
    }
}

impl Player for Person<'_> {
    fn start(&mut self, _seat: Seat, _setup: &Blob) -> Result<(), Trouble> {
        Ok(())
    }

    fn ask(&mut self, _turn: &Blob, ply: u32, _allowance: Allowance) -> Result<(), Trouble> {
        self.ply = ply;
        Ok(())
    }

    fn answer(&mut self, patience: Duration) -> Option<Result<Answer, Trouble>> {
        let answer = self.board.hear(self.seat, self.ply, patience)?;
        // A match that people leave is nobody's fault, and does not count.
        Some(match answer {
            Some(mv) => Ok(Answer { mv, cpu_us: 0, wall_us: 0, kept_off_us: 0 }),
            None => Err(Trouble::Void("left by a person".to_owned())),
        })
    }

    fn watch(&mut self, _ply: u32) {}

    fn dismiss(&mut self, _ply: u32, _finalize: bool) -> PlayerSummary {
        PlayerSummary::default()
    }
}

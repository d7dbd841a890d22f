//! An opponent that needs no file: it plays any legal move, each as likely as any other, and nothing goes wrong with
//! it. It may think for a while once, so that a client that goes on computing meanwhile is seen.

use agon_abi::Blob;
use agon_games::{AnyState, Rng, Seat};
use agon_model::Answer;
use agon_player::clock::Allowance;
use agon_player::{Player, PlayerSummary, Trouble};
use std::cell::RefCell;
use std::time::Duration;

/// The state of the match, as the referee last showed it.
pub type ShownState = RefCell<Box<dyn AnyState>>;

/// The opponent on one seat.
pub struct Mover<'s> {
    shown: &'s ShownState,
    seat: Seat,
    rng: Rng,
    /// The time for which it still thinks before it moves.
    thinks: Duration,
}

impl<'s> Mover<'s> {
    /// On this seat, with random numbers of its own, thinking for so long before its first move.
    pub fn new(shown: &'s ShownState, seat: Seat, rng: Rng, thinks: Duration) -> Mover<'s> {
        Mover { shown, seat, rng, thinks }
    }
}

impl Player for Mover<'_> {
    fn start(&mut self, _seat: Seat, _setup: &Blob) -> Result<(), Trouble> {
        Ok(())
    }

    fn ask(&mut self, _turn: &Blob, _ply: u32, _allowance: Allowance) -> Result<(), Trouble> {
        Ok(())
    }

    fn answer(&mut self, patience: Duration) -> Option<Result<Answer, Trouble>> {
        if !self.thinks.is_zero() {
            let slice = patience.min(self.thinks);
            std::thread::sleep(slice);
            self.thinks -= slice;
            return None;
        }
        let mv = self.shown.borrow().sample(self.seat, &mut self.rng);
        Some(Ok(Answer { mv, cpu_us: 0, wall_us: 0, kept_off_us: 0 }))
    }

    fn watch(&mut self, _ply: u32) {}

    fn dismiss(&mut self, _ply: u32, _finalize: bool) -> PlayerSummary {
        PlayerSummary::default()
    }
}

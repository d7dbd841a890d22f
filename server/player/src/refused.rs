//! A player whose file admission refused, although a match names it: it loses before it is loaded.

use super::{Answer, Player, PlayerSummary, Trouble};
use crate::clock::Allowance;
use agon_abi::Blob;
use agon_games::Seat;
use agon_model::{FaultKind, Phase};
use std::time::Duration;

/// The message of admission.
pub struct RefusedPlayer(
    /// The text says what is wrong with the file, and what to do.
    pub String,
);

impl RefusedPlayer {
    fn fault(&self) -> Trouble {
        Trouble::fault(FaultKind::LoadFailure, Phase::Load, 0, self.0.clone())
    }
}

impl Player for RefusedPlayer {
    fn start(&mut self, _seat: Seat, _setup: &Blob) -> Result<(), Trouble> {
        Err(self.fault())
    }

    fn ask(&mut self, _turn: &Blob, _ply: u32, _allowance: Allowance) -> Result<(), Trouble> {
        Err(self.fault())
    }

    fn answer(&mut self, _patience: Duration) -> Option<Result<Answer, Trouble>> {
        Some(Err(self.fault()))
    }

    fn watch(&mut self, _ply: u32) {}

    fn dismiss(&mut self, _ply: u32, _finalize: bool) -> PlayerSummary {
        PlayerSummary::default()
    }
}

//! Writes the logs of matches that other machines have played, with the same lines as for a match of this machine, once
//! they are judged.

use crate::threads::OpenJournal;
use agon_arena::journal::LogError;
use agon_games::{MoveBytes, PreparedSetting, Seat};
use agon_model::{LogPolicy, PlayedBlock, opening, replay_from};

/// The place of logs, and which are wanted.
pub struct Logs<'a> {
    /// Begins the log of a match.
    pub open: &'a OpenJournal<'a>,
    /// The matches that leave a log.
    pub policy: LogPolicy,
}

impl Logs<'_> {
    /// Writes the logs of a block that was judged.
    pub fn write(&self, played: &PlayedBlock, setting: &dyn PreparedSetting, seed: u64) -> Result<(), LogError> {
        let block = &played.block;
        for (pairing, one) in block.pairings().zip(&played.matches) {
            let is_wanted = match self.policy {
                LogPolicy::All => true,
                LogPolicy::Faults => one.seats.iter().any(|seat| seat.fault.is_some()),
                LogPolicy::None => false,
            };
            if !is_wanted {
                continue;
            }
            let mut journal = (self.open)(block, &pairing)?;
            // The block was judged: the rules accept all of its moves.
            let _ = replay_from(setting.start(&opening(seed, block.opening)), &one.steps, &mut |state, steps| {
                let moves: Vec<(Seat, MoveBytes)> = steps.iter().map(|step| (step.seat, step.mv)).collect();
                journal.see_moves(state, &moves);
                steps.iter().for_each(|step| journal.see_step(step, state));
            });
            journal.end(one)?;
        }
        Ok(())
    }
}

//! Asks one client for one move, outside any match.

use super::AdHocMatch;
use agon_abi::Blob;
use agon_arena::encoding::{write_setup, write_turn};
use agon_arena::referee::judge_answer;
use agon_games::{AnyState, Seat};
use agon_model::{Answer, Fault, Output};
use agon_player::clock::Budget;
use agon_player::{Player, Trouble};
use agon_record::RunError;
use std::sync::Arc;
use std::time::Duration;

/// How long to wait for an answer at a time.
const ANSWER_PATIENCE: Duration = Duration::from_millis(20);

/// The result of the question.
#[derive(Clone, Debug)]
pub struct AskedAnswer {
    /// A legal move in time, or the fault.
    pub answer: Result<Answer, Fault>,
    /// All outputs of the client.
    pub outputs: Vec<Output>,
}

impl AdHocMatch {
    /// Asks the client of this seat, which is to move, as if the match began with this state.
    ///
    /// # Errors
    /// The seat has no client, or the server has trouble.
    pub fn ask(&self, state: &dyn AnyState, seat: Seat) -> Result<AskedAnswer, RunError> {
        let client = self.seats.get(seat).and_then(Option::as_ref);
        let client = client.ok_or_else(|| RunError::Internal(format!("no client sits on seat {}", seat + 1)))?;
        self.pin();
        let terms = self.terms();
        let start = state.as_start();
        let state = &*start;
        let mut player = self.process(client, &Arc::new(self.expected().to_blob()));
        let seatings = self.seatings();
        let mut budget = Budget::new(seatings.get(seat).map_or(terms.time, |seating| seating.time(&terms)));
        let answer = player.start(seat, &write_setup(&terms, state, seat, &seatings)).and_then(|()| {
            let (allowance, mut turn) = (budget.allowance(1), Blob::new());
            write_turn(&terms, state, seat, 0, &allowance, &mut turn);
            player.ask(&turn, 0, allowance)?;
            loop {
                if let Some(answer) = player.answer(ANSWER_PATIENCE) {
                    return answer;
                }
            }
        });
        let summary = player.dismiss(1, answer.is_ok());
        let answer = match answer {
            Ok(answer) => match judge_answer(state, seat, 0, &mut budget, &answer) {
                None => Ok(answer),
                Some(fault) => Err(fault),
            },
            Err(Trouble::Fault(fault)) => Err(*fault),
            Err(Trouble::Excused(excused)) => return Err(RunError::Internal(excused.cause)),
            Err(Trouble::Void(cause) | Trouble::Shortage(cause)) => return Err(RunError::Internal(cause)),
        };
        Ok(AskedAnswer { answer, outputs: summary.outputs })
    }
}

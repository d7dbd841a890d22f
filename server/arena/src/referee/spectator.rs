//! Observers of a running match: a log, people at the board, a benchmark.

use agon_games::{AnyState, MoveBytes, Seat};
use agon_model::{Step, Thought};

/// Sees every turn of a match, before and after it is played.
pub trait Spectator {
    /// Sees the moves of a turn just before they are played: their notation may depend on the state before.
    fn see_moves(&mut self, _state: &dyn AnyState, _moves: &[(Seat, MoveBytes)]) {}

    /// Whether it wants to know what clients thought; asking them costs a call of the system.
    fn wants_thoughts(&self) -> bool {
        false
    }

    /// Sees what a client thought about a move, just before it sees the move.
    fn see_thought(&mut self, _seat: Seat, _ply: u32, _thought: Thought) {}

    /// Sees one of these moves, with the state after the turn.
    fn see_step(&mut self, step: &Step, state: &dyn AnyState);
}

/// The spectator `()` looks at nothing.
impl Spectator for () {
    fn see_step(&mut self, _step: &Step, _state: &dyn AnyState) {}
}

/// Passes each step to a function, with the state after its turn.
pub struct EachStep<'a>(
    /// The function that takes each step.
    pub &'a mut dyn FnMut(&Step, &dyn AnyState),
);

impl Spectator for EachStep<'_> {
    fn see_step(&mut self, step: &Step, state: &dyn AnyState) {
        (self.0)(step, state);
    }
}

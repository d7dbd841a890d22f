//! What a client would play, asked for by a person who is to move.

use agon_games::{AnyState, Seat};
use agon_model::visible::escape;
use agon_tournament::AdHocMatch;

/// The client that is asked, on every seat of a match of its own.
pub struct Adviser {
    pub ad_hoc: AdHocMatch,
    pub label: String,
}

impl Adviser {
    /// Its move in the game's notation, or why there is none.
    pub fn ask(&self, state: &dyn AnyState, seat: Seat) -> Result<String, String> {
        match self.ad_hoc.ask(state, seat) {
            Ok(asked) => match asked.answer {
                Ok(answer) => Ok(escape(&state.write(&answer.mv), 80)),
                Err(fault) => Err(format!("{}: {}", fault.kind.name(), escape(&fault.message, 400))),
            },
            Err(error) => Err(error.to_string()),
        }
    }
}

//! Advice for a person who is to move: a client's move in the same position.

use agon_games::{AnyState, Seat};
use agon_model::visible::escape;
use agon_tournament::AdHocMatch;

/// The client that is asked, on every seat of a match of its own.
pub struct Adviser {
    pub ad_hoc: AdHocMatch,
    pub label: String,
    /// Whether the adviser explains in its own words why it has no advice.
    pub tells_why: bool,
}

impl Adviser {
    /// Its move in the game's notation, or why there is none.
    pub fn ask(&self, state: &dyn AnyState, seat: Seat) -> Result<String, String> {
        match self.ad_hoc.ask(state, seat) {
            Ok(asked) => match asked.answer {
                Ok(answer) => Ok(escape(&state.write(&answer.mv), 80)),
                Err(fault) if self.tells_why => Err(format!("{}: {}", fault.kind.name(), escape(&fault.message, 400))),
                Err(fault) => Err(fault.kind.name().to_owned()),
            },
            Err(error) if self.tells_why => Err(error.to_string()),
            Err(error) => {
                // The error may name files of this machine.
                tracing::error!("a client was not asked for advice: {error}");
                Err("…".to_owned())
            }
        }
    }
}

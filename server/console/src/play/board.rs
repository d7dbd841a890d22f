//! Where people sit, a terminal or a browser: it is told what happens and asked for moves.

use agon_games::{AnyState, MoveBytes, Seat};
use agon_model::Step;
use std::time::Duration;

/// What people want other than to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To leave.
    Quit,
    /// To have the last move of a person back.
    Undo,
    /// The person on this seat gives up, which ends the match.
    Resign(Seat),
}

/// How a match came out.
pub struct End<'a> {
    /// The result, seat by seat, in words.
    pub result: &'a str,
    /// The page of its replay, made if it is wanted.
    pub replay: &'a dyn Fn() -> String,
}

/// See the file's header. Whoever plays and whoever asks share it, so that it changes from within.
pub trait SeatBoard {
    /// From the start, perhaps not for the first time.
    fn begin(&self, state: Box<dyn AnyState>);

    /// Takes notice of a move.
    fn see(&self, step: &Step, state: &dyn AnyState);

    /// The move of the person on `seat`, `Some(None)` if the match is to be left, `None` if nothing came within
    /// `patience`.
    fn hear(&self, seat: Seat, ply: u32, patience: Duration) -> Option<Option<MoveBytes>>;

    /// What people wanted when they left the match, if they did.
    fn take_wish(&self) -> Option<Wish>;

    /// The position that was reached.
    fn state(&self) -> Box<dyn AnyState>;

    /// Something for everybody.
    fn say(&self, text: &str);

    /// The last position, with nothing hidden any more; whether people want another match.
    fn end(&self, end: &End<'_>) -> bool;
}

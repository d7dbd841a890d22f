//! A board at which people sit, in a terminal or a browser: it shows what happens and asks for moves.

use super::finished::ResultText;
use agon_games::{AnyState, MoveBytes, Seat};
use agon_model::Step;
use std::time::Duration;

/// A wish of people other than to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardRequest {
    /// They want to leave.
    Quit,
    /// To have the last move of a person back.
    Undo,
    /// The person on this seat gives up, which ends the match.
    Resign(Seat),
}

/// The end of a match, as people see it.
pub struct End<'a> {
    /// The result in words.
    pub(super) told: &'a ResultText,
    /// The page of its replay, made if it is wanted.
    pub replay: &'a dyn Fn() -> String,
}

/// A board (see the header of this file). Players and advisers share it, so it changes from within.
pub trait SeatBoard {
    /// Begins a match at its start, perhaps not the first one.
    fn begin(&self, state: Box<dyn AnyState>);

    /// Takes notice of a move.
    fn see(&self, step: &Step, state: &dyn AnyState);

    /// The move of the person on `seat`, `Some(None)` if the match is to be left, `None` if nothing came within
    /// `patience`.
    fn hear(&self, seat: Seat, ply: u32, patience: Duration) -> Option<Option<MoveBytes>>;

    /// The wish with which people left the match, if they had one.
    fn take_wish(&self) -> Option<BoardRequest>;

    /// The position that was reached.
    fn state(&self) -> Box<dyn AnyState>;

    /// Shows a text to everybody.
    fn say(&self, text: &str);

    /// The last position, with nothing hidden any more; whether people want another match.
    fn end(&self, end: &End<'_>) -> bool;
}

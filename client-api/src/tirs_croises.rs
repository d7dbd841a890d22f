//! Tirs Croisés for clients: views of `agon/tirs_croises.h`.

use crate::Options;
pub use agon_games::tirs_croises::{ANYWHERE, CURSOR, Event, Move};

/// The game, as [`Client::Game`](crate::Client::Game).
pub struct TirsCroises;

/// The facts before the first move.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// The struct of the contract: head, size, players, the board at the start.
    pub facts: &'a agon_games::tirs_croises::Setup,
    /// The options of this client.
    pub options: Options<'a>,
}

/// The board, the scores, and the events since the last turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The struct of the contract: head, cursor, scores, values.
    pub facts: &'a agon_games::tirs_croises::Turn,
}

impl<'a> Turn<'a> {
    /// The cursor; `None` where any square of the board may be taken.
    pub fn cursor(&self) -> Option<Move> {
        let (x, y) = (self.facts.cursor_x, self.facts.cursor_y);
        (x > 0 && y > 0).then_some(Move { x, y })
    }

    /// The value left on a square; 0 if it is taken or does not exist.
    pub fn value(&self, cell: Move) -> u8 {
        let row = usize::from(cell.y).checked_sub(1).and_then(|y| self.facts.values.get(y));
        let value = usize::from(cell.x).checked_sub(1).and_then(|x| row?.get(x));
        value.copied().unwrap_or(0)
    }

    /// The squares that the others have taken since this seat's last move, in order.
    pub fn events(&self) -> &'a [Event] {
        &self.facts.events[..usize::from(self.facts.num_events).min(self.facts.events.len())]
    }
}

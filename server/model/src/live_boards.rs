//! The matches under way, for people who watch. A worker shows a position if somebody has asked for one since the last:
//! no player waits, and without watchers a move costs one read of a flag.

use crate::{Step, Thought};
use agon_games::{AnyState, Seat};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The most matches to show.
const MOST_BOARDS: usize = 8;

/// The boards of the first workers.
#[derive(Default)]
pub struct LiveBoards {
    places: [LivePlace; MOST_BOARDS],
    /// The number of positions shown in all.
    shown: AtomicU64,
}

/// The board of one worker.
#[derive(Default)]
pub struct LivePlace {
    is_wanted: AtomicBool,
    board: Mutex<Option<LiveBoard>>,
}

/// A match at one moment.
pub struct LiveBoard {
    pub id: String,
    /// The label of each seat's client.
    pub seats: Vec<String>,
    /// The number of turns played.
    pub turns: u32,
    /// The position; `None` if some seat may not see all of it: then nobody sees it before the end.
    pub state: Option<Box<dyn AnyState>>,
    /// The position before the first move; `None` in the same case. The steps lead from it to the position.
    pub start: Option<Box<dyn AnyState>>,
    /// The steps of these turns. Where nobody sees the position, only their times are for others.
    pub steps: Vec<Step>,
    /// The clients' thoughts about these steps: turn, seat, thought. Empty where nobody sees the position.
    pub thoughts: Vec<(u32, Seat, Thought)>,
}

impl LiveBoards {
    /// Passes the last position to `see`, and asks for a newer one.
    pub fn look(&self, see: &mut dyn FnMut(&LiveBoard)) {
        for place in &self.places {
            if let Some(board) = &*place.board.lock().unwrap_or_else(PoisonError::into_inner) {
                see(board);
            }
            place.is_wanted.store(true, Ordering::Relaxed);
        }
    }

    /// A number that grows with each position shown.
    pub fn version(&self) -> u64 {
        self.shown.load(Ordering::Relaxed)
    }

    /// The place of the worker with this number; the first workers have one.
    pub fn place(&self, worker: usize) -> Option<&LivePlace> {
        self.places.get(worker)
    }

    /// Passes the last board to `update`, shows what it makes of it, and returns whether there was a chance to.
    pub fn show(&self, place: &LivePlace, update: impl FnOnce(Option<LiveBoard>) -> LiveBoard) -> bool {
        // A reader that is looking at the old position sees the next one.
        let Ok(mut shown) = place.board.try_lock() else { return false };
        let before = shown.take();
        *shown = Some(update(before));
        drop(shown);
        place.is_wanted.store(false, Ordering::Relaxed);
        self.shown.fetch_add(1, Ordering::Relaxed);
        true
    }
}

impl LivePlace {
    /// Whether somebody has asked for a position since the last.
    pub fn is_wanted(&self) -> bool {
        self.is_wanted.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(turns: u32) -> LiveBoard {
        let (id, seats, steps, thoughts) = ("0-a".to_owned(), Vec::new(), Vec::new(), Vec::new());
        LiveBoard { id, seats, turns, state: None, start: None, steps, thoughts }
    }

    #[test]
    fn a_position_is_shown_when_it_was_asked_for_and_never_waited_for() {
        let live = LiveBoards::default();
        let place = &live.places[0];
        assert!(!place.is_wanted.load(Ordering::Relaxed), "nobody looks yet");
        live.look(&mut |_| panic!("nothing is shown yet"));
        assert!(place.is_wanted.load(Ordering::Relaxed));
        assert!(live.show(place, |_| board(3)));
        assert!(!place.is_wanted.load(Ordering::Relaxed), "one for each look");
        live.look(&mut |board| {
            assert_eq!(board.turns, 3);
            // The worker goes on while somebody looks.
            assert!(!live.show(place, |_| self::board(4)));
        });
        assert_eq!(live.version(), 1);
        live.show(place, |_| board(5));
        assert_eq!(live.version(), 2);
    }
}

//! The matches under way, for people who watch. A worker shows a position if somebody has asked for one since the last:
//! no player waits, and without watchers a move costs one read of a flag.

use agon_arena::journal::Journal;
use agon_arena::referee::Spectator;
use agon_games::{AnyState, MoveBytes, Seat};
use agon_model::Step;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The most matches to show.
const MOST: usize = 8;

/// The boards of the first workers.
#[derive(Default)]
pub struct LiveBoards {
    places: [Place; MOST],
    /// The number of positions shown in all.
    shown: AtomicU64,
}

/// The board of one worker.
#[derive(Default)]
struct Place {
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

    fn show(&self, place: &Place, board: LiveBoard) {
        // A reader that is looking at the old position sees the next one.
        let Ok(mut shown) = place.board.try_lock() else { return };
        *shown = Some(board);
        drop(shown);
        place.is_wanted.store(false, Ordering::Relaxed);
        self.shown.fetch_add(1, Ordering::Relaxed);
    }
}

/// A match as its log and its watchers see it.
pub struct Watched<'a> {
    journal: &'a mut dyn Journal,
    shown: Option<(&'a LiveBoards, &'a Place)>,
    id: &'a str,
    seats: &'a dyn Fn() -> Vec<String>,
    is_hidden: bool,
}

impl<'a> Watched<'a> {
    /// Watches a match of the worker with this number. `is_hidden`: some seats may not see all of it.
    pub fn new(
        journal: &'a mut dyn Journal,
        live: Option<(&'a LiveBoards, usize)>,
        (id, seats): (&'a str, &'a dyn Fn() -> Vec<String>),
        is_hidden: bool,
    ) -> Watched<'a> {
        let shown = live.and_then(|(live, worker)| Some((live, live.places.get(worker)?)));
        Watched { journal, shown, id, seats, is_hidden }
    }
}

impl Spectator for Watched<'_> {
    fn see_moves(&mut self, state: &dyn AnyState, moves: &[(Seat, MoveBytes)]) {
        self.journal.see_moves(state, moves);
    }

    fn see_step(&mut self, step: &Step, state: &dyn AnyState) {
        self.journal.see_step(step, state);
        if let Some((live, place)) = self.shown
            && place.is_wanted.load(Ordering::Relaxed)
        {
            let state = (!self.is_hidden).then(|| state.clone_box());
            live.show(place, LiveBoard { id: self.id.to_owned(), seats: (self.seats)(), turns: step.ply + 1, state });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(turns: u32) -> LiveBoard {
        LiveBoard { id: "0-a".to_owned(), seats: Vec::new(), turns, state: None }
    }

    #[test]
    fn a_position_is_shown_when_it_was_asked_for_and_never_waited_for() {
        let live = LiveBoards::default();
        let place = &live.places[0];
        assert!(!place.is_wanted.load(Ordering::Relaxed), "nobody looks yet");
        live.look(&mut |_| panic!("nothing is shown yet"));
        assert!(place.is_wanted.load(Ordering::Relaxed));
        live.show(place, board(3));
        assert!(!place.is_wanted.load(Ordering::Relaxed), "one for each look");
        live.look(&mut |board| {
            assert_eq!(board.turns, 3);
            // The worker goes on while somebody looks.
            live.show(place, self::board(4));
        });
        assert_eq!(live.version(), 1);
        live.show(place, board(5));
        assert_eq!(live.version(), 2);
    }
}

//! The matches under way, for people who watch. A worker shows a position if somebody has asked for one since the last:
//! no player waits, and without watchers a move costs one read of a flag.

use crate::{Step, Thought};
use agon_games::{AnyState, Language, Scene, Seat};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most matches to show.
const MOST_BOARDS: usize = 8;
/// The most ended matches of a block that a place keeps.
const MOST_ENDED: usize = 12;

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
    boards: Mutex<PlaceBoards>,
}

/// The match of a place, and those of its block that have ended: they are in the record when all of the block is.
#[derive(Default)]
struct PlaceBoards {
    now: Option<LiveBoard>,
    ended: Vec<LiveBoard>,
}

/// A match at one moment.
pub struct LiveBoard {
    pub id: String,
    /// The label of each seat's client.
    pub seats: Vec<String>,
    /// The number of turns played.
    pub turns: u32,
    /// The position; `None` if some seat may not see all of it: then nobody sees all of it before the end.
    pub state: Option<Box<dyn AnyState>>,
    /// The part of such a position that all seats may see, in English and in French.
    pub public: Option<[Scene; 2]>,
    /// The position before the first move; `None` in the same case. The steps lead from it to the position.
    pub start: Option<Box<dyn AnyState>>,
    /// The steps of these turns. Where nobody sees the position, only their times are for others.
    pub steps: Vec<Step>,
    /// The clients' thoughts about these steps: turn, seat, thought. Empty where nobody sees the position.
    pub thoughts: Vec<(u32, Seat, Thought)>,
    /// The rank of each seat, when the match has ended.
    pub ranks: Option<Vec<u32>>,
}

impl PlaceBoards {
    /// Shows a board instead of the last one, which is kept if it is an ended match of the same block.
    fn put(&mut self, before: Option<LiveBoard>, board: LiveBoard) {
        if self.ended.first().or(before.as_ref()).is_some_and(|kept| block(&kept.id) != block(&board.id)) {
            self.ended.clear();
        } else if let Some(before) = before.filter(|before| before.ranks.is_some() && before.id != board.id)
            && self.ended.len() < MOST_ENDED
        {
            self.ended.push(before);
        }
        self.now = Some(board);
    }
}

/// The block in the id of a match.
fn block(id: &str) -> &str {
    id.split_once('-').map_or(id, |(block, _)| block)
}

impl LiveBoard {
    /// The position as far as everybody may see it.
    pub fn scene(&self, language: Language) -> Option<Scene> {
        let public = || self.public.as_ref().map(|[english, french]| language.pick(english, french).clone());
        self.state.as_ref().map(|state| state.scene(None, language)).or_else(public)
    }
}

impl LiveBoards {
    /// Passes the last position to `see`, and asks for a newer one.
    pub fn look(&self, see: &mut dyn FnMut(&LiveBoard)) {
        for place in &self.places {
            if let Some(board) = &place.lock().now {
                see(board);
            }
            place.is_wanted.store(true, Ordering::Relaxed);
        }
    }

    /// Passes the last position of this match to `see`, also if it has ended and its block is still played.
    pub fn look_for(&self, id: &str, see: &mut dyn FnMut(&LiveBoard)) {
        for place in &self.places {
            let boards = place.lock();
            if let Some(board) = boards.now.iter().chain(&boards.ended).find(|board| board.id == id) {
                see(board);
            }
            drop(boards);
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

    /// Passes the last board to `update`, shows what it makes of it, and returns whether there was a chance to. A
    /// board of another match is not for `update`.
    pub fn show(&self, place: &LivePlace, id: &str, update: impl FnOnce(Option<LiveBoard>) -> LiveBoard) -> bool {
        // A reader that is looking at the old position sees the next one.
        let Ok(mut shown) = place.boards.try_lock() else { return false };
        let before = shown.now.take();
        if before.as_ref().is_some_and(|before| before.id == id) {
            shown.now = Some(update(before));
        } else {
            shown.put(before, update(None));
        }
        drop(shown);
        place.is_wanted.store(false, Ordering::Relaxed);
        self.shown.fetch_add(1, Ordering::Relaxed);
        true
    }
}

impl LivePlace {
    fn lock(&self) -> MutexGuard<'_, PlaceBoards> {
        self.boards.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody has asked for a position since the last.
    pub fn is_wanted(&self) -> bool {
        self.is_wanted.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(turns: u32) -> LiveBoard {
        board_of("0-a", turns, None)
    }

    fn board_of(id: &str, turns: u32, ranks: Option<Vec<u32>>) -> LiveBoard {
        let (id, seats, steps, thoughts) = (id.to_owned(), Vec::new(), Vec::new(), Vec::new());
        LiveBoard { id, seats, turns, state: None, public: None, start: None, steps, thoughts, ranks }
    }

    #[test]
    fn an_ended_match_is_found_until_another_block_begins() {
        let live = LiveBoards::default();
        let place = &live.places[0];
        let found = |id: &str| {
            let mut found = None;
            live.look_for(id, &mut |board| found = Some((board.turns, board.ranks.clone())));
            found
        };
        live.show(place, "0-a", |_| board(3));
        live.show(place, "0-a", |before| {
            assert!(before.is_some());
            board_of("0-a", 4, Some(vec![1, 2]))
        });
        assert_eq!(found("0-a"), Some((4, Some(vec![1, 2]))));
        live.show(place, "0-b", |before| {
            assert!(before.is_none(), "that is another match");
            board_of("0-b", 1, None)
        });
        assert_eq!((found("0-a"), found("0-b")), (Some((4, Some(vec![1, 2]))), Some((1, None))));
        let mut now = Vec::new();
        live.look(&mut |board| now.push(board.id.clone()));
        assert_eq!(now, ["0-b"], "one board for a worker");
        live.show(place, "1-a", |_| board_of("1-a", 1, None));
        assert_eq!((found("0-a"), found("0-b")), (None, None));
    }

    #[test]
    fn a_position_is_shown_when_it_was_asked_for_and_never_waited_for() {
        let live = LiveBoards::default();
        let place = &live.places[0];
        assert!(!place.is_wanted.load(Ordering::Relaxed), "nobody looks yet");
        live.look(&mut |_| panic!("nothing is shown yet"));
        assert!(place.is_wanted.load(Ordering::Relaxed));
        assert!(live.show(place, "0-a", |_| board(3)));
        assert!(!place.is_wanted.load(Ordering::Relaxed), "one for each look");
        live.look(&mut |board| {
            assert_eq!(board.turns, 3);
            // The worker goes on while somebody looks.
            assert!(!live.show(place, "0-a", |_| self::board(4)));
        });
        assert_eq!(live.version(), 1);
        live.show(place, "0-a", |_| board(5));
        assert_eq!(live.version(), 2);
    }
}

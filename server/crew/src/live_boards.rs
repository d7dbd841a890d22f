//! The matches under way, for people who watch. A worker shows a position if somebody has asked for one since the last:
//! no player waits, and without watchers a move costs one read of a flag.

use agon_arena::journal::Journal;
use agon_arena::referee::Spectator;
use agon_games::{AnyState, MoveBytes, Seat};
use agon_model::Step;
use agon_player::Thought;
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
    /// The position before the first move; `None` in the same case. The steps lead from it to the position.
    pub start: Option<Box<dyn AnyState>>,
    /// The steps of these turns. Where nobody sees the position, only their times are for others.
    pub steps: Vec<Step>,
    /// What clients thought about these steps: turn, seat, thought. Nothing where nobody sees the position.
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

    /// Passes the last board to `update`, shows what it makes of it, and returns whether there was a chance to.
    fn show(&self, place: &Place, update: impl FnOnce(Option<LiveBoard>) -> LiveBoard) -> bool {
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

/// A match as its log and its watchers see it.
pub struct Watched<'a> {
    journal: &'a mut dyn Journal,
    shown: Option<(&'a LiveBoards, &'a Place)>,
    id: &'a str,
    seats: &'a dyn Fn() -> Vec<String>,
    is_hidden: bool,
    start: Option<Box<dyn AnyState>>,
    steps: Vec<Step>,
    thoughts: Vec<(u32, Seat, Thought)>,
    /// The number of moves in the turn that is being played.
    moves: usize,
    /// Whether the place shows this match already, and not the one before or an earlier try.
    is_begun: bool,
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
        let (steps, thoughts) = (Vec::new(), Vec::new());
        Watched { journal, shown, id, seats, is_hidden, start: None, steps, thoughts, moves: 0, is_begun: false }
    }

    /// Whether all moves of the last turn are among the steps.
    fn is_whole_turn(&self) -> bool {
        let last = self.steps.last().map(|step| step.ply);
        self.steps.iter().rev().take_while(|step| Some(step.ply) == last).count() == self.moves
    }

    /// The board as it is shown next, from the last one of its place.
    fn board(&self, before: Option<LiveBoard>, state: &dyn AnyState) -> LiveBoard {
        let mut board = before.filter(|_| self.is_begun).unwrap_or_else(|| LiveBoard {
            id: self.id.to_owned(),
            seats: (self.seats)(),
            turns: 0,
            state: None,
            start: self.start.as_ref().map(|start| start.clone_box()),
            steps: Vec::new(),
            thoughts: Vec::new(),
        });
        board.steps.extend_from_slice(self.steps.get(board.steps.len()..).unwrap_or_default());
        board.thoughts.extend_from_slice(self.thoughts.get(board.thoughts.len()..).unwrap_or_default());
        board.turns = self.steps.last().map_or(0, |step| step.ply + 1);
        board.state = (!self.is_hidden).then(|| state.clone_box());
        board
    }
}

impl Spectator for Watched<'_> {
    fn see_moves(&mut self, state: &dyn AnyState, moves: &[(Seat, MoveBytes)]) {
        self.journal.see_moves(state, moves);
        if self.shown.is_some() {
            self.moves = moves.len();
            if self.start.is_none() && !self.is_hidden {
                self.start = Some(state.clone_box());
            }
        }
    }

    fn wants_thoughts(&self) -> bool {
        self.shown.is_some() && !self.is_hidden
    }

    fn see_thought(&mut self, seat: Seat, ply: u32, thought: Thought) {
        if thought != Thought::default() {
            self.thoughts.push((ply, seat, thought));
        }
    }

    fn see_step(&mut self, step: &Step, state: &dyn AnyState) {
        self.journal.see_step(step, state);
        let Some((live, place)) = self.shown else { return };
        self.steps.push(*step);
        if place.is_wanted.load(Ordering::Relaxed) && self.is_whole_turn() {
            self.is_begun |= live.show(place, |before| self.board(before, state));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_arena::journal::silent;
    use agon_games::{AnyGame, GAMES, Opening, rng_from};

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

    /// Plays a match at random and calls `after_turn` with the number of turns and the state.
    fn play(
        game: &dyn AnyGame,
        seats: usize,
        watched: &mut Watched<'_>,
        after_turn: &mut dyn FnMut(u32, &dyn AnyState),
    ) {
        let options = game.facts().small_options().remove(0);
        let mut state = game.prepare(&options, seats).unwrap().start(&Opening::ANY);
        let mut rng = rng_from(&[7; 32]);
        for ply in 0.. {
            let movers: Vec<Seat> = state.to_move().iter().collect();
            if movers.is_empty() {
                return;
            }
            let moves: Vec<_> = movers.iter().map(|seat| (*seat, state.sample(*seat, &mut rng))).collect();
            watched.see_moves(&*state, &moves);
            state.play(&moves);
            for (seat, mv) in moves {
                let hash = state.hash();
                assert_eq!(watched.wants_thoughts(), !watched.is_hidden, "what is thought tells what is held");
                if !watched.is_hidden {
                    watched.see_thought(seat, ply, Thought { value: Some(f64::from(ply)), ..Thought::default() });
                }
                watched.see_step(&Step { ply, seat, mv, by_client: true, cpu_us: 0, wall_us: 0, hash }, &*state);
            }
            after_turn(ply + 1, &*state);
        }
    }

    #[test]
    fn the_steps_of_a_board_lead_from_its_start_to_its_position_in_every_game() {
        for game in GAMES {
            let (fewest, most) = game.facts().seats;
            for (seats, pause) in [(fewest, 1), (most.min(4), 3)] {
                let live = LiveBoards::default();
                let mut journal = silent();
                let labels = || vec!["a".to_owned(); seats];
                let is_hidden = game.facts().hidden;
                let mut watched = Watched::new(&mut *journal, Some((&live, 0)), ("0-a", &labels), is_hidden);
                let mut looks = 0;
                live.look(&mut |_| panic!("nothing is played yet"));
                play(*game, seats, &mut watched, &mut |turns, state| {
                    if turns % pause > 0 {
                        return;
                    }
                    live.look(&mut |board| {
                        looks += 1;
                        // A turn after each look is shown, and no other.
                        assert_eq!(board.turns, turns.saturating_sub(pause) + 1, "{}", game.facts().name);
                        assert_eq!(board.steps.last().unwrap().ply + 1, board.turns);
                        assert_eq!([&board.start, &board.state].map(Option::is_none), [is_hidden; 2]);
                        let thought = board.thoughts.iter().map(|(ply, seat, thought)| (*ply, *seat, thought.value));
                        let expected = board.steps.iter().map(|step| (step.ply, step.seat, Some(f64::from(step.ply))));
                        assert_eq!(thought.collect::<Vec<_>>(), expected.filter(|_| !is_hidden).collect::<Vec<_>>());
                        let (Some(start), Some(shown)) = (&board.start, &board.state) else { return };
                        let mut replayed = start.clone_box();
                        for turn in board.steps.chunk_by(|a, b| a.ply == b.ply) {
                            assert_eq!(turn.len(), replayed.to_move().count());
                            let moves: Vec<_> = turn.iter().map(|step| (step.seat, step.mv)).collect();
                            replayed.play(&moves);
                            assert_eq!(replayed.hash(), turn[0].hash);
                        }
                        assert_eq!(replayed.hash(), shown.hash());
                        assert!(pause > 1 || shown.hash() == state.hash());
                    });
                });
                assert!(looks > 0, "{}", game.facts().name);
            }
        }
    }

    #[test]
    fn another_try_of_a_match_begins_anew() {
        let (live, labels) = (LiveBoards::default(), || vec!["a".to_owned(); 2]);
        live.look(&mut |_| {});
        for _ in 0..2 {
            let mut journal = silent();
            let mut watched = Watched::new(&mut *journal, Some((&live, 0)), ("0-a", &labels), false);
            play(GAMES[0], 2, &mut watched, &mut |turns, _| live.look(&mut |board| assert_eq!(board.turns, turns)));
        }
    }
}

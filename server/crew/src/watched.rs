//! A match under way, as its log and its watchers see it.

use agon_arena::journal::Journal;
use agon_arena::referee::Spectator;
use agon_games::{AnyState, Language, MoveBytes, Scene, Seat};
use agon_model::{LiveBoard, LiveBoards, LivePlace, Match, Step, Thought};
use std::time::Duration;

/// How many times showing the end of a match is tried.
const TRIES: u32 = 20;

/// A match as its log and its watchers see it.
pub struct Watched<'a> {
    journal: &'a mut dyn Journal,
    shown: Option<(&'a LiveBoards, &'a LivePlace)>,
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
        let shown = live.and_then(|(live, worker)| Some((live, live.place(worker)?)));
        let (steps, thoughts) = (Vec::new(), Vec::new());
        Watched { journal, shown, id, seats, is_hidden, start: None, steps, thoughts, moves: 0, is_begun: false }
    }

    /// Shows the last position and the result, if the match was watched. A reader who is looking just then is waited
    /// for a moment: no player is on the clock.
    pub fn end(&self, played: &Match, state: &dyn AnyState) {
        let Some((live, place)) = self.shown.filter(|_| self.is_begun) else { return };
        let ranks = played.ending.is_counted().then(|| played.seats.iter().map(|seat| seat.rank).collect::<Vec<u32>>());
        let board = |before| LiveBoard { ranks: ranks.clone(), ..self.board(before, state) };
        for _ in 0..TRIES {
            if live.show(place, self.id, board) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
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
            public: None,
            start: self.start.as_ref().map(|start| start.clone_box()),
            steps: Vec::new(),
            thoughts: Vec::new(),
            ranks: None,
        });
        board.steps.extend_from_slice(self.steps.get(board.steps.len()..).unwrap_or_default());
        board.thoughts.extend_from_slice(self.thoughts.get(board.thoughts.len()..).unwrap_or_default());
        board.turns = self.steps.last().map_or(0, |step| step.ply + 1);
        board.state = (!self.is_hidden).then(|| state.clone_box());
        let public = |language| state.public_scene(language);
        board.public = public(Language::English).zip(public(Language::French)).map(<[Scene; 2]>::from);
        board.public = board.public.filter(|_| self.is_hidden);
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
        if place.is_wanted() && self.is_whole_turn() {
            self.is_begun |= live.show(place, self.id, |before| self.board(before, state));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_arena::journal::silent;
    use agon_games::{AnyGame, GAMES, Opening, rng_from};

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
    #[expect(clippy::too_many_lines)]
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
                        let public = || state.public_scene(Language::French);
                        let shown = if is_hidden {
                            public()
                        } else {
                            Some(board.state.as_ref().unwrap().scene(None, Language::French))
                        };
                        assert!(pause > 1 || board.scene(Language::French) == shown, "{}", game.facts().name);
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

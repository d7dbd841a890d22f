//! A match that is still played, as people who follow it see it: its position, its moves in their order, its clocks.

use crate::playback::{MadeMove, Playback, charge, judged};
use crate::values::Logged;
use agon_games::{AnyState, Language, Scene, Seat};
use agon_model::visible::escape;
use agon_model::{Step, Thought, TimeControl};

/// A match up to its last turn so far.
#[derive(Clone, Debug, Default)]
pub struct Followed {
    /// The language of the picture.
    pub language: Language,
    /// The match's id.
    pub id: String,
    /// The label of each seat's client.
    pub seats: Vec<String>,
    /// The number of turns played.
    pub turns: usize,
    /// The position as far as everybody may see it; `None` if nobody sees anything of it before the end.
    pub scene: Option<Scene>,
    /// Whether a part of the position is hidden until the end.
    pub hides: bool,
    /// The turn of each move, from 1, and the move; empty where there is no position.
    pub moves: Vec<(usize, MadeMove)>,
    /// The values that clients logged with these moves, by turn, the start first; empty if there is no position.
    pub logged: Vec<Vec<Logged>>,
    /// Time of each seat until now: used, and left where a total was given; microseconds on the judging clock.
    pub clocks: Vec<(u64, Option<u64>)>,
}

/// The time controls of a match.
pub struct MatchTimes<'a> {
    /// That of the ladder; `None` = it is not known.
    pub common: Option<&'a TimeControl>,
    /// That of each seat.
    pub seats: Vec<Option<TimeControl>>,
}

impl Followed {
    /// A match under way: the steps lead from the start to its position. Without a start only the clocks are shown.
    pub fn new(
        (id, seats): (&str, &[String]),
        start: Option<Box<dyn AnyState>>,
        steps: &[Step],
        times: &MatchTimes<'_>,
        language: Language,
    ) -> Followed {
        let judged = judged(times.common);
        let full = |time: &Option<TimeControl>| (0, time.as_ref().and_then(|time| time.total_us));
        let mut clocks: Vec<_> = times.seats.iter().map(full).collect();
        let mut counts = vec![0; seats.len()];
        let (mut state, mut moves, mut turns) = (start, Vec::new(), 0);
        for turn in steps.chunk_by(|a, b| a.ply == b.ply) {
            turns += 1;
            clocks = charge(&clocks, &mut counts, turn, &times.seats, &judged);
            let Some(state) = &mut state else { continue };
            // The notation may depend on the position before.
            moves.extend(turn.iter().map(|step| (turns, MadeMove::of(step, &**state, &judged))));
            let answers: Vec<_> = turn.iter().map(|step| (step.seat, step.mv)).collect();
            state.play(&answers);
        }
        let seats = seats.iter().map(|label| escape(label, 40)).collect();
        let scene = state.map(|state| state.scene(None, language));
        let hides = scene.is_none();
        Followed { language, id: id.to_owned(), seats, turns, scene, hides, moves, logged: Vec::new(), clocks }
    }

    /// The same with the part of a hidden position that everybody may see.
    pub fn with_public(mut self, scene: Option<Scene>) -> Followed {
        self.scene = self.scene.or(scene);
        self
    }

    /// The same with what clients thought about its moves: turn, seat, thought.
    pub fn with_thoughts(mut self, thoughts: &[(u32, Seat, Thought)]) -> Followed {
        if !self.hides {
            self.logged = vec![Vec::new(); self.turns + 1];
            for &(ply, seat, thought) in thoughts {
                if let Some(turn) = self.logged.get_mut(ply as usize + 1) {
                    turn.push(Logged { seat, thought, line: None });
                }
            }
        }
        self
    }

    /// The same of a match that has ended.
    pub fn to_the_end(playback: &Playback) -> Followed {
        let all = || playback.frames.iter().filter(|frame| !frame.is_broken);
        let frames = all().enumerate();
        let moves = frames.flat_map(|(turn, frame)| frame.moves.iter().map(move |made| (turn, made.clone())));
        let last = all().next_back();
        Followed {
            language: playback.language,
            id: playback.id.clone(),
            seats: playback.seats.clone(),
            turns: all().count().saturating_sub(1),
            scene: last.map(|frame| frame.scene.clone()),
            hides: false,
            moves: moves.collect(),
            logged: all().map(|frame| frame.logged.clone()).collect(),
            clocks: last.map_or_else(Vec::new, |frame| frame.clocks.clone()),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use agon_games::{AnyGame, GAMES, rng_from};
    use agon_model::{ClockKind, Ending, Entrant, LadderId, Match, SeatResult, TimeScale, opening};
    use agon_model::{LadderRow, StoredMatch};
    use std::collections::BTreeMap;

    /// The time control of the tests: it gives 1 ms again after three moves.
    fn time() -> TimeControl {
        TimeControl {
            clock: ClockKind::Cpu,
            total_us: Some(1000),
            increment_us: 5,
            period: Some(3),
            per_move_us: None,
            load_us: 1,
            initialize_us: 1,
            finalize_us: 1,
            wall_factor: 0,
            scale: TimeScale::default(),
        }
    }

    /// A match of random moves as the record has it; the rules move for the last seat.
    #[expect(clippy::too_many_lines)]
    pub(crate) fn stored(game: &dyn AnyGame, seats: usize) -> StoredMatch {
        let options = game.facts().small_options().remove(0);
        let mut state = game.prepare(&options, seats).unwrap().start(&opening(3, 0));
        let (mut rng, mut steps) = (rng_from(&[9; 32]), Vec::new());
        for ply in 0.. {
            let movers: Vec<usize> = state.to_move().iter().collect();
            if movers.is_empty() {
                break;
            }
            let moves: Vec<_> = movers.iter().map(|seat| (*seat, state.sample(*seat, &mut rng))).collect();
            state.play(&moves);
            let hash = state.hash();
            let step = |(seat, mv)| {
                let (by_client, cpu_us) = (seat + 1 < seats, u64::from(ply) * 10 + seat as u64);
                Step { ply, seat, mv, by_client, cpu_us, wall_us: 0, hash }
            };
            steps.extend(moves.into_iter().map(step));
        }
        let seat = |entrant| SeatResult { entrant, rank: 1, ..SeatResult::default() };
        let client = |seat: usize| Entrant {
            label: format!("client {seat}"),
            file: String::new(),
            hash: String::new(),
            options: BTreeMap::new(),
            refused: None,
        };
        let given = options.iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let mut ladder = LadderRow {
            id: LadderId(1),
            name: "one".to_owned(),
            game: game.facts().name.to_owned(),
            seats,
            seed: 3,
            seed_drawn: false,
            terms: Default::default(),
            settings: vec![("small".to_owned(), given)],
        };
        ladder.terms.time = Some(time());
        let played = Match {
            start: 0,
            id: "0-a".to_owned(),
            ending: Ending::Over,
            seats: (0..seats).map(seat).collect(),
            steps,
            outputs: Vec::new(),
            started: 0,
            wall_us: 0,
        };
        StoredMatch { ladder, entrants: (0..seats).map(client).collect(), setting: 0, opening: 0, played }
    }

    #[test]
    fn a_followed_match_equals_its_replay_in_every_game() {
        for game in GAMES {
            let (fewest, most) = game.facts().seats;
            for seats in [fewest, most] {
                let stored = stored(*game, seats);
                let replay = Playback::in_language(&stored, *game, Language::French);
                let end = Followed::to_the_end(&replay);
                let labels: Vec<String> = stored.entrants.iter().map(|entrant| entrant.label.clone()).collect();
                let common = time();
                let times = MatchTimes { common: Some(&common), seats: vec![Some(time()); seats] };
                let follow = |turns: usize, is_seen: bool| {
                    let until = stored.played.steps.partition_point(|step| (step.ply as usize) < turns);
                    let start = game.prepare(&stored.ladder.options(0).unwrap(), seats).unwrap().start(&opening(3, 0));
                    let (start, steps) = (is_seen.then_some(start), &stored.played.steps[..until]);
                    Followed::new(("0-a", &labels), start, steps, &times, Language::French)
                };
                assert!(end.turns > 0 && end.moves.iter().any(|(_, made)| made.us.is_none()));
                for (turns, frame) in replay.frames.iter().enumerate() {
                    let now = follow(turns, true);
                    let moves: Vec<_> = end.moves.iter().take_while(|(turn, _)| *turn <= turns).cloned().collect();
                    assert_eq!((now.turns, &now.moves, &now.clocks), (turns, &moves, &frame.clocks));
                    assert_eq!(now.scene.as_ref(), Some(&frame.scene), "{} after {turns}", game.facts().name);
                    let thought = Thought { value: Some(2.0), ..Thought::default() };
                    let said = follow(turns, true).with_thoughts(&[(0, 1, thought)]).logged;
                    assert_eq!(said.len(), turns + 1);
                    assert!(said.get(1).is_none_or(|said| said[0].thought == thought && said[0].seat == 1));
                    let hidden = follow(turns, false).with_thoughts(&[(0, 1, thought)]);
                    assert!(hidden.logged.is_empty(), "what is thought tells what is held");
                    assert_eq!((hidden.turns, &hidden.clocks), (turns, &frame.clocks));
                    assert!(hidden.moves.is_empty() && hidden.scene.is_none(), "nothing of it is seen");
                }
                assert_eq!(follow(end.turns, true).moves, end.moves);
            }
        }
    }
}

//! The referee with players that answer at once: what a move costs beside the client and the process border.

use super::Figure;
use agon_abi::Blob;
use agon_arena::encoding::{MatchTerms, Seating};
use agon_arena::referee::{self, Excuses};
use agon_games::{AnyGame, MoveBytes, Opening, Options, Seat, rng_from};
use agon_model::{Answer, ClockKind, Limits, Pairing, TimeControl, TimeScale, WALL_FACTOR};
use agon_player::clock::Allowance;
use agon_player::{Player, PlayerSummary, Trouble};
use std::time::{Duration, Instant};

/// How many matches a run has.
const MATCHES: usize = 2000;

/// Microseconds a move, over random matches with the game's default options and fewest seats.
pub fn measure(game: &dyn AnyGame, name: String, runs: usize) -> Result<Figure, String> {
    let facts = game.facts();
    let seats = facts.seats.0;
    let setting = game.prepare(&Options::default(), seats).map_err(|bad| bad.to_string())?;
    let scripts = record_match(&*setting.start(&Opening::ANY), seats);
    let time = unlimited();
    let limits = Limits { memory: 0, threads: 1, output: 0 };
    let terms = MatchTerms { facts, time: &time, limits: &limits, adjudication: None };
    let place = |entrant| Seating { entrant, label: String::new(), options: String::new(), seed: 0, own_time: None };
    let places: Vec<Seating> = (0..seats).map(place).collect();
    let pairing = Pairing { id: String::new(), rotation: 0, seats: (0..seats).collect() };
    let excuses = Excuses::default();
    let one_run = || {
        let (mut moves, began) = (0, Instant::now());
        for _ in 0..MATCHES {
            let mut state = setting.start(&Opening::ANY);
            let mut players: Vec<Box<dyn Player>> = scripts.iter().map(|script| Scripted::new(script)).collect();
            let played = referee::play(&terms, &pairing, &places, &mut players, state.as_mut(), &excuses, &mut ());
            moves += played.steps.len();
        }
        began.elapsed().as_secs_f64() * 1e6 / moves as f64
    };
    Ok(Figure::new(name, "us", (0..runs).map(|_| one_run()).collect()))
}

fn unlimited() -> TimeControl {
    let hour = 3_600_000_000;
    TimeControl {
        clock: ClockKind::Cpu,
        total_us: Some(hour),
        increment_us: 0,
        period: None,
        per_move_us: None,
        load_us: hour,
        initialize_us: hour,
        finalize_us: hour,
        wall_factor: WALL_FACTOR,
        scale: TimeScale::Off,
    }
}

/// The moves of a random match, seat by seat.
fn record_match(start: &dyn agon_games::AnyState, seats: usize) -> Vec<Vec<MoveBytes>> {
    let mut state = start.clone_box();
    let mut rng = rng_from(&[1; 32]);
    let mut scripts = vec![Vec::new(); seats];
    while !state.to_move().is_empty() {
        let answers: Vec<_> = state.to_move().iter().map(|seat| (seat, state.sample(seat, &mut rng))).collect();
        answers.iter().for_each(|(seat, mv)| scripts[*seat].push(*mv));
        state.play(&answers);
    }
    scripts
}

/// Gives its moves one by one.
struct Scripted<'a> {
    moves: std::slice::Iter<'a, MoveBytes>,
}

impl<'a> Scripted<'a> {
    #[allow(clippy::new_ret_no_self, reason = "a player is always boxed")]
    fn new(moves: &'a [MoveBytes]) -> Box<dyn Player + 'a> {
        Box::new(Scripted { moves: moves.iter() })
    }
}

impl Player for Scripted<'_> {
    fn start(&mut self, _seat: Seat, _setup: &Blob) -> Result<(), Trouble> {
        Ok(())
    }
    fn ask(&mut self, turn: &Blob, _ply: u32, _allowance: Allowance) -> Result<(), Trouble> {
        std::hint::black_box(turn);
        Ok(())
    }
    fn answer(&mut self, _patience: Duration) -> Option<Result<Answer, Trouble>> {
        let mv = *self.moves.next()?;
        Some(Ok(Answer { mv, cpu_us: 1, wall_us: 1, kept_off_us: 0 }))
    }
    fn watch(&mut self, _ply: u32) {}
    fn dismiss(&mut self, _ply: u32, _finalize: bool) -> PlayerSummary {
        PlayerSummary::default()
    }
}

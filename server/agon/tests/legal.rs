//! The clients of the four games without a board of their own kernel are legal, and play the same again for the same
//! seed, in positions that come about by their moves and by chance, under every value of each of their options.

use crate::builder::Arena;
use agon_abi::{Blob, Expected};
use agon_arena::encoding::{MatchTerms, Seating, write_setup, write_turn};
use agon_games::{AnyGame, Facts, GAMES, MoveBytes, Opening, Options, Rng, below, rng_from, seed_of};
use agon_host::Client;
use agon_model::{ClockKind, Limits, TimeControl, TimeScale};
use agon_player::clock::Allowance;
use std::path::Path;

/// Positions for each line of options.
const POSITIONS: u64 = 10_000;
/// So many matches of one line of options and one setting come after each other, since a client may keep what it found.
const RUN: u64 = 20;
/// One match in so many is played again.
const AGAIN: u64 = 5;

const FREE: Allowance =
    Allowance { clock: ClockKind::Cpu, call_us: None, total_us: None, moves_left: None, guard_us: u64::MAX };
const TIME: TimeControl = TimeControl {
    clock: ClockKind::Cpu,
    total_us: None,
    increment_us: 0,
    period: None,
    per_move_us: None,
    load_us: 0,
    initialize_us: 0,
    finalize_us: 0,
    wall_factor: 0,
    scale: TimeScale::Off,
};
const LIMITS: Limits = Limits { memory: 64 << 20, threads: 1, output: 0 };

/// A client with what it is tried under.
struct Trial {
    client: &'static str,
    /// Lines of its options, a comma between two.
    options: &'static [&'static str],
    /// Seats and options of the game, in words.
    settings: &'static [&'static str],
    /// The same, seldom: they take long.
    costly: &'static [&'static str],
}

/// A setting of a game, ready to be played.
struct Setting {
    facts: &'static Facts,
    prepared: Box<dyn agon_games::PreparedSetting>,
    seats: usize,
}

impl Setting {
    fn new(game: &'static dyn AnyGame, words: &str) -> Setting {
        let (seats, words) = words.split_once(' ').unwrap_or((words, ""));
        let seats = seats.parse().unwrap();
        let mut options = Options::default();
        words
            .split_whitespace()
            .filter_map(|word| word.split_once('='))
            .for_each(|(key, value)| options.set(key, value));
        let prepared = game.prepare(&options, seats).unwrap_or_else(|bad| panic!("{words}: {bad}"));
        Setting { facts: game.facts(), prepared, seats }
    }

    /// Plays a match: what the clients answered.
    fn play(&self, clients: &mut [Client], options: &str, number: u64) -> Vec<MoveBytes> {
        let terms = MatchTerms { facts: self.facts, time: &TIME, limits: &LIMITS, adjudication: None };
        let lines = options.replace(',', "\n").replace('=', " = ");
        let place = |seat| Seating {
            entrant: seat,
            label: String::new(),
            options: lines.clone(),
            seed: number + seat as u64,
            own_time: None,
        };
        let places: Vec<Seating> = (0..self.seats).map(place).collect();
        let mut state = self.prepared.start(&Opening::numbered(number));
        for (seat, client) in clients[..self.seats].iter_mut().enumerate() {
            let status = client.initialize(&write_setup(&terms, &*state, seat, &places)).unwrap();
            assert_eq!(status, 0, "{options}: declined: {:?}", client.take_log());
        }
        let (mut rng, mut all, mut blob): (Rng, _, _) = (rng_from(&seed_of(number)), Vec::new(), Blob::new());
        for ply in 0.. {
            let mut answers = Vec::new();
            for seat in state.to_move().iter() {
                write_turn(&terms, &*state, seat, ply, &FREE, &mut blob);
                let mv = MoveBytes::new(&clients[seat].play(&blob).unwrap()[..clients[seat].move_size()]);
                state.check(seat, &mv).unwrap_or_else(|illegal| panic!("{options}, seat {seat}: {illegal:?}"));
                all.push(mv);
                answers.push((seat, if below(&mut rng, 2) == 0 { state.sample(seat, &mut rng) } else { mv }));
            }
            if answers.is_empty() {
                break;
            }
            state.play(&answers);
        }
        for client in &mut clients[..self.seats] {
            client.finalize();
            client.take_log();
        }
        all
    }
}

/// One client a seat, each of a copy of the file.
fn open(file: &Path, seats: usize, expected: &Expected) -> Vec<Client> {
    let copy = |seat: usize| {
        let copy = file.with_extension(format!("{seat}.so"));
        std::fs::copy(file, &copy).unwrap();
        Client::open(&copy, expected).unwrap_or_else(|bad| panic!("{}: {bad}", file.display()))
    };
    (0..seats).map(copy).collect()
}

impl Trial {
    fn run(&self, game: &str) {
        let arena = Arena::new();
        let file = arena.rust_client(self.client);
        let game = *GAMES.iter().find(|entry| entry.facts().name == game).unwrap();
        let Facts { name, setup, turn, mv, .. } = *game.facts();
        let [settings, costly] = [self.settings, self.costly]
            .map(|words| words.iter().map(|words| Setting::new(game, words)).collect::<Vec<_>>());
        let most = settings.iter().chain(&costly).map(|setting| setting.seats).max().unwrap();
        let mut clients = open(&file, most, &Expected::new(name, setup, turn, mv));
        for options in self.options {
            let (mut positions, mut number) = (0, 0);
            while positions < POSITIONS {
                let run = (number / RUN) as usize;
                let setting = match costly.get(run % (3 * costly.len()).max(1)) {
                    Some(setting) if number % RUN == 0 => setting,
                    _ => &settings[run % settings.len()],
                };
                let answers = setting.play(&mut clients, options, number);
                if number % AGAIN == 0 {
                    assert_eq!(
                        setting.play(&mut clients, options, number),
                        answers,
                        "{options}: plays otherwise again"
                    );
                }
                positions += answers.len() as u64;
                number += 1;
            }
        }
    }
}

#[test]
fn tirs_is_legal() {
    let trial = Trial {
        client: "tirs",
        options: &[
            "nodes=1",
            "nodes=40",
            "nodes=20,others=hostile",
            "level=1",
            "strategy=naive",
            "strategy=level1",
            "strategy=depth2",
            "strategy=random",
        ],
        settings: &["2", "2 size=5", "3 size=6", "2 size=8 start=anywhere", "4 size=9", "9 size=20", "2 size=20"],
        costly: &[],
    };
    trial.run("tirs_croises");
}

#[test]
fn tirs_is_legal_at_higher_levels() {
    let trial = Trial {
        client: "tirs",
        options: &["level=8"],
        settings: &["2 size=4", "2 size=5", "3 size=4 start=anywhere"],
        costly: &["2 size=8", "4 size=7"],
    };
    trial.run("tirs_croises");
}

#[test]
fn grundy_is_legal() {
    let trial = Trial {
        client: "grundy",
        options: &["version=0", "version=1", "version=2", "version=random", "level=1", "level=2", "level=3"],
        settings: &["2 heaps=4-9", "2 heaps=4,5", "2 heaps=4-9 misere=yes", "2 heaps=5,6 misere=yes moves=3"],
        costly: &[],
    };
    trial.run("grundy");
    let nimbers = Trial {
        client: "grundy",
        options: &["version=3", "version=4", "version=5"],
        settings: &["2 heaps=8-12", "2 heaps=4,5,6", "2 heaps=8-20 until=4"],
        costly: &["2 heaps=8-30"],
    };
    nimbers.run("grundy");
}

#[test]
fn mastermind_is_legal() {
    let trial = Trial {
        client: "mastermind",
        options: &[
            "strategy=first",
            "strategy=random",
            "strategy=minimax",
            "strategy=entropy",
            "strategy=expected",
            "strategy=parts",
            "strategy=optimum",
            "level=1",
            "level=2",
            "level=3",
            "level=4",
        ],
        settings: &[
            "1 pegs=3 values=4",
            "2 pegs=2 values=6 maker=client",
            "2 pegs=3 values=3 maker=adaptive",
            "1 pegs=1 values=12 secret=all",
            "3 pegs=3 values=5 tries=20",
        ],
        costly: &["1", "1 pegs=4 values=7"],
    };
    trial.run("mastermind");
    let optimum = Trial { options: &["strategy=optimum,worst=5"], settings: &["1"], costly: &[], ..trial };
    optimum.run("mastermind");
}

#[test]
fn six_closest_gap_is_legal() {
    let trial = Trial {
        client: "six-closest-gap",
        options: &[""],
        settings: &["2", "4 rules=course", "10 rules=course-exact", "3 deck=players", "5 hand=9 limit=20"],
        costly: &[],
    };
    trial.run("six_qui_prend");
}

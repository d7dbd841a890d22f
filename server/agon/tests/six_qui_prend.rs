//! 6 qui prend with the course's five players as compiled clients: the tables of the course, opened in this process;
//! the same through a whole ladder with a process a seat; and matches by the publisher's rules.

use crate::builder::{Arena, built};
use agon_abi::{Blob, Expected};
use agon_arena::encoding::{MatchTerms, Seating, write_setup, write_turn};
use agon_games::six_qui_prend::SixQuiPrend;
use agon_games::{AnyGame, Game, MoveBytes, Options, PreparedSetting, Scores};
use agon_host::Client;
use agon_model::opening;
use agon_model::{ClockKind, Limits, TimeControl, TimeScale};
use agon_player::clock::Budget;
use serde_json::Value;
use std::path::PathBuf;
use std::time::Instant;

const GAME: &dyn AnyGame = &Game::<SixQuiPrend>::ENTRY;
/// In the order of the course; seat i plays strategy i mod 5.
const CARDS: [&str; 5] = ["smallest", "middle", "random", "second-largest", "largest"];
/// Mean rank and mean heads of each strategy.
type Table = [[f64; 5]; 2];
const COURSE: Table = [[5.4441, 5.4524, 5.9175, 5.1903, 4.8146], [15.105, 15.268, 16.928, 14.357, 13.056]];
const COURSE_EXACT: Table = [[5.7246, 5.3861, 6.0062, 5.4171, 4.9661], [15.334, 14.768, 16.729, 14.315, 13.351]];
/// Standard deviations of the mean of a strategy's two seats in one game.
const DEVIATIONS: [f64; 2] = [1.85, 6.3];

fn library() -> PathBuf {
    built("libsix_simple.so")
}

/// Ten clients in this process, each from a file of its own, and what they are told.
struct Seats {
    clients: Vec<Client>,
    places: Vec<Seating>,
    time: TimeControl,
    limits: Limits,
    blob: Blob,
    _files: tempfile::TempDir,
}

impl Seats {
    fn open() -> Seats {
        let files = tempfile::tempdir().unwrap();
        let facts = GAME.facts();
        let expected = Expected::new(facts.name, facts.setup, facts.turn, facts.mv);
        let open = |seat: usize| {
            let copy = files.path().join(format!("{seat}.so"));
            std::fs::copy(library(), &copy).unwrap();
            Client::open(&copy, &expected).unwrap()
        };
        let second = 1_000_000;
        let time = TimeControl {
            clock: ClockKind::Wall,
            total_us: None,
            increment_us: 0,
            period: None,
            per_move_us: Some(second),
            load_us: second,
            initialize_us: second,
            finalize_us: second,
            wall_factor: 4,
            scale: TimeScale::Off,
        };
        let place = |seat: usize| {
            let options = format!("card = {}\n", CARDS[seat % 5]);
            Seating { entrant: seat % 5, label: String::new(), options, seed: 0, own_time: None }
        };
        Seats {
            clients: (0..10).map(open).collect(),
            places: (0..10).map(place).collect(),
            time,
            limits: Limits { memory: 1 << 29, threads: 1, output: 0 },
            blob: Blob::new(),
            _files: files,
        }
    }

    fn play(&mut self, setting: &dyn PreparedSetting, number: u64) -> Scores {
        let terms = MatchTerms { facts: GAME.facts(), time: &self.time, limits: &self.limits, adjudication: None };
        let allowance = Budget::new(&self.time).allowance(10);
        let mut state = setting.start(&opening(1, number));
        for (seat, client) in self.clients.iter_mut().enumerate() {
            self.places[seat].seed = 10 * number + seat as u64;
            assert_eq!(client.initialize(&write_setup(&terms, &*state, seat, &self.places)).unwrap(), 0);
        }
        for ply in 0.. {
            let mut answers = Vec::with_capacity(10);
            for seat in state.to_move().iter() {
                write_turn(&terms, &*state, seat, ply, &allowance, &mut self.blob);
                let client = &mut self.clients[seat];
                let mv = MoveBytes::new(&client.play(&self.blob).unwrap()[..client.move_size()]);
                state.check(seat, &mv).unwrap();
                answers.push((seat, mv));
            }
            if answers.is_empty() {
                break;
            }
            state.play(&answers);
        }
        self.clients.iter_mut().for_each(Client::finalize);
        state.scores()
    }
}

/// Adds up rank and heads of each strategy.
#[derive(Default)]
struct Sums {
    sums: [[f64; 5]; 2],
    games: u32,
}

impl Sums {
    fn add(&mut self, strategy: usize, rank: f64, heads: f64) {
        self.sums[0][strategy] += rank;
        self.sums[1][strategy] += heads;
    }

    /// Fails where a mean is more than `most` standard errors away.
    fn compare(&self, what: &str, expected: &Table, most: f64) {
        let games = f64::from(self.games);
        for (row, kind) in ["rank", "heads"].into_iter().enumerate() {
            for (strategy, name) in CARDS.into_iter().enumerate() {
                let (found, expected) = (self.sums[row][strategy] / 2.0 / games, expected[row][strategy]);
                let errors = (found - expected) / (DEVIATIONS[row] / games.sqrt());
                println!("{what} {name} {kind}: {found:.4}, expected {expected:.4}, {errors:+.2} standard errors");
                assert!(errors.abs() < most, "{what} {name} {kind}: {found:.4}, expected {expected:.4}");
            }
        }
    }
}

fn compare_table(rules: &str, expected: &Table, games: u32) {
    let mut options = Options::default();
    options.set("rules", rules);
    let setting = GAME.prepare(&options, 10).unwrap();
    let (mut seats, mut sums) = (Seats::open(), Sums::default());
    let began = Instant::now();
    for number in 0..games {
        let scores = seats.play(&*setting, number.into());
        for seat in 0..10 {
            let rank = 1 + (0..10).filter(|&other| scores.beats(other, seat)).count();
            sums.add(seat % 5, rank as f64, scores.values[seat] as f64);
        }
        sums.games += 1;
    }
    println!("{rules}: {:.0} games/s with ten clients", f64::from(games) / began.elapsed().as_secs_f64());
    sums.compare(rules, expected, 4.0);
}

#[test]
fn compiled_clients_give_the_table_of_course_exact() {
    compare_table("course-exact", &COURSE_EXACT, 20_000);
}

#[test]
fn compiled_clients_give_the_table_of_course() {
    compare_table("course", &COURSE, 20_000);
}

/// `cargo test --release -p agon six_qui_prend:: -- --ignored --nocapture`
#[test]
#[ignore = "two million games"]
fn the_tables_hold_at_a_million_games() {
    compare_table("course-exact", &COURSE_EXACT, 1_000_000);
    compare_table("course", &COURSE, 1_000_000);
}

/// Runs a ladder of the five players; its matches as `agon matches --json` lists them.
fn ladder(seats: usize, rounds: usize, rules: &str) -> Vec<Value> {
    let arena = Arena::new();
    let clients = arena.six_clients(&CARDS);
    let lineup: Vec<String> = (0..seats).map(|seat| format!("six-{}", CARDS[seat % 5])).collect();
    arena.ladder_toml(&format!(
        "[ladder]\ngame = \"six_qui_prend\"\nseed = 7\nseats = {seats}\nopenings = {rounds}\nlineup = {lineup:?}\n\
         [options]\nrules = \"{rules}\"\n[run]\nlogs = \"none\"\n{clients}"
    ));
    let ran = arena.agon(["ladder"]).well();
    assert!(ran.stderr.contains("anyone who knows it can compute the deals"), "{}", ran.stderr);
    let list = arena.agon(["matches", "--json"]).json();
    let matches = list["matches"].as_array().unwrap().clone();
    assert_eq!(matches.len(), seats * rounds);
    for seat in matches.iter().flat_map(|played| played["seats"].as_array().unwrap()) {
        assert!(seat["fault"].is_null(), "{seat}");
    }
    assert!(matches.iter().all(|played| played["ending"] == "over"));
    matches
}

#[test]
fn two_hundred_games_go_through_a_whole_ladder() {
    let began = Instant::now();
    let matches = ladder(10, 20, "course");
    println!("{:.1} matches/s with ten processes each", 200.0 / began.elapsed().as_secs_f64());
    let mut sums = Sums { games: 200, ..Sums::default() };
    for seat in matches.iter().flat_map(|played| played["seats"].as_array().unwrap()) {
        let strategy = CARDS.iter().position(|card| seat["label"] == format!("six-{card}")).unwrap();
        sums.add(strategy, seat["rank"].as_f64().unwrap(), seat["score"].as_f64().unwrap());
    }
    sums.compare("ladder", &COURSE, 5.0);
}

#[test]
fn the_publishers_rules_are_played_to_their_end() {
    for (seats, rounds) in [(2, 2), (4, 2), (10, 1)] {
        for played in ladder(seats, rounds, "official") {
            let heads: Vec<i64> =
                played["seats"].as_array().unwrap().iter().map(|seat| seat["score"].as_i64().unwrap()).collect();
            assert!(heads.len() == seats && heads.iter().any(|heads| *heads >= 66), "{played}");
            let best = played["seats"].as_array().unwrap().iter().find(|seat| seat["rank"] == 1).unwrap();
            assert_eq!(best["score"].as_i64(), heads.iter().min().copied(), "{played}");
        }
    }
}

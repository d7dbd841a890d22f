//! `agon sprt` over opening files of few and of many lines, between clients that are equal but for which of equal moves
//! each likes.
//!
//! All of it: `cargo test --release -p agon books:: -- --include-ignored --nocapture` (some minutes)

use crate::builder::{Arena, Ran};
use agon_games::{GAMES, Options, Rng, rng_from};
use serde_json::Value;
use std::collections::BTreeSet;

const BOARD: &str = "standard-6";
/// Plies of a line.
const PLIES: usize = 3;

/// So many lines that lead to different positions.
fn book(seed: u8, lines: usize) -> String {
    let game = GAMES.iter().find(|game| game.facts().name == "amazons").unwrap();
    let mut options = Options::default();
    game.facts().options.iter().for_each(|option| options.set(option.key, option.default));
    options.set("board", BOARD);
    let setting = game.prepare(&options, 2).unwrap();
    let (mut rng, mut seen, mut book) = (rng_from(&[seed; 32]), BTreeSet::new(), String::new());
    while seen.len() < lines {
        let (line, hash) = line(&*setting.start(&agon_games::Opening::ANY), &mut rng);
        if seen.insert(hash) {
            book += &(line.join(" ") + "\n");
        }
    }
    book
}

fn line(start: &dyn agon_games::AnyState, rng: &mut Rng) -> (Vec<String>, u64) {
    let mut state = start.clone_box();
    let mut line = Vec::new();
    for _ in 0..PLIES {
        let seat = state.to_move().iter().next().unwrap();
        let mv = state.sample(seat, rng);
        line.push(state.write(&mv));
        state.play(&[(seat, mv)]);
    }
    (line, state.hash())
}

/// An arena with the clients, or none without a compiler.
fn arena() -> Option<Arena> {
    let arena = Arena::new();
    arena.c_client("ties", "server/agon/tests/clients/ties.c")?;
    Some(arena)
}

/// One test of two equal clients over a book of its own.
fn run(arena: &Arena, number: u8, lines: usize, more: &[&str]) -> Ran {
    let name = format!("book-{lines}-{number}.txt");
    arena.file(&name, book(number, lines));
    let client = |salt: u32| format!("ties:salt={salt},luck=30");
    let (new, base) = (client(2 * u32::from(number)), client(2 * u32::from(number) + 1));
    let (opening, seed) = (format!("opening={name}"), number.to_string());
    let words = ["sprt", &new, &base, "-b", BOARD, "-o", &opening, "-s", &seed, "--elo1", "20", "--isolation", "reuse"];
    arena.agon(words.into_iter().chain(["--json", "--quiet", "--fresh"]).chain(more.iter().copied()))
}

#[test]
fn books_of_few_lines_are_refused_with_how_many_would_do() {
    let Some(arena) = arena() else { return };
    for lines in [1, 2, 10, 19] {
        let ran = run(&arena, 1, lines, &[]);
        assert_eq!(ran.status, Some(2), "{lines}: {}", ran.stdout);
        let (begin, help) = match lines {
            1 => (
                "all pairs begin from one position: a test needs at least 20 openings; ".to_owned(),
                "let openings differ",
            ),
            _ => {
                let begin = format!("pairs begin in {lines} ways only: a test needs at least 20 openings");
                (begin + ", and 2617 are enough for these bounds; ", "let more openings differ")
            }
        };
        let told =
            format!("{begin}help: {help}, for example with -o opening=4; --these-openings asks about these only\n");
        assert!(ran.stderr.ends_with(&told), "{}", ran.stderr);
    }
    // No more pairs than there are lines: nothing comes twice.
    assert_eq!(run(&arena, 1, 10, &["--most", "10"]).verdict()["pairs"], 10);
    // An answer for these lines alone is another question.
    let these = run(&arena, 1, 2, &["--these-openings"]).verdict();
    assert!(these["verdict"] == "H0" || these["verdict"] == "H1", "{these}");
    assert_eq!(these["design_effect"], 1.0);
}

#[test]
fn whatever_the_jobs_a_test_ends_at_the_same_pair() {
    let (Some(one), Some(two)) = (arena(), arena()) else { return };
    let alone = run(&one, 3, 40, &["-j", "1"]).verdict();
    assert_eq!(run(&two, 3, 40, &["-j", "2"]).verdict(), alone);
    assert_eq!(alone["verdict"], "too few openings", "{alone}");
    assert!(alone["openings"] == 40 && alone["design_effect"].as_f64().unwrap() > 1.5, "{alone}");
    assert!(alone["openings_needed"].as_u64().unwrap() > 80, "{alone}");
}

/// Thirty tests over books of as many lines each: equal clients pass in at most 5 % of them, within the error of
/// thirty.
#[test]
#[ignore = "some minutes"]
fn equal_clients_pass_rarely() {
    let Some(arena) = arena() else { return };
    println!("lines | passed failed too few none, of 30 | passed by the old count | mean pairs, design effect");
    for lines in [2, 10, 100, 1000] {
        let (mut ends, mut before, mut pairs, mut effect) = ([0; 4], 0, 0.0, 0.0);
        for number in 0..30 {
            let ran = run(&arena, number, lines, &["--most", "20000"]);
            if ran.status == Some(2) {
                ends[2] += 1;
            } else {
                let found = ran.verdict();
                ends[end(&found)] += 1;
                pairs += found["pairs"].as_f64().unwrap() / 30.0;
                effect += found["design_effect"].as_f64().unwrap() / 30.0;
            }
            before += usize::from(end(&run(&arena, number, lines, &["--these-openings"]).verdict()) == 0);
        }
        println!("{lines:5} | {ends:?} | {before} | {pairs:.0} {effect:.2}");
        // More than five of thirty would come with less than 0.4 %.
        assert!(ends[0] <= 5, "{lines}: {ends:?}");
    }
}

fn end(found: &Value) -> usize {
    match found["verdict"].as_str() {
        Some("H1") => 0,
        Some("H0") => 1,
        Some("too few openings") => 2,
        _ => 3,
    }
}

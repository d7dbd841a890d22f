//! The client through its own border: its moves are legal under all options, and the same for the same samples,
//! whatever plays them.

use crate::matches::{View, setup, start, typed};
use agon_client_api::Client;
use agon_client_api::Rules;
use agon_games::six_qui_prend::{Move, SixQuiPrend};
use agon_games::{Rng, below, rng_from};
use six_best::SixBest;
use std::collections::BTreeMap;

/// Values of the client's options; the first of each is the default.
const OPTIONS: [(&str, &[&str]); 5] = [
    ("objective", &["rank", "heads"]),
    ("scope", &["match", "round"]),
    ("opponents", &["watched", "unknown"]),
    ("lanes", &["auto", "scalar", "portable"]),
    ("level", &["3", "2", "1"]),
];
/// Values of the game's options.
const GAME: [(&str, &[&str]); 4] = [
    ("rules", &["official", "course", "course-exact"]),
    ("limit", &["auto", "0", "66", "20"]),
    ("deck", &["all", "players"]),
    ("hand", &["10", "9", "5"]),
];

/// A value of each option, by chance.
fn pick<'a>(from: &[(&'a str, &[&'a str])], rng: &mut Rng) -> Vec<(&'a str, &'a str)> {
    from.iter().map(|(key, values)| (*key, values[below(rng, values.len() as u64) as usize])).collect()
}

/// Asks clients in all positions of a match that goes on by chance or by their moves; how many positions there were.
fn follow(number: u64, counts: &mut BTreeMap<String, u64>) -> u64 {
    let mut rng = rng_from(&[number as u8 ^ 0x55; 32]);
    rng.set_stream(number);
    let seats = 2 + below(&mut rng, 9) as usize;
    let mut game = pick(&GAME, &mut rng);
    if seats == 2 || seats == 3 {
        game.retain(|(key, _)| *key != "hand");
    }
    let mut state = start(&game, seats, number);
    let setups: Vec<_> = (0..seats).map(|seat| setup(&state, seat)).collect();
    let options = pick(&OPTIONS, &mut rng);
    let mut text: String = options.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
    text += "samples = 16\n";
    let mut clients: Vec<SixBest> = setups.iter().map(|setup| SixBest::new(&typed(setup, &text)).unwrap()).collect();
    let mut positions = 0;
    loop {
        let mut answers: Vec<(usize, Move)> = Vec::new();
        for seat in state.to_move().iter() {
            let view = View::of(&state, seat);
            let mv = clients[seat].play(&view.turn());
            state.check(seat, mv).unwrap_or_else(|illegal| panic!("{game:?} {text}: {illegal:?}"));
            positions += 1;
            let by_chance = below(&mut rng, 2) == 0;
            answers.push((seat, if by_chance { state.sample(seat, &mut rng) } else { mv }));
        }
        if answers.is_empty() {
            break;
        }
        state.play(&answers);
    }
    for (key, value) in options.into_iter().chain(game) {
        *counts.entry(format!("{key} = {value}")).or_default() += positions;
    }
    positions
}

#[test]
fn moves_are_legal_in_random_positions_of_all_options() {
    let (mut counts, mut positions, mut number) = (BTreeMap::new(), 0, 0);
    while positions < 10_000 {
        positions += follow(number, &mut counts);
        number += 1;
    }
    assert!(counts.len() > 15, "{counts:?}");
}

/// `cargo test --release -p client-six-best client:: -- --ignored`: a quarter of a minute.
#[test]
#[ignore = "a quarter of a minute"]
fn moves_are_legal_in_ten_thousand_positions_of_every_option() {
    let all = OPTIONS.iter().chain(&GAME).map(|(_, values)| values.len()).sum();
    let mut counts = BTreeMap::new();
    for number in 1 << 20.. {
        follow(number, &mut counts);
        if counts.len() == all && counts.values().all(|count| *count >= 10_000) {
            break;
        }
    }
}

/// The moves of a match of clients with these options.
fn moves(rules: &str, seats: usize, options: &str) -> Vec<Move> {
    let mut state = start(&[("rules", rules)], seats, 5);
    let setups: Vec<_> = (0..seats).map(|seat| setup(&state, seat)).collect();
    let mut clients: Vec<SixBest> = setups.iter().map(|setup| SixBest::new(&typed(setup, options)).unwrap()).collect();
    let mut all = Vec::new();
    while !state.to_move().is_empty() {
        let ask = |seat: usize| (seat, clients[seat].play(&View::of(&state, seat).turn()));
        let answers: Vec<_> = state.to_move().iter().map(ask).collect();
        all.extend(answers.iter().map(|(_, mv)| *mv));
        SixQuiPrend::play(&mut state, &answers);
    }
    all
}

#[test]
fn the_same_samples_give_the_same_moves_whatever_plays_them() {
    for (rules, seats) in [("official", 4), ("course", 10), ("course-exact", 3)] {
        for options in ["samples = 320", "samples = 320\nobjective = heads\nopponents = unknown"] {
            let with = |lanes: &str| moves(rules, seats, &format!("{options}\nlanes = {lanes}"));
            let auto = with("auto");
            assert!(auto.len() >= 10 * seats);
            assert_eq!(auto, with("scalar"), "{rules} {options}");
            assert_eq!(auto, with("portable"), "{rules} {options}");
        }
    }
}

#[test]
fn the_last_row_that_is_taken_is_the_cheapest_where_heads_count() {
    let mut asked = 0;
    for number in 0..2_000 {
        let mut state = start(&[("limit", "0"), ("hand", "1")], 2, number);
        let mut rng = rng_from(&[number as u8; 32]);
        while !state.to_move().is_empty() {
            let view = View::of(&state, state.to_move().iter().next().unwrap());
            let turn = view.turn();
            if turn.pending().is_some() {
                let setup = setup(&state, state.to_move().iter().next().unwrap());
                let mut client = SixBest::new(&typed(&setup, "objective = heads")).unwrap();
                let row = client.play(&turn).row;
                let heads = turn.facts.row_heads;
                assert_eq!(Some(&heads[usize::from(row)]), heads.iter().min());
                asked += 1;
            }
            let answers: Vec<_> = state.to_move().iter().map(|seat| (seat, state.sample(seat, &mut rng))).collect();
            state.play(&answers);
        }
    }
    assert!(asked > 20, "{asked}");
}

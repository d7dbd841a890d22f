//! The client with `strategy = "optimum"` through its own border, against all secrets, by the rules of the server.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

use agon_client_api::mastermind::{Code, Setup, Try, Turn};
use agon_client_api::{Client, Options as ClientOptions, Rules};
use agon_games::mastermind::{Mastermind, Setup as RawSetup, Turn as RawTurn};
use agon_games::{Opening, Options};
use mastermind::Player;
use std::sync::Arc;

/// The setup of seat 0 at the start of a match.
fn setup(pegs: &str, values: &str) -> RawSetup {
    let mut given = Options::default();
    given.set("pegs", pegs);
    given.set("values", values);
    let setting = Arc::new(Mastermind::prepare(&Mastermind::FACTS.complete(&given).unwrap(), 1).unwrap());
    let state = Mastermind::start(&setting, 1, &Opening { number: 0, seed: [0; 32] });
    let mut blob = agon_abi::Blob::new();
    state.setup(0, &mut blob);
    agon_abi::read(blob.bytes()).unwrap()
}

/// The guesses that the client makes until it finds the secret.
fn play(setup: &Setup, secret: &Code) -> Vec<Try> {
    let (codes, mut client) = (setup.codes(), Player::new(setup).unwrap());
    let mut history: Vec<Try> = vec![];
    while history.last().is_none_or(|made| usize::from(made.rr) < codes.pegs()) && history.len() < 20 {
        // A turn of zeros asks for a guess.
        let facts: RawTurn = agon_abi::read(&[0; size_of::<RawTurn>()]).unwrap();
        let mv = client.play(&Turn { facts: &facts, history: &history });
        history.push(Try::new(&mv.v, codes.reply(secret, &mv.v)));
    }
    client.finish();
    history
}

/// How many secrets are found with each number of guesses, from 1, and the total.
fn distribution(pegs: &str, values: &str, options: &str) -> (usize, Vec<usize>) {
    let facts = setup(pegs, values);
    let setup = Setup { facts: &facts, options: ClientOptions(options) };
    let lengths: Vec<usize> = setup.codes().iter().map(|secret| play(&setup, &secret).len()).collect();
    let count = |guesses| lengths.iter().filter(|length| **length == guesses).count();
    (lengths.iter().sum(), (1..=lengths.iter().copied().max().unwrap()).map(count).collect())
}

#[test]
fn all_secrets_of_4_places_and_6_values_take_5625_guesses() {
    let (total, found) = distribution("4", "6", "strategy = optimum");
    println!("{total} {found:?}");
    assert_eq!((total, found.len(), found.iter().sum()), (5625, 6, 1296));
}

#[test]
fn with_at_most_5_guesses_each_they_take_5626() {
    let (total, found) = distribution("4", "6", "strategy = optimum\nworst = 5");
    println!("{total} {found:?}");
    assert_eq!((total, found.len(), found.iter().sum()), (5626, 5, 1296));
}

#[test]
fn all_secrets_of_4_places_and_7_values_take_11228_guesses() {
    let (total, found) = distribution("4", "7", "strategy = optimum");
    println!("{total} {found:?}");
    assert_eq!((total, found.len(), found.iter().sum()), (11228, 6, 2401));
}

#[test]
fn where_no_strategy_is_stored_it_is_that_of_most_parts() {
    let facts = setup("3", "5");
    let named = |options| Player::new(&Setup { facts: &facts, options: ClientOptions(options) });
    assert_eq!(named("strategy = optimum").map(|client| client.name().to_owned()), Ok("parts".to_owned()));
    let why = named("strategy = optimum\nworst = 5").map(|client| client.name().to_owned()).unwrap_err();
    assert!(why.0.starts_with("worst = 5: no strategy for 3 places of 5 values"), "{why:?}");
    assert_eq!(distribution("3", "5", "strategy = optimum"), distribution("3", "5", "strategy = parts"));
}

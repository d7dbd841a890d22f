//! The attacks that the program carries, each against a sound client: what its first line says must come of it, as root and as an ordinary
//! user; and without the layer that holds it, something else. After `agon doctor --attack` nothing is left.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod builder;

use builder::{Arena, users};
use serde_json::Value;
use std::collections::BTreeSet;

/// What was tried, without these layers.
fn attempts(user: Option<u32>, without: &[&str]) -> Vec<Value> {
    let arena = Arena::new().as_user(user);
    let before = arena.traces();
    let words = ["doctor", "--attack", "--json"].into_iter().map(str::to_owned);
    let ran = arena.agon(words.chain(without.iter().map(|layer| format!("--without={layer}"))));
    arena.traces().nothing_beyond(&before);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.stderr));
    let attempts = document["attempts"].as_array().unwrap().clone();
    let broken = attempts.iter().any(|attempt| attempt["holds"] == false);
    assert_eq!(ran.status, Some(i32::from(broken)), "{}", ran.stderr);
    attempts
}

fn layers(attempt: &Value) -> BTreeSet<&str> {
    attempt["layers"].as_array().unwrap().iter().map(|layer| layer.as_str().unwrap()).collect()
}

fn show(attempt: &Value) -> String {
    let part = |key: &str| attempt[key].as_str().unwrap().to_owned();
    format!("{} in {}: {}; expected: {}\n", part("act"), part("phase"), part("came"), part("expected"))
}

fn assert_all_hold(user: Option<u32>) {
    let attempts = attempts(user, &[]);
    assert!(attempts.len() >= 400, "{}", attempts.len());
    let broken: String = attempts.iter().filter(|attempt| attempt["holds"] == false).map(show).collect();
    assert!(broken.is_empty(), "as {user:?}:\n{broken}");
}

/// Without some layers just those acts come to something else that nothing but these holds; time on a loaded machine apart.
fn assert_shown_without(left_out: &[&str]) {
    let left_out_set: BTreeSet<&str> = left_out.iter().copied().collect();
    let attempts = attempts(None, left_out);
    let held_by_these = |attempt: &Value| {
        let layers = layers(attempt);
        !layers.is_empty() && layers.is_subset(&left_out_set)
    };
    let of_these: Vec<&Value> = attempts.iter().filter(|attempt| held_by_these(attempt)).collect();
    assert!(!of_these.is_empty(), "no act is held by {left_out:?}");
    let unseen: String =
        of_these.iter().filter(|attempt| attempt["holds"] == true).map(|attempt| show(attempt)).collect();
    assert!(unseen.is_empty(), "nothing changes without {left_out:?}:\n{unseen}");
}

#[test]
fn every_attack_comes_to_what_it_says() {
    users().into_iter().for_each(assert_all_hold);
}

#[test]
fn without_its_layer_an_attack_shows() {
    if !rustix::process::geteuid().is_root() {
        println!("SKIPPED: what the kernel forbids to an ordinary user anyway shows to root only");
        return;
    }
    for left_out in [&["seccomp"][..], &["landlock"], &["limits"], &["seccomp", "privileges"]] {
        assert_shown_without(left_out);
    }
}

#[test]
fn an_unknown_layer_is_told() {
    let ran = Arena::new().agon(["doctor", "--attack=exit_0", "--without", "walls"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("there is no such layer; help: one of limits"), "{}", ran.stderr);
}

#[test]
#[ignore = "the whole corpus again and again: some minutes"]
fn every_attack_comes_to_the_same_again() {
    for _ in 0..5 {
        users().into_iter().for_each(assert_all_hold);
    }
}

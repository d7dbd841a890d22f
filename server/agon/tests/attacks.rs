//! The attacks that the program carries, each against a sound client: what its first line says must come of it, as root
//! and as an ordinary user; and without the layer that holds it, something else. After `agon doctor --attack` nothing
//! is left.

use crate::builder::{Arena, Load, users};
use rustix::process::{Resource, getrlimit};
use serde_json::Value;
use std::collections::BTreeSet;

/// What every change must pass quickly, beside the whole for one user.
const FEW: &[&str] = &["load", "play"];

/// What was tried in these phases (none: in all), without these layers.
fn attempts(user: Option<u32>, phases: &[&str], without: &[&str]) -> Vec<Value> {
    let arena = Arena::new().as_user(user);
    let before = arena.traces();
    let words = ["doctor", "--attack", "--json"].into_iter().map(str::to_owned);
    let words = words.chain(phases.iter().map(|phase| format!("--phase={phase}")));
    let ran = arena.agon(words.chain(without.iter().map(|layer| format!("--without={layer}"))));
    arena.traces().nothing_beyond(&before);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.stderr));
    assert_eq!(crate::schemas::flaws(&document, "attack", "attack"), Vec::<String>::new());
    let attempts = document["attempts"].as_array().unwrap().clone();
    let broken = attempts.iter().any(|attempt| attempt["holds"] == false);
    assert_eq!(ran.status, Some(if broken { 5 } else { 0 }), "{}", ran.stderr);
    attempts
}

fn layers(attempt: &Value) -> BTreeSet<&str> {
    attempt["layers"].as_array().unwrap().iter().map(|layer| layer.as_str().unwrap()).collect()
}

fn show(attempt: &Value) -> String {
    let part = |key: &str| attempt[key].as_str().unwrap().to_owned();
    format!("{} in {}: {}; expected: {}\n", part("act"), part("phase"), part("came"), part("expected"))
}

fn assert_all_hold(user: Option<u32>, phases: &[&str]) {
    let attempts = attempts(user, phases, &[]);
    assert!(attempts.len() >= 450 * if phases.is_empty() { 8 } else { phases.len() }, "{}", attempts.len());
    let broken: String = attempts.iter().filter(|attempt| attempt["holds"] == false).map(show).collect();
    assert!(broken.is_empty(), "as {user:?}:\n{broken}");
}

/// Without some layers just those acts come to something else that nothing but these holds; time on a loaded machine
/// apart.
fn assert_shown_without(left_out: &[&str], phases: &[&str]) {
    let left_out_set: BTreeSet<&str> = left_out.iter().copied().collect();
    let attempts = attempts(None, phases, left_out);
    let held_by_these = |attempt: &Value| {
        let layers = layers(attempt);
        // Where nobody may leave a core, nothing changes.
        let is_so_anyway = attempt["act"] == "limits_core" && getrlimit(Resource::Core).maximum == Some(0);
        !layers.is_empty() && layers.is_subset(&left_out_set) && !is_so_anyway
    };
    let of_these: Vec<&Value> = attempts.iter().filter(|attempt| held_by_these(attempt)).collect();
    assert!(!of_these.is_empty(), "no act is held by {left_out:?}");
    let unseen: String =
        of_these.iter().filter(|attempt| attempt["holds"] == true).map(|attempt| show(attempt)).collect();
    assert!(unseen.is_empty(), "nothing changes without {left_out:?}:\n{unseen}");
}

const LEFT_OUT: [&[&str]; 4] = [&["seccomp"], &["landlock"], &["limits"], &["seccomp", "privileges"]];

fn is_root() -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        agon_skips::skip_here("what the kernel forbids to an ordinary user anyway shows to root only");
    }
    is_root
}

/// One test, as acts without a layer leave files where all look.
#[test]
fn every_attack_comes_to_what_it_says_and_shows_without_its_layer() {
    std::thread::scope(|scope| {
        for (index, user) in users().into_iter().enumerate() {
            scope.spawn(move || assert_all_hold(user, if index == 0 { &[] } else { FEW }));
        }
    });
    if is_root() {
        LEFT_OUT.into_iter().for_each(|left_out| assert_shown_without(left_out, &["play"]));
    }
}

#[test]
#[ignore = "every act in every phase without each layer: ten minutes"]
fn without_its_layer_an_attack_shows_in_every_phase() {
    if is_root() {
        LEFT_OUT.into_iter().for_each(|left_out| assert_shown_without(left_out, &[]));
    }
}

#[test]
fn where_no_act_is_meant_nothing_is_tried_and_nothing_called_good() {
    for (words, told) in [
        (&["--attack=nosuch"][..], "--attack nosuch: no act has this in its name; help: names begin with call, "),
        (&["--attack=proces_fork"], "help: did you mean \"process_fork\"? If not, names begin with call, "),
        (&["--attack=line_", "--phase=play", "--phase=name"], "these acts are not tried in play, name; help: "),
        (&["--attack=line_", "--phase=play"], "help: they are tried in load\n"),
    ] {
        let ran = Arena::new().agon([&["doctor"], words].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{words:?}");
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
    }
}

#[test]
fn an_unknown_layer_or_phase_is_told() {
    for (words, told) in [
        (["--without", "walls"], "there is no such layer; help: one of limits"),
        (["--phase", "dinner"], "there is no such phase; help: one of load"),
    ] {
        let ran = Arena::new().agon([&["doctor", "--attack=exit_0"], &words[..]].concat());
        assert_eq!(ran.status, Some(2));
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
    }
}

#[test]
#[ignore = "the whole matrix twice for each user, one after the other and both at once, alone and beside four times the load: half an hour"]
fn every_attack_comes_to_the_same_again() {
    for load in [None, Some(4)] {
        let _load = load.map(Load::times);
        for _ in 0..2 {
            users().into_iter().for_each(|user| assert_all_hold(user, &[]));
            std::thread::scope(|scope| {
                users().into_iter().for_each(|user| drop(scope.spawn(move || assert_all_hold(user, &[]))));
            });
        }
    }
}

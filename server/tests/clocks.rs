//! Nobody loses on time because the machine is busy: clients that use 60 % of their time, with as many jobs as cores, alone and at
//! twice the load, under both clocks.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod builder;

use builder::{Arena, has_compiler};
use std::process::{Child, Command};

/// Matches of each kind. All 20,000: `AGON_CLOCK_MATCHES=20000 cargo test --release -p agon --test clocks -- --nocapture`
fn matches() -> u64 {
    std::env::var("AGON_CLOCK_MATCHES").map_or(40, |count| count.parse().unwrap())
}

/// Programs that take all the processor time they can get, one for each core; they end with this.
struct Load(Vec<Child>);

impl Load {
    fn one_a_core() -> Load {
        let cores = std::thread::available_parallelism().unwrap().get();
        let spin = || Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        Load((0..cores).map(|_| spin()).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Plays, and says how many matches were lost on time and how often a client was kept waiting too long.
fn play(clock: &str, load: Option<Load>) -> Option<(u64, usize)> {
    if !has_compiler("cc") {
        return None;
    }
    let arena = Arena::new();
    for name in ["one", "two"] {
        arena.c_client_with(name, "server/tests/clocks/steady.c", &[]).unwrap();
    }
    arena.ladder_toml(&format!(
        "[ladder]\ngame = \"grundy\"\nclients = [\"clients/*.so\"]\nrounds = {}\nseed = 1\n[options]\nheaps = \"8\"\n\
         [time]\ntotal = \"50ms\"\nclock = \"{clock}\"\n[run]\nisolation = \"reuse\"\nlogs = \"none\"\n",
        matches() / 2
    ));
    let ran = arena.agon(["ladder", "--json"]).well();
    drop(load);
    let table: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(table["matches"].as_u64(), Some(matches()), "{}", ran.stderr);
    let faults = |client: &serde_json::Value| -> u64 {
        client["faults"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum()
    };
    let lost = table["clients"].as_array().unwrap().iter().map(faults).sum();
    let waited = ran.stderr.lines().filter(|line| line.contains("without a core, not charged")).count();
    println!(
        "{clock} clock: {} matches, {lost} lost on time, {waited} moves kept waiting beyond their time",
        matches()
    );
    Some((lost, waited))
}

#[test]
fn nobody_loses_on_time_under_the_processor_clock() {
    for load in [None, Some(Load::one_a_core())] {
        assert!(play("cpu", load).is_none_or(|(lost, waited)| (lost, waited) == (0, 0)));
    }
}

#[test]
fn nobody_loses_on_time_under_the_wall_clock() {
    for load in [None, Some(Load::one_a_core())] {
        assert!(play("wall", load).is_none_or(|(lost, _)| lost == 0));
    }
}

//! A long ladder takes no more memory than a short one.

#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod builder;

use builder::Arena;
use std::io::{BufRead, BufReader};
use std::process::Child;

/// Memory of a process that is its own and resident, KiB.
fn resident(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// Resident memory after 30 % of the matches and near their end, KiB, of a ladder of random against random.
fn early_and_late(isolation: &str, matches: u64) -> (u64, u64) {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.ladder_toml(&format!(
        "[ladder]\ngame = \"amazons\"\nlineup = [\"random\", \"random\"]\nopenings = {}\n[options]\nboard = \"square:5\"\n\
         [run]\nisolation = \"{isolation}\"\nlogs = \"none\"\n",
        matches / 2
    ));
    let mut child = arena.start(["ladder"]);
    let lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let (mut early, mut late) = (0, 0);
    for line in lines {
        let percent = line.trim_start().split_once(" %").and_then(|(percent, _)| percent.parse::<u64>().ok());
        match percent {
            Some(30) => early = resident(&child),
            Some(31..100) => late = resident(&child),
            _ => {}
        }
    }
    child.wait().unwrap();
    assert!(early > 0 && late > 0, "progress was not seen: {early} {late}");
    (early, late)
}

fn assert_steady(isolation: &str, matches: u64) {
    let (early, late) = early_and_late(isolation, matches);
    println!("isolation {isolation}: {early} KiB after {} matches, {late} KiB near {matches}", matches * 3 / 10);
    // What is kept of the record in memory has its full size by then.
    assert!(late <= early + 2048, "{early} KiB grew to {late} KiB");
}

#[test]
fn two_hundred_thousand_matches_in_the_server_grow_nothing() {
    assert_steady("none", 200_000);
}

#[test]
#[ignore = "takes minutes: cargo test --release -p agon --test memory -- --ignored --nocapture"]
fn a_hundred_thousand_matches_in_processes_grow_nothing() {
    assert_steady("process", 100_000);
}

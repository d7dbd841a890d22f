//! A long ladder takes no more memory than a short one.

use crate::builder::Arena;
use std::io::{BufRead, BufReader};
use std::process::Child;

/// Memory of a process that is its own and resident, KiB.
fn resident(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// What a match may leave behind, bytes: less than the least that could be remembered of it.
const LEFT_BEHIND: u64 = 32;

/// What is used for a while comes and goes by a megabyte, so that one reading says nothing.
fn median(mut readings: Vec<u64>) -> u64 {
    assert!(readings.len() >= 5, "progress was not seen: {readings:?}");
    readings.sort_unstable();
    readings[readings.len() / 2]
}

/// Resident memory of a ladder of random against random, KiB: the medians of 25 % to 54 % of the matches, and of 65 % to
/// 94 %. What is kept of the record in memory has its full size by then.
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
    let (mut early, mut late) = (Vec::new(), Vec::new());
    for line in lines {
        let percent = line.trim_start().split_once(" %").and_then(|(percent, _)| percent.parse::<u64>().ok());
        match percent {
            Some(25..55) => early.push(resident(&child)),
            Some(65..95) => late.push(resident(&child)),
            _ => {}
        }
    }
    child.wait().unwrap();
    (median(early), median(late))
}

fn assert_steady(isolation: &str, matches: u64) {
    let (early, late) = early_and_late(isolation, matches);
    println!("isolation {isolation}: {early} KiB at 40 % of {matches} matches, {late} KiB at 80 %");
    let allowed = matches * 2 / 5 * LEFT_BEHIND / 1024;
    assert!(early > 0, "the memory of the process was not seen");
    assert!(late <= early + allowed, "{early} KiB grew to {late} KiB, by more than {allowed}");
}

#[test]
fn half_a_million_matches_in_the_server_grow_nothing() {
    assert_steady("none", 500_000);
}

#[test]
#[ignore = "takes minutes: cargo test --release -p agon memory:: -- --ignored --nocapture"]
fn a_hundred_thousand_matches_in_processes_grow_nothing() {
    assert_steady("process", 100_000);
}

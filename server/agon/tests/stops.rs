//! `[stop]`: a ladder ends before its schedule does, says why, plays the same blocks whatever the jobs, and goes on
//! when it may.

use crate::builder::Arena;
use crate::held::{assert_whole, games, matches, pairs, pairs_toml, wait_until};

/// `pairs` with so many rounds and these keys of `[stop]`: 3 line-ups of two matches a round.
fn arena(rounds: u32, stop: &str) -> Arena {
    let arena = pairs(rounds);
    write(&arena, rounds, stop);
    arena
}

fn write(arena: &Arena, rounds: u32, stop: &str) {
    arena.ladder_toml(&pairs_toml(rounds).replacen("[time]", &format!("[stop]\n{stop}\n[time]"), 1));
}

fn jobs() -> &'static [&'static str] {
    if std::thread::available_parallelism().unwrap().get() < 2 { &["1"] } else { &["1", "2"] }
}

/// Plays it, once killed in the middle.
fn play_killed(arena: &Arena, jobs: &str) {
    let mut server = arena.start(["ladder", "--quiet", "--jobs", jobs]);
    wait_until("some is played", || matches(arena) >= 4);
    server.kill().unwrap();
    server.wait().unwrap();
    arena.agon(["ladder", "--quiet", "--jobs", jobs]).well();
}

#[test]
fn that_many_matches_are_the_first_of_the_schedule() {
    let alone = arena(5, "matches = 15");
    let plan = alone.agon(["ladder", "--dry-run"]).well().stdout;
    assert!(plan.contains("= 15 blocks of 30 matches in all"), "{plan}");
    assert!(plan.contains("\n  stop     matches = 15: the first of 30 matches\n"), "{plan}");
    assert!(!plan.contains("in the record already"), "{plan}");
    let ran = alone.agon(["ladder", "--jobs", "1"]).well();
    assert!(ran.stderr.contains("3 clients, 16 matches; "), "{}", ran.stderr);
    let said = "stopped by matches = 15 in [stop], 16 of 30 matches played\n";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    let expected = games(&alone);
    assert_eq!(expected.len(), 16);
    for jobs in jobs() {
        let killed = arena(5, "matches = 15");
        play_killed(&killed, jobs);
        assert_eq!(games(&killed), expected, "{jobs} jobs");
    }
    let plan = alone.agon(["ladder", "--dry-run"]).well().stdout;
    assert!(plan.contains("\n  played   8 blocks are in the record already\n"), "{plan}");
    let again = alone.agon(["ladder"]).well();
    assert!(again.stderr.contains("16 of them already played") && again.stderr.contains(said), "{}", again.stderr);
    write(&alone, 5, "matches = 20");
    alone.agon(["ladder", "--quiet"]).well();
    assert_eq!(matches(&alone), 20);
    write(&alone, 5, "matches = 30");
    let whole = alone.agon(["ladder"]).well();
    assert!(!whole.stderr.contains("stopped by"), "there is nothing left to stop: {}", whole.stderr);
    assert_eq!(matches(&alone), 30);
    assert_whole(&alone, 2);
}

#[test]
fn it_stops_where_results_are_precise_whatever_the_jobs() {
    let alone = arena(1000, "error = 0.05");
    let ran = alone.agon(["ladder", "--jobs", "1"]).well();
    let expected = games(&alone);
    assert!((60..2000).contains(&expected.len()), "{}", expected.len());
    assert_eq!(expected.len() % 64, 0, "at a place where the schedule is judged");
    let said = format!("stopped by error = 0.050 in [stop], {} of 6000 matches played\n", expected.len());
    assert!(ran.stderr.contains(&said), "{}", ran.stderr);
    let table = alone.agon(["standings", "--json"]).json();
    for client in table["clients"].as_array().unwrap() {
        let error = client["points"]["standard_error"].as_f64().unwrap();
        assert!(error < 0.06, "{client}");
    }
    for jobs in jobs() {
        let killed = arena(1000, "error = 0.05");
        play_killed(&killed, jobs);
        assert_eq!(games(&killed), expected, "{jobs} jobs");
    }
    let again = alone.agon(["ladder", "--json"]).well();
    assert!(again.stderr.contains(&said), "{}", again.stderr);
}

#[test]
fn a_run_ends_when_its_time_is_over_and_the_next_goes_on() {
    let arena = arena(100_000, "time = \"1s\"");
    let mut played = 0;
    for _ in 0..2 {
        let ran = arena.agon(["ladder"]).well();
        let said = format!("stopped by time = \"1s\" in [stop], {} of 600000 matches played. Go on", matches(&arena));
        assert!(ran.stderr.contains(&said), "{}", ran.stderr);
        assert!(matches(&arena) > played);
        played = matches(&arena);
    }
    assert_whole(&arena, 2);
}

#[test]
fn what_cannot_stop_a_ladder_is_refused() {
    let arena = pairs(1);
    let swiss = "pairing = \"swiss\"\n[stop]\n";
    for (keys, place, what) in [
        ("[stop]\nmatches = 0", ":6:11:", "the number is out of range"),
        ("[stop]\nerror = 0", ":6:9:", "no error is ever less than that"),
        ("[stop]\nerror = \"5 %\"", ":6:9:", "a number is expected here"),
        ("[stop]\ntime = \"1ms\"", ":6:8:", ""),
        ("[stop]\nelo = 5", ":6:1:", "[stop] has no key \"elo\""),
        (&format!("{swiss}matches = 10"), ":7:11:", "[stop] matches would cut a round of pairing = \"swiss\""),
        (&format!("{swiss}error = 0.1"), ":7:9:", "[stop] error would cut a round"),
    ] {
        arena.ladder_toml(&format!("[ladder]\nname = \"pairs\"\ngame = \"amazons\"\nseed = 1\n{keys}\n"));
        let ran = arena.agon(["ladder"]);
        assert_eq!(ran.status, Some(3), "{keys}: {}", ran.stderr);
        assert!(ran.stderr.contains(place) && ran.stderr.contains(what), "{keys}: {}", ran.stderr);
    }
}

//! `kill -9` at any moment: the same command goes on, and comes to the table of a run that was never disturbed.

use crate::builder::Arena;
use crate::held::{assert_no_host, assert_whole, games, matches, pairs, sixes, table, threes};
use agon_games::{below, rng_from, seed_of};
use std::fs;
use std::time::Duration;

/// How often the server is killed; a hundred times in the long test.
const KILLS: usize = 10;
const MANY: usize = 100;
/// The longest that it lives, milliseconds.
const LIFE: u64 = 250;

/// Random lives without end. `AGON_TEST_SEED` repeats those of a failure.
fn lives() -> impl Iterator<Item = Duration> {
    let seed =
        std::env::var("AGON_TEST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or_else(rand::random::<u64>);
    println!("to see this again: AGON_TEST_SEED={seed}");
    let mut rng = rng_from(&seed_of(seed));
    std::iter::repeat_with(move || Duration::from_millis(below(&mut rng, LIFE)))
}

/// Starts the ladder and kills its server after so long. Whether it was still at work.
fn live(arena: &Arena, life: Duration) -> bool {
    let mut server = arena.command(["ladder", "--quiet"]).stdout(std::process::Stdio::null()).spawn().unwrap();
    std::thread::sleep(life);
    let at_work = server.try_wait().unwrap().is_none();
    server.kill().unwrap();
    server.wait().unwrap();
    assert_no_host(arena);
    at_work
}

/// Ladders are killed again and again, so many times in all; each comes to the games and the table of one never
/// disturbed.
fn kill_and_go_on(ladder: &dyn Fn() -> Arena, seats: u64, kills: usize) {
    let undisturbed = ladder();
    undisturbed.agon(["ladder", "--quiet"]).well();
    let (mut killed, mut before, mut count, mut ladders) = (ladder(), 0, 0, 1);
    for life in lives() {
        if live(&killed, life) {
            count += 1;
        } else {
            compare(&killed, &undisturbed, seats);
            (killed, before, ladders) = (ladder(), 0, ladders + 1);
            continue;
        }
        if killed.path("agon-out/record.sqlite").exists() {
            let after = matches(&killed);
            assert!(after >= before, "{before} matches were kept, {after} are left");
            before = after;
        }
        if count == kills {
            break;
        }
    }
    let on = killed.agon(["ladder"]).well();
    println!("{count} kills in {ladders} ladders of {} matches, {seats} seats", matches(&undisturbed));
    assert!(before == 0 || on.stderr.contains(&format!("{before} of them already played")), "{}", on.stderr);
    compare(&killed, &undisturbed, seats);
}

fn compare(killed: &Arena, undisturbed: &Arena, seats: u64) {
    assert_whole(killed, seats);
    assert_eq!(table(killed), table(undisturbed));
    assert_eq!(games(killed), games(undisturbed));
    let logs = |arena: &Arena| {
        let files = fs::read_dir(arena.path("agon-out/matches")).unwrap();
        let mut names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(logs(killed), logs(undisturbed), "logs of matches that were cut off are written anew");
    for name in logs(killed) {
        let log = fs::read_to_string(killed.path("agon-out/matches").join(name)).unwrap();
        assert!(log.lines().last().unwrap().starts_with("{\"t\":\"result\""), "{log}");
    }
}

#[test]
fn killed_ten_times_with_two_seats() {
    kill_and_go_on(&|| pairs(60), 2, KILLS);
}

#[test]
fn killed_ten_times_with_six_seats() {
    kill_and_go_on(&|| sixes(40), 6, KILLS);
}

/// `cargo test --release -p agon record::kill:: -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn killed_a_hundred_times_over_ladders_of_500_games() {
    kill_and_go_on(&|| pairs(84), 2, MANY);
    kill_and_go_on(&|| threes(167), 3, MANY);
    kill_and_go_on(&|| sixes(84), 6, MANY);
}

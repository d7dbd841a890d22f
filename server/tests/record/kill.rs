//! `kill -9` at any moment: the same command goes on, and comes to the table of a run that was never disturbed.

use crate::builder::Arena;
use crate::held::{assert_no_host, assert_whole, games, matches, pairs, sixes, table};
use agon_games::{below, rng_from};
use std::fs;
use std::time::Duration;

/// How often the server is killed.
const KILLS: usize = 10;
/// The longest that it lives, milliseconds.
const LIFE: u64 = 250;

/// Ten random lives. `AGON_TEST_SEED` repeats those of a failure.
fn lives() -> [Duration; KILLS] {
    let seed =
        std::env::var("AGON_TEST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or_else(rand::random::<u64>);
    println!("to see this again: AGON_TEST_SEED={seed}");
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = rng_from(&bytes);
    std::array::from_fn(|_| Duration::from_millis(below(&mut rng, LIFE)))
}

fn kill_and_go_on(killed: &Arena, undisturbed: &Arena, seats: u64) {
    let mut before = 0;
    for (number, life) in lives().into_iter().enumerate() {
        let mut server = killed.command(["ladder", "--quiet"]).stdout(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(life);
        assert!(
            server.try_wait().unwrap().is_none(),
            "the ladder is too short: it was over before kill {}",
            number + 1
        );
        server.kill().unwrap();
        server.wait().unwrap();
        assert_no_host(killed);
        if killed.path("agon-out/record.sqlite").exists() {
            let after = matches(killed);
            assert!(after >= before, "{before} matches were kept, {after} are left");
            before = after;
        }
    }
    let on = killed.agon(["ladder"]).well();
    println!("{before} matches were kept in {KILLS} lives");
    assert!(before == 0 || on.stderr.contains(&format!("{before} of them already played")), "{}", on.stderr);
    undisturbed.agon(["ladder", "--quiet"]).well();

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
    kill_and_go_on(&pairs(60), &pairs(60), 2);
}

#[test]
fn killed_ten_times_with_six_seats() {
    kill_and_go_on(&sixes(40), &sixes(40), 6);
}

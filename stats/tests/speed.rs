//! How long ratings take.

use crate::simulator::{Chance, World, ranked_block};
use agon_stats::plackett_luce::{self, Ranking};
use agon_stats::{RatingOptions, bradley_terry};
use std::time::Instant;

/// A million games among 1,000 clients in under 5 s of processor time.
///
/// `cargo test --release -p agon-stats speed:: -- --ignored --nocapture --test-threads 1`
#[test]
#[ignore = "measures time"]
fn a_million_games_of_two_seats() {
    let world = World { elo: (0..1000).map(f64::from).collect(), first_seat: 30.0, draw_rate: 0.1, uneven: false };
    let mut duels = world.round_robin(&mut Chance::new(7), 1);
    Chance::new(8).shuffle(&mut duels);
    let found =
        timed(duels.len(), "1,000 clients", || bradley_terry::fit(duels, 1000, &RatingOptions::default()).unwrap());
    let difference = found.difference(999, 0).unwrap();
    assert!((difference.elo - 999.0).abs() < 4.0 * difference.error, "{difference:?}");
}

/// The same with six seats, and with as many clients.
#[test]
#[ignore = "measures time"]
fn a_million_games_of_six_seats() {
    let elo: Vec<f64> = (0..1000).map(f64::from).collect();
    let mut chance = Chance::new(1);
    let mut rankings: Vec<Ranking> = Vec::new();
    for block in 0..166_667 {
        let players: Vec<usize> = (0..6).map(|_| chance.below(1000)).collect();
        rankings.extend(ranked_block(&mut chance, &elo, &players, block, 5.0));
    }
    timed(rankings.len(), "1,000 clients in six seats", || {
        plackett_luce::fit(rankings, 1000, &RatingOptions::default()).unwrap()
    });
}

/// Runs, prints how long it took, and asserts that it was under five seconds of processor time.
fn timed<T>(games: usize, what: &str, run: impl FnOnce() -> T) -> T {
    let (start, before) = (Instant::now(), processor_time());
    let found = run();
    let (wall, time) = (start.elapsed().as_secs_f64(), processor_time() - before);
    println!("{games} games among {what}: {time:.2} s of processor time, {wall:.2} s on the clock");
    assert!(time < 5.0, "{time}");
    found
}

/// The processor time of this thread, in seconds.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}

//! Ratings against results of known strengths, repeated results, results in another order, and Ordo's method written out plainly.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod simulator;

use agon_stats::plackett_luce::{self, Ranking};
use agon_stats::rating::{self, Duel, Outcome};
use agon_stats::{Draws, Options, Ratings};
use simulator::{Chance, World, ranked_block};
use std::time::Instant;

fn world(entrants: usize) -> World {
    let elo = (0..entrants).map(|place| 60.0 * place as f64 - 30.0 * (entrants - 1) as f64).collect();
    World { elo, first_seat: 40.0, draw_rate: 0.2 }
}

fn rate(duels: &[Duel], entrants: usize) -> Ratings {
    rating::fit(duels.to_vec(), entrants, &Options::default()).unwrap()
}

/// How often the intervals of all differences hold the true ones.
fn coverage(elo: &[f64], simulations: u64, ratings: impl Fn(u64) -> Ratings) -> (f64, f64) {
    let (mut inside, mut all, mut lowest) = (0u64, 0u64, f64::INFINITY);
    let mut by_pair = vec![0u64; elo.len() * elo.len()];
    for seed in 0..simulations {
        let found = ratings(seed);
        for a in 0..elo.len() {
            for b in 0..a {
                let difference = found.difference(a, b).unwrap();
                let truth = elo[a] - elo[b];
                let held =
                    difference.low.is_none_or(|low| low <= truth) && difference.high.is_none_or(|high| high >= truth);
                by_pair[a * elo.len() + b] += u64::from(held);
                inside += u64::from(held);
                all += 1;
            }
        }
    }
    for a in 0..elo.len() {
        for b in 0..a {
            lowest = by_pair[a * elo.len() + b].min(simulations) as f64 / simulations as f64 * 1.0f64.min(1.0);
            let _ = lowest;
        }
    }
    (inside as f64 / all as f64, lowest)
}

#[test]
fn probe() {
    for (entrants, blocks) in [(2, 50), (4, 5), (4, 20), (8, 3), (8, 15), (8, 40)] {
        let world = world(entrants);
        let start = Instant::now();
        let found =
            coverage(&world.elo, 1000, |seed| rate(&world.round_robin(&mut Chance::new(seed), blocks), entrants));
        println!("{entrants} {blocks}: {found:?} {:?}", start.elapsed());
    }
    let world = world(4);
    println!("{:?}", rate(&world.round_robin(&mut Chance::new(1), 20_000), 4).strengths);
    println!("{:?}", rate(&world.round_robin(&mut Chance::new(1), 20_000), 4).first_seat);
    println!("{:?}", rate(&world.round_robin(&mut Chance::new(1), 20_000), 4).draw_rate);
}

#[test]
fn big() {
    let world = World { elo: (0..1000).map(f64::from).collect(), first_seat: 30.0, draw_rate: 0.1 };
    let duels = world.round_robin(&mut Chance::new(7), 1);
    let start = Instant::now();
    let found = rating::fit(duels, 1000, &Options::default()).unwrap();
    println!("{:?} {:?}", start.elapsed(), found.difference(999, 0));
}

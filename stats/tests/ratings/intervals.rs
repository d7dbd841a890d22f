//! Intervals of ratings contain the true strengths as often as they say.

use super::{ranked, rate, rate_ranked, world};
use crate::simulator::{Chance, World};
use agon_stats::Ratings;

/// How many of the intervals of all differences hold the true ones over 1,000 simulations: in all, and for the pair
/// with the fewest.
fn coverage(elo: &[f64], ratings: impl Fn(&mut Chance) -> Ratings) -> (f64, f64) {
    let pairs: Vec<(usize, usize)> = (0..elo.len()).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let mut held = vec![0.0; pairs.len()];
    for seed in 0..1000 {
        let found = ratings(&mut Chance::new(seed));
        for ((a, b), held) in pairs.iter().zip(&mut held) {
            let difference = found.difference(*a, *b).unwrap();
            let truth = elo[*a] - elo[*b];
            let inside =
                difference.low.is_none_or(|low| low <= truth) && difference.high.is_none_or(|high| high >= truth);
            *held += f64::from(u8::from(inside)) / 1000.0;
        }
    }
    (held.iter().sum::<f64>() / pairs.len() as f64, held.iter().copied().fold(1.0, f64::min))
}

/// 1,000 simulations with a block correlation of 0.15: intervals of 95 % hold the truth in 93 to 97 %.
///
/// `cargo test --release -p agon-stats ratings:: coverage -- --nocapture` prints the figures.
#[test]
fn coverage_of_two_seats() {
    for (entrants, step, blocks) in [(2, 60.0, 60), (4, 60.0, 20), (8, 60.0, 15), (8, 60.0, 40), (5, 150.0, 40)] {
        let world = world(entrants, step);
        let (all, worst) = coverage(&world.elo, |chance| rate(&world.round_robin(chance, blocks), entrants));
        println!(
            "{entrants} clients {step} Elo apart, {blocks} blocks a pair: {all:.4} of the intervals, worst pair {worst:.3}"
        );
        assert!((0.93..0.97).contains(&all) && worst > 0.93, "{entrants} {blocks}: {all} {worst}");
    }
}

/// The same where openings favour a seat, so that the two results of a client in a block have the correlation -0.15.
#[test]
fn coverage_on_uneven_openings() {
    let world = World { uneven: true, ..world(6, 60.0) };
    let (all, worst) = coverage(&world.elo, |chance| rate(&world.round_robin(chance, 20), 6));
    println!("6 clients on uneven openings, 20 blocks a pair: {all:.4} of the intervals, worst pair {worst:.3}");
    assert!((0.93..0.97).contains(&all) && worst > 0.93, "{all} {worst}");
}

/// The same for three seats.
#[test]
fn coverage_of_three_seats() {
    for (entrants, blocks) in [(3, 80), (5, 20), (6, 10)] {
        let elo = world(entrants, 80.0).elo;
        let (all, worst) = coverage(&elo, |chance| rate_ranked(&ranked(&elo, blocks, chance, 0.0), entrants));
        println!(
            "{entrants} clients, three seats, {blocks} blocks a line-up: {all:.4} of the intervals, worst pair {worst:.3}"
        );
        assert!((0.93..0.97).contains(&all) && worst > 0.93, "{entrants} {blocks}: {all} {worst}");
    }
}

/// Where some never lose, and where blocks are few, intervals are wide rather than wrong.
#[test]
fn coverage_is_not_below_with_few_results() {
    for (entrants, step, blocks) in [(2, 400.0, 8), (4, 60.0, 3), (5, 300.0, 4), (6, 250.0, 2)] {
        let world = world(entrants, step);
        let (all, worst) = coverage(&world.elo, |chance| rate(&world.round_robin(chance, blocks), entrants));
        println!(
            "{entrants} clients {step} Elo apart, {blocks} blocks a pair: {all:.4} of the intervals, worst pair {worst:.3}"
        );
        assert!(all > 0.93 && worst > 0.9, "{entrants} {blocks}: {all} {worst}");
    }
    for (entrants, step, blocks) in [(3, 300.0, 4), (4, 400.0, 2), (5, 200.0, 1)] {
        let elo = world(entrants, step).elo;
        let (all, worst) = coverage(&elo, |chance| rate_ranked(&ranked(&elo, blocks, chance, 0.0), entrants));
        println!(
            "{entrants} clients {step} Elo apart, three seats, {blocks} blocks a line-up: {all:.4} of the intervals, worst pair {worst:.3}"
        );
        assert!(all > 0.93 && worst > 0.9, "{entrants} {blocks}: {all} {worst}");
    }
}

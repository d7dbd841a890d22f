//! Ordo's published method, plainly: ratings at which everyone's expected points are the points scored, draws as
//! halves, 202 points to 76 %, the first seat's advantage fitted together, mean zero. Found by Newton's steps of one
//! number at a time.

use agon_stats::bradley_terry::{Duel, DuelOutcome};

fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference * (0.76f64 / 0.24).ln() / 202.0).exp())
}

fn points(duel: &Duel) -> f64 {
    match duel.outcome {
        DuelOutcome::First => 1.0,
        DuelOutcome::Draw => 0.5,
        DuelOutcome::Second => 0.0,
    }
}

/// Ratings and the advantage of the first seat.
pub fn rate(duels: &[Duel], players: usize) -> (Vec<f64>, f64) {
    let mut ratings = vec![0.0; players];
    let mut advantage = 0.0;
    let steep = (0.76f64 / 0.24).ln() / 202.0;
    for _ in 0..300 {
        for number in 0..=players {
            let (mut missing, mut slope) = (0.0, 0.0);
            for duel in duels {
                let (first, second) = (duel.first as usize, duel.second as usize);
                let side = match number {
                    number if number == players => 1.0,
                    number if number == first => 1.0,
                    number if number == second => -1.0,
                    _ => continue,
                };
                let chance = expected(ratings[first] - ratings[second] + advantage);
                missing += side * (points(duel) - chance);
                slope += steep * chance * (1.0 - chance);
            }
            *ratings.get_mut(number).unwrap_or(&mut advantage) += missing / slope;
        }
        let mean = ratings.iter().sum::<f64>() / players as f64;
        ratings.iter_mut().for_each(|rating| *rating -= mean);
    }
    (ratings, advantage)
}

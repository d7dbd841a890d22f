//! Differences on BayesElo's scale: a draw is a third result, by Rao and Kupper's model (1967).
//!
//! With the difference x and `draw_elo` d, a win has the chance 1 / (1 + 10^((d - x) / 400)) and a loss
//! 1 / (1 + 10^((d + x) / 400)). The rest is a draw (Coulom, the page of Bayesian Elo Rating). BayesElo shows x times
//! 4 y / (1 + y)^2 with y = 10^(-d / 400), so that near zero a point means the same as in the usual Elo.

mod ladder;

use crate::normal::TWO_SIDED;
pub use ladder::{Fitted, Rated, fit};
use std::f64::consts::LN_10;

/// A difference from counted games, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BayesElo {
    /// As BayesElo shows it.
    pub elo: f64,
    /// The ends of the interval, in the same scale.
    pub interval: (f64, f64),
    /// The difference before scaling, which the bounds of a test in this scale mean.
    pub unscaled: f64,
    /// The parameter of draws, in Elo.
    pub draw_elo: f64,
}

/// The displayed size of a unit of the unscaled difference.
pub fn scale(draw_elo: f64) -> f64 {
    let y = 10f64.powf(-draw_elo / 400.0);
    4.0 * y / (1.0 + y).powi(2)
}

/// The chances of a loss, a draw and a win.
pub fn chances(elo: f64, draw_elo: f64) -> [f64; 3] {
    let chance = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
    let (win, loss) = (chance(elo - draw_elo), chance(-elo - draw_elo));
    [loss, 1.0 - win - loss, win]
}

/// The difference at which these games, lost, drawn and won, are likeliest, without BayesElo's prior of two draws a
/// player. The interval is by the delta method. `None` without a loss or without a win.
pub fn estimate(counts: [u64; 3]) -> Option<BayesElo> {
    let games: u64 = counts.iter().sum();
    let [loss, _, win] = counts.map(|count| count as f64 / games as f64);
    if counts[0] == 0 || counts[2] == 0 {
        return None;
    }
    let odds = |chance: f64| (chance / (1.0 - chance)).log10();
    let (unscaled, draw_elo) = (200.0 * (odds(win) - odds(loss)), -200.0 * (odds(win) + odds(loss)));
    let slope = |chance: f64| 200.0 / LN_10 / (chance * (1.0 - chance));
    let (of_win, of_loss) = (slope(win), -slope(loss));
    let mean = of_win * win + of_loss * loss;
    let variance = (of_win * of_win * win + of_loss * of_loss * loss - mean * mean) / games as f64;
    let (elo, reach) = (unscaled * scale(draw_elo), TWO_SIDED * variance.sqrt() * scale(draw_elo));
    Some(BayesElo { elo, interval: (elo - reach, elo + reach), unscaled, draw_elo })
}

/// The logarithm of the likelihood ratio of two unscaled differences, with the draws that the games show: the test of
/// cutechess-cli and of fishtest before 2017. `None` without a loss or without a win.
pub fn llr(counts: [u64; 3], elo0: f64, elo1: f64) -> Option<f64> {
    let draw_elo = estimate(counts)?.draw_elo;
    let (low, high) = (chances(elo0, draw_elo), chances(elo1, draw_elo));
    let part = |place: usize| match counts[place] {
        0 => 0.0,
        count => count as f64 * (high[place] / low[place]).ln(),
    };
    Some((0..3).map(part).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chances_at_the_estimate_are_those_counted() {
        let found = estimate([100, 250, 130]).unwrap();
        let chances = chances(found.unscaled, found.draw_elo);
        for (chance, count) in chances.iter().zip([100.0, 250.0, 130.0]) {
            assert!((chance - count / 480.0).abs() < 1e-12, "{chances:?}");
        }
        assert!(estimate([0, 3, 4]).is_none() && estimate([3, 4, 0]).is_none());
    }

    #[test]
    fn without_draws_it_is_the_usual_elo() {
        let found = estimate([25, 0, 75]).unwrap();
        // 75 % are 400 log10(3) points.
        assert!((found.elo - 400.0 * 3f64.log10()).abs() < 1e-9 && found.draw_elo.abs() < 1e-9, "{found:?}");
        assert!((scale(found.draw_elo) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn near_zero_a_point_is_a_point_of_the_score() {
        // 51 % of points with half of the games drawn: 6.95 Elo by the score.
        let found = estimate([24_000, 50_000, 26_000]).unwrap();
        assert!((found.elo - 6.95).abs() < 0.01, "{found:?}");
    }
}

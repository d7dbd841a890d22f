//! Evaluates counted results as if their number had been fixed before, like a calculator.

use super::estimate::{Counted, Elo};
use super::likelihood::{moments, ratio, shape};
use super::{Hypotheses, Scale, Verdict};
use crate::separate::blocks_to_separate;

/// Results of independent pairs or games: how often each came, from the worst to the best, evenly spaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Results {
    counts: Vec<u64>,
    games: u8,
}

/// The estimates from the results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Pairs or games in all.
    pub results: u64,
    /// The mean score, 0 to 1.
    pub score: f64,
    /// One standard error of it; `None` with fewer than two results, or when all are the same.
    pub error: Option<f64>,
    /// The logistic Elo difference; `None` with fewer than two results.
    pub logistic: Option<Elo>,
    /// The normalised Elo difference, likewise; `None` also where all results are the same.
    pub normalised: Option<Elo>,
    /// The probability, 0 to 1, of being stronger: above 0.975 just where both differences are above 0.
    pub superiority: Option<f64>,
    /// The total number of results that would show the difference at the 95 % level with 80 %, if it is as it seems;
    /// `None` with fewer than ten.
    pub to_separate: Option<u64>,
}

/// Fewer results than this foretell nothing.
const FEWEST: u64 = 10;

/// How a sequential test of them stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestStatus {
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    pub bounds: (f64, f64),
    /// The verdict, if the ratio is at a bound or beyond.
    pub verdict: Option<Verdict>,
    /// The mean number of further results to a bound, if the difference is as it seems. `None` if all are the same, and
    /// with fewer than ten, which predict nothing.
    pub more: Option<f64>,
    /// With which probability that is the upper bound.
    pub passes: Option<f64>,
}

impl Results {
    /// How often pairs brought 0, 1/2, 1, 3/2 and 2 points.
    pub fn of_pairs(counts: [u64; 5]) -> Results {
        Results { counts: counts.to_vec(), games: 2 }
    }

    /// How often single games ended in each way: lost, won; lost, drawn, won; or with n seats last, …, first. The score
    /// is the part of the others that were beaten, so that among equal others logistic Elo is the strength of Plackett
    /// and Luce's model.
    ///
    /// `None` for fewer than two ways.
    pub fn of_matches(counts: Vec<u64>) -> Option<Results> {
        (counts.len() >= 2).then_some(Results { counts, games: 1 })
    }

    /// How often each came.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Whether they are of pairs.
    pub fn are_pairs(&self) -> bool {
        self.games == 2
    }

    /// The number of all results.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    fn chances(&self) -> Vec<f64> {
        let all = self.count().max(1) as f64;
        self.counts.iter().map(|count| *count as f64 / all).collect()
    }

    pub fn tell(&self) -> Summary {
        let results = self.count();
        let (score, variance) = moments(&self.chances());
        let all = results as f64;
        let told = Counted {
            mean: score,
            variance,
            worth: all,
            results: all,
            games: f64::from(self.games),
            shape: shape(&self.chances()),
        };
        let told = Some(told).filter(Counted::is_known);
        let error = told.filter(|_| variance > 0.0).map(|told| told.error());
        let to_separate = |error| blocks_to_separate(score - 0.5, error, all);
        Summary {
            results,
            score,
            error,
            logistic: told.map(|told| told.logistic()),
            normalised: told.and_then(|told| told.normalised()),
            superiority: told.map(|told| told.superiority()),
            to_separate: error.filter(|_| results >= FEWEST).and_then(to_separate),
        }
    }

    /// How a test that was begun before them stands; hypotheses that cannot be tested say nothing of use.
    pub fn stand(&self, hypotheses: &Hypotheses) -> TestStatus {
        let games = f64::from(self.games);
        let (llr, bounds) = (ratio(hypotheses, &self.counts, games), hypotheses.bounds());
        let verdict = match llr {
            llr if llr >= bounds.1 => Some(Verdict::H1),
            llr if llr <= bounds.0 => Some(Verdict::H0),
            _ => None,
        };
        let (mean, variance) = moments(&self.chances());
        let from = if hypotheses.scale == Scale::Normalised { 0.5 } else { 0.0 };
        let is_open = verdict.is_none() && self.count() >= FEWEST;
        let ahead = hypotheses.places(variance, games).filter(|_| is_open).map(|(low, high)| {
            let lead = (mean - from) / variance.sqrt() - (low + high) / 2.0;
            exit((bounds.0 - llr, bounds.1 - llr), lead * (high - low), high - low)
        });
        TestStatus { llr, bounds, verdict, more: ahead.map(|(time, _)| time), passes: ahead.map(|(_, upper)| upper) }
    }
}

/// When Brownian motion from zero leaves these bounds on average, and with which probability by the upper one (the
/// gambler's ruin).
fn exit((lower, upper): (f64, f64), drift: f64, deviation: f64) -> (f64, f64) {
    let steep = 2.0 * drift / (deviation * deviation);
    if (steep * (upper - lower)).abs() < 1e-6 {
        return (-lower * upper / (deviation * deviation), -lower / (upper - lower));
    }
    let ruin = |near: f64, far: f64, steep: f64| (-steep * near).exp_m1() / (-steep * (near + far)).exp_m1();
    let passes = if steep > 0.0 { ruin(-lower, upper, steep) } else { 1.0 - ruin(upper, -lower, -steep) };
    ((passes * upper + (1.0 - passes) * lower) / drift, passes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprt::Scale;

    #[test]
    fn ways_out_are_those_of_walks_in_small_steps() {
        // A walk by one from 0 to -4 or 9, up with the chance p: solved by its linear equations.
        for p in [0.3, 0.499_999, 0.5, 0.62] {
            let (mut times, mut passes) = (vec![0.0; 14], vec![0.0; 14]);
            passes[13] = 1.0;
            for _ in 0..200_000 {
                for at in 1..13 {
                    times[at] = 1.0 + p * times[at + 1] + (1.0 - p) * times[at - 1];
                    passes[at] = p * passes[at + 1] + (1.0 - p) * passes[at - 1];
                }
            }
            // The motion that reaches both bounds as often as the walk has the steepness ln(p / (1 - p)).
            let steep: f64 = (p / (1.0f64 - p)).ln();
            let drift = 2.0 * p - 1.0;
            let deviation = if steep.abs() > 1e-4 { (2.0 * drift / steep).sqrt() } else { 1.0 };
            let found = exit((-4.0, 9.0), drift, deviation);
            assert!((found.1 - passes[4]).abs() < 1e-4, "{p}: {found:?} {}", passes[4]);
            assert!((found.0 / times[4] - 1.0).abs() < 1e-3, "{p}: {found:?} {}", times[4]);
        }
    }

    #[test]
    fn three_counts_are_five_without_halves() {
        // Games as pairs of which each is one game played twice: the same scores, the same ratio in logistic Elo.
        let hypotheses = Hypotheses { scale: Scale::Logistic, elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
        let games = Results::of_matches(vec![100, 250, 130]).unwrap();
        let five = Results::of_matches(vec![100, 0, 250, 0, 130]).unwrap();
        assert!((games.stand(&hypotheses).llr - five.stand(&hypotheses).llr).abs() < 1e-3);
        assert_eq!(games.tell().logistic, five.tell().logistic);
        // Exchanged sides reverse the signs.
        let other = Results::of_matches(vec![130, 250, 100]).unwrap().tell();
        let (one, other) = (games.tell(), other);
        assert!((one.normalised.unwrap().elo + other.normalised.unwrap().elo).abs() < 1e-9);
        assert!((one.superiority.unwrap() + other.superiority.unwrap() - 1.0).abs() < 1e-12);
        assert!(
            Results::of_matches(vec![3]).is_none()
                && Results::of_matches(vec![0, 0]).unwrap().tell().logistic.is_none()
        );
    }
}

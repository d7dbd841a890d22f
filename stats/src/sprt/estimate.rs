//! What a test tells of the Elo difference: as counted, and corrected for the stop.

use super::brownian::reaches_upper;
use super::likelihood::{moments, score_at, t_value};
use super::lines::Design;
use super::{Hypotheses, Scale, Sprt, Verdict};
use crate::estimate::FEWEST_BLOCKS;
use crate::normal::{TWO_SIDED, below, student};

/// An Elo difference with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The estimate.
    pub elo: f64,
    /// The lower end; `None` = unbounded.
    pub low: Option<f64>,
    /// The upper end; `None` = unbounded.
    pub high: Option<f64>,
}

/// All there is to show of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// How often pairs brought 0, 1/2, 1, 3/2 and 2 points.
    pub counts: [u64; 5],
    /// The lines they began from, and how many pairs are worth an independent one.
    pub design: Design,
    /// How many different lines would do, from what these have shown: see [`Hypotheses::lines_needed`].
    pub lines_needed: u64,
    /// The logarithm of the likelihood ratio, divided by the design effect.
    pub llr: f64,
    /// The bounds at which the test ends or ended, corrected for overshoot.
    pub bounds: (f64, f64),
    /// How it ended, if it has.
    pub verdict: Option<Verdict>,
    /// The logistic Elo difference as counted, as if the number of pairs had been fixed before. Once the test has ended
    /// that is biased away from the middle of the bounds, because it ends when luck is on a side: show it as "as
    /// counted, biased by the stop". `None` with fewer than ten pairs, or when all brought the same.
    pub logistic: Option<Elo>,
    /// The normalised Elo difference as counted, likewise.
    pub normalised: Option<Elo>,
    /// The probability, 0 to 1, that the new version is stronger, as counted, likewise.
    pub superiority: Option<f64>,
    /// After the stop, in the scale of the bounds: the median-unbiased estimate, that is the difference at which a
    /// better and a worse end of the test would have been equally likely; to be shown as "corrected for the stop". It
    /// need not agree with the score.
    pub corrected: Option<Elo>,
}

impl Report {
    pub(super) fn new(sprt: &Sprt) -> Report {
        let pairs: u64 = sprt.counts.iter().sum();
        let seen = sprt.counts.map(|count| count as f64 / pairs.max(1) as f64);
        let (mean, variance) = moments(&seen);
        let usable = pairs >= FEWEST_BLOCKS && variance > 0.0 && sprt.design.is_known();
        let worth = pairs as f64 / sprt.design.effect;
        let error = (variance / worth.max(1.0)).sqrt();
        // The effect has the tails of few lines in it already.
        Report {
            counts: sprt.counts,
            design: sprt.design,
            lines_needed: sprt.lines_needed(variance),
            llr: sprt.llr,
            bounds: sprt.bounds(),
            verdict: sprt.verdict,
            logistic: usable.then(|| logistic(mean, error, pairs as f64)),
            normalised: usable.then(|| normalised(&seen, 2.0, worth, pairs as f64)),
            superiority: usable.then(|| below((mean - 0.5) / error)),
            corrected: sprt.verdict.and_then(|verdict| corrected(&sprt.hypotheses, verdict, worth, variance)),
        }
    }
}

/// From a mean score and its error, of so many that Student's distribution has their degrees of freedom.
pub(super) fn logistic(mean: f64, error: f64, results: f64) -> Elo {
    let reach = student(TWO_SIDED, results - 1.0) * error;
    let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
    let end = |score: f64| (score > 0.0 && score < 1.0).then(|| elo(score));
    Elo { elo: elo(mean), low: end(mean - reach), high: end(mean + reach) }
}

/// By the delta method, since the deviation is estimated too: the variance of m / s is (1 - t skewness + t^2 (kurtosis
/// - 1) / 4) / N. `games` in each of `results`, which are `worth` so many independent ones.
pub(super) fn normalised(seen: &[f64], games: f64, worth: f64, results: f64) -> Elo {
    let (mean, variance) = moments(seen);
    let deviation = variance.sqrt();
    let from_mean = |place: usize| (score_at(place, seen.len()) - mean) / deviation;
    let moment = |power: i32| (0..seen.len()).map(|place| seen[place] * from_mean(place).powi(power)).sum::<f64>();
    let t = (mean - 0.5) / deviation;
    let spread = (1.0 - t * moment(3) + t * t * (moment(4) - 1.0) / 4.0).max(0.0);
    let reach = student(TWO_SIDED, results - 1.0) * (spread / worth).sqrt();
    let elo = |t: f64| t / t_value(1.0, games);
    Elo { elo: elo(t), low: Some(elo(t - reach)), high: Some(elo(t + reach)) }
}

/// The test as Brownian motion: with the drift d = (difference - middle of the hypotheses) / their distance it moves by
/// d a unit of time and has variance 1, where a unit is as many pairs as make the variance of the ratio 1. An end at
/// the upper bound is the better the sooner it comes, one at the lower the later. (Van den Bergh's median-unbiased
/// estimate in fishtest.)
fn corrected(hypotheses: &Hypotheses, verdict: Verdict, pairs: f64, variance: f64) -> Option<Elo> {
    if verdict == Verdict::TooFewLines {
        return None;
    }
    let (low, high) = hypotheses.places(variance, 2.0)?;
    let (lower, upper) = hypotheses.bounds();
    let time = pairs * (high - low).powi(2);
    let worse = |drift: f64| match verdict {
        Verdict::H1 => 1.0 - reaches_upper(lower, upper, time, drift),
        _ => reaches_upper(-upper, -lower, time, -drift),
    };
    let at = |probability: f64| {
        let difference = low + (0.5 + drift_where(worse, probability)) * (high - low);
        match hypotheses.scale {
            Scale::Normalised => Some(difference / t_value(1.0, 2.0)),
            Scale::Logistic => Some(difference * variance.sqrt())
                .filter(|score| *score > 0.0 && *score < 1.0)
                .map(|score| -400.0 * (1.0 / score - 1.0).log10()),
        }
    };
    Some(Elo { elo: at(0.5)?, low: at(0.975), high: at(0.025) })
}

/// The drift at which a probability that falls with it has this value, by bisection.
fn drift_where(probability: impl Fn(f64) -> f64, value: f64) -> f64 {
    let (mut low, mut high) = (-500.0, 500.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if probability(middle) > value {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

//! Estimates the Elo difference from a test: as counted, and corrected for the stop.

use super::brownian::reaches_upper;
use super::likelihood::{moments, shape, t_value};
use super::lines::Design;
use super::{Hypotheses, Scale, Sprt, Verdict};
use crate::interval::{MANY, Moments, Share};

/// An Elo difference with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The estimate; infinite where everything was won or lost.
    pub elo: f64,
    /// The lower end; `None` = unbounded.
    pub low: Option<f64>,
    /// The upper end; `None` = unbounded.
    pub high: Option<f64>,
}

/// All there is to show of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestReport {
    /// How often pairs brought 0, 1/2, 1, 3/2 and 2 points.
    pub counts: [u64; 5],
    /// The lines they began from, and how many pairs are worth an independent one.
    pub design: Design,
    /// The number of different lines that would suffice, judged by these lines: see [`Hypotheses::lines_needed`].
    pub lines_needed: u64,
    /// The logarithm of the likelihood ratio, divided by the design effect.
    pub llr: f64,
    /// The bounds at which the test ends or ended, corrected for overshoot.
    pub bounds: (f64, f64),
    /// How it ended, if it has.
    pub verdict: Option<Verdict>,
    /// The logistic Elo difference as counted, as if the number of pairs had been fixed before. Once the test has ended
    /// that is biased away from the middle of the bounds, because it ends when luck is on a side: show it as "as
    /// counted, biased by the stop". `None` with fewer than two pairs.
    pub logistic: Option<Elo>,
    /// The normalised Elo difference as counted, likewise; `None` also where all pairs brought the same.
    pub normalised: Option<Elo>,
    /// The probability, 0 to 1, that the new version is stronger, as counted, likewise: above 0.975 just where the
    /// intervals of both differences are above 0.
    pub superiority: Option<f64>,
    /// After the stop, in the scale of the bounds: the median-unbiased estimate, that is the difference at which a
    /// better and a worse end of the test would have been equally likely; to be shown as "corrected for the stop". It
    /// need not agree with the score.
    pub corrected: Option<Elo>,
}

impl TestReport {
    pub(super) fn new(sprt: &Sprt) -> TestReport {
        let pairs: u64 = sprt.counts.iter().sum();
        let seen = sprt.counts.map(|count| count as f64 / pairs.max(1) as f64);
        let (mean, variance) = moments(&seen);
        let worth = pairs as f64 / sprt.design.effect;
        // The effect has the tails of few lines in it already.
        let told = Counted { mean, variance, worth, results: pairs as f64, games: 2.0, shape: shape(&seen) };
        let told = Some(told).filter(|told| told.is_known() && sprt.design.is_known());
        TestReport {
            counts: sprt.counts,
            design: sprt.design,
            lines_needed: sprt.lines_needed(variance),
            llr: sprt.llr,
            bounds: sprt.bounds(),
            verdict: sprt.verdict,
            logistic: told.map(|told| told.logistic()),
            normalised: told.and_then(|told| told.normalised()),
            superiority: told.map(|told| told.superiority()),
            corrected: sprt.verdict.and_then(|verdict| corrected(&sprt.hypotheses, verdict, worth, variance)),
        }
    }
}

/// Results of this number of games each, as counted: all estimates come from one interval of the score.
#[derive(Clone, Copy)]
pub(super) struct Counted {
    /// The mean of the score of a result, 0 to 1.
    pub mean: f64,
    /// The variance over all results.
    pub variance: f64,
    /// The number of independent results with the same information.
    pub worth: f64,
    pub results: f64,
    pub games: f64,
    pub shape: Moments,
}

impl Counted {
    /// One result does not show how far others vary.
    pub fn is_known(&self) -> bool {
        self.results >= 2.0 && self.worth > 1.0
    }

    /// One standard error of the score, where it is known.
    pub fn error(&self) -> f64 {
        let of_few = if self.results > MANY { 1.0 } else { self.results / (self.results - 1.0) };
        (of_few * self.variance / self.worth).sqrt()
    }

    fn share(&self) -> Share {
        let degrees = if self.variance > 0.0 { self.results } else { self.worth } - 1.0;
        Share::new(self.mean, self.error(), degrees).lying(self.shape)
    }

    /// The logistic Elo difference of the score.
    pub fn logistic(&self) -> Elo {
        let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
        let end = |score: f64| (score > 0.0 && score < 1.0).then(|| elo(score));
        let (low, high) = self.share().interval();
        Elo { elo: elo(self.mean), low: end(low), high: end(high) }
    }

    /// The normalised difference, if results vary. At the ends of the interval, the assumed deviation of the score is
    /// in proportion to the root of the score times its complement to 1.
    pub fn normalised(&self) -> Option<Elo> {
        let spread = |score: f64| score * (1.0 - score);
        let at = |score: f64| {
            let deviation = (self.variance * spread(score) / spread(self.mean)).sqrt();
            (score - 0.5) / deviation / t_value(1.0, self.games)
        };
        let (low, high) = self.share().interval();
        (self.variance > 0.0).then(|| Elo { elo: at(self.mean), low: Some(at(low)), high: Some(at(high)) })
    }

    /// The probability to be stronger.
    pub fn superiority(&self) -> f64 {
        self.share().superiority()
    }
}

/// The test as Brownian motion. With the drift d = (difference - middle of the hypotheses) / their distance, it moves
/// by d in a unit of time and has variance 1. A unit is the number of pairs that makes the variance of the ratio 1. An
/// end at the upper bound is better the sooner it comes, one at the lower bound the later. (Van den Bergh's
/// median-unbiased estimate in fishtest.)
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

//! The sequential test of a new version against a base: pairs of matches go in, in schedule order, until one of two hypotheses on
//! the Elo difference is accepted.
//!
//! It is the generalised sequential probability ratio test on the five results of a pair, as fishtest runs it (Van den Bergh, "A
//! practical introduction to the GSPRT" and "Normalized Elo"), with its correction for overshoot. Feed results in schedule order:
//! fast games end first, and in the order of completion they bias the decision.

mod brownian;
mod estimate;
mod likelihood;

use crate::rating::Outcome;
pub use estimate::{Elo, Report};
pub use likelihood::llr;
use std::fmt;

/// What the bounds of a test are measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// The usual Elo of the expected score s: -400 log10(1 / s - 1).
    Logistic,
    /// (s - 1/2) divided by the standard deviation of one game's score, times 800 / ln 10: how long a test takes depends on nothing
    /// else, neither on the rate of draws nor on the openings.
    Normalised,
}

/// What is tested.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    /// What `elo0` and `elo1` are measured in.
    pub scale: Scale,
    /// The difference under the hypothesis H0, say 0.
    pub elo0: f64,
    /// The difference under the hypothesis H1, say 5; greater than `elo0`, both within 1000, or normalised within 200.
    pub elo1: f64,
    /// The probability to accept H1 where H0 holds, above 0 and below 1/2.
    pub alpha: f64,
    /// The probability to accept H0 where H1 holds, above 0 and below 1/2.
    pub beta: f64,
}

/// Hypotheses that cannot be tested; the text says what is wrong and what to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Untestable(&'static str);

impl fmt::Display for Untestable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Untestable {}

/// What a pair of matches on one opening, each side once in the first seat, brought the new version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// Lost both.
    Nothing,
    /// Lost one, drew the other.
    Half,
    /// Drew both, or won one and lost the other.
    Even,
    /// Won one, drew the other.
    OneAndHalf,
    /// Won both.
    Both,
}

impl Pair {
    /// The pair of the match in which the new version sat first and that in which it sat second.
    pub fn new(sat_first: Outcome, sat_second: Outcome) -> Pair {
        let first = 2 - sat_first as usize;
        [Pair::Nothing, Pair::Half, Pair::Even, Pair::OneAndHalf, Pair::Both][first + sat_second as usize]
    }
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// H0 is accepted: the new version did not pass.
    H0,
    /// H1 is accepted: it passed.
    H1,
}

/// Sums of the steps by which the ratio reached new records on one side.
///
/// The walk passes a bound by E(H^2) / 2 E(H) on average, where H are these steps (Siegmund, Sequential Analysis, 1985, corollary
/// 8.33). Moved inwards by that much, the bounds give the error rates that were asked for.
#[derive(Clone, Copy, Debug, Default)]
struct Records {
    /// The record, its sign turned so that it grows.
    record: f64,
    sum: f64,
    squares: f64,
}

impl Records {
    fn update(&mut self, value: f64) {
        if value > self.record {
            let step = value - self.record;
            *self = Records { record: value, sum: self.sum + step, squares: self.squares + step * step };
        }
    }

    fn overshoot(&self) -> f64 {
        if self.sum > 0.0 { self.squares / self.sum / 2.0 } else { 0.0 }
    }
}

/// A running test.
#[derive(Clone, Debug)]
pub struct Sprt {
    hypotheses: Hypotheses,
    counts: [u64; 5],
    llr: f64,
    low: Records,
    high: Records,
    verdict: Option<Verdict>,
}

impl Sprt {
    /// A test without results.
    ///
    /// # Errors
    /// Bounds out of order or range, or error rates out of range.
    pub fn new(hypotheses: Hypotheses) -> Result<Sprt, Untestable> {
        let Hypotheses { elo0, elo1, alpha, beta, .. } = hypotheses;
        let (most, wrong) = match hypotheses.scale {
            Scale::Logistic => (1000.0, "elo0 must be less than elo1, both from -1000 to 1000: 0 and 5 are usual"),
            // From some 230 on no results of pairs meet the condition: whoever wins every game has no deviation.
            Scale::Normalised => (200.0, "elo0 must be less than elo1, both from -200 to 200: 0 and 5 are usual"),
        };
        if !(elo0.abs() <= most && elo1.abs() <= most && elo0 < elo1) {
            return Err(Untestable(wrong));
        }
        let rate = |rate: f64| rate > 0.0 && rate < 0.5;
        if !(rate(alpha) && rate(beta)) {
            return Err(Untestable("alpha and beta must be above 0 and below 0.5: 0.05 is usual"));
        }
        let (low, high) = (Records::default(), Records::default());
        Ok(Sprt { hypotheses, counts: [0; 5], llr: 0.0, low, high, verdict: None })
    }

    /// Adds the next pair of the schedule, and says whether that ends the test. Once it has ended, pairs are left out.
    pub fn add(&mut self, pair: Pair) -> Option<Verdict> {
        if self.verdict.is_some() {
            return self.verdict;
        }
        self.counts[pair as usize] += 1;
        self.llr = llr(&self.hypotheses, self.counts);
        self.low.update(-self.llr);
        self.high.update(self.llr);
        let (lower, upper) = self.bounds();
        self.verdict = match self.llr {
            llr if llr >= upper => Some(Verdict::H1),
            llr if llr <= lower => Some(Verdict::H0),
            _ => None,
        };
        self.verdict
    }

    /// The bounds of the ratio at this moment: Wald's, ln(beta / (1 - alpha)) and ln((1 - beta) / alpha), moved inwards by the mean
    /// overshoot seen so far.
    pub fn bounds(&self) -> (f64, f64) {
        let (lower, upper) = self.hypotheses.bounds();
        // Never so far that a bound would lie on the wrong side of zero, whatever the first steps are.
        ((lower + self.low.overshoot()).min(lower / 2.0), (upper - self.high.overshoot()).max(upper / 2.0))
    }

    /// How the test ended, if it has.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// All there is to show.
    pub fn report(&self) -> Report {
        Report::new(self)
    }
}

impl Hypotheses {
    /// Wald's bounds of the logarithm of the likelihood ratio.
    fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }
}

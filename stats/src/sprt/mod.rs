//! The sequential test of a new version against a base: it takes pairs of matches in schedule order until it accepts
//! one of two hypotheses on the Elo difference.
//!
//! It is the generalised sequential probability ratio test on the five results of a pair, as fishtest runs it (Van den
//! Bergh, "A practical introduction to the GSPRT" and "Normalized Elo"), with its correction for overshoot. Feed
//! results in schedule order: fast games end first, and the order of completion would bias the decision. Pairs that
//! begin from one line count together: the ratio is divided by the design effect of [`lines`]. If there are too few
//! lines for an answer, the test ends and reports that.

mod brownian;
mod estimate;
mod likelihood;
pub mod lines;
pub mod results;

use crate::bradley_terry::DuelOutcome;
pub use estimate::{Elo, TestReport};
pub use likelihood::llr;
use likelihood::{moments, score, t_value};
use lines::{Design, FEWEST_LINES, Lines};
use std::fmt;

/// The unit of a test's bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// The usual Elo of the expected score s: -400 log10(1 / s - 1).
    Logistic,
    /// (s - 1/2) divided by the standard deviation of one game's score, times 800 / ln 10: how long a test takes
    /// depends on nothing else, neither on the rate of draws nor on the openings.
    Normalised,
}

/// The hypotheses of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    /// The unit of `elo0` and `elo1`
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

/// The hypotheses cannot be tested; the text says what is wrong and what to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Untestable(&'static str);

impl fmt::Display for Untestable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Untestable {}

/// The result for the new version of a pair of matches on one opening, each side once in the first seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchPair {
    /// It lost both of the matches.
    Nothing,
    /// Lost one, drew the other.
    Half,
    /// Drew both, or won one and lost the other.
    Even,
    /// Won one, drew the other.
    OneAndHalf,
    /// It won both of the matches.
    Both,
}

impl MatchPair {
    /// The pair of the match in which the new version sat first and that in which it sat second.
    pub fn new(sat_first: DuelOutcome, sat_second: DuelOutcome) -> MatchPair {
        let first = 2 - sat_first as usize;
        [MatchPair::Nothing, MatchPair::Half, MatchPair::Even, MatchPair::OneAndHalf, MatchPair::Both]
            [first + sat_second as usize]
    }
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// H0 is accepted: the new version did not pass.
    H0,
    /// H1 is accepted: it passed.
    H1,
    /// Neither can be accepted: the lines are too few for an answer after any number of pairs.
    TooFewLines,
}

/// Sums of the steps by which the ratio reached new records on one side.
///
/// The walk passes a bound by E(H^2) / 2 E(H) on average, where H are these steps (Siegmund, Sequential Analysis, 1985,
/// corollary 8.33). Moved inwards by that much, the bounds give the error rates that were asked for.
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

/// The share of the lines' information after which the rest is predicted.
const TOLD: f64 = 0.8;

#[derive(Clone, Debug)]
pub struct Sprt {
    hypotheses: Hypotheses,
    counts: [u64; 5],
    lines: Lines,
    design: Design,
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
        hypotheses.check()?;
        let (low, high) = (Records::default(), Records::default());
        let lines = Lines::default();
        let design = lines.design(hypotheses.level());
        Ok(Sprt { hypotheses, counts: [0; 5], lines, design, llr: 0.0, low, high, verdict: None })
    }

    /// Adds the next pair of the schedule, and says whether that ends the test. Once it has ended, pairs are left out.
    ///
    /// `line` is a number that two pairs share just when they begin alike, say a hash of where they begin.
    pub fn add(&mut self, pair: MatchPair, line: u64) -> Option<Verdict> {
        if self.verdict.is_some() {
            return self.verdict;
        }
        self.counts[pair as usize] += 1;
        self.lines.add(line, pair as usize);
        self.design = self.lines.design(self.hypotheses.level());
        self.llr = llr(&self.hypotheses, self.counts) / self.design.effect;
        self.low.update(-self.llr);
        self.high.update(self.llr);
        let (lower, upper) = self.bounds();
        let are_enough = self.design.is_known();
        self.verdict = match self.llr {
            llr if are_enough && llr >= upper => Some(Verdict::H1),
            llr if are_enough && llr <= lower => Some(Verdict::H0),
            _ => self.is_hopeless(are_enough).then_some(Verdict::TooFewLines),
        };
        self.verdict
    }

    /// Whether the same lines for ever would not bring the ratio to a bound.
    fn is_hopeless(&self, are_enough: bool) -> bool {
        if !self.lines.is_repeated() || !self.lines.has_come_round() {
            return false;
        }
        if !are_enough {
            return true;
        }
        let pairs = self.counts.iter().sum::<u64>() as f64;
        let (mean, variance) = moments(&self.counts.map(|count| count as f64 / pairs));
        let Some((low, high)) = self.hypotheses.places(variance, 2.0) else { return false };
        let from = if self.hypotheses.scale == Scale::Normalised { 0.5 } else { 0.0 };
        let lead = (mean - from) / variance.sqrt() - (low + high) / 2.0;
        let (lower, upper) = self.bounds();
        // Most of what these lines can ever show is known, and the prediction stays between the bounds.
        let told = self.design.told();
        if told >= TOLD && self.llr > told * lower && self.llr < told * upper {
            return true;
        }
        let limits = self.design.limits(pairs, lead, high - low, self.hypotheses.level());
        limits.is_some_and(|(least, most)| least > lower && most < upper)
    }

    /// The bounds of the ratio at this moment: Wald's, ln(beta / (1 - alpha)) and ln((1 - beta) / alpha), moved inwards
    /// by the mean overshoot seen so far.
    pub fn bounds(&self) -> (f64, f64) {
        let (lower, upper) = self.hypotheses.bounds();
        // Never so far that a bound would lie on the wrong side of zero, whatever the first steps are.
        ((lower + self.low.overshoot()).min(lower / 2.0), (upper - self.high.overshoot()).max(upper / 2.0))
    }

    /// How the test ended, if it has.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    fn lines_needed(&self, variance: f64) -> u64 {
        // Before a line has come twice, or with very few, nothing is known: then each pair may be alike on each line.
        let is_known = self.lines.is_repeated() && self.design.is_known();
        let needed = self.hypotheses.lines_needed(if is_known { self.design.correlation } else { 1.0 }, variance);
        // Where these were too few in spite of that, the difference is near the middle of the bounds.
        if self.verdict == Some(Verdict::TooFewLines) { needed.max(2 * self.design.lines) } else { needed }
    }

    /// All there is to show.
    pub fn report(&self) -> TestReport {
        TestReport::new(self)
    }
}

impl Hypotheses {
    /// Whether they can be tested.
    ///
    /// # Errors
    /// Bounds out of order or range, or error rates out of range.
    pub fn check(&self) -> Result<(), Untestable> {
        let Hypotheses { elo0, elo1, alpha, beta, .. } = *self;
        let (most, wrong) = match self.scale {
            Scale::Logistic => (1000.0, "elo0 must be less than elo1, both from -1000 to 1000: 0 and 5 are usual"),
            // From some 230 on, no results of pairs meet the condition: a side that wins every game has no deviation.
            Scale::Normalised => (200.0, "elo0 must be less than elo1, both from -200 to 200: 0 and 5 are usual"),
        };
        if !(elo0.abs() <= most && elo1.abs() <= most && elo0 < elo1) {
            return Err(Untestable(wrong));
        }
        let rate = |rate: f64| rate > 0.0 && rate < 0.5;
        (rate(alpha) && rate(beta))
            .then_some(())
            .ok_or(Untestable("alpha and beta must be above 0 and below 0.5: 0.05 is usual"))
    }

    /// Wald's bounds of the logarithm of the likelihood ratio.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// How many standard errors, as a normal quantile, a difference has at least when the ratio reaches its upper
    /// bound.
    fn level(&self) -> f64 {
        (2.0 * self.bounds().1).sqrt()
    }

    /// Both hypotheses as mean / deviation of the score of this number of games, normalised Elo as (mean - 1/2) /
    /// deviation, for this variance; `None` if the variance is zero.
    fn places(&self, variance: f64, games: f64) -> Option<(f64, f64)> {
        let place = |elo: f64| match self.scale {
            Scale::Logistic => score(elo) / variance.sqrt(),
            Scale::Normalised => t_value(elo, games),
        };
        (variance > 0.0).then(|| (place(self.elo0), place(self.elo1)))
    }

    /// How many different lines would do, where this part of a pair's variance (0 to 1) comes back with its line: those
    /// that tell, each played for ever, twice as much as a test takes on average at the difference that is hardest to
    /// decide. With 1, the worst case, twice as many as such a test takes pairs.
    ///
    /// `variance` is that of a pair's score, from 0 to 1; in normalised Elo it does not matter.
    pub fn lines_needed(&self, correlation: f64, variance: f64) -> u64 {
        let Some((low, high)) = self.places(variance, 2.0) else { return FEWEST_LINES };
        let (lower, upper) = self.bounds();
        let pairs = -lower * upper / (high - low).powi(2);
        FEWEST_LINES.max((2.0 * correlation * pairs).ceil() as u64)
    }
}

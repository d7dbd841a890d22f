//! Intervals that results bound on one side only, such as that of a client that never lost. They end where the
//! likelihood of all results falls to a twentieth of its greatest value.
//!
//! The errors of a fit show nothing there, because the prior made them. But if all results between two sets of clients
//! went one way, their likelihood is the chance of that. The interval ends at the difference where this chance would be
//! 5 %. For n games won by one of two, that is Clopper and Pearson's exact bound (Biometrika 26, 1934). Games of a
//! block count as one.

use crate::matrix::Matrix;

/// The chance at which an interval ends.
const CHANCE: f64 = 0.05;
/// The greatest value is sought so far away, in log odds: nothing that is played is farther.
const FAR: f64 = 64.0;
/// Steps of a search by halves and by the golden section: a part in thirty million and one in two thousand are left,
/// and near its greatest value the likelihood is flat.
const HALVES: usize = 25;
const SECTIONS: usize = 16;
/// Results of clients whose strengths move against each other by less than this share of the contrast reveal nothing.
pub(crate) const STILL: f64 = 1e-4;

/// The logarithm of the chance of all results.
pub(crate) trait Value {
    /// The likelihood where strengths move away from `at` by a multiple of `way`, and the other parameters stay; up to
    /// a constant. Results of clients within [`STILL`] of each other may be left out.
    fn along<'a>(&'a self, at: &'a [f64], way: &'a [f64]) -> Box<dyn Fn(f64) -> f64 + 'a>;

    /// The share of points that the first of two is expected to score against the second in their games, at this
    /// difference of strengths with all else unchanged. `None` if it is unknown.
    fn share(&self, _at: &[f64], _two: (usize, usize), _difference: f64) -> Option<f64> {
        None
    }
}

/// A fit and its data, for looking at parameters on the way from it.
pub(crate) struct Ways {
    pub at: Vec<f64>,
    /// Their covariance by the model.
    pub covariance: Matrix,
    pub likelihood: Box<dyn Value + Send + Sync>,
    /// Games in a block, at least one.
    pub per_block: f64,
}

/// The evidence of results about a contrast that they bound on one side, in log odds.
pub(crate) struct End {
    /// The end of the interval.
    pub contrast: f64,
    /// The logarithm of the likelihood where the contrast is zero, as a part of the greatest: at most 0.
    pub ln_at_zero: f64,
}

impl std::fmt::Debug for Ways {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ways").field("at", &self.at).field("per_block", &self.per_block).finish_non_exhaustive()
    }
}

impl Ways {
    /// Where the interval of a contrast, a sum of strengths with these weights, ends that results do not bound on the
    /// other side: above, if `is_open_above`, else below.
    ///
    /// All strengths move with the contrast as they do together in the fit, to the first order.
    pub fn end(&self, contrast: &[(usize, f64)], is_open_above: bool) -> End {
        let sign = if is_open_above { 1.0 } else { -1.0 };
        let apply = |at: &[f64]| sign * contrast.iter().map(|(place, weight)| weight * at[*place]).sum::<f64>();
        let mut way: Vec<f64> = (0..self.at.len()).map(|place| apply(self.covariance.row(place))).collect();
        // With every step the contrast grows by one.
        let variance = apply(&way);
        way.iter_mut().for_each(|part| *part /= variance);
        let along = self.likelihood.along(&self.at, &way);
        let value = |far: f64| along(far) / self.per_block;
        let (top, zero) = (highest(&value, 0.0, FAR), -apply(&self.at));
        let (best, mut reach) = (value(top), 1.0);
        // Concave along the way, so that it falls faster and faster.
        while value(top - reach) > best + CHANCE.ln() && reach < 1e6 {
            reach *= 2.0;
        }
        let (mut low, mut high) = (top - reach, top);
        for _ in 0..HALVES {
            let middle = (low + high) / 2.0;
            if value(middle) < best + CHANCE.ln() { low = middle } else { high = middle }
        }
        let ln_at_zero = if zero < top { (value(zero) - best).min(0.0) } else { 0.0 };
        End { contrast: sign * (low - zero), ln_at_zero }
    }
}

impl Ways {
    /// The difference of two at which the first is expected to take this share of points off the second.
    pub fn difference_at(&self, two: (usize, usize), share: f64) -> Option<f64> {
        let (mut low, mut high) = (-FAR, FAR);
        while high - low > 1e-9 {
            let middle = (low + high) / 2.0;
            if self.likelihood.share(&self.at, two, middle)? < share { low = middle } else { high = middle }
        }
        Some((low + high) / 2.0)
    }
}

impl End {
    /// The number of matches until results that all go one way show which client is stronger, if `played` matches went
    /// so. `None` if they show nothing.
    pub fn matches_to_show(&self, played: f64) -> Option<u64> {
        let needed = played * CHANCE.ln() / self.ln_at_zero;
        (needed.is_finite() && needed > 0.0 && needed < 1e15).then(|| needed.ceil() as u64)
    }
}

/// Where a concave function is greatest, by the golden section.
fn highest(value: &impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    let part = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (low, high);
    let (mut left, mut right) = (high - part * (high - low), low + part * (high - low));
    let (mut at_left, mut at_right) = (value(left), value(right));
    for _ in 0..SECTIONS {
        if at_left > at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - part * (high - low);
            at_left = value(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + part * (high - low);
            at_right = value(right);
        }
    }
    (low + high) / 2.0
}

//! A mean over matches with its standard error over blocks or starts, from five integer sums.

use crate::normal::{TWO_SIDED, student};

/// A mean with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Over all seats played.
    pub mean: f64,
    /// One standard error of the mean; `None` where nothing tells of it, as with fewer than two blocks.
    pub error: Option<f64>,
    /// The degrees of freedom of the error: of a table one less than the blocks or starts that it comes from.
    pub degrees: f64,
    /// Where all blocks came out alike, so that the error seems to be 0: how far off the mean may be by what never
    /// came, if it can be off by so much only; else 0.
    pub unseen: Option<f64>,
}

impl Estimate {
    /// Half the length of the 95 % interval, by Student's distribution; `None` where nothing tells of it.
    pub fn reach(&self) -> Option<f64> {
        let error = self.error?;
        if error > 0.0 { Some(error * student(TWO_SIDED, self.degrees)) } else { self.unseen }
    }

    /// The ends of the interval.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.reach().map(|reach| (self.mean - reach, self.mean + reach))
    }
}

/// The chance at which an interval ends that one thing alone tells of.
const CHANCE: f64 = 0.05;

/// Fewer blocks than this separate nothing: their errors are themselves too uncertain.
pub(crate) const FEWEST_BLOCKS: u64 = 10;

/// Whether the 95 % intervals of two means do not meet. `None` with fewer than ten blocks or starts on a side.
///
/// Opponents share their matches, and what one wins the other may lose: the error of their difference is then up to the
/// sum of both errors. So two intervals side by side, as they stand in the table, are what it takes; clients that never
/// met may be told apart by less.
pub fn separated(a: &Estimate, b: &Estimate) -> Option<bool> {
    if a.degrees.min(b.degrees) + 1.0 < FEWEST_BLOCKS as f64 {
        return None;
    }
    Some((a.mean - b.mean).abs() > a.reach()? + b.reach()?)
}

/// Sums over blocks of a value `x` that was added up over `m` seats: bounded memory, exact, in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    blocks: u64,
    m: i128,
    x: i128,
    mm: i128,
    xm: i128,
    xx: i128,
}

impl Sums {
    /// Adds a block in which `m` (at least 1) values add up to `x` (within 10^15, so that no sum can overflow).
    pub fn add(&mut self, x: i128, m: i128) {
        self.blocks += 1;
        self.m += m;
        self.x += x;
        self.mm += m * m;
        self.xm += x * m;
        self.xx += x * x;
    }

    /// Adds what other sums have.
    pub fn merge(&mut self, other: &Sums) {
        self.blocks += other.blocks;
        self.m += other.m;
        self.x += other.x;
        self.mm += other.mm;
        self.xm += other.xm;
        self.xx += other.xx;
    }

    /// The mean of `x / unit`, and its error as that of a ratio of sums over blocks:
    /// `sqrt(B / (B - 1) * sum((x - mean * m)^2)) / sum(m)` (Cochran, Sampling Techniques, 1977, section 6.4). With
    /// blocks of one size it is the standard error of the mean of their means. No value is outside `range`, if there is
    /// one.
    ///
    /// What never came in n blocks comes with a probability of 1 - 0.05^(1/n) at most, at the 5 % level (Clopper and
    /// Pearson 1934), and then brings no more than the farther end of the range.
    pub fn estimate(&self, unit: i64, range: Option<(f64, f64)>) -> Estimate {
        if self.m == 0 {
            return Estimate { mean: 0.0, error: None, degrees: 0.0, unseen: None };
        }
        // The whole part of the mean is taken off in integers; what is left is small, and floating point loses nothing.
        let k = self.x.div_euclid(self.m);
        let (m, y) = (self.m as f64, (self.x - k * self.m) as f64);
        let yy = (self.xx - 2 * k * self.xm + k * k * self.mm) as f64;
        let ym = (self.xm - k * self.mm) as f64;
        let squares = (yy - 2.0 * y / m * ym + (y / m).powi(2) * self.mm as f64).max(0.0);
        let blocks = self.blocks as f64;
        let error = (self.blocks > 1).then(|| (blocks / (blocks - 1.0) * squares).sqrt() / m / unit as f64);
        let mean = (k as f64 + y / m) / unit as f64;
        let unseen = range.map(|(low, high)| (high - mean).max(mean - low) * (1.0 - CHANCE.powf(1.0 / blocks)));
        Estimate {
            mean,
            error,
            degrees: (blocks - 1.0).max(0.0),
            unseen: if squares > 0.0 { Some(0.0) } else { unseen },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(blocks: &[(i128, i128)]) -> Estimate {
        let mut sums = Sums::default();
        blocks.iter().for_each(|(x, m)| sums.add(*x, *m));
        sums.estimate(1, None)
    }

    #[test]
    fn blocks_of_one_size_give_the_standard_error_of_their_means() {
        // Means 1, 2, 3, 2 of two values each: mean 2, variance 2/3, error sqrt(2/3 / 4).
        let found = estimate(&[(2, 2), (4, 2), (6, 2), (4, 2)]);
        assert_eq!(found.mean, 2.0);
        assert!((found.error.unwrap() - (1.0f64 / 6.0).sqrt()).abs() < 1e-15);
        assert_eq!(found.degrees, 3.0);
        assert!((found.reach().unwrap() / found.error.unwrap() - 3.182_446).abs() < 1e-6);
    }

    #[test]
    fn blocks_of_different_sizes_count_by_their_values() {
        // (1, 1) and (0, 3): mean 1/4; residuals 3/4 and -3/4; error sqrt(2 * 9/8) / 4 = 3/8.
        let found = estimate(&[(1, 1), (0, 3)]);
        assert_eq!((found.mean, found.error), (0.25, Some(0.375)));
    }

    #[test]
    fn far_from_zero_nothing_is_lost() {
        let far = 1_000_000_000_000;
        let found = estimate(&[(far + 1, 1), (far + 3, 1)]);
        assert_eq!((found.mean, found.error), (far as f64 + 2.0, Some(1.0)));
    }

    #[test]
    fn one_block_has_no_error() {
        assert_eq!(estimate(&[(3, 2)]), Estimate { mean: 1.5, error: None, degrees: 0.0, unseen: None });
        assert_eq!(estimate(&[]), Estimate { mean: 0.0, error: None, degrees: 0.0, unseen: None });
    }

    #[test]
    fn what_never_came_is_in_the_interval() {
        let mut sums = Sums::default();
        (0..10).for_each(|_| sums.add(4, 2));
        let found = sums.estimate(2, Some((0.0, 1.0)));
        assert_eq!((found.mean, found.error), (1.0, Some(0.0)));
        // Ten of ten: Clopper and Pearson's bound is 0.741.
        assert!((found.interval().unwrap().0 - 0.741_134).abs() < 1e-6);
        assert_eq!(sums.estimate(2, None).reach(), None);
    }

    #[test]
    fn few_blocks_separate_nothing() {
        let of = |mean, degrees| Estimate { mean, error: Some(0.1), degrees, unseen: None };
        assert_eq!(separated(&of(0.9, 8.0), &of(0.1, 8.0)), None);
        assert_eq!(separated(&of(0.9, 9.0), &of(0.1, 9.0)), Some(true));
        // Taken as independent these would be apart; of opponents nobody knows that.
        assert_eq!(separated(&of(0.9, 9.0), &of(0.5, 9.0)), Some(false));
    }
}

//! A mean over matches with its standard error and its interval over blocks or starts, from exact integer sums.

use crate::interval::{self, Moments, Share, Stratum};

/// A mean with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Over all seats played.
    pub mean: f64,
    /// One standard error of the mean; `None` if it is unknown, as with fewer than two blocks.
    pub error: Option<f64>,
    /// The degrees of freedom of the error. Of a table it is one less than the blocks or starts that it comes from, where
    /// these are of equal weight; the interval takes fewer if line-ups count apart.
    pub degrees: f64,
    ends: Option<(f64, f64)>,
}

impl Estimate {
    /// A mean that may have any value.
    pub(crate) fn unbounded(mean: f64, error: Option<f64>, degrees: f64) -> Estimate {
        let ends = error.filter(|error| *error > 0.0).map(|error| interval::plain(mean, error, degrees));
        Estimate { mean, error, degrees, ends }
    }

    /// A mean of values from the first end of the range to the second.
    pub(crate) fn within(mean: f64, error: Option<f64>, degrees: f64, range: (f64, f64)) -> Estimate {
        Estimate::of_clusters(mean, error, degrees, range, None)
    }

    /// The same mean with the error and the interval that strata give it; values are within the range, if there is one.
    pub(crate) fn over_strata(self, strata: &[Stratum], range: Option<(f64, f64)>) -> Estimate {
        let mean = self.mean;
        let (low, length) = range.map_or((0.0, 0.0), |(low, high)| (low, high - low));
        // One mean out of its range has no rule.
        let place = if length > 0.0 { ((mean - low) / length).clamp(0.0, 1.0) } else { 0.5 };
        let share = Share::of_strata(place, strata);
        if length > 0.0 {
            let (from, to) = share.interval();
            let ends = Some((low + length * from, low + length * to));
            return Estimate { error: Some(length * share.error()), ends, ..self };
        }
        let Estimate { error, ends, .. } = Estimate::unbounded(mean, Some(share.error()), share.degrees());
        Estimate { error, ends, ..self }
    }

    /// The same with the moments of the clusters' means, in parts of the length of the range.
    fn of_clusters(
        mean: f64,
        error: Option<f64>,
        degrees: f64,
        (low, high): (f64, f64),
        moments: Option<Moments>,
    ) -> Estimate {
        let length = high - low;
        let Some(error) = error.filter(|_| length > 0.0) else { return Estimate::unbounded(mean, error, degrees) };
        // One mean out of its range has no rule.
        let share = ((mean - low) / length).clamp(0.0, 1.0);
        let share = Share::new(share, error / length, degrees);
        let (from, to) = moments.map_or(share, |moments| share.lying(moments)).interval();
        Estimate { mean, error: Some(error), degrees, ends: Some((low + length * from, low + length * to)) }
    }

    /// The mean of values of which none is below zero.
    pub(crate) fn above_zero(self) -> Estimate {
        let ends = self.ends.map(|(low, high)| (low.max(0.0), high.max(0.0)));
        Estimate { ends, ..self }
    }

    /// The ends of the 95 % interval, which never leaves the scale; `None` if they are unknown.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.ends
    }

    /// Half the length of the 95 % interval, by Student's distribution; `None` if it is unknown.
    pub fn reach(&self) -> Option<f64> {
        self.ends.map(|(low, high)| (high - low) / 2.0)
    }
}

/// Whether the 95 % intervals of two means do not meet. `None` where one of them has none.
///
/// Opponents share their matches, and a gain of one may be a loss of the other: the error of their difference is then
/// up to the sum of both errors. So two clients are separated if their intervals in the table do not overlap. Clients
/// that never met may be separated by less.
pub fn separated(a: &Estimate, b: &Estimate) -> Option<bool> {
    let (one, other) = (a.ends?, b.ends?);
    Some(one.0 > other.1 || other.0 > one.1)
}

/// Sums over clusters (blocks or starts) of a value `x` that was added up over `m` seats. They take bounded memory, are
/// exact in any order, and values can be removed again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    m: i128,
    x: i128,
    mm: i128,
    /// The sum of x * x / m: the whole parts, and the rest in parts of [`PARTS`].
    squares: i128,
    rest: i128,
    /// The sums of m (x / m)^k for k from 1 to 4, where x / m is rounded down.
    powers: [i128; 4],
    /// Whether a mean was so far from zero that its powers would not fit.
    is_far: bool,
}

/// The number of parts of one.
const PARTS: i128 = 1 << 32;
/// The farthest mean from zero: six times its fourth power is less than 2^127 over 2^28 matches.
const FARTHEST: i128 = 1 << 24;
/// A sum of squares below this is what [`PARTS`] cut off: no two means of whole numbers are so near.
const NOTHING: f64 = 1e-6;

impl Sums {
    /// Adds a cluster in which `m` (at least 1) values add up to `x` (within 10^18, so that no sum can overflow).
    pub fn add(&mut self, x: i128, m: i128) {
        self.add_times(1, x, m);
    }

    /// Takes out a cluster that was added.
    pub fn remove(&mut self, x: i128, m: i128) {
        self.add_times(-1, x, m);
    }

    fn add_times(&mut self, times: i128, x: i128, m: i128) {
        let (whole, left) = (x.div_euclid(m), x.rem_euclid(m));
        self.m += times * m;
        self.x += times * x;
        self.mm += times * m * m;
        self.squares += times * (whole * whole * m + 2 * whole * left);
        self.rest += times * (left * left * PARTS / m);
        if whole.abs() > FARTHEST {
            self.is_far = true;
            return;
        }
        let mut power = times * m;
        for sum in &mut self.powers {
            power *= whole;
            *sum += power;
        }
    }

    /// The seats of all clusters.
    pub fn seats(&self) -> i128 {
        self.m
    }

    /// Whether there are at least two clusters.
    pub fn are_several(&self) -> bool {
        self.m * self.m > self.mm
    }

    /// The moments of the clusters' means, if this many of their units are one.
    fn moments(&self, one: f64) -> Moments {
        let k = self.powers[0].div_euclid(self.m);
        let [a, b, c, d] = self.powers;
        // About a whole number near the mean in integers, and then about the mean.
        let about = [
            a - k * self.m,
            b - 2 * k * a + k * k * self.m,
            c - 3 * k * b + 3 * k * k * a - k * k * k * self.m,
            d - 4 * k * c + 6 * k * k * b - 4 * k * k * k * a + k * k * k * k * self.m,
        ];
        let [a, b, c, d] = about.map(|sum| sum as f64 / self.m as f64);
        let step = 1.0 / one;
        Moments([
            (b - a * a) * step.powi(2),
            (c - 3.0 * a * b + 2.0 * a.powi(3)) * step.powi(3),
            (d - 4.0 * a * c + 6.0 * a * a * b - 3.0 * a.powi(4)) * step.powi(4),
        ])
    }

    pub fn merge(&mut self, other: &Sums) {
        self.m += other.m;
        self.x += other.x;
        self.mm += other.mm;
        self.squares += other.squares;
        self.rest += other.rest;
        self.powers.iter_mut().zip(other.powers).for_each(|(sum, power)| *sum += power);
        self.is_far |= other.is_far;
    }

    /// The mean of `x / unit`, and its error as that of a mean of clusters' means that are alike uncertain and weigh as
    /// much as they have values: s² = sum(m (x / m - mean)²) / (M - sum(m²) / M), error² = s² sum(m²) / M². With
    /// clusters of one size it is the standard error of the mean of their means. Clusters of unlike sizes are worth
    /// M² / sum(m²) of one size (Kish, Survey Sampling, 1965, section 11.7), so that a cluster that grows by copies
    /// never makes a mean surer. No value is outside `range`, if there is one.
    pub fn estimate(&self, unit: i64, range: Option<(f64, f64)>) -> Estimate {
        let (mean, error, degrees) = self.mean(unit);
        match range {
            Some(range) if self.m > 0 => {
                let moments = (!self.is_far).then(|| self.moments(unit as f64 * (range.1 - range.0)));
                Estimate::of_clusters(mean, error, degrees, range, moments)
            }
            _ => Estimate::unbounded(mean, error, degrees),
        }
    }

    /// The same as one of several strata that have this number of seats in all; its clusters are at least two.
    pub fn stratum(&self, seats: i128, unit: i64, range: Option<(f64, f64)>) -> Stratum {
        let (_, error, degrees) = self.mean(unit);
        let length = range.map_or(0.0, |(low, high)| high - low);
        let (length, has_moments) = if length > 0.0 { (length, !self.is_far) } else { (1.0, false) };
        let moments = has_moments.then(|| self.moments(unit as f64 * length));
        Stratum { weight: self.m as f64 / seats as f64, error: error.unwrap_or(0.0) / length, degrees, moments }
    }

    /// The mean, its error and the degrees of freedom of that.
    fn mean(&self, unit: i64) -> (f64, Option<f64>, f64) {
        if self.m == 0 {
            return (0.0, None, 0.0);
        }
        // The whole part of the mean is subtracted in integers; the rest is small, so floating point loses nothing.
        let k = self.x.div_euclid(self.m);
        let (m, y) = (self.m as f64, (self.x - k * self.m) as f64);
        let mean = (k as f64 + y / m) / unit as f64;
        let around = (self.squares - 2 * k * self.x + k * k * self.m) as f64 + self.rest as f64 / PARTS as f64;
        let squares = Some(around - y * y / m).filter(|squares| *squares > NOTHING).unwrap_or(0.0);
        let (effective, are_several) = (m * m / self.mm as f64, self.are_several());
        let error = are_several.then(|| (squares / m / (effective - 1.0)).sqrt() / unit as f64);
        (mean, error, if are_several { effective - 1.0 } else { 0.0 })
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
        // (1, 1) and (0, 3): mean 1/4; 9/16 + 3/16 over 4 - 10/4 is 1/2, times 10/16 = 5/16.
        let found = estimate(&[(1, 1), (0, 3)]);
        assert_eq!(found.mean, 0.25);
        assert!((found.error.unwrap() - (5f64 / 16.0).sqrt()).abs() < 1e-9, "{found:?}");
        assert!((found.degrees - 0.6).abs() < 1e-12);
    }

    #[test]
    fn far_from_zero_nothing_is_lost() {
        let far = 1_000_000_000_000;
        let found = estimate(&[(far + 1, 1), (far + 3, 1)]);
        assert_eq!((found.mean, found.error), (far as f64 + 2.0, Some(1.0)));
    }

    #[test]
    fn one_block_has_no_error() {
        assert_eq!(estimate(&[(3, 2)]), Estimate::unbounded(1.5, None, 0.0));
        assert_eq!(estimate(&[]), Estimate::unbounded(0.0, None, 0.0));
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
    fn a_cluster_that_grows_makes_nothing_surer() {
        let all = |copies: i128| {
            let mut sums = Sums::default();
            [2, 1, 2, 0, 1, 2, 1, 1, 0, 1].iter().for_each(|x| sums.add(1_000 * x, 2));
            sums.add(copies * 2_000, copies * 2);
            sums.estimate(1_000, Some((0.0, 1.0)))
        };
        let length = |copies: i128| all(copies).reach().unwrap();
        assert!(length(1) < length(2) && length(2) < length(10) && length(10) < length(200));
        assert!(all(200).mean > 0.9 && all(200).interval().unwrap().0 < 0.1, "{:?}", all(200));
    }

    #[test]
    fn what_was_added_can_be_taken_out() {
        let mut sums = Sums::default();
        sums.add(7, 3);
        sums.add(1, 2);
        let before = format!("{sums:?}");
        sums.add(10, 7);
        sums.remove(10, 7);
        assert_eq!(format!("{sums:?}"), before);
    }

    #[test]
    fn no_interval_leaves_its_scale() {
        for points in [[2, 2, 1, 2], [0, 0, 1, 0], [0, 2, 0, 2], [2, 2, 2, 2]] {
            let mut sums = Sums::default();
            points.iter().for_each(|x| sums.add(*x, 2));
            let found = sums.estimate(2, Some((0.0, 1.0)));
            let (low, high) = found.interval().unwrap();
            assert!(0.0 <= low && low < high && high <= 1.0 && low <= found.mean && found.mean <= high, "{found:?}");
        }
    }

    #[test]
    fn sums_know_the_moments_of_the_means() {
        let clusters = [(3_500, 4), (0, 2), (7_000, 8), (1_000, 2), (2_000, 2), (11_000, 12)];
        let mut sums = Sums::default();
        clusters.iter().for_each(|(x, m)| sums.add(*x, *m));
        let mut other = Sums::default();
        [(1_000, 2), (500, 2)].iter().for_each(|(x, m)| other.add(*x, *m));
        other.remove(500, 2);
        sums.merge(&other);
        let all = || clusters.iter().chain(&[(1_000, 2)]);
        let Moments(expected) = Moments::new(all().map(|(x, m)| (*x as f64 / *m as f64 / 1_000.0, *m as f64)));
        let Moments(found) = sums.moments(1_000.0);
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        }
        // The table of points has the interval that ratings of two have.
        let share = Share::of_clusters(all().map(|(x, m)| (*x as f64 / 1_000.0, *m as f64))).unwrap();
        let (low, high) = sums.estimate(1_000, Some((0.0, 1.0))).interval().unwrap();
        assert!((low - share.interval().0).abs() < 1e-3 && (high - share.interval().1).abs() < 1e-3);
    }

    /// From 1 point to 1,000 for each of nine opponents, the interval is the same part of the scale.
    #[test]
    fn the_size_of_points_changes_no_interval() {
        // Two of forty blocks are won, the others even.
        let of = |win: i128| {
            let mut sums = Sums::default();
            (0..40).for_each(|block| sums.add(if block % 20 == 7 { win } else { win / 2 }, 1));
            let (low, high) = sums.estimate(1, Some((0.0, win as f64))).interval().unwrap();
            (low / win as f64, high / win as f64)
        };
        let small = of(1_000);
        for win in [9_000, 100_000, 9_000_000] {
            let (low, high) = of(win);
            assert!((low - small.0).abs() < 1e-6 && (high - small.1).abs() < 1e-6, "{win}: {low} {high}");
        }
        assert!(of(1_000_000_000).0 > small.0, "what is too far has no moments");
    }

    #[test]
    fn intervals_that_meet_separate_nothing() {
        let of = |mean: f64, degrees| Estimate::within(mean, Some(0.1), degrees, (0.0, 1.0));
        assert_eq!(separated(&of(0.9, 9.0), &of(0.1, 9.0)), Some(true));
        assert_eq!(separated(&of(0.9, 1.0), &of(0.1, 1.0)), Some(false));
        // Taken as independent these would be apart; of opponents nobody knows that.
        assert_eq!(separated(&of(0.8, 9.0), &of(0.5, 9.0)), Some(false));
        assert_eq!(separated(&of(0.8, 9.0), &Estimate::within(0.5, None, 0.0, (0.0, 1.0))), None);
    }
}

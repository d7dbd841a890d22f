//! The one rule for the 95 % intervals of means, differences and tests, and for the probability of being better.
//!
//! A share of points with a standard error from clusters is worth p (1 - p) / error² throws of a coin. Its interval is
//! Wilson's for that number (Journal of the American Statistical Association 22, 1927), with the quantile of Student's
//! distribution for the degrees of freedom of the error. It contains all shares that a score test would not reject. It
//! stays within 0 and 1, and holds the truth where results are few or one-sided, as Wald's does not (Franco, Little,
//! Louis and Slud, Journal of Survey Statistics and Methodology 7, 2019). The probability of being better comes from
//! the same test, so it passes 97.5 % exactly where the interval excludes one half.
//!
//! The score test takes the design effect error² / (p (1 - p)) as known, but it is estimated too. If nearly all clusters
//! are alike, few of them decide it, and one less than their number is too many degrees of freedom. The degrees are twice
//! the square of an estimate over its variance (Satterthwaite, Biometrics Bulletin 2, 1946); the variance comes from the
//! spread of the clusters' own contributions, as for sandwich estimators (Pan and Wall, Statistics in Medicine 21, 2002).
//! A cluster whose share is d above the mean contributes d² / variance - 1 - d (1 - 2 p) / (p (1 - p)), by the delta
//! method. That is 0 for throws of a coin, whose design effect is 1, and has a variance of about 2 for normal shares.
//!
//! If all clusters are alike, the error seems to be 0. An event that never came in n clusters has a probability of at
//! most 1 - 0.05^(1/n), at the 5 % level (Clopper and Pearson, Biometrika 26, 1934). The interval extends that far
//! towards either end of the scale.

use crate::collapse::collapse;
use crate::normal::{TWO_SIDED, below, student, student_below};

/// The chance at which an interval ends if only one event bounds it.
const CHANCE: f64 = 0.05;

/// With this number of degrees of freedom, the probability of being better is that of the normal distribution, as in
/// other programs, unless the interval would contradict it.
pub(crate) const MANY: f64 = 300.0;
/// The probability of being better that an interval of 95 % stands for.
const BETTER: f64 = 0.975;

/// The estimate of a share of points, from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    share: f64,
    error: f64,
    /// One less than the clusters.
    degrees: f64,
    /// The degrees of freedom of the design effect.
    sure: f64,
}

/// The share of one of several strata.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stratum {
    /// Its part of all games.
    pub weight: f64,
    /// The standard error of its share.
    pub error: f64,
    pub degrees: f64,
    /// The moments of its clusters, if they are known.
    pub moments: Option<Moments>,
}

/// The second to fourth central moments of the clusters' shares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moments(pub [f64; 3]);

impl Moments {
    /// The moments of shares with weights.
    pub fn new(shares: impl Iterator<Item = (f64, f64)> + Clone) -> Moments {
        let sum = |power: i32, from: f64| {
            shares.clone().map(|(share, weight)| weight * (share - from).powi(power)).sum::<f64>()
        };
        let weight = sum(0, 0.0);
        let mean = sum(1, 0.0) / weight;
        Moments([2, 3, 4].map(|power| sum(power, mean) / weight))
    }

    /// The variance of a cluster's contribution to the design effect, around this share.
    fn of_design_effect(&self, share: f64) -> f64 {
        self.in_stratum(share, 1.0, 1.0)
    }

    /// The same for a cluster of a stratum with this weight, which has this part of the variance of the share.
    fn in_stratum(&self, share: f64, weight: f64, part: f64) -> f64 {
        let Moments([second, third, fourth]) = self;
        let slope = weight * (1.0 - 2.0 * share) / (share * (1.0 - share));
        part * part * (fourth / (second * second) - 1.0) - 2.0 * part * slope * third / second + slope * slope * second
    }
}

impl Share {
    /// With the standard error of the share; degrees of freedom are one less than the clusters.
    pub fn new(share: f64, error: f64, degrees: f64) -> Share {
        Share { share, error, degrees, sure: degrees }
    }

    /// The same if the clusters lie about the mean like this.
    pub fn lying(self, moments: Moments) -> Share {
        if self.is_alike() || moments.0[0] <= 0.0 {
            return self;
        }
        // Of normal shares it is 2. Less is no reason for more degrees: few clusters do not show that.
        let excess = (moments.of_design_effect(self.share) - 2.0).max(0.0);
        let sure = 2.0 / (2.0 / self.degrees + excess / (self.degrees + 1.0));
        Share { sure, ..self }
    }

    /// The share of points over strata, of which at least one has an error: their variances add up. Degrees of freedom
    /// are those of Satterthwaite's approximation.
    pub fn of_strata(share: f64, strata: &[Stratum]) -> Share {
        let variance = |stratum: &Stratum| (stratum.weight * stratum.error).powi(2);
        let all = strata.iter().map(variance).sum::<f64>();
        let sum = |of: &dyn Fn(&Stratum, f64) -> f64| {
            strata.iter().map(|stratum| of(stratum, variance(stratum) / all)).sum::<f64>()
        };
        let unsure = sum(&|stratum, part| part * part / stratum.degrees);
        let plain = Share::new(share, all.sqrt(), 1.0 / unsure);
        if plain.is_alike() {
            return plain;
        }
        let excess = sum(&|stratum, part| match stratum.moments {
            Some(moments) if moments.0[0] > 0.0 => {
                (moments.in_stratum(share, stratum.weight, part) - 2.0 * part * part) / (stratum.degrees + 1.0)
            }
            _ => 0.0,
        });
        Share { sure: 2.0 / (2.0 * unsure + excess.max(0.0)), ..plain }
    }

    pub fn error(&self) -> f64 {
        self.error
    }

    pub fn degrees(&self) -> f64 {
        self.degrees
    }

    /// From the points and the games of each cluster, as [`crate::estimate::Sums`] has it; `None` where fewer than two
    /// have games.
    pub fn of_clusters(clusters: impl Iterator<Item = (f64, f64)>) -> Option<Share> {
        let clusters: Vec<(f64, f64)> = clusters.filter(|(_, games)| *games > 0.0).collect();
        let sum = |of: fn(&(f64, f64)) -> f64| clusters.iter().map(of).sum::<f64>();
        let (points, games) = (sum(|cluster| cluster.0), sum(|cluster| cluster.1));
        let degrees = games * games / sum(|cluster| cluster.1 * cluster.1) - 1.0;
        let share = points / games;
        let around = |(points, games): &(f64, f64)| games * (points / games - share).powi(2);
        let squares = clusters.iter().map(around).sum::<f64>();
        // A rest from rounding counts as zero.
        let squares = if squares > 1e-12 * games { squares } else { 0.0 };
        let moments = Moments::new(clusters.iter().map(|(points, games)| (points / games, *games)));
        (clusters.len() > 1).then(|| Share::new(share, (squares / games / degrees).sqrt(), degrees).lying(moments))
    }

    /// From the points and the games of each cluster of each stratum, and of those that are in none.
    pub fn of_clusters_in_strata(together: Vec<(f64, f64)>, apart: Vec<Vec<(f64, f64)>>) -> Option<Share> {
        let games = |clusters: &Vec<(f64, f64)>| clusters.iter().map(|(_, games)| games).sum::<f64>();
        let are_several = |clusters: &Vec<(f64, f64)>| clusters.iter().filter(|(_, games)| *games > 0.0).count() > 1;
        let strata = collapse(together, apart, games, are_several, |one, other| one.extend(other));
        let all = strata.iter().map(games).sum::<f64>();
        let whole = Share::of_clusters(strata.iter().flatten().copied())?;
        let stratum = |clusters: &Vec<(f64, f64)>| {
            let found = Share::of_clusters(clusters.iter().copied())?;
            let shares =
                clusters.iter().filter(|(_, games)| *games > 0.0).map(|(points, games)| (points / games, *games));
            let moments = Some(Moments::new(shares));
            Some(Stratum { weight: games(clusters) / all, error: found.error, degrees: found.degrees, moments })
        };
        let strata: Vec<Stratum> = strata.iter().filter_map(stratum).collect();
        let are_alike = strata.iter().all(|stratum| stratum.error <= 0.0);
        Some(if strata.len() < 2 || are_alike { whole } else { Share::of_strata(whole.share, &strata) })
    }

    /// Whether all clusters came out alike.
    fn is_alike(&self) -> bool {
        self.error <= 0.0 || self.share <= 0.0 || self.share >= 1.0
    }

    /// The ends of the interval.
    pub fn interval(&self) -> (f64, f64) {
        if self.is_alike() {
            let seen = CHANCE.powf(1.0 / (self.degrees + 1.0));
            return (self.share * seen, 1.0 - (1.0 - self.share) * seen);
        }
        (self.lower(self.share), 1.0 - self.lower(1.0 - self.share))
    }

    /// The lower end of a share; the upper one is that of the complement.
    fn lower(&self, share: f64) -> f64 {
        let spread = share * (1.0 - share);
        let part = (student(TWO_SIDED, self.sure) * self.error).powi(2) / spread;
        // Lower end times upper end is share² / (1 + part); so nothing is lost near 0.
        share * share / (share + part / 2.0 + (part * spread + part * part / 4.0).sqrt())
    }

    /// The probability that the true share is above one half.
    pub fn superiority(&self) -> f64 {
        if self.is_alike() {
            // As after n of n with any chance thought equally likely; 97.5 % just where the interval leaves one half.
            let lead = 0.5 / self.share.max(1.0 - self.share);
            let other = 0.5 * lead.powf(self.degrees + 1.0);
            return if self.share >= 0.5 { 1.0 - other } else { other };
        }
        let lead = (self.share - 0.5) / self.error;
        let by_test = student_below(2.0 * lead * (self.share * (1.0 - self.share)).sqrt(), self.sure);
        let is_sure = |chance: f64| (chance > BETTER, chance < 1.0 - BETTER);
        let plain = below(lead);
        if self.sure >= MANY && is_sure(plain) == is_sure(by_test) { plain } else { by_test }
    }
}

/// The ends of the interval of a number without a scale.
pub(crate) fn plain(mean: f64, error: f64, degrees: f64) -> (f64, f64) {
    let reach = error * student(TWO_SIDED, degrees);
    (mean - reach, mean + reach)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_wilsons_interval_where_games_are_independent() {
        // 17 of 20 with very many degrees of freedom: Wilson's interval is 0.6396 to 0.9476.
        let (low, high) = Share::new(0.85, (0.85f64 * 0.15 / 20.0).sqrt(), 1e9).interval();
        assert!((low - 0.639_58).abs() < 1e-4 && (high - 0.947_60).abs() < 1e-4, "{low} {high}");
    }

    #[test]
    fn interval_and_probability_agree_about_one_half() {
        for share in [0.0, 0.02, 0.3, 0.45, 0.5, 0.51, 0.6, 0.75, 0.9, 0.999, 1.0] {
            for error in [0.0, 1e-9, 0.01, 0.05, 0.1, 0.2, 0.4] {
                for degrees in [1.0, 1.5, 4.0, 9.0, 20.0, 1e4] {
                    let shape = Share::new(share, error, degrees);
                    let ((low, high), better) = (shape.interval(), shape.superiority());
                    assert!(0.0 <= low && low <= share && share <= high && high <= 1.0, "{shape:?}");
                    assert!((low > 0.5) == (better > 0.975) || (low - 0.5).abs() < 1e-6, "{shape:?}: {low} {better}");
                    assert!(
                        (high < 0.5) == (better < 0.025) || (high - 0.5).abs() < 1e-6,
                        "{shape:?}: {high} {better}"
                    );
                }
            }
        }
    }

    #[test]
    fn ten_of_ten_end_at_the_exact_bound() {
        let (low, high) = Share::new(1.0, 0.0, 9.0).interval();
        assert!((low - 0.741_134).abs() < 1e-6 && high == 1.0);
    }

    fn of(shares: &[f64]) -> Share {
        Share::of_clusters(shares.iter().map(|share| (*share, 1.0))).unwrap()
    }

    #[test]
    fn throws_of_a_coin_have_a_known_design_effect() {
        // 38 of 40, with the exact shape and without: the same.
        let of_forty = of(&[vec![1.0; 38], vec![0.0; 2]].concat());
        assert!((of_forty.sure - 39.0).abs() < 1e-9, "{of_forty:?}");
        // Pairs of throws.
        let pairs = [vec![1.0; 81], vec![0.5; 18], vec![0.0; 1]].concat();
        assert!((of(&pairs).sure - 99.0).abs() < 1e-9, "{:?}", of(&pairs));
    }

    #[test]
    fn few_clusters_that_differ_have_few_degrees_of_freedom() {
        // 36 of 40 blocks are even: the fourth moment is ten times the square of the variance.
        let even = of(&[vec![0.5; 36], vec![1.0; 2], vec![0.0; 2]].concat());
        let kurtosis = 10.0;
        let expected = 2.0 / (2.0 / 39.0 + (kurtosis - 3.0) / 40.0);
        assert!((even.sure - expected).abs() < 1e-9, "{even:?} {expected}");
        let plain = Share { sure: even.degrees, ..even };
        assert!(even.interval().0 < plain.interval().0 && even.superiority() == 0.5);
        // The fewer differ, the fewer degrees.
        let fewer = of(&[vec![0.5; 38], vec![1.0; 1], vec![0.0; 1]].concat());
        assert!(fewer.sure < even.sure && fewer.sure > 1.5, "{fewer:?}");
    }
}

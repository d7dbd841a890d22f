//! Means over strata. If all matches of a setting began alike, a client's blocks against different opponents differ by
//! the opponents, which is not chance: then the line-ups are strata, and only the spread within each of them counts
//! (Cochran, Sampling Techniques, 1977, chapter 5).
//!
//! A stratum of one cluster has no spread of its own. All such strata form one together, as do line-ups in which chance
//! has not shown: the differences between them make errors larger, never smaller (collapsed strata; Cochran, chapter
//! 5A). If there is only one of them, it joins the largest stratum.

use crate::collapse::collapse;
use crate::estimate::{Estimate, Sums};
use crate::part::PartSums;

/// The sums of an entrant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Strata {
    /// Over all clusters that are not in strata.
    pub together: PartSums,
    /// The sums over each stratum, in order.
    apart: Vec<PartSums>,
}

impl Strata {
    /// Adds the clusters of one line-up, or of those that are no strata.
    pub fn add(&mut self, is_stratum: bool, sums: &PartSums) {
        if is_stratum {
            self.apart.push(sums.clone());
        } else {
            self.together.merge(sums);
        }
    }

    /// The mean over all strata; see [`Sums::estimate`].
    pub fn estimate(&self, of: fn(&PartSums) -> &Sums, unit: i64, range: Option<(f64, f64)>) -> Estimate {
        let apart = self.apart.iter().map(|sums| of(sums).clone()).collect();
        let merge = |one: &mut Sums, other: &Sums| one.merge(other);
        let strata = collapse(of(&self.together).clone(), apart, |sums| sums.seats() as f64, Sums::are_several, merge);
        let mut all = Sums::default();
        strata.iter().for_each(|sums| all.merge(sums));
        let whole = all.estimate(unit, range);
        if strata.len() < 2 {
            return whole;
        }
        let strata: Vec<_> = strata.iter().map(|sums| sums.stratum(all.seats(), unit, range)).collect();
        // Where no stratum shows a spread, all clusters count together.
        if strata.iter().any(|stratum| stratum.error > 0.0) { whole.over_strata(&strata, range) } else { whole }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::Share;
    use crate::part::Part;

    fn sums(points: &[i128]) -> PartSums {
        let mut sums = PartSums::default();
        points.iter().for_each(|points| sums.add(Part { seats: 2, points: *points, rank: 3, score: *points }));
        sums
    }

    fn estimate(apart: &[&[i128]], together: &[i128]) -> Estimate {
        let mut strata = Strata { together: sums(together), apart: Vec::new() };
        apart.iter().for_each(|points| strata.add(true, &sums(points)));
        strata.estimate(|part| &part.score, 1, None)
    }

    #[test]
    fn variances_of_strata_add_up() {
        // Means of seats 1/2, 1 and 7/2, 4 in two blocks each: errors 1/4, and the mean of both.
        let found = estimate(&[&[1, 2], &[7, 8]], &[]);
        assert_eq!((found.mean, found.degrees), (2.25, 3.0));
        assert!((found.error.unwrap() - 0.25 / 2f64.sqrt()).abs() < 1e-6, "{found:?}");
        // Student's quantiles of two degrees, of one where only one stratum has a spread, of three with one of all others.
        let quantile = |found: Estimate| found.reach().unwrap() / found.error.unwrap();
        assert!((quantile(found) - 4.302_653).abs() < 1e-5);
        assert!((quantile(estimate(&[&[1, 2], &[8, 8]], &[])) - 12.706_205).abs() < 1e-5);
        assert!((quantile(estimate(&[&[1, 2], &[7, 8]], &[1, 2])) - 3.182_446).abs() < 1e-5);
    }

    #[test]
    fn a_stratum_without_spread_makes_nothing_surer() {
        let whole = estimate(&[], &[1, 2, 3, 7, 8]);
        // Of one cluster: with the larger of the others, or with another one.
        assert_eq!(estimate(&[&[1, 2, 3], &[7], &[8]], &[]), estimate(&[&[1, 2, 3]], &[7, 8]));
        assert_eq!(estimate(&[&[1, 2, 3], &[7, 8]], &[4]), estimate(&[&[1, 2, 3, 4], &[7, 8]], &[]));
        assert_eq!(estimate(&[&[1, 2, 3, 7]], &[8]), whole);
        assert_eq!(estimate(&[&[1], &[2], &[3], &[7], &[8]], &[]), whole);
        // No stratum shows any.
        assert_eq!(estimate(&[&[1, 1], &[7, 7, 7]], &[]), estimate(&[], &[1, 1, 7, 7, 7]));
        assert_eq!(estimate(&[], &[]), Estimate::unbounded(0.0, None, 0.0));
    }

    #[test]
    fn ratings_of_two_have_the_interval_of_points() {
        let apart: [&[i128]; 3] = [&[0, 1_000, 0, 2_000, 0], &[2_000, 1_000, 2_000], &[1_000]];
        let mut strata = Strata::default();
        apart.iter().for_each(|points| strata.add(true, &sums(points)));
        let (low, high) = strata.estimate(|part| &part.points, 1_000, Some((0.0, 1.0))).interval().unwrap();
        let clusters = |points: &&[i128]| points.iter().map(|points| (*points as f64 / 1_000.0, 2.0)).collect();
        let share = Share::of_clusters_in_strata(Vec::new(), apart.iter().map(clusters).collect()).unwrap();
        assert!((low - share.interval().0).abs() < 1e-6 && (high - share.interval().1).abs() < 1e-6);
    }
}

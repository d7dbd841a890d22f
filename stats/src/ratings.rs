//! The result of a rating: strengths, the difference of any two with its interval, and pairs that cannot be compared.

use crate::clusters::{Clusters, Spread};
use crate::estimate::Estimate;
use crate::interval::Share;
use crate::matrix::Matrix;
use crate::normal::{TWO_SIDED, student, student_below};
use crate::one_sided::{End, Ways};
use crate::options::{RatingOptions, Unfit};
use crate::reach::Reach;
use crate::sample::Count;
use crate::separate::blocks_to_separate;
use std::sync::Arc;

/// The estimate of one entrant's strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Points (Elo) above the mean of the core of its group: the largest set of which each member is better and worse
    /// than the others by some chain of results. Where all such sets are single entrants, the whole group is the core.
    pub elo: f64,
    /// One standard error of that; where the interval is open, mostly the prior's. For the difference of two entrants
    /// it says little: ask [`Ratings::difference`].
    pub error: f64,
    /// The lower end of the 95 % interval; `None` = unbounded, and then the other end has all 5 % to itself.
    pub low: Option<f64>,
    /// The upper end; `None` = unbounded, as for a client that never lost a point.
    pub high: Option<f64>,
    /// The number of its group in [`Ratings::groups`].
    pub group: usize,
    pub matches: u64,
    /// The number of distinct games among these, on which the errors rest.
    pub distinct: f64,
}

/// How far one entrant is above another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The strength in points (Elo).
    pub elo: f64,
    /// One standard error, from the full covariance.
    pub error: f64,
    /// The lower end of the 95 % interval; `None` = unbounded, and then the other end has all 5 % to itself.
    pub low: Option<f64>,
    /// The upper end, likewise.
    pub high: Option<f64>,
    /// The likelihood of superiority: the probability, 0 to 1, that the first of the two is the stronger one.
    pub superiority: f64,
}

impl Difference {
    /// Whether results bound it at all: a chain of results leads from one of the two to the other. If none does, it is
    /// the prior's.
    pub fn is_bounded(&self) -> bool {
        self.low.is_some() || self.high.is_some()
    }

    /// How far the second of the two is above the first.
    fn turned(self) -> Difference {
        let Difference { elo, error, low, high, superiority } = self;
        let turn = |end: f64| -end;
        Difference { elo: -elo, error, low: high.map(turn), high: low.map(turn), superiority: 1.0 - superiority }
    }

    /// How far the first of the two is above their mean.
    fn halved(self) -> Difference {
        let Difference { elo, error, low, high, superiority } = self;
        let half = |end: f64| end / 2.0;
        Difference { elo: elo / 2.0, error: error / 2.0, low: low.map(half), high: high.map(half), superiority }
    }
}

/// The strengths of all entrants, from one fit.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// The values in order of entrants.
    pub strengths: Vec<Strength>,
    /// The entrants of each set that results connect, in order. Strengths of different groups cannot be compared.
    pub groups: Vec<Vec<usize>>,
    /// The advantage of the first seat in points (Elo), where it was fitted.
    pub first_seat: Option<Estimate>,
    /// The probability of a draw between equals without seats, where it was fitted and there were draws.
    pub draw_rate: Option<Estimate>,
    reach: Reach,
    ways: Arc<Ways>,
    clusters: Arc<Clusters>,
    scaling: Scaling,
    pairs: Vec<LonePair>,
}

/// Two entrants that met nobody else. The table of points then answers the same question of which is better. The
/// interval of their difference is that of the share of points, seen through the model.
#[derive(Clone, Debug)]
pub(crate) struct LonePair {
    pub one: usize,
    pub other: usize,
    /// The share of points of the first against the second.
    pub share: Share,
}

/// A sum of parameters with weights, and its covariances with all of them.
struct Contrast {
    weights: Vec<(usize, f64)>,
    /// The entrants whose clusters count.
    among: Vec<usize>,
    way: Vec<f64>,
    robust: Vec<f64>,
}

impl Contrast {
    fn new(weights: &[(usize, f64)], ratings: &Ratings) -> Contrast {
        let sum = |matrix: &Matrix| {
            let mut sum = vec![0.0; matrix.size()];
            for (place, weight) in weights {
                sum.iter_mut().zip(matrix.row(*place)).for_each(|(sum, cell)| *sum += weight * cell);
            }
            sum
        };
        let (way, robust) = (sum(&ratings.ways.covariance), sum(ratings.clusters.robust()));
        Contrast { weights: weights.to_vec(), among: Vec::new(), way, robust }
    }

    /// How far a parameter is above this one.
    fn from(&self, place: usize, ratings: &Ratings) -> Contrast {
        let less = |own: &[f64], mean: &[f64]| own.iter().zip(mean).map(|(own, mean)| own - mean).collect();
        let weights = self.weights.iter().map(|(other, weight)| (*other, -weight)).chain([(place, 1.0)]).collect();
        let way = less(ratings.ways.covariance.row(place), &self.way);
        let robust = less(ratings.clusters.robust().row(place), &self.robust);
        Contrast { weights, among: vec![place], way, robust }
    }

    fn dot(&self, values: &[f64]) -> f64 {
        self.weights.iter().map(|(place, weight)| weight * values[*place]).sum()
    }
}

/// The scale from parameters to points, and the places of the parameters other than strengths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaling {
    pub points: f64,
    pub advantage: Option<usize>,
    pub draw: Option<usize>,
}

/// The sets that results connect; without a prior each must be connected both ways.
pub(crate) fn groups(
    reach: &Reach,
    edges: &[(usize, usize)],
    entrants: usize,
    options: &RatingOptions,
) -> Result<Vec<Vec<usize>>, Unfit> {
    let both: Vec<(usize, usize)> = edges.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect();
    let all: Vec<usize> = (0..entrants).collect();
    let groups = Reach::new(entrants, &both).components(&all);
    if options.prior.is_none() {
        let outside = groups.iter().flat_map(|group| {
            let core = core(reach, group);
            group.iter().copied().filter(move |member| !core.iter().all(|other| reach.both(*member, *other)))
        });
        let mut outside: Vec<usize> = outside.collect();
        outside.sort_unstable();
        if !outside.is_empty() {
            return Err(Unfit::Unbounded(outside));
        }
    }
    Ok(groups)
}

/// The largest set that is connected both ways, the first of equals; the whole group, where that is a single one.
fn core(reach: &Reach, group: &[usize]) -> Vec<usize> {
    let components = reach.components(group);
    let largest = components.into_iter().rev().max_by_key(Vec::len).unwrap_or_default();
    if largest.len() > 1 { largest } else { group.to_vec() }
}

impl Scaling {
    /// The points for one unit of log odds, and by how much they change with the parameter of draws.
    ///
    /// Draws flatten the curve of the expected score by one less their probability between equals; with this factor its
    /// slope there is that of the usual one, as in BayesElo.
    fn factor(&self, at: &[f64]) -> (f64, f64) {
        let rate = self.draw.map_or(0.0, |place| draw_rate(at[place]));
        (self.points * (1.0 - rate), -self.points * rate * (1.0 - rate))
    }
}

/// The probability of a draw between equals, from the logarithm of Davidson's nu.
fn draw_rate(ln_nu: f64) -> f64 {
    1.0 / (1.0 + 2.0 * (-ln_nu).exp())
}

impl Ratings {
    pub(crate) fn new(
        ways: Ways,
        clusters: Clusters,
        scaling: Scaling,
        groups: Vec<Vec<usize>>,
        reach: Reach,
        counts: &[Count],
        pairs: Vec<LonePair>,
    ) -> Ratings {
        let (factor, _) = scaling.factor(&ways.at);
        let strength = |(entrant, count): (usize, &Count)| Strength {
            elo: factor * ways.at[entrant],
            error: 0.0,
            low: None,
            high: None,
            group: 0,
            matches: count.matches,
            distinct: count.games,
        };
        let strengths = counts.iter().enumerate().map(strength).collect();
        let (ways, clusters) = (Arc::new(ways), Arc::new(clusters));
        let mut ratings =
            Ratings { strengths, groups, first_seat: None, draw_rate: None, reach, ways, clusters, scaling, pairs };
        ratings.first_seat = scaling.advantage.map(|place| {
            let Spread { variance, degrees } = ratings.spread(&Contrast::new(&[(place, 1.0)], &ratings)).1;
            Estimate::unbounded(factor * ratings.ways.at[place], Some(variance.max(0.0).sqrt()), degrees)
        });
        ratings.draw_rate = scaling.draw.map(|place| {
            let rate = draw_rate(ratings.ways.at[place]);
            let way = ratings.ways.covariance.row(place);
            let robust = ratings.clusters.robust().at(place, place);
            let Spread { variance, degrees } = ratings.clusters.spread(&[], way, way[place], robust);
            let error = rate * (1.0 - rate) * variance.max(0.0).sqrt();
            Estimate::within(rate, Some(error), degrees, (0.0, 1.0))
        });
        (0..ratings.groups.len()).for_each(|group| ratings.centre(group));
        ratings
    }

    /// The variance in points of a contrast: by the model, and by the clusters.
    ///
    /// By the delta method, since the points for a unit follow from the rate of draws, which is estimated too.
    fn spread(&self, contrast: &Contrast) -> (f64, Spread) {
        let Ways { at, covariance, .. } = &*self.ways;
        let (factor, change) = self.scaling.factor(at);
        let change = change * contrast.dot(at);
        let mut way: Vec<f64> = contrast.way.iter().map(|part| factor * part).collect();
        // The covariance of the contrast with the rate of draws, by the model and robust.
        let draw = self.scaling.draw.map_or([0.0; 4], |place| {
            way.iter_mut().zip(covariance.row(place)).for_each(|(way, cell)| *way += change * cell);
            let robust = self.clusters.robust();
            [contrast.way[place], covariance.at(place, place), contrast.robust[place], robust.at(place, place)]
        });
        let scaled = |own: f64, mixed: f64, draw: f64| {
            factor * factor * own + 2.0 * factor * change * mixed + change * change * draw
        };
        let model = scaled(contrast.dot(&contrast.way), draw[0], draw[1]);
        let robust = scaled(contrast.dot(&contrast.robust), draw[2], draw[3]);
        (model, self.clusters.spread(&contrast.among, &way, model, robust))
    }

    /// Gives the strengths of a group their zero, errors and intervals.
    fn centre(&mut self, number: usize) {
        let group = self.groups[number].clone();
        let core = core(&self.reach, &group);
        let zero = core.iter().map(|member| self.strengths[*member].elo).sum::<f64>() / core.len() as f64;
        let share = 1.0 / core.len() as f64;
        let mean = Contrast::new(&core.iter().map(|member| (*member, share)).collect::<Vec<_>>(), self);
        for member in &group {
            let low = core.iter().all(|other| self.reach.has(*member, *other));
            let high = core.iter().all(|other| self.reach.has(*other, *member));
            let elo = self.strengths[*member].elo - zero;
            let alone = group.len() == 1;
            let found = match core.iter().find(|other| *other != member).and_then(|other| self.of_two(*member, *other))
            {
                Some(found) if core.contains(member) => found.halved(),
                _ => self.bound(elo, &mean.from(*member, self), (low && !alone, high && !alone)).0,
            };
            let strength = &mut self.strengths[*member];
            *strength =
                Strength { elo, error: found.error, low: found.low, high: found.high, group: number, ..*strength };
        }
    }

    /// How far `a` is above `b`; `None` for one and the same, for entrants of different groups, and for one that does
    /// not exist.
    pub fn difference(&self, a: usize, b: usize) -> Option<Difference> {
        self.compare(a, b).map(|(found, _)| found)
    }

    /// The same, and the end of the interval where it has only one.
    fn compare(&self, a: usize, b: usize) -> Option<(Difference, Option<End>)> {
        let (one, other) = (self.strengths.get(a)?, self.strengths.get(b)?);
        if a == b || one.group != other.group {
            return None;
        }
        if let Some(found) = self.of_two(a, b) {
            return Some((found, None));
        }
        let bounded = (self.reach.has(a, b), self.reach.has(b, a));
        let contrast = Contrast { among: vec![a, b], ..Contrast::new(&[(a, 1.0), (b, -1.0)], self) };
        Some(self.bound(one.elo - other.elo, &contrast, bounded))
    }

    /// The difference of two that met nobody else, if results bound it below and above.
    fn of_two(&self, a: usize, b: usize) -> Option<Difference> {
        let pair = self.pairs.iter().find(|pair| [(a, b), (b, a)].contains(&(pair.one, pair.other)))?;
        if !self.reach.both(a, b) {
            return None;
        }
        let two = (pair.one, pair.other);
        let factor = self.scaling.factor(&self.ways.at).0;
        let end = |share: f64| self.ways.difference_at(two, share).map(|end| factor * end);
        let (low, high) = pair.share.interval();
        let (low, high) = (end(low)?, end(high)?);
        let elo = factor * (self.ways.at[pair.one] - self.ways.at[pair.other]);
        // One standard error is that of the share, by the slope between the ends.
        let (from, to) = pair.share.interval();
        let error = if pair.share.error() > 0.0 { pair.share.error() } else { (to - from) / (2.0 * TWO_SIDED) };
        let error = error * (high - low) / (to - from);
        let superiority = pair.share.superiority();
        let found = Difference { elo, error, low: Some(low), high: Some(high), superiority };
        Some(if a == pair.one { found } else { found.turned() })
    }

    /// The interval of a contrast of strengths that results bound below and above, or not.
    fn bound(&self, elo: f64, contrast: &Contrast, bounded: (bool, bool)) -> (Difference, Option<End>) {
        let (model, spread) = self.spread(contrast);
        match bounded {
            (true, true) => (interval(elo, spread), None),
            (false, false) => {
                (Difference { low: None, high: None, ..interval(elo, Spread { variance: model, ..spread }) }, None)
            }
            (is_open_above, _) => {
                let (found, end) = self.one_sided(elo, model, &contrast.weights, is_open_above);
                (found, Some(end))
            }
        }
    }

    /// A difference that results bound on one side, below if it is open above: with the error that the prior gives it.
    fn one_sided(&self, elo: f64, variance: f64, contrast: &[(usize, f64)], is_open_above: bool) -> (Difference, End) {
        let end = self.ways.end(contrast, is_open_above);
        // Draws stay as they are on the way to the end, and so does their effect on a unit.
        let bound = self.scaling.factor(&self.ways.at).0 * end.contrast;
        // As after n wins of n with any chance of a win thought equally likely: 1 - 2^-(n + 1).
        let stronger = 1.0 - end.ln_at_zero.exp() / 2.0;
        let (low, high, superiority) =
            if is_open_above { (Some(bound), None, stronger) } else { (None, Some(bound), 1.0 - stronger) };
        (Difference { elo, error: variance.max(0.0).sqrt(), low, high, superiority }, end)
    }

    /// The number of matches that each of two entrants would need against its opponents so far, to show their
    /// difference with a probability of 80 %, if it is as it seems; see [`blocks_to_separate`]. If the difference is
    /// bounded on one side, it assumes that results go on in the same way. `None` if there is no difference, or no
    /// chain of results that bounds it.
    pub fn matches_to_separate(&self, a: usize, b: usize) -> Option<u64> {
        let (found, end) = self.compare(a, b)?;
        let played = self.strengths[a].distinct.min(self.strengths[b].distinct);
        match end {
            Some(end) => end.matches_to_show(played),
            None if found.is_bounded() => blocks_to_separate(found.elo, found.error, played),
            None => None,
        }
    }
}

/// The error and the interval of a difference.
fn interval(elo: f64, Spread { variance, degrees }: Spread) -> Difference {
    let error = variance.max(0.0).sqrt();
    let reach = error * student(TWO_SIDED, degrees);
    let superiority = if error > 0.0 { student_below(elo / error, degrees) } else { 0.5 };
    Difference { elo, error, low: Some(elo - reach), high: Some(elo + reach), superiority }
}

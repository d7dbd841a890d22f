//! Ratings as they are handed out: strengths, the difference of any two with its interval, and who cannot be compared.

use crate::estimate::{Estimate, FEWEST_BLOCKS};
use crate::fit::Fit;
use crate::matrix::Matrix;
use crate::normal::{TWO_SIDED, below, student};
use crate::one_sided::{End, Value, Ways};
use crate::reach::Reach;
use crate::rows::{Count, Options, Unfit};
use crate::separate::blocks_to_separate;
use std::sync::Arc;

/// What is known of one entrant's strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Points (Elo) above the mean of the core of its group: the largest set of which each member is better and worse than the
    /// others by some chain of results. Where all such sets are single entrants, the whole group is the core.
    pub elo: f64,
    /// One standard error of that; where the interval is open, mostly the prior's. For the difference of two entrants it says little:
    /// ask [`Ratings::difference`].
    pub error: f64,
    /// The lower end of the 95 % interval; `None` = unbounded, and then the other end has all 5 % to itself.
    pub low: Option<f64>,
    /// The upper end; `None` = unbounded, as for one who never lost a point.
    pub high: Option<f64>,
    /// The number of its group in [`Ratings::groups`].
    pub group: usize,
    /// Seats played.
    pub matches: u64,
    /// Of these, distinct games: the number that the errors rest on.
    pub distinct: f64,
    /// Blocks with one of them, repeated ones counted as the distinct games are.
    pub blocks: f64,
}

/// How far one entrant is above another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Points (Elo).
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
    /// Whether results bound it at all: a chain of results leads from one of the two to the other. If none does, it is the prior's.
    pub fn is_bounded(&self) -> bool {
        self.low.is_some() || self.high.is_some()
    }
}

/// The strengths of all entrants, from one fit.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// By entrant.
    pub strengths: Vec<Strength>,
    /// The entrants of each set that results connect, in order. Strengths of different groups cannot be compared.
    pub groups: Vec<Vec<usize>>,
    /// The advantage of the first seat in points (Elo), where it was fitted.
    pub first_seat: Option<Estimate>,
    /// The probability of a draw between equals without seats, where it was fitted and there were draws.
    pub draw_rate: Option<Estimate>,
    /// Covariance of strengths by the model, and robust by block.
    model: Matrix,
    robust: Option<Matrix>,
    reach: Reach,
    /// To where results do not bound a difference on both sides.
    ways: Arc<Ways>,
    scaling: Scaling,
}

/// How parameters become points, and where those stand that are no strengths.
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
    options: &Options,
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
    /// Draws flatten the curve of the expected score by one less their probability between equals; with this factor its slope
    /// there is that of the usual one, as in BayesElo.
    fn factor(&self, at: &[f64]) -> (f64, f64) {
        let rate = self.draw.map_or(0.0, |place| draw_rate(at[place]));
        (self.points * (1.0 - rate), -self.points * rate * (1.0 - rate))
    }

    /// The covariance in points of strengths and advantage (by the delta method, since the factor is estimated too).
    fn covariance(&self, matrix: &Matrix, at: &[f64], size: usize) -> Matrix {
        let (factor, change) = self.factor(at);
        let with_draw = |row: usize| self.draw.map_or(0.0, |place| matrix.at(row, place));
        let draw = self.draw.map_or(0.0, |place| matrix.at(place, place));
        let mut scaled = Matrix::zero(size);
        for row in 0..size {
            for column in 0..=row {
                let mixed = at[row] * with_draw(column) + at[column] * with_draw(row);
                let value = factor * factor * matrix.at(row, column)
                    + factor * change * mixed
                    + change * change * at[row] * at[column] * draw;
                scaled.set(row, column, value);
            }
        }
        scaled.mirror();
        scaled
    }
}

/// The probability of a draw between equals, from the logarithm of Davidson's nu.
fn draw_rate(ln_nu: f64) -> f64 {
    1.0 / (1.0 + 2.0 * (-ln_nu).exp())
}

impl Ratings {
    pub(crate) fn new(
        fit: Fit,
        likelihood: Box<dyn Value + Send + Sync>,
        scaling: Scaling,
        groups: Vec<Vec<usize>>,
        reach: Reach,
        counts: &[Count],
        whole: Count,
    ) -> Ratings {
        let Fit { at, model: covariance, robust } = fit;
        let entrants = counts.len();
        let size = entrants + usize::from(scaling.advantage.is_some());
        let (factor, _) = scaling.factor(&at);
        let best = robust.as_ref().unwrap_or(&covariance);
        let blocks = whole.blocks.round() as u64;
        let draw_rate = scaling.draw.map(|place| {
            let rate = draw_rate(at[place]);
            Estimate { mean: rate, error: Some(rate * (1.0 - rate) * best.at(place, place).max(0.0).sqrt()), blocks }
        });
        let model = scaling.covariance(&covariance, &at, size);
        let robust = robust.as_ref().map(|robust| scaling.covariance(robust, &at, size));
        let first_seat = scaling.advantage.map(|place| {
            let (model, robust) = (model.at(place, place), robust.as_ref().map(|robust| robust.at(place, place)));
            let variance = robust.map_or(model, |robust| at_least_unseen(robust, model, whole.blocks));
            Estimate { mean: factor * at[place], error: Some(variance.max(0.0).sqrt()), blocks }
        });
        let per_block = if whole.blocks > 0.0 { whole.weight / whole.blocks } else { 1.0 };
        let strength = |(entrant, count): (usize, &Count)| Strength {
            elo: factor * at[entrant],
            error: 0.0,
            low: None,
            high: None,
            group: 0,
            matches: count.matches,
            distinct: count.weight,
            blocks: count.blocks,
        };
        let strengths = counts.iter().enumerate().map(strength).collect();
        let ways = Arc::new(Ways { at, covariance, likelihood, per_block: per_block.max(1.0) });
        let mut ratings = Ratings { strengths, groups, first_seat, draw_rate, model, robust, reach, ways, scaling };
        (0..ratings.groups.len()).for_each(|group| ratings.centre(group));
        ratings
    }

    /// Gives the strengths of a group their zero, errors and intervals.
    fn centre(&mut self, number: usize) {
        let group = self.groups[number].clone();
        let core = core(&self.reach, &group);
        let zero = core.iter().map(|member| self.strengths[*member].elo).sum::<f64>() / core.len() as f64;
        let model = deviations(&self.model, &group, &core);
        let robust = self.robust.as_ref().map(|robust| deviations(robust, &group, &core));
        for (place, member) in group.iter().enumerate() {
            let low = core.iter().all(|other| self.reach.has(*member, *other));
            let high = core.iter().all(|other| self.reach.has(*other, *member));
            let blocks = self.strengths[*member].blocks;
            let elo = self.strengths[*member].elo - zero;
            let robust = robust.as_ref().map(|robust| robust[place]);
            let alone = group.len() == 1;
            let bounded = (low && !alone, high && !alone);
            let found = match bounded.0 == bounded.1 {
                true => interval(elo, model[place], robust, blocks, bounded.0),
                false => {
                    let mean = core.iter().map(|other| (*other, -1.0 / core.len() as f64));
                    let contrast: Vec<(usize, f64)> = mean.chain([(*member, 1.0)]).collect();
                    self.one_sided(elo, model[place], &contrast, bounded.0).0
                }
            };
            let strength = &mut self.strengths[*member];
            *strength =
                Strength { elo, error: found.error, low: found.low, high: found.high, group: number, ..*strength };
        }
    }

    /// How far `a` is above `b`; `None` for one and the same, for entrants of different groups, and for one that does not exist.
    pub fn difference(&self, a: usize, b: usize) -> Option<Difference> {
        self.compare(a, b).map(|(found, _)| found)
    }

    /// The same, and the end of the interval where it has only one.
    fn compare(&self, a: usize, b: usize) -> Option<(Difference, Option<End>)> {
        let (one, other) = (self.strengths.get(a)?, self.strengths.get(b)?);
        if a == b || one.group != other.group {
            return None;
        }
        let variance = |matrix: &Matrix| matrix.at(a, a) + matrix.at(b, b) - 2.0 * matrix.at(a, b);
        let (elo, model) = (one.elo - other.elo, variance(&self.model));
        let (is_bounded, is_bounded_above) = (self.reach.has(a, b), self.reach.has(b, a));
        if is_bounded != is_bounded_above {
            let (found, end) = self.one_sided(elo, model, &[(a, 1.0), (b, -1.0)], is_bounded);
            return Some((found, Some(end)));
        }
        let blocks = one.blocks.min(other.blocks);
        Some((interval(elo, model, self.robust.as_ref().map(variance), blocks, is_bounded), None))
    }

    /// A difference that results bound on one side, below if it is open above: with the error that the prior gives it.
    fn one_sided(&self, elo: f64, variance: f64, contrast: &[(usize, f64)], is_open_above: bool) -> (Difference, End) {
        let end = self.ways.end(contrast, is_open_above);
        // Draws stay as they are on the way to the end, and so does what they make of a unit.
        let bound = self.scaling.factor(&self.ways.at).0 * end.contrast;
        // As after n wins of n with any chance of a win thought equally likely: 1 - 2^-(n + 1).
        let stronger = 1.0 - end.ln_at_zero.exp() / 2.0;
        let (low, high, superiority) = match is_open_above {
            true => (Some(bound), None, stronger),
            false => (None, Some(bound), 1.0 - stronger),
        };
        (Difference { elo, error: variance.max(0.0).sqrt(), low, high, superiority }, end)
    }

    /// How many matches each of two entrants would need, all in all and against such opponents as they had, for their difference to
    /// be seen with a probability of 80 %, if it is what it seems; see [`blocks_to_separate`]. Where it is bounded on one side: if all
    /// goes on as it did. `None` where there is no difference, or no chain of results that bounds it.
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

/// Where all blocks came out alike, their spread seems to be nothing. But what never came in n blocks may come in three of a hundred
/// where n is a hundred (the rule of three; Hanley and Lippman-Hand, JAMA 249, 1983): blocks of two won by either side so often have
/// this part, divided by n, of the variance that independent games have.
const UNSEEN: f64 = 6.0;

fn at_least_unseen(robust: f64, model: f64, blocks: f64) -> f64 {
    robust.max(model * (UNSEEN / blocks).min(1.0))
}

/// The error and the interval of a difference, from its variances; without ends where no results bound it.
///
/// The robust variance stands where blocks are many. With fewer the greater of the two does, as the robust one is then itself too
/// uncertain. It is never less than [`UNSEEN`] leaves possible.
fn interval(elo: f64, model: f64, robust: Option<f64>, blocks: f64, is_bounded: bool) -> Difference {
    let many = blocks >= FEWEST_BLOCKS as f64;
    let variance = match robust {
        _ if !is_bounded => model,
        Some(robust) if many => at_least_unseen(robust, model, blocks),
        Some(robust) => robust.max(model),
        None => model,
    };
    let error = variance.max(0.0).sqrt();
    let reach = error * if many { student(TWO_SIDED, blocks - 1.0) } else { TWO_SIDED };
    let (low, high) = (is_bounded.then_some(elo - reach), is_bounded.then_some(elo + reach));
    let superiority = if error > 0.0 { below(elo / error) } else { 0.5 };
    Difference { elo, error, low, high, superiority }
}

/// The variance of each member of the group less the mean of the core.
fn deviations(matrix: &Matrix, group: &[usize], core: &[usize]) -> Vec<f64> {
    let with_mean = |row: usize| core.iter().map(|other| matrix.at(row, *other)).sum::<f64>() / core.len() as f64;
    let mean = core.iter().map(|row| with_mean(*row)).sum::<f64>() / core.len() as f64;
    group.iter().map(|row| matrix.at(*row, *row) - 2.0 * with_mean(*row) + mean).collect()
}

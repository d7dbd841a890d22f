//! Measures how estimates vary from cluster to cluster: the variance of a contrast, and its degrees of freedom.
//!
//! Three sources count, each with its degrees of freedom. The first is the contrast itself in the clusters: the
//! sandwich of White 1982 and Liang and Zeger 1986. Residuals are corrected for their leverage as in MacKinnon and
//! White's HC2; the effective number of clusters is that of Carter, Schnepel and Steigerwald 2017. The second is the
//! excess of the variance of all strengths together over that of independent games, which few clusters show far better.
//! The third, before any result, is the usual variance. Variances are combined by their degrees of freedom, as Smyth
//! (2004) does with those of many genes.
//!
//! Clusters of a stratum (see [`crate::strata`]) are compared with their own mean, not with the model. This is HC2 for a
//! model that has a parameter for each stratum.

use crate::matrix::Matrix;

/// The usual correlation of one client's results in one cluster, before there are results.
const USUAL: f64 = 0.15;
/// The standard deviation of that.
const UNUSUAL: f64 = 0.4;
/// The usual variance counts as at least this many degrees of freedom.
const LEAST_BEFORE: f64 = 2.0;
/// The variance of all strengths counts for one contrast as this many degrees of freedom, because contrasts may differ.
const POOLED: f64 = 10.0;
/// The least share of independent variance that remains in a cluster.
const LEAST: f64 = 0.05;
/// The most clusters whose numbers are kept, to count for each contrast the clusters that matter to it. With more clusters than
/// that, it hardly matters which ones count.
const KEPT: usize = 300_000;
/// If all clusters are alike, their spread seems to be zero. But an event that never came in n of them may come in
/// three of a hundred where n is a hundred (the rule of three; Hanley and Lippman-Hand, JAMA 249, 1983). Blocks of two
/// that either side wins so often have this part, divided by n, of the variance of independent games.
const UNSEEN: f64 = 6.0;

/// Score and information of a cluster, by parameter: the first derivatives of its log-likelihood, and minus the second
/// ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cluster {
    score: Vec<(usize, f64)>,
    /// Rows not below columns.
    information: Vec<(usize, usize, f64)>,
    /// The number of its stratum; 0 if it is in none.
    stratum: u32,
    /// In a stratum, the sum of the squares of its clusters' shares of the information.
    shares: Option<f64>,
}

/// The clusters of a fit.
#[derive(Clone, Debug)]
pub(crate) struct Clusters {
    robust: Matrix,
    /// By how much all strengths vary more than by independent games, and the degrees of freedom of that.
    inflation: f64,
    degrees: f64,
    /// The degrees of freedom of the clusters of each entrant.
    own: Vec<f64>,
    /// Unless there are too many.
    kept: Option<Vec<Cluster>>,
}

/// The sums over clusters.
struct Sums {
    entrants: usize,
    /// The squares of the scores of strengths, and their expectation for independent games.
    seen: f64,
    expected: f64,
    /// The information on each entrant.
    own: Vec<Effective>,
    /// The number of entrants in the clusters, and of differences.
    entries: f64,
    ranks: f64,
}

/// The effective number of clusters, from the information of each.
#[derive(Clone, Copy, Debug, Default)]
struct Effective {
    sum: f64,
    squares: f64,
    /// The part of the sum from clusters in no stratum.
    together: f64,
}

/// A variance, and the degrees of freedom that it has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    pub variance: f64,
    pub degrees: f64,
}

impl Effective {
    fn add(&mut self, cluster: &Cluster, information: f64) {
        self.sum += information;
        // The degrees of freedom of a stratum are one less than its clusters of equal weight.
        self.squares += information * information / (1.0 - cluster.shares.unwrap_or(0.0));
        self.together += if cluster.shares.is_none() { information } else { 0.0 };
    }

    /// Degrees of freedom, by Satterthwaite's approximation. Clusters in no stratum have one less together.
    fn degrees(&self) -> f64 {
        if self.squares > 0.0 { (self.sum * self.sum / self.squares - self.together / self.sum).max(0.0) } else { 0.0 }
    }
}

impl Cluster {
    pub fn in_stratum(stratum: u32) -> Cluster {
        Cluster { stratum, ..Cluster::default() }
    }

    /// Adds to the score. Places may be repeated.
    pub fn push(&mut self, place: usize, score: f64) {
        self.score.push((place, score));
    }

    /// Adds to the information, on one side of the diagonal.
    pub fn inform(&mut self, row: usize, column: usize, information: f64) {
        self.information.push((row.max(column), row.min(column), information));
    }

    /// The sums over clusters: their scores, and the lower triangle of their information.
    #[cfg(test)]
    pub fn sum(clusters: impl Iterator<Item = Cluster>, size: usize) -> (Vec<f64>, Matrix) {
        let mut sum = (vec![0.0; size], Matrix::zero(size));
        for cluster in clusters {
            cluster.score.iter().for_each(|(place, score)| sum.0[*place] += score);
            cluster.information.iter().for_each(|(row, column, value)| sum.1.add(*row, *column, *value));
        }
        sum
    }

    /// Adds up repeated entries.
    fn gather(&mut self) {
        self.score.sort_by_key(|part| part.0);
        self.score.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            kept.1 += if is_same { next.1 } else { 0.0 };
            is_same
        });
        self.information.sort_by_key(|part| (part.0, part.1));
        self.information.dedup_by(|next, kept| {
            let is_same = (next.0, next.1) == (kept.0, kept.1);
            kept.2 += if is_same { next.2 } else { 0.0 };
            is_same
        });
    }

    /// The trace of its information times that matrix, over these parameters.
    fn trace(&self, matrix: &Matrix, parameters: usize) -> f64 {
        let cells = self.information.iter().filter(|(row, ..)| *row < parameters);
        cells.map(|(row, column, value)| if row == column { 1.0 } else { 2.0 } * value * matrix.at(*row, *column)).sum()
    }

    /// The most independent differences of strengths that the clusters can show.
    fn rank(&self, entrants: usize) -> f64 {
        let strengths = self.information.iter().filter(|(row, ..)| *row < entrants);
        let (own, pairs) = strengths.fold(
            (0usize, 0),
            |(own, pairs), (row, column, _)| if row == column { (own + 1, pairs) } else { (own, pairs + 1) },
        );
        own.saturating_sub(1).min(pairs).max(1) as f64
    }

    /// The variance of a contrast in it, by the model.
    fn expected(&self, way: &[f64]) -> f64 {
        let cells = self.information.iter();
        cells.map(|(row, column, value)| if row == column { 1.0 } else { 2.0 } * value * way[*row] * way[*column]).sum()
    }
}

impl Sums {
    /// Adds a cluster of which this part of the variance of its residuals is left.
    fn add(&mut self, cluster: &Cluster, left: f64) {
        let scores = cluster.score.iter().filter(|(place, _)| *place < self.entrants);
        self.seen += scores.map(|(_, score)| score * score).sum::<f64>();
        for (place, _, value) in
            cluster.information.iter().filter(|(row, column, _)| row == column && *row < self.entrants)
        {
            self.expected += left * value;
            self.own[*place].add(cluster, *value);
            self.entries += 1.0;
        }
        self.ranks += cluster.rank(self.entrants);
    }

    /// The excess of the variance of strengths over that of independent games, its degrees of freedom, and those of
    /// each entrant. `per_entrant` is the number of an entrant's games in a cluster.
    fn inflation(&self, per_entrant: f64) -> (f64, f64, Vec<f64>) {
        let own: Vec<f64> = self.own.iter().map(Effective::degrees).collect();
        let spare: f64 = own.iter().sum();
        let found = if self.entries > 0.0 { spare * self.ranks / self.entries } else { 0.0 };
        let usual = 1.0 + USUAL * (per_entrant - 1.0);
        let before = 2.0 * (usual / (UNUSUAL * (per_entrant - 1.0))).powi(2).clamp(LEAST_BEFORE, 1e6);
        let seen = if self.expected > 0.0 { self.seen / self.expected } else { usual };
        ((before * usual + found * seen) / (before + found), before + found, own)
    }
}

impl Clusters {
    /// The clusters of a fit with this covariance by the model, in which an entrant plays this number of games in a
    /// cluster.
    pub fn new(
        covariance: &Matrix,
        entrants: usize,
        per_entrant: f64,
        clusters: impl Iterator<Item = Cluster>,
    ) -> Clusters {
        let (seen, expected, own) = (0.0, 0.0, vec![Effective::default(); entrants]);
        let mut sums = Sums { entrants, seen, expected, own, entries: 0.0, ranks: 0.0 };
        let mut middle = Matrix::zero(covariance.size());
        let (mut kept, mut cells) = (Some(Vec::new()), 0);
        let mut clusters = clusters.peekable();
        while let Some(first) = clusters.next() {
            let number = first.stratum;
            let mut stratum = vec![first];
            while let Some(next) = clusters.next_if(|next| number > 0 && next.stratum == number) {
                stratum.push(next);
            }
            let leverages = leverages(&mut stratum, covariance, entrants);
            for (cluster, leverage) in stratum.into_iter().zip(leverages) {
                let left = (1.0 - leverage).max(LEAST);
                middle.add_outer(1.0 / left, &cluster.score);
                sums.add(&cluster, left);
                cells += cluster.information.len();
                kept = kept.filter(|_| cells <= KEPT);
                if let Some(kept) = &mut kept {
                    kept.push(cluster);
                }
            }
        }
        middle.mirror();
        let (inflation, degrees, own) = sums.inflation(per_entrant);
        Clusters { robust: covariance.sandwich(&middle), inflation, degrees, own, kept }
    }

    pub fn robust(&self) -> &Matrix {
        &self.robust
    }

    /// The spread of a contrast of these entrants, from its covariances with all parameters and its variances by the
    /// model and by the sandwich.
    pub fn spread(&self, among: &[usize], way: &[f64], model: f64, robust: f64) -> Spread {
        let own = match &self.kept {
            Some(clusters) => {
                let mut effective = Effective::default();
                clusters.iter().for_each(|cluster| effective.add(cluster, cluster.expected(way)));
                effective.degrees()
            }
            None => among.iter().map(|entrant| self.own[*entrant]).reduce(f64::min).unwrap_or(0.0),
        };
        // The contrast is part of all strengths: it counts once.
        let pooled = POOLED.min((self.degrees - own).max(0.0));
        let variance = (own * robust + pooled * self.inflation * model) / (own + pooled);
        let unseen = model * (UNSEEN / (own + 1.0)).min(1.0);
        Spread { variance: variance.max(unseen), degrees: own + pooled }
    }
}

/// Gathers the clusters of a stratum, or a cluster in none, and takes from each score its share of all. The leverages of
/// the residuals.
fn leverages(clusters: &mut [Cluster], covariance: &Matrix, entrants: usize) -> Vec<f64> {
    clusters.iter_mut().for_each(Cluster::gather);
    let traces: Vec<f64> = clusters.iter().map(|cluster| cluster.trace(covariance, entrants)).collect();
    if let [alone] = clusters {
        return vec![traces[0] / alone.rank(entrants)];
    }
    let sum: f64 = traces.iter().sum();
    // Matches of a client against itself show nothing.
    let share = |trace: &f64| if sum > 0.0 { trace / sum } else { 1.0 / clusters.len() as f64 };
    let shares: Vec<f64> = traces.iter().map(share).collect();
    let squares = shares.iter().map(|share| share * share).sum();
    let mut all = Cluster::default();
    clusters.iter().for_each(|cluster| all.score.extend(&cluster.score));
    all.gather();
    for (cluster, share) in clusters.iter_mut().zip(&shares) {
        cluster.shares = Some(squares);
        cluster.score.extend(all.score.iter().map(|(place, score)| (*place, -share * score)));
        cluster.gather();
    }
    shares
}

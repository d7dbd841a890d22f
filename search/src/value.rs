//! Turns terms into one number, by a heuristic and its weights.

use crate::terms::TerritoryTerms;

/// The formula for the worth of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// Vertices the queens can slide to: `own` times those of the side to move less `other` times those of the other
    /// side.
    Mobility {
        /// Weight of the side to move.
        own: i32,
        /// Weight of the other side.
        other: i32,
    },
    /// Vertices that a side reaches in fewer moves of queens than the other, counted.
    Territory,
    /// All of Lieberum's terms.
    Full(Weights),
    /// The same with the default weights, corrected by a network.
    Network,
}

/// The weights of the full evaluation, thousandths, at four contested fractions w / (free vertices that somebody
/// reaches); between them they change evenly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights(pub [Knot; 4]);

/// Weights at one contested fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knot {
    /// The contested fraction, in 1/256; ascending from knot to knot.
    pub at: i32,
    /// The weights of t1, c1, c2 and t2, and of the mobility term.
    pub weights: [i32; 5],
}

impl Weights {
    /// The default: by logistic regression on games of `alphabeta` against itself on boards of eight kinds, then step
    /// by step by what wins (docs/notebook/amazons.md, "Weights").
    pub const TUNED: Weights = Weights([
        Knot { at: 0, weights: [900, 202, 638, 949, 1500] },
        Knot { at: 38, weights: [663, 160, 295, 187, 340] },
        Knot { at: 90, weights: [268, 14, 399, 251, 117] },
        Knot { at: 154, weights: [24, 131, 261, 59, 97] },
    ]);
}

impl Default for Weights {
    fn default() -> Weights {
        Weights::TUNED
    }
}

/// Thousandths of a vertex: the unit of values.
pub const VERTEX: i32 = 1000;

impl Weights {
    /// The weights at a contested fraction in 1/256.
    #[inline]
    fn at(&self, fraction: i32) -> [i32; 5] {
        let [first, .., last] = &self.0;
        if fraction <= first.at {
            return first.weights;
        }
        let between = self.0.windows(2).find(|pair| fraction < pair[1].at);
        between.map_or(last.weights, |pair| {
            let (low, high) = (&pair[0], &pair[1]);
            let (part, whole) = (fraction - low.at, high.at - low.at);
            std::array::from_fn(|i| low.weights[i] + (high.weights[i] - low.weights[i]) * part / whole)
        })
    }

    /// Whether the mobility of queens counts at all.
    pub(crate) fn has_mobility(&self) -> bool {
        self.0.iter().any(|knot| knot.weights[4] != 0)
    }

    /// The value for the side to move, in thousandths of a vertex.
    #[inline]
    pub(crate) fn value(&self, features: &Features) -> i32 {
        let [t1, c1, c2, t2, m] = self.at(features.fraction());
        let Features { terms, trapped, .. } = features;
        let by_queens = t1 * (5 * terms.closer1 + terms.tied1) / 5 + c1 * terms.near1 / 64;
        let by_kings = t2 * (5 * terms.closer2 + terms.tied2) / 5 + c2 * terms.near2 / 6;
        // Many queens on a large board pass 32 bits on the way.
        let mobility = i64::from(*trapped) * i64::from(terms.contested) * i64::from(m) / (256 * 1024);
        by_queens + by_kings + mobility as i32
    }
}

/// The inputs of the full heuristic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// For the side to move.
    pub terms: TerritoryTerms,
    /// How trapped the other side's queens are less how trapped one's own are, 1024 for one that cannot move, as if
    /// there were four a side.
    pub trapped: i32,
    /// The vertices that somebody reaches.
    pub reached: i32,
    /// Whether one side alone reaches as many vertices as the other side reaches at all.
    pub may_be_decided: bool,
    /// How many free vertices one can come to and the other side cannot, and the other way round; counted where nothing
    /// else is.
    pub alone: [i32; 2],
}

impl Features {
    /// These, which are those of side 0, for a side.
    #[must_use]
    #[inline(always)]
    pub(crate) fn seen_from(self, side: usize) -> Features {
        if side == 0 {
            return self;
        }
        let [own, other] = self.alone;
        Features { terms: self.terms.seen_from(side), trapped: -self.trapped, alone: [other, own], ..self }
    }

    /// The contested fraction w / (vertices that somebody reaches), in 1/256.
    pub fn fraction(&self) -> i32 {
        self.terms.contested * 2 / self.reached.max(1)
    }

    /// The factors of the weights of a [`Knot`], in vertices: t1, c1, c2, t2, and for mobility half of w vertices for a
    /// queen that cannot move at all.
    pub fn factors(&self) -> [f64; 5] {
        let TerritoryTerms { closer1, tied1, closer2, tied2, near1, near2, contested } = self.terms;
        let tied = |closer, tied| f64::from(closer) + f64::from(tied) / 5.0;
        let mobility = f64::from(self.trapped) / 1024.0 * f64::from(contested) / 256.0;
        [tied(closer1, tied1), f64::from(near1) / 64.0, f64::from(near2) / 6.0, tied(closer2, tied2), mobility]
    }
}

/// [`trapped`] for each number below it.
const TRAPPED: [i16; 50] = {
    let mut table = [0; 50];
    let (mut at, mut fine) = (0, 1024 * 1_000_000i64);
    while at < table.len() {
        table[at] = (fine / 1_000_000) as i16;
        fine = fine * 870_551 / 1_000_000;
        at += 1;
    }
    table
};

/// How trapped a queen with this elbow room is: 1024 * 2^(-room / 5), 1024 if it cannot move.
#[inline]
pub(crate) fn trapped(room: i32) -> i32 {
    TRAPPED.get(room as usize).copied().unwrap_or(0).into()
}

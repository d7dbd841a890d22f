//! The common input of the two rating models: their options, and possible errors of the data.

use std::fmt;

/// The most seats of a match. Seats that share a rank cost two to the power of their number.
pub const MOST_SEATS: usize = 12;

/// Elo points for one unit of log odds: 400 points are odds of ten to one.
pub const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// The scale of Ordo: 202 points are an expected score of 76 %, which is 0.9 % wider than [`ELO`].
pub const ORDO: f64 = 175.243_854_218_244_54;

/// How draws between two seats count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// A third result with its own parameter (Davidson 1970; with the order of seats, Davidson and Beaver 1977).
    Davidson,
    /// Half a win and half a loss, as Ordo has it.
    HalfPoints,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingOptions {
    /// Draws, for two seats; the ties of more seats always count as in [`crate::plackett_luce`].
    pub draws: Draws,
    /// Whether the advantage of the first seat is fitted, for two seats; with more the rotations of a block balance the
    /// seats.
    pub first_seat: bool,
    /// The standard deviation, in units of `scale` times log odds (Elo), of the normal prior on each strength whose
    /// differences to others the results leave open; `None` for none, and then clients without a loss or without a win
    /// are refused. With it goes one drawn game of two equals for the first seat's advantage: where a client won every
    /// match from its first seat, results leave the advantage open, and it would carry strengths away with it.
    pub prior: Option<f64>,
    /// Points for one unit of log odds: [`ELO`] or [`ORDO`].
    pub scale: f64,
    /// Whether copies count once: see [`crate::copies`].
    pub distinct: bool,
}

impl Default for RatingOptions {
    /// Davidson's draws, the first seat fitted, a prior of 1000 Elo, copies counted once.
    fn default() -> RatingOptions {
        RatingOptions { draws: Draws::Davidson, first_seat: true, prior: Some(1000.0), scale: ELO, distinct: true }
    }
}

impl RatingOptions {
    /// The options of Ordo (its manual, "ordo -W"): draws as half points, no prior, its own scale, every game counted.
    pub fn ordo() -> RatingOptions {
        RatingOptions { draws: Draws::HalfPoints, first_seat: true, prior: None, scale: ORDO, distinct: false }
    }

    pub(crate) fn check(&self) -> Result<(), Unfit> {
        let positive = |number: f64| number.is_finite() && number > 0.0;
        (positive(self.scale) && self.prior.is_none_or(positive)).then_some(()).ok_or(Unfit::Options)
    }

    /// The weight of the prior in the log-likelihood, for strengths in log odds.
    pub(crate) fn ridge(&self) -> f64 {
        self.prior.map_or(0.0, |deviation| (self.scale / deviation).powi(2))
    }
}

/// Why there are no ratings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// A row names an entrant that does not exist.
    UnknownEntrant {
        entrant: u32,
        /// How many there are.
        entrants: usize,
    },
    /// A row has fewer than two seats or more than [`MOST_SEATS`].
    Seats(
        /// How many it has.
        usize,
    ),
    /// Without a prior, strengths are infinite: no chain of results leads from these entrants up to all the others of
    /// their group.
    Unbounded(
        /// The entrants, in order.
        Vec<usize>,
    ),
    /// The prior, the scale or the pace is not a number in its range.
    Options,
    /// The results do not determine the parameters.
    Singular,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::UnknownEntrant { entrant, entrants } => {
                write!(f, "a result names entrant {entrant}, but they are numbered from 0 and there are {entrants}")
            }
            Unfit::Seats(seats) => {
                write!(f, "a result has {seats} seats, but ratings need 2 to {}: leave it out", MOST_SEATS)
            }
            Unfit::Unbounded(entrants) => write!(
                f,
                "entrants {entrants:?} never lost, or never won, against others of their group, so that their ratings are \
                 infinite: rate with a prior, or leave them out"
            ),
            Unfit::Options => {
                write!(
                    f,
                    "prior, scale and a newcomer's deviation must be positive numbers: 1000, 173.7 and 350 are usual"
                )
            }
            Unfit::Singular => write!(
                f,
                "the results do not tell the parameters apart, as when every client keeps to one seat: rate with a prior, or \
                 without the first seat's advantage"
            ),
        }
    }
}

impl std::error::Error for Unfit {}

impl Unfit {
    /// Checks the players of a match.
    pub(crate) fn check(seats: impl ExactSizeIterator<Item = u32>, entrants: usize) -> Result<(), Unfit> {
        let count = seats.len();
        if !(2..=MOST_SEATS).contains(&count) {
            return Err(Unfit::Seats(count));
        }
        seats.into_iter().try_for_each(|entrant| {
            if (entrant as usize) < entrants { Ok(()) } else { Err(Unfit::UnknownEntrant { entrant, entrants }) }
        })
    }
}

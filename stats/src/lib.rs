//! Standings as pure functions of results: points, ranks, scores and their standard errors; ratings and sequential
//! tests.
//!
//! The unit of statistics is the start: results from one start are not independent, whoever met in it. If all matches
//! began alike, the unit is the block (all rotations of one line-up on one opening), and the results describe only this
//! start. The same results in any order give the same bytes: the sums of standings are integers, and ratings sort their
//! results first. Only [`continuous`] and [`sprt`] depend on the order, and expect that of the schedule.
//!
//! [`bradley_terry`] (two seats) and [`plackett_luce`] (more) fit strengths to all results at once and return [`Ratings`].

pub mod bayeselo;
pub mod bradley_terry;
mod clusters;
mod collapse;
pub mod continuous;
pub mod copies;
mod estimate;
mod fit;
mod interval;
pub mod matrix;
mod normal;
mod one_sided;
mod one_start;
mod options;
mod part;
pub mod plackett_luce;
mod ratings;
mod reach;
mod sample;
mod separate;
pub mod sources;
pub mod sprt;
pub mod spsa;
mod starts;
mod strata;
mod tally;

pub use estimate::{Estimate, separated};
pub use options::{Draws, ELO, ORDO, RatingOptions, Unfit};
pub use ratings::{Difference, Ratings, Strength};
pub use separate::blocks_to_separate;
pub use starts::Start;
pub use tally::{Points, SeatFault, SeatLine, SeatOutcome, Tally, TallyRow};

//! Standings as pure functions of results: points, ranks, scores and their standard errors; ratings and sequential tests.
//!
//! The unit of statistics is the block (all rotations of one line-up on one opening): the matches of a block share an opening, so
//! they are not independent, and only blocks are compared with each other. Sums are integers, so that the same results in any
//! order give the same bytes; floating point comes at the very end.
#![forbid(unsafe_code)]

mod estimate;
mod fit;
mod matrix;
mod normal;
pub mod plackett_luce;
pub mod rating;
mod ratings;
mod reach;
mod rows;
mod separate;
mod tally;

pub use estimate::{Estimate, separated};
pub use ratings::{Difference, Ratings, Strength};
pub use rows::{Draws, ELO, ORDO, Options, Unfit};
pub use separate::blocks_to_separate;
pub use tally::{Fault, Line, Points, SeatLine, SeatRow, Tally};

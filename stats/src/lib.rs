//! Standings as pure functions of results: points, ranks, scores and their standard errors.
//!
//! The unit of statistics is the block (all rotations of one line-up on one opening): the matches of a block share an opening, so
//! they are not independent, and only blocks are compared with each other. Sums are integers, so that the same results in any
//! order give the same bytes; floating point comes at the very end.
#![forbid(unsafe_code)]

mod estimate;
mod tally;

pub use estimate::{Estimate, separated};
pub use tally::{Fault, Line, Points, SeatLine, SeatRow, Tally};

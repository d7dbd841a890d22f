//! The kernel against plain references: distances by a queue, moves by the rules, filling by brute force.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod evaluation;
mod filling;
mod moves;
mod openings;
mod reference;

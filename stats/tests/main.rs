//! All tests of the statistics: one program, which is linked once.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod calculator;
mod chance;
mod coverage;
mod ladders;
mod lines;
mod ordo;
mod ratings;
mod reference;
mod simulator;
mod sources;
mod speed;
mod sprt;

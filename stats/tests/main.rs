//! All tests of the statistics: one program, which is linked once.
#![allow(clippy::unwrap_used, clippy::too_many_lines, clippy::print_stdout, clippy::print_stderr)] // as in all tests

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

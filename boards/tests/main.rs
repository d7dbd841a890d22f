//! All tests of boards: one program, which is linked once.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod lines;
mod maps;
mod shapes;
mod texts;

//! All tests of the search: one program, which is linked once.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod boards;
mod kernel;
mod kit;

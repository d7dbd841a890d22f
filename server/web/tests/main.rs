//! All tests of the pages: one program, which is linked once.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod kinds;
mod pages;
mod statements;

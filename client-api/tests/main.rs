//! All tests of the client contract: one program, which is linked once.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod api;
mod border;
mod contract;
mod evaluation;

//! All tests of this client: one program, which is linked once.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod belief;
mod client;
mod matches;
mod playouts;

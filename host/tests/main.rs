//! All tests of the host: one program, which is linked once.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod calls;
mod covert;
mod functions;
mod in_process;
mod rig;
mod sandbox;
mod serve;

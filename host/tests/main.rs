//! All tests of the host: one program, which is linked once.
#![allow(clippy::unwrap_used, clippy::too_many_lines, clippy::print_stdout, clippy::print_stderr)] // as in all tests

mod calls;
mod covert;
mod functions;
mod in_process;
mod rig;
mod sandbox;
mod serve;

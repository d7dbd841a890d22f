//! All tests of the client contract: one program, which is linked once.
#![allow(clippy::unwrap_used, clippy::too_many_lines, clippy::print_stdout, clippy::print_stderr)] // as in all tests

mod api;
mod border;
mod contract;
mod evaluation;

//! All tests of the search: one program, which is linked once.
#![allow(clippy::unwrap_used, clippy::too_many_lines, clippy::print_stdout, clippy::print_stderr)] // as in all tests

mod boards;
mod kernel;
mod kit;

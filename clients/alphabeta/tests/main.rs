//! All tests of this client: one program, which is linked once.
#![allow(clippy::unwrap_used, clippy::too_many_lines, clippy::print_stdout, clippy::print_stderr)] // as in all tests

mod book;
mod closing;
mod positions;
mod proofs;

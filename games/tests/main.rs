//! All tests of the rules: one program, which is linked once.
#![allow(clippy::unwrap_used, clippy::too_many_lines, clippy::print_stdout, clippy::print_stderr)] // as in all tests

mod amazons_docs;
mod amazons_perft;
mod amazons_rules;
mod amazons_sgf;
mod amazons_starts;
mod amazons_territory;
mod amazons_tools;
mod grundy;
mod laws;
mod mastermind;
mod mastermind_adaptive;
mod overlays;
mod references;
mod rules_pages;
mod six_qui_prend;
mod six_qui_prend_plain;
mod tirs_croises;
mod words;

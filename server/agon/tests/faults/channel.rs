//! Clients that meddle with the pipes between host and server.

use super::act::{client_that, client_that_answers};

/// The message that all of these share.
const HELP: &str = "by returning from the function";

#[test]
fn a_second_reply() {
    // The fifth request is the second turn: open, initialize, name, play, play.
    client_that_answers("(forge_reply(5, 4, &move, sizeof move), move)").loses_by("protocol", &["repl", HELP]);
}

#[test]
fn a_reply_before_the_question() {
    client_that_answers("(start_answering_early(&last), move)")
        .against("sleep_us(300000)")
        .loses_by("protocol", &["a reply that nobody asked for", HELP]);
}

#[test]
fn forged_bytes_on_every_descriptor() {
    client_that("forge_noise()").loses_by("protocol", &["repl", HELP]);
}

#[test]
fn closed_descriptors() {
    client_that("close_all()").loses_by("protocol", &["closed the pipes", "close only descriptors"]);
}

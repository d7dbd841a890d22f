//! What is worth telling and costs nothing.

use super::act::client_that;

#[test]
fn a_file_outside() {
    client_that("open(\"/etc/passwd\", O_RDONLY)")
        .thanks_to("landlock")
        .gets("denied-file", &["/etc/passwd", "reads only"]);
    client_that("open(\"/etc/passwd\", O_RDONLY)")
        .thanks_to("seccomp")
        .gets("denied-file", &["/etc/passwd", "reads only"]);
}

#[test]
fn a_new_file() {
    client_that("open(\"/tmp/agon-left-behind\", O_CREAT | O_WRONLY, 0600)")
        .gets("denied-file", &["/tmp/agon-left-behind"]);
}

#[test]
fn a_flood_on_stdout() {
    client_that("flood()").gets("capped-output", &["stdout", "65536 are kept"]);
}

#[test]
fn all_signals_blocked() {
    client_that("block_signals()")
        .only_in(&["load", "initialize", "name", "play"])
        .gets_somewhere("blocked-signals", &["signals are blocked"]);
}

//! Clients that reach out of their process.

use crate::act::client_that;

#[test]
fn a_fork() {
    client_that("fork_once()").thanks_to("seccomp").loses_by("forbidden-call", &["clone", "new process"]);
}

#[test]
fn a_command_of_the_shell() {
    client_that("if (system(\"true\")) {}")
        .only_in(&["load", "play"])
        .thanks_to("seccomp")
        .loses_by("forbidden-call", &["system()", "popen()"]);
}

#[test]
fn another_program_in_its_place() {
    client_that("exec_once()").thanks_to("seccomp").loses_by("forbidden-call", &["execve", "another program"]);
}

#[test]
fn a_socket() {
    client_that("socket(AF_INET, SOCK_STREAM, 0)")
        .thanks_to("seccomp")
        .loses_by("forbidden-call", &["socket", "network"]);
}

#[test]
fn a_signal_to_the_server() {
    client_that("kill_parent()")
        .thanks_to("seccomp")
        .loses_by("forbidden-call", &["kill", "signal to another process"]);
}

#[test]
fn a_file_in_memory() {
    client_that("hide_memory()").thanks_to("seccomp").loses_by("forbidden-call", &["memfd_create", "malloc"]);
}

#[test]
fn a_file_in_memory_holds_nothing_even_where_it_can_be_made() {
    client_that("hide_memory()").only_in(&["play"]).without("seccomp").thanks_to("limits").goes_well();
}

#[test]
fn a_file_removed() {
    client_that("unlink(\"/tmp/agon-left-behind\")")
        .only_in(&["play"])
        .thanks_to("seccomp")
        .loses_by("forbidden-call", &["unlink", "file"]);
}

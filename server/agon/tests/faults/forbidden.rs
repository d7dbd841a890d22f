//! Clients that reach out of their process.

use super::act::client_that;

#[test]
fn a_fork() {
    client_that("fork_once()").thanks_to("seccomp").loses_by("forbidden-call", &["clone", "new process"]);
}

#[test]
fn a_command_of_the_shell() {
    client_that("if (system(\"true\")) {}")
        .only_in(&["load", "play"])
        .thanks_to("seccomp")
        .loses_by("forbidden-call", &["system()", "posix_spawn()"]);
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
fn a_signal_to_a_thread_of_the_server() {
    client_that("syscall(SYS_tkill, getppid(), 0)").only_in(&["play"]).loses_by("forbidden-call", &["tkill", "signal"]);
}

#[test]
fn a_file_in_memory() {
    let make = "if (memfd_create(\"hidden\", 0) >= 0) abort()";
    client_that(make).thanks_to("seccomp").goes_well();
}

#[test]
fn a_file_in_memory_holds_nothing_even_where_it_can_be_made() {
    client_that("hide_memory()").only_in(&["play"]).without("seccomp").thanks_to("limits").goes_well();
}

#[test]
fn a_file_removed() {
    let remove = "if (unlink(\"/tmp/agon-left-behind\") == 0 || errno != EPERM) abort()";
    client_that(remove).only_in(&["load", "play"]).thanks_to("seccomp").goes_well();
}

#[test]
fn a_network_of_its_own() {
    let namespaces = "if (new_network() == 0) abort()";
    client_that(namespaces).goes_well();
    // Root's capabilities are gone, so that the filter is not the only one to refuse.
    client_that(namespaces).only_in(&["play"]).without("seccomp").thanks_to_for_root("privileges").goes_well();
}

#[test]
fn memory_at_address_zero() {
    let map = "if (mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == 0) abort()";
    client_that(map).goes_well();
    client_that(map).only_in(&["play"]).without("seccomp").thanks_to_for_root("privileges").goes_well();
}

#[test]
fn what_root_may_do() {
    let may = "if (sethostname(\"agon-left-behind\", 0) != -1 || errno != EPERM) abort()";
    client_that(may).goes_well();
    client_that("if (capable_of_anything()) abort()")
        .only_in(&["load", "play"])
        .without("seccomp")
        .thanks_to_for_root("privileges")
        .goes_well();
}

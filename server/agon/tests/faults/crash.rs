//! Clients that die, or end themselves.

use super::act::client_that;

#[test]
fn a_null_write() {
    let words = ["SIGSEGV", "write", "null pointer", "look for an index"];
    client_that("*nowhere = 1").loses_by("crash", &words);
    // Once the library is open, its place in the file is known.
    client_that("*nowhere = 1").only_in(&["play"]).loses_by("crash", &["of the library", "addr2line -fe bad.so 0x"]);
    client_that("puts((char *)nowhere)")
        .only_in(&["play"])
        .loses_by("crash", &["in a library function that was called"]);
}

#[test]
fn an_abort() {
    client_that("abort()").loses_by("crash", &["SIGABRT", "abort was called", "stderr"]);
}

#[test]
fn a_cpp_exception_that_escapes() {
    client_that("throw 7").in_cpp().loses_by("crash", &["SIGABRT", "exception", "catch"]);
}

#[test]
fn a_division_by_zero() {
    client_that("zero = 7 / zero").loses_by("crash", &["SIGFPE", "division by zero", "test the divisor"]);
}

#[test]
fn recursion_without_end() {
    client_that("recurse(0)").loses_by("crash", &["SIGSEGV", "stack overflow", "give the recursion an end"]);
}

#[test]
fn signals_that_ask_or_limit() {
    for (signal, meaning, help) in [
        ("SIGXFSZ", "no file may", "keep everything in memory"),
        ("SIGXCPU", "processor time", "ulimit -t"),
        ("SIGALRM", "a timer that rang", "agon_cpu_us"),
        ("SIGPIPE", "nobody reads", "write returns"),
        ("SIGHUP", "a terminal", "send no such signal"),
    ] {
        let act = format!("(signal({signal}, SIG_DFL), raise({signal}))");
        client_that(&act).only_in(&["play"]).loses_by("crash", &[signal, meaning, help]);
    }
}

#[test]
fn exit() {
    client_that("exit(0)").loses_by("early-exit", &["ended itself", "status 0", "return from the function"]);
}

#[test]
fn exit_without_clean_up() {
    client_that("_exit(3)").loses_by("early-exit", &["ended itself", "status 3"]);
}

/// The sandbox answers forbidden calls by the same signal.
#[test]
fn the_signal_of_the_sandbox_sent_to_itself() {
    client_that("raise(SIGSYS)").loses_by("crash", &["SIGSYS", "a signal of its own", "sent itself a signal"]);
}

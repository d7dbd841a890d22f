//! Tests that need a part which this machine lacks say so here. `tools/test` counts and names them at the end of its
//! run; where `CI` is set, a part that can be installed must be there, and its lack fails the test.
#![allow(clippy::print_stderr)]

use std::io::Write;
use std::process::{Command, Stdio};

/// A line a skipped test is added to the file that this variable names: test, what is missing, how to get it, parted by
/// tabs.
pub const LIST: &str = "AGON_SKIPPED_TESTS";

/// Whether a program can be started; where it cannot, the test that asks is skipped.
pub fn has_program(name: &str) -> bool {
    has_command(name, &[name, "--version"])
}

/// Whether a command that changes nothing ends well; where it does not, the test that asks for this part is skipped.
pub fn has_command(part: &str, words: &[&str]) -> bool {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let found = command.status().is_ok_and(|status| status.success());
    if !found {
        skip(part);
    }
    found
}

/// Whether a client in C can be linked with a library; where it cannot, the test that asks is skipped.
pub fn has_library(name: &str) -> bool {
    let mut command = Command::new("cc");
    command.args(["-shared", "-x", "c", "/dev/null", "-o", "/dev/null", &format!("-l{name}")]);
    let found = command.output().is_ok_and(|output| output.status.success());
    if !found {
        skip(&format!("lib{name}"));
    }
    found
}

/// The test that calls this lacks a part that `tools/setup-tests` installs.
///
/// # Panics
/// Where `CI` is set: there nothing that can be installed may be missing.
pub fn skip(part: &str) {
    tell(&format!("there is no {part}"), "tools/setup-tests");
    assert!(std::env::var_os("CI").is_none_or(|ci| ci.is_empty()), "there is no {part}: tools/setup-tests installs it");
}

/// The test that calls this cannot run here, whatever is installed: another kernel, processor or user would be needed.
pub fn skip_here(why: &str) {
    tell(why, "another kernel, processor or user");
}

fn tell(what: &str, how: &str) {
    let current = std::thread::current();
    let test = current.name().unwrap_or("a test");
    eprintln!("SKIPPED {test}: {what}; it takes {how}");
    let Some(list) = std::env::var_os(LIST) else { return };
    let line = format!("{test}\t{what}\t{how}\n");
    let file = std::fs::OpenOptions::new().create(true).append(true).open(list);
    // A test must not fail since its list cannot be written: what it says stands above all the same.
    file.and_then(|mut file| file.write_all(line.as_bytes())).unwrap_or_else(|error| eprintln!("{error}"));
}

//! What a command needs only while it runs is gone when it ends, however it ends.

use crate::builder::{Arena, has_program};
use crate::held::{assert_no_host, wait_until};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Stdio;

/// Sleeps for as long as it may.
const SLEEPER: &str = "#include <agon/amazons.h>
#include <unistd.h>
const char *get_player_name(void) { return \"sleeper\"; }
int initialize(const amazons_setup *setup) { return setup == 0; }
amazons_move play(const amazons_turn *turn) { amazons_move none = {0, 0, turn == 0}; sleep(3600); return none; }
void finalize(void) {}
AGON_CLIENT(amazons)
";

#[test]
fn a_command_that_is_interrupted_leaves_no_folder() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    let file = arena.c_client("sleeper", SLEEPER).unwrap();
    let temporary = arena.path("temporary");
    fs::create_dir(&temporary).unwrap();
    let count = || fs::read_dir(&temporary).unwrap().count();
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        for words in [
            vec!["check", file.to_str().unwrap(), "--time", "1h"],
            vec!["analyse", "-b", "square:5", "-c", "sleeper", "--time", "1h"],
            vec!["play", "-b", "square:5", "--against", "sleeper", "--seat", "2", "--time", "1h"],
        ] {
            let mut command = arena.command(&words);
            command.env("TMPDIR", &temporary).process_group(0).stdin(Stdio::piped());
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            wait_until("it has a folder", || count() > 0);
            kill_process(Pid::from_child(&child), signal).unwrap();
            assert_eq!(child.wait().unwrap().code(), Some(130), "{words:?}");
            assert_eq!(count(), 0, "{words:?}");
            assert_no_host(&arena);
        }
    }
}

//! The functions of the C library, each tried by a client of its own: the few that end it, and that the documentation
//! names these.

use crate::rig::{Host, build_with, has_compiler, lacks};

/// Each does what no client may, and that on purpose: another process, another program, the network, a signal to
/// others.
const ENDING: [&str; 7] = ["fork", "vfork", "system", "posix_spawn", "execv", "socket", "kill"];

/// The name of the function with this number, and whether the client went on after it; `None` behind the last.
fn try_function(client: &crate::rig::Built, number: u64) -> Option<(String, bool)> {
    let mut host = Host::ready(client, &["--memory", "268435456"]);
    let answer = host.play(number);
    if answer == Some(0) {
        return None;
    }
    let end = host.end();
    let name = end.log.lines().find_map(|line| line.strip_prefix("tries\t")).unwrap_or_default().to_owned();
    assert!(answer.is_some() || end.signal == Some(libc::SIGSYS), "{name}: {end:?}");
    Some((name, answer.is_some()))
}

#[test]
fn at_most_eight_functions_end_a_client() {
    if !has_compiler() || lacks(agon_abi::Layer::Seccomp) {
        return;
    }
    let header = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/functions.h");
    let play = "PLAY=move->number = try_function(turn->number, setup->head.services->log) != 0";
    let client = build_with(&[play], &["-shared", "-include", header]);
    let tried: Vec<_> = (0..).map_while(|number| try_function(&client, number)).collect();
    assert!(tried.len() > 190, "{} functions", tried.len());
    let ending: Vec<&str> = tried.iter().filter(|tried| !tried.1).map(|tried| tried.0.as_str()).collect();
    assert_eq!(ending, ENDING);
    let page = include_str!("../../docs/reference/sandbox.md");
    assert!(ENDING.iter().all(|name| page.contains(&format!("`{name}`"))), "docs/reference/sandbox.md names each");
}

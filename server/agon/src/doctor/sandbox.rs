//! The sandbox on this machine: a host starts with a file that is not a client, and reports the layers that hold.

use super::{Finding, State};
use agon_abi::Layer;
use agon_command::{Failure, find_paths};
use agon_player::groups::{Groups, LAYER};
use agon_player::held_layers::held_layers;
use std::path::Path;
use std::time::Instant;

pub(super) fn look(out: &Path) -> Vec<Finding> {
    let paths = match find_paths(out) {
        Ok(paths) => paths,
        Err(missing) => return vec![no_host(&missing)],
    };
    let began = Instant::now();
    let held = held_layers(&paths.host);
    let took = began.elapsed();
    let Some(held) = held else {
        let help =
            "no match can be played; help: build agon and its clients, and look whether the program may be started";
        return vec![Finding::new("host", State::Bad, paths.host.display().to_string(), "", help)];
    };
    let found = format!("starts, and enters its sandbox, in {:.1} ms", took.as_secs_f64() * 1e3);
    let mut findings = vec![Finding::new("host", State::Good, found, "each client plays in a process of its own", "")];
    findings.extend(Layer::ALL.map(|layer| finding(layer, held.iter().any(|name| name == layer.name()))));
    findings.push(group(held.iter().any(|name| name == LAYER)));
    findings
}

/// A part of agon is missing.
fn no_host(missing: &Failure) -> Finding {
    let (what, help) = missing.message.split_once("; help: ").unwrap_or((&missing.message, ""));
    Finding::new("host", State::Bad, what, "", &format!("no match can be played; help: {help}"))
}

/// Whether hosts have control groups, which few machines give.
fn group(holds: bool) -> Finding {
    let why = Groups::shared().err().unwrap_or_else(|| "the kernel puts no host into one".to_owned());
    let (state, found) = if holds { (State::Good, "delegated".to_owned()) } else { (State::Note, why) };
    Finding::new(
        "control groups",
        state,
        found,
        "the kernel, too, holds each client's memory and threads to their limits",
        "without a control group, agon itself checks memory and threads every 5 ms; for one more layer, start agon so: systemd-run --user \
         --scope -p Delegate=yes agon ladder",
    )
}

fn finding(layer: Layer, holds: bool) -> Finding {
    let (what, means, help) = match layer {
        Layer::Limits => (
            "layer limits",
            "clients write no file, open few, and recurse 8 MiB deep at most",
            "clients may write files and fill the disk; help: raise the hard limits of your shell (ulimit -H)",
        ),
        Layer::Privileges => (
            "layer privileges",
            "no program gives a client more rights; the client ends when agon ends",
            "clients may outlive a match; help: look for a security module that forbids prctl",
        ),
        Layer::Landlock => (
            "layer landlock",
            "a client reads its own file and the system's libraries, nothing else",
            "clients can read your files; help: a kernel with Landlock, or play trusted clients only",
        ),
        Layer::Seccomp => (
            "layer seccomp",
            "a client computes: no network, no processes, no signals to others",
            "clients can start programs and use the network; help: a kernel with seccomp, or play trusted clients only",
        ),
    };
    let state = if holds { State::Good } else { State::Bad };
    Finding::new(what, state, if holds { "holds" } else { "does not hold" }, means, help)
}

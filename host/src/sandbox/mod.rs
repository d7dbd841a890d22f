//! What keeps a client to computing. Theory, in one page.
//!
//! A client is native code of a stranger, and opening its library already runs it: so the host shuts itself in *before*
//! it opens the file. Nothing here needs a privilege, and no layer can be left again, by the host neither. Each layer
//! is one file and stops one kind of act; where two stop the same act, either may be missing.
//!
//! * **limits** bound what the kernel hands out: no core dump, no byte into any file (which also closes memory files as
//!   a way around the memory limit), few descriptors, no locked memory, 8 MiB of main stack so that endless recursion
//!   ends soon. Address space is a far backstop only: clients may reserve gigabytes that they never touch, and resident
//!   memory is the referee's to measure.
//! * **privileges**: no set-user-id program can raise the process, it dies with the thread of the server that started
//!   it, and no other process of the same user may look into its memory.
//! * **landlock** closes the file system but for the system's libraries, the client's own file and those that the
//!   server names, all for reading, and, where the kernel knows how, TCP and signals to other processes. It is what
//!   decides about opens. Whether a file exists, and its size, can still be asked: the loader needs to.
//! * **seccomp** leaves the system calls that computing needs: memory, threads, time, its own signals, reading and
//!   writing what is open already. The filter is one decision tree over the call's number, with an action a call. The
//!   usual list of comparisons, as crates make it, knows one action and would take two filters; and the kernel walks a
//!   filter once for every number when it loads it, which made the list half as dear again.
//!
//! **What happens to a forbidden call.** The filter answers most of them with SIGSYS rather than a plain kill, and a
//! handler installed before writes a line with the call's name; then it makes the call once more. SIGSYS is blocked
//! while its handler runs, and a blocked SIGSYS is one the kernel kills for: so the server sees the true signal,
//! whatever the client did to its handlers. The client cannot take over the signal (the filter refuses that), and if it
//! blocks it, it dies unnamed: as in `system()`, which blocks all signals around its fork.
//!
//! **Opens are answered, not punished**: a program may look for a file and do without. Each open traps; the handler
//! performs it with a mark in the unused sixth argument, which the filter lets through, Landlock decides, and a refusal
//! becomes a line of the log. A client that sets the mark itself gets the same answer without the line. A supervisor
//! with user notifications could do the same from outside, but it would have to read the path from the client's memory
//! through a second process, serve opens while constructors run, and be there at every start: a handler in the process
//! needs none of it. What is lost is nothing: the line is a notice for the client's author, never evidence.
//!
//! **A program** has the same layers in another form: an interpreter looks for files and asks of them
//! before it reads the first line of its client's, and no handler of the host's survives its start. So its filter
//! answers and never traps, and lets through what runtimes need; Landlock has the folders of the system's runtimes. It
//! still is one process, writes nothing, and reaches nobody. Libraries get none of that. It is started by a descriptor
//! whose number no client can have, since the limit on descriptors lies below, and which is closed by the start: the
//! filter lets through the start by this number only, so that there is no second one.
//!
//! A layer that the kernel lacks is reported as not held, with the reason in the log, and the caller decides.

mod answer;
pub mod building;
mod capabilities;
mod filter;
mod landlock;
mod limits;
#[cfg(sandbox_mutants)]
pub mod mutants;
#[cfg(not(sandbox_mutants))]
mod mutants {
    //! Every rule stands.

    /// Whether this rule of this layer is left out.
    pub(super) const fn leaves_out(_layer: &str, _word: &str) -> bool {
        false
    }

    /// The order of the layers.
    pub(super) const fn order(order: [agon_abi::Layer; 4]) -> [agon_abi::Layer; 4] {
        order
    }
}
mod privileges;
mod reach;
mod rules;
mod seccomp;
mod trap;

pub use landlock::LIBRARIES;

use crate::line::Line;
use crate::program::Start;
use agon_abi::{Layer, Layers};
use std::os::fd::{OwnedFd, RawFd};
use std::path::{Path, PathBuf};

/// What to enter.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The layers wanted.
    pub layers: Layers,
    /// Resident memory that the server allows, bytes.
    pub memory: Option<u64>,
    /// The client's file, which may be read.
    pub file: &'a Path,
    /// Other files that may be read.
    pub also: &'a [PathBuf],
    /// Whether a debugger that runs the process may look into its memory.
    pub debugged: bool,
    /// What runs the file, where that is no library: it may be started once, and the folders of `also` be read.
    pub program: Option<&'a Start>,
}

/// What was entered.
#[derive(Clone, Debug)]
#[must_use = "the client's file may have another path now"]
pub struct Entered {
    /// The layers that hold.
    pub held: Layers,
    /// By which path the client's file can be opened.
    pub file: PathBuf,
}

/// In this order: root needs its capabilities until Landlock knows the files, and seccomp forbids what the others need.
const ORDER: [Layer; 4] = [Layer::Limits, Layer::Landlock, Layer::Privileges, Layer::Seccomp];

/// What a fork server has entered for all its children, of these layers, and what it has ready for the next one.
#[derive(Debug)]
pub struct Prepared {
    layers: Layers,
    limits: Result<(), String>,
    seccomp: Result<(), String>,
    files: landlock::Known,
    /// Whether there is a list of the next one's files.
    listed: Result<(), String>,
}

impl Prepared {
    /// Enters what is the same for all, from the only thread of the fork server.
    pub fn enter(layers: Layers) -> Prepared {
        if layers.has(Layer::Privileges) {
            capabilities::drop_bounding();
        }
        let of = |layer, enter: fn() -> Result<(), String>| if layers.has(layer) { enter() } else { Ok(()) };
        let limits = of(Layer::Limits, limits::enter_before_fork);
        let seccomp = of(Layer::Seccomp, seccomp::enter_before_fork);
        Prepared { layers, limits, seccomp, files: landlock::Known::default(), listed: Ok(()) }
    }

    /// The layers that its children enter.
    pub fn layers(&self) -> Layers {
        self.layers
    }

    /// Gets ready for a child that reads these files.
    pub fn expect(&mut self, files: &[OwnedFd]) {
        if self.layers.has(Layer::Landlock) {
            self.listed = self.files.find(files);
        }
    }

    /// A descriptor that the child must keep until it has entered.
    pub fn descriptor(&self) -> Option<RawFd> {
        self.files.descriptor()
    }
}

/// Enters the layers, from the only thread of the process. One that does not hold is told in the log: `agon.rung TAB
/// name: reason`.
pub fn enter(plan: &Plan<'_>) -> Entered {
    enter_each(plan, |layer| match layer {
        Layer::Limits => limits::enter(plan.memory),
        Layer::Landlock => match plan.program {
            None => landlock::Files::new(plan.file, plan.also)?.enter(),
            Some(program) => landlock::Files::of_program(&program.interpreter, plan.file, plan.also)?.enter(),
        },
        Layer::Privileges => privileges::enter(plan.debugged),
        Layer::Seccomp => match plan.program {
            None => seccomp::enter(plan.memory),
            Some(program) => seccomp::enter_for_program(program.descriptor),
        },
    })
}

/// The same in a child of a fork server that expected it.
pub fn enter_after_fork(plan: &Plan<'_>, prepared: Prepared) -> Entered {
    let Prepared { limits, seccomp, files, listed, .. } = prepared;
    let mut files = files.take();
    enter_each(plan, |layer| match layer {
        Layer::Limits => limits.clone().and_then(|()| limits::enter_after_fork(plan.memory)),
        Layer::Landlock => listed.clone().and_then(|()| files.take().map_or(Ok(()), landlock::Files::enter)),
        Layer::Privileges => privileges::enter(plan.debugged),
        Layer::Seccomp => seccomp.clone().and_then(|()| seccomp::enter_after_fork(plan.memory)),
    })
}

fn enter_each(plan: &Plan<'_>, mut enter: impl FnMut(Layer) -> Result<(), String>) -> Entered {
    let mut entered = Entered { held: Layers::NONE, file: plan.file.to_owned() };
    for layer in mutants::order(ORDER).into_iter().filter(|layer| plan.layers.has(*layer)) {
        let held_open = (layer == Layer::Privileges).then(|| reach::Held::open(plan.file));
        let done = if mutants::leaves_out(layer.name(), "whole") { Ok(()) } else { enter(layer) };
        match done {
            Ok(()) => entered.held = entered.held.with(layer),
            Err(reason) => Line::new("agon.rung").text(layer.name()).text(": ").text(&reason).send(),
        }
        if let Some(file) = held_open {
            entered.file = file.path(plan.file, plan.program.is_some());
        }
    }
    entered
}

/// The last system call's error, after the words for what failed.
fn last_error(what: &str) -> String {
    format!("{what}: {}", std::io::Error::last_os_error())
}

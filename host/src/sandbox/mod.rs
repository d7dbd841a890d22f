//! Keeps a client to computing. This header explains the design on one page.
//!
//! A client is a stranger's native code, and opening its library already runs it. So the host enters the sandbox
//! *before* it opens the file. No layer needs a privilege, and no process can leave one again, not even the host. Each
//! layer is one file and stops one kind of act. Where two layers stop the same act, either may be missing.
//!
//! * **limits** bound what the kernel gives out. There is no core dump, and no byte goes into any file, which also
//!   closes memory files as a way around the memory limit. Descriptors are few, memory cannot be locked, and the main
//!   stack has 8 MiB so that endless recursion ends soon. Address space is only a distant backstop: clients may reserve
//!   gigabytes that they never touch, and the referee measures resident memory.
//! * **privileges**: no set-user-id program can raise the process, and it dies with the server's thread that started
//!   it. No other process of the same user may look into its memory.
//! * **landlock** closes the file system, except for the system's libraries, the client's own file and those that the
//!   server names, all for reading. Where the kernel supports it, it also closes TCP and signals to other processes. It
//!   decides about opens. The client can still ask whether a file exists, and its size, because the loader needs that.
//! * **seccomp** leaves the system calls that computing needs: memory, threads, time, its own signals, reading and
//!   writing open descriptors. The filter is one decision tree over the call's number, with an action for each call. The
//!   usual list of comparisons, as crates make it, knows one action and would need two filters. The kernel walks a filter
//!   once for every number when it loads it, so the list cost half as much again.
//!
//! **A forbidden call** gets SIGSYS from the filter in most cases rather than a plain kill. A handler that was
//! installed before writes a line with the call's name, then makes the call once more. SIGSYS is blocked while its
//! handler runs, and the kernel kills for a blocked SIGSYS. So the server sees the true signal, whatever the client did
//! to its handlers. The filter refuses to let the client take over the signal. A client that blocks it dies unnamed, as
//! in `system()`, which blocks all signals around its fork.
//!
//! **Opens are answered, not punished**: a program may look for a file and do without. Each open traps. The handler
//! performs it with a mark in the unused sixth argument, which the filter lets through. Landlock decides, and a refusal
//! becomes a line of the log. A client that sets the mark itself gets the same answer without the line. A supervisor
//! with user notifications could do the same from outside. But it would have to read the path from the client's memory
//! through a second process, serve opens while constructors run, and be there at every start. A handler in the process
//! needs none of that. Nothing is lost: the line is a notice for the client's author, never evidence.
//!
//! **A program** has the same layers in another form. An interpreter looks for files and asks about them before it
//! reads the first line of its client, and no handler of the host survives its start. So its filter answers and never
//! traps, and lets through the calls that runtimes need; Landlock allows the folders of the system's runtimes. It still
//! is one process, writes nothing, and reaches no other process. Libraries get none of that. A descriptor starts the
//! program, whose number no client can have, because the limit on descriptors is lower. The start closes it, and the
//! filter lets through the start by this number only, so there is no second one.
//!
//! If the kernel lacks a layer, the host reports it as not held, with the reason in the log, and the caller decides.

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
    //! Without mutants, every rule holds.

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

pub use landlock::{LIBRARIES, open_folder};

use crate::line::Line;
use crate::program::OpenProgram;
use agon_abi::{Layer, Layers};
use std::os::fd::{OwnedFd, RawFd};
use std::path::{Path, PathBuf};

/// The sandbox to enter.
#[derive(Clone, Copy, Debug)]
pub struct SandboxPlan<'a> {
    pub layers: Layers,
    /// Resident memory that the server allows, bytes.
    pub memory: Option<u64>,
    /// The client's file, which the process may read.
    pub file: &'a Path,
    /// Other files that the process may read.
    pub also: &'a [PathBuf],
    /// Folders whose files it may read; a link in such a path opens nothing.
    pub folders: &'a [PathBuf],
    /// Whether a debugger that runs the process may look into its memory.
    pub debugged: bool,
    /// The interpreter of a file that is not a library: it may be started once, and the folders of `also` may be read.
    pub program: Option<&'a OpenProgram>,
}

/// The result of entering a sandbox.
#[derive(Clone, Debug)]
#[must_use = "the client's file may have another path now"]
pub struct Entered {
    /// The layers that hold.
    pub held: Layers,
    /// The path by which the client's file can be opened.
    pub file: PathBuf,
}

/// The order of entering: root needs its capabilities until Landlock knows the files, and seccomp forbids calls that
/// the others need.
const ORDER: [Layer; 4] = [Layer::Limits, Layer::Landlock, Layer::Privileges, Layer::Seccomp];

/// The layers that a fork server entered for all its children, and what it prepared for the next one.
#[derive(Debug)]
pub struct PreparedSandbox {
    layers: Layers,
    limits: Result<(), String>,
    seccomp: Result<(), String>,
    files: landlock::Known,
    /// Whether the list of the next child's files is ready.
    listed: Result<(), String>,
}

impl PreparedSandbox {
    /// Enters the part that is the same for all children, from the only thread of the fork server.
    pub fn enter(layers: Layers) -> PreparedSandbox {
        if layers.has(Layer::Privileges) {
            capabilities::drop_bounding();
        }
        let of = |layer, enter: fn() -> Result<(), String>| if layers.has(layer) { enter() } else { Ok(()) };
        let limits = of(Layer::Limits, limits::enter_before_fork);
        let seccomp = of(Layer::Seccomp, seccomp::enter_before_fork);
        PreparedSandbox { layers, limits, seccomp, files: landlock::Known::default(), listed: Ok(()) }
    }

    /// The layers that its children enter.
    pub fn layers(&self) -> Layers {
        self.layers
    }

    /// Prepares for a child that reads these files.
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

/// Enters the layers, from the only thread of the process. The log reports each one that does not hold: `agon.layer TAB
/// name: reason`.
pub fn enter(plan: &SandboxPlan<'_>) -> Entered {
    enter_each(plan, |layer| match layer {
        Layer::Limits => limits::enter(plan.memory),
        Layer::Landlock => match plan.program {
            None => landlock::Files::new(plan)?.enter(),
            Some(program) => landlock::Files::of_program(plan, &program.interpreter)?.enter(),
        },
        Layer::Privileges => privileges::enter(plan.debugged),
        Layer::Seccomp => match plan.program {
            None => seccomp::enter(plan.memory),
            Some(program) => seccomp::enter_for_program(program.descriptor),
        },
    })
}

/// Enters the layers in a child of a fork server that expected it.
pub fn enter_after_fork(plan: &SandboxPlan<'_>, prepared: PreparedSandbox) -> Entered {
    let PreparedSandbox { limits, seccomp, files, listed, .. } = prepared;
    let mut files = files.take();
    enter_each(plan, |layer| match layer {
        Layer::Limits => limits.clone().and_then(|()| limits::enter_after_fork(plan.memory)),
        Layer::Landlock => listed.clone().and_then(|()| files.take().map_or(Ok(()), landlock::Files::enter)),
        Layer::Privileges => privileges::enter(plan.debugged),
        Layer::Seccomp => seccomp.clone().and_then(|()| seccomp::enter_after_fork(plan.memory)),
    })
}

fn enter_each(plan: &SandboxPlan<'_>, mut enter: impl FnMut(Layer) -> Result<(), String>) -> Entered {
    let mut entered = Entered { held: Layers::NONE, file: plan.file.to_owned() };
    for layer in mutants::order(ORDER).into_iter().filter(|layer| plan.layers.has(*layer)) {
        let held_open = (layer == Layer::Privileges).then(|| reach::HeldFile::open(plan.file));
        let done = if mutants::leaves_out(layer.name(), "whole") { Ok(()) } else { enter(layer) };
        match done {
            Ok(()) => entered.held = entered.held.with(layer),
            Err(reason) => Line::new("agon.layer").text(layer.name()).text(": ").text(&reason).send(),
        }
        if let Some(file) = held_open {
            entered.file = file.path(plan.file, plan.program.is_some());
        }
    }
    entered
}

/// The last system call's error, after the words for the act that failed.
fn last_error(what: &str) -> String {
    format!("{what}: {}", std::io::Error::last_os_error())
}

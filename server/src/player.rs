//! A player as the referee sees it: it is started, asked, answers, and is dismissed. `process` plays through a host process.

pub mod capture;
mod child;
mod host;
pub mod inside;
pub mod launcher;
pub mod name;
mod proc;
pub mod process;
pub mod refused;
pub mod spawn;
mod theft;
mod verdict;

use crate::clock::{Allowance, Overrun};
use crate::record::{ClockKind, Fault, FaultKind, Notice, Output, Phase, Usage};
use agon_abi::Blob;
use agon_games::{MoveBytes, Seat};
use std::time::Duration;

/// One seat's client, whatever it is.
pub trait Player {
    /// Loads the client if need be, gives it its setup for this seat and asks its name.
    ///
    /// # Errors
    /// The client's fault, or our own trouble.
    fn start(&mut self, seat: Seat, setup: &Blob) -> Result<(), Trouble>;

    /// Hands over a turn; the answer is fetched by `answer`, so that several seats may think at once.
    ///
    /// # Errors
    /// The client was already at fault before it could be asked.
    fn ask(&mut self, turn: &Blob, ply: u32, allowance: Allowance) -> Result<(), Trouble>;

    /// The answer, if it comes within `patience`.
    fn answer(&mut self, patience: Duration) -> Option<Result<Answer, Trouble>>;

    /// Looks after the client while others think; what it finds is told at the next `ask`.
    fn watch(&mut self, ply: u32);

    /// Ends the match for the client and says what is worth keeping; lets it `finalize` before, if it is not at fault. To be
    /// called once a match.
    fn dismiss(&mut self, ply: u32, finalize: bool) -> Farewell;
}

/// A move and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Not checked yet.
    pub mv: MoveBytes,
    /// Processor time, microseconds.
    pub cpu_us: u64,
    /// Wall time, microseconds.
    pub wall_us: u64,
}

/// Why a player did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The client's fault; its seat is out.
    Fault(Box<Fault>),
    /// Our own: the match is void.
    Void(String),
}

impl Trouble {
    /// A fault with its message.
    pub fn fault(kind: FaultKind, phase: Phase, ply: u32, message: impl Into<String>) -> Trouble {
        Trouble::Fault(Box::new(Fault { kind, phase, ply, message: message.into(), raw: String::new() }))
    }
}

/// The fault of an answer that came after its time.
pub fn late(ply: u32, clock: ClockKind, overrun: Overrun) -> Fault {
    match verdict::too_slow(verdict::Place { phase: Phase::Play, ply }, clock, overrun.used_us, overrun.limit_us) {
        Trouble::Fault(fault) => *fault,
        Trouble::Void(message) => {
            Fault { kind: FaultKind::CpuTime, phase: Phase::Play, ply, message, raw: String::new() }
        }
    }
}

/// What is known of a player when the match is over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Farewell {
    /// The name it gave, cleaned; `None` where it gave none.
    pub name: Option<String>,
    /// In the order in which they came up.
    pub notices: Vec<Notice>,
    /// In the order in which they were read.
    pub outputs: Vec<Output>,
    /// Rungs of the sandbox that held, by name.
    pub rungs: Vec<String>,
    /// Time and memory.
    pub usage: Usage,
}

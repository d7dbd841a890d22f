//! A player as the referee sees it: it is started, asked, answers, and is dismissed. `process` plays through a host
//! process, seen from outside: its clock, its memory, what it says, how it ends.

pub mod capture;
mod child;
pub mod client_files;
pub mod clock;
pub mod groups;
mod host;
pub mod inside;
pub mod launcher;
pub mod name;
mod own_name;
pub mod proc;
pub mod process;
pub mod program;
pub mod refused;
mod rest;
pub mod spawn;
pub mod speech;
mod steal;
pub mod system;
mod verdict;

pub use verdict::HOW_TO_END;

use crate::clock::{Allowance, Reading};
use agon_abi::Blob;
use agon_games::{MoveBytes, Seat};
use agon_model::{Excuse, Fault, FaultKind, Notice, Output, Phase, Usage};
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

    /// What the client logged as `value` with the move that it just answered; players that log nothing say nothing.
    fn value(&mut self) -> Option<f64> {
        None
    }

    /// Looks after the client while others think; what it finds is told at the next `ask`.
    fn watch(&mut self, ply: u32);

    /// Nobody asks the client for a while: others begin, or end. It is looked after meanwhile; what is found is told when
    /// it is asked, or dismissed.
    fn rest(&mut self, _ply: u32) {}

    /// Ends the match for the client and says what is worth keeping; lets it `finalize` before, if it is not at fault.
    /// To be called once a match.
    fn dismiss(&mut self, ply: u32, finalize: bool) -> PlayerSummary;
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
    /// How much of it the machine kept the client from its core though it was ready, microseconds; calls of some
    /// milliseconds say 0.
    pub kept_off_us: u64,
}

/// Why a player did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The client's fault; its seat is out.
    Fault(Box<Fault>),
    /// Our own: the match is void.
    Void(String),
    /// Nobody can tell whose: the match is void, but not for ever.
    Excused(Box<Excused>),
    /// The machine lacks something that it may have again: the match is void, and nobody is asked to play it before.
    Shortage(String),
}

/// A client that was late, or did not answer, in a way that may be the machine's doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excused {
    /// What may have been the cause.
    pub excuse: Excuse,
    /// Why the match is void.
    pub cause: String,
    /// Its fault, where it was excused often enough.
    pub fault: Fault,
}

impl Trouble {
    /// A fault with its message.
    pub fn fault(kind: FaultKind, phase: Phase, ply: u32, message: impl Into<String>) -> Trouble {
        Trouble::Fault(Box::new(Fault { kind, phase, ply, message: message.into(), raw: String::new() }))
    }
}

/// The fault of an answer that came after its time, by what the player says that it took.
pub fn late(ply: u32, allowance: &Allowance, answer: &Answer) -> Option<Fault> {
    let [used, elapsed] = [answer.cpu_us, answer.wall_us].map(Duration::from_micros);
    let reading = Reading { elapsed, used, is_answered: true, ..Reading::default() };
    let judged = verdict::of_call(verdict::Moment { phase: Phase::Play, ply }, allowance, &reading, || None);
    match judged {
        Err(Trouble::Fault(fault)) => Some(*fault),
        _ => None,
    }
}

/// The fault of a client that took too much wall time in all, though none of its calls did.
pub fn dawdled(ply: u32, waited_us: u64, allowed_us: u64) -> Fault {
    verdict::dawdled(verdict::Moment { phase: Phase::Play, ply }, waited_us, allowed_us)
}

/// The fault of a client that was excused too often before.
pub fn excused_no_more(excused: Excused) -> Fault {
    verdict::excused_no_more(excused.fault, excused.excuse)
}

/// The notice that comes before.
pub fn dawdles(ply: u32, waited_us: u64, allowed_us: u64) -> Notice {
    verdict::dawdles(verdict::Moment { phase: Phase::Play, ply }, waited_us, allowed_us)
}

/// The notice of one that sleeps or waits in its moves.
pub fn idles(ply: u32, idle_us: u64, spent_us: u64) -> Notice {
    verdict::idles(verdict::Moment { phase: Phase::Play, ply }, idle_us, spent_us)
}

/// What is known of a player when the match is over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerSummary {
    /// The name it gave, cleaned; `None` where it gave none.
    pub name: Option<String>,
    /// In the order in which they came up.
    pub notices: Vec<Notice>,
    /// In the order in which they were read.
    pub outputs: Vec<Output>,
    /// Layers of the sandbox that held, by name.
    pub layers: Vec<String>,
    /// Time and memory.
    pub usage: Usage,
}

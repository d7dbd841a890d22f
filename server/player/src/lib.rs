//! A player as the referee sees it: it is started, asked, answers, and is dismissed. `process` plays through a host
//! process, and watches its clock, memory, output and end from outside.

pub mod capture;
mod child;
pub mod clock;
pub mod groups;
pub mod held_layers;
mod host;
pub mod inside;
pub mod launcher;
pub mod name;
mod own_name;
pub mod proc;
pub mod process;
pub mod program;
pub mod refused;
mod resting_hosts;
pub mod spawn;
pub mod speech;
mod steal;
pub mod system;
mod verdict;

pub use verdict::excused_no_more;
pub use verdict::signals;
pub use verdict::waiting::{dawdled, dawdles, idles};

use crate::clock::{Allowance, Reading};
use agon_abi::Blob;
use agon_games::Seat;
use agon_model::{Answer, Excuse, Fault, FaultKind, Notice, Output, Phase, Thought, Usage};
use std::time::Duration;

/// One seat's client, of any kind.
pub trait Player {
    /// Loads the client if needed, gives it its setup for this seat, and asks its name.
    ///
    /// # Errors
    /// The client is at fault, or the server has trouble.
    fn start(&mut self, seat: Seat, setup: &Blob) -> Result<(), Trouble>;

    /// Sends a turn; `answer` fetches the answer, so that several seats may think at once.
    ///
    /// # Errors
    /// The client was already at fault before it could be asked.
    fn ask(&mut self, turn: &Blob, ply: u32, allowance: Allowance) -> Result<(), Trouble>;

    /// Returns the answer, if it comes within `patience`.
    fn answer(&mut self, patience: Duration) -> Option<Result<Answer, Trouble>>;

    /// The client's thought about its last move; nothing for players that log nothing.
    fn thought(&mut self) -> Thought {
        Thought::default()
    }

    /// Watches the client while others think; the next `ask` reports its findings.
    fn watch(&mut self, ply: u32);

    /// Begins a time in which nobody asks the client, because others begin or end. The player watches it, and reports
    /// its findings when it is asked or dismissed.
    fn rest(&mut self, _ply: u32) {}

    /// Ends the match for the client and returns its summary. A client without fault may `finalize` first. Call it once
    /// a match.
    fn dismiss(&mut self, ply: u32, finalize: bool) -> PlayerSummary;
}

/// Why a player did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The client is at fault; its seat is out.
    Fault(Box<Fault>),
    /// The server is at fault: the match is void.
    Void(String),
    /// Nobody can decide whose fault it is: the match is void, but not for ever.
    Excused(Box<Excused>),
    /// The machine lacks something that it may have later: the match is void until then.
    Shortage(String),
}

/// A client that was late, or did not answer, in a way that may be the machine's doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excused {
    pub excuse: Excuse,
    /// Why the match is void.
    pub cause: String,
    /// The client's fault, if it was excused often enough.
    pub fault: Fault,
}

impl Trouble {
    /// A fault with its message.
    pub fn fault(kind: FaultKind, phase: Phase, ply: u32, message: impl Into<String>) -> Trouble {
        Trouble::Fault(Box::new(Fault { kind, phase, ply, message: message.into(), raw: String::new() }))
    }
}

/// The fault of an answer that came too late, by the times in the answer.
#[inline]
pub fn late(ply: u32, allowance: &Allowance, answer: &Answer) -> Option<Fault> {
    // Nearly every answer is in time, and needs neither a reading nor words.
    if allowance.covers(allowance.clock.charged(answer.cpu_us, answer.wall_us)) {
        return None;
    }
    let (used, elapsed) = (Duration::from_micros(answer.cpu_us), Duration::from_micros(answer.wall_us));
    let reading = Reading { elapsed, used, is_answered: true, ..Reading::default() };
    let judged = verdict::of_call(verdict::Moment::play(ply), allowance, &reading, || None);
    match judged {
        Err(Trouble::Fault(fault)) => Some(*fault),
        _ => None,
    }
}

/// The facts about a player after the match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerSummary {
    /// The name that it gave, cleaned; `None` if it gave none.
    pub name: Option<String>,
    /// Its notices, in order.
    pub notices: Vec<Notice>,
    /// Its outputs, in the order of reading.
    pub outputs: Vec<Output>,
    /// Layers of the sandbox that held, by name.
    pub layers: Vec<String>,
    pub usage: Usage,
}

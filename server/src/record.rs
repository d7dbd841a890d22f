//! The plain data that travels between the stages: who plays whom, how a match went, what went wrong.
//! It belongs to no stage; every stage may use it, and it uses none of them.

mod stage;

pub use stage::{PlayedStage, Player, Stage, StageKind};

use agon_games::{MoveBytes, Seat};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A client as it takes part in a ladder: one file with one set of options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// What tables show; unique in the ladder.
    pub label: String,
    /// Name of the file it came from, without folders.
    pub file: String,
    /// SHA-256 of the file's bytes, hex; `+` and that of the adapter where one plays for it.
    pub hash: String,
    /// From `options` of its `[[client]]`.
    pub options: BTreeMap<String, String>,
    /// Why admission refused it; it then gets no blocks.
    pub refused: Option<String>,
}

/// The option of a client by which an adapter learns for which file it plays; nobody else may set it.
pub const FILE_OPTION: &str = "file";
/// Why a client that could play gets no new blocks. What it played stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aside {
    /// Until when, and for whom.
    pub kind: AsideKind,
    /// By a person, rather than by `disable_after`.
    pub by_hand: bool,
    /// A sentence.
    pub why: String,
    /// The first block of the schedule that it does not play.
    pub since: u64,
    /// Digest of the schedule in which `since` counts; in another one, `since` is the beginning.
    pub schedule: String,
}

/// How a client was set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AsideKind {
    /// This file, until it is let back; a new version plays.
    Benched,
    /// All versions, those to come included, until it is let back.
    Withdrawn,
}

impl AsideKind {
    /// In tables and in the record.
    pub fn name(self) -> &'static str {
        match self {
            AsideKind::Benched => "benched",
            AsideKind::Withdrawn => "withdrawn",
        }
    }
}

/// The clock and the budgets that judge a client, microseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Which clock.
    pub clock: ClockKind,
    /// All calls of `play` together; `None` = not limited.
    pub total_us: Option<u64>,
    /// Added after each call of `play`.
    pub increment_us: u64,
    /// A single call of `play`; `None` = not limited.
    pub per_move_us: Option<u64>,
    /// From the start of the host to the opened library.
    pub load_us: u64,
    /// `initialize`, and likewise `get_player_name`.
    pub initialize_us: u64,
    /// `finalize`.
    pub finalize_us: u64,
}

/// Which clock judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockKind {
    /// Processor time of the client's process.
    Cpu,
    /// Time that passes.
    Wall,
}

/// What a client may use besides time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Resident memory, bytes.
    pub memory: u64,
    /// Processor cores; a match takes as many.
    pub threads: u32,
    /// Bytes kept of each of stdout, stderr and log, a seat and match.
    pub output: u64,
}

/// What stands between a client and the server, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Isolation {
    /// A fresh sandboxed process for each client and match.
    Process,
    /// A sandboxed process for each client, kept for many matches: what a client leaves behind stays with it.
    Reuse,
    /// The client is called in the server: trusted, timed by the wall clock, nothing enforced. For benchmarks and debuggers.
    None,
}

impl Isolation {
    /// As in ladder.toml.
    pub fn name(self) -> &'static str {
        match self {
            Isolation::Process => "process",
            Isolation::Reuse => "reuse",
            Isolation::None => "none",
        }
    }
}

/// Which rungs of the sandbox are asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxPolicy {
    /// How much is asked.
    pub mode: SandboxMode,
    /// Rungs left out on purpose, by name.
    pub without: Vec<String>,
}

/// How much of the sandbox is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxMode {
    /// Every rung that this machine has.
    Auto,
    /// Every rung; a match without one of them is void.
    Strict,
    /// None: for debuggers. Such matches are recorded and not rated.
    Off,
}

/// One line-up on one opening: the unit of schedule, of transaction and of statistics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Hash of everything that decides how its matches go; hex.
    pub id: String,
    /// Place in the schedule, from 0.
    pub number: u64,
    /// Entrants by index, as many as seats, in the order of seats of the first rotation.
    pub lineup: Vec<usize>,
    /// Its matches: the line-up, shifted by one seat each time.
    pub rotations: usize,
    /// Which of the ladder's settings (boards and other options).
    pub setting: usize,
    /// Number of the opening: the seed of the deal follows from it and the ladder's seed.
    pub opening: u64,
    /// What its clients' own seeds are drawn from.
    pub draws: [u8; 32],
}

/// One match of a block: the line-up, shifted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Block id and rotation letter: `3f9a1c20-a`.
    pub id: String,
    /// How far the line-up is shifted.
    pub rotation: usize,
    /// The entrant of each seat, by index.
    pub seats: Vec<usize>,
}

/// Where in its life a client was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Starting the host, entering the sandbox, opening the library.
    Load,
    /// In `initialize`.
    Initialize,
    /// In `get_player_name`.
    Name,
    /// In `play`.
    Play,
    /// Between its turns.
    Idle,
    /// In `finalize`.
    Finalize,
}

/// What a client did wrong: its seat loses. Data, never an error of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The move breaks a rule of the game.
    IllegalMove,
    /// More processor time than allowed.
    CpuTime,
    /// More wall time than allowed, under the wall clock.
    WallTime,
    /// Not an answer, and no processor time used, until the guard.
    Stalled,
    /// Ended by a signal.
    Crash,
    /// The process ended by itself.
    EarlyExit,
    /// A system call that no game needs.
    ForbiddenCall,
    /// More resident memory than allowed.
    OutOfMemory,
    /// Bytes on the reply channel that are no reply, or none where one was due.
    Protocol,
    /// `initialize` returned something else than 0.
    Declined,
    /// The library could not be opened, or is no client of this game.
    LoadFailure,
    /// Processor time used while it was not asked.
    OutOfTurn,
}

impl FaultKind {
    /// In tables and messages.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::IllegalMove => "illegal-move",
            FaultKind::CpuTime => "cpu-time",
            FaultKind::WallTime => "wall-time",
            FaultKind::Stalled => "stalled",
            FaultKind::Crash => "crash",
            FaultKind::EarlyExit => "early-exit",
            FaultKind::ForbiddenCall => "forbidden-call",
            FaultKind::OutOfMemory => "out-of-memory",
            FaultKind::Protocol => "protocol",
            FaultKind::Declined => "declined",
            FaultKind::LoadFailure => "load-failure",
            FaultKind::OutOfTurn => "out-of-turn",
        }
    }

    /// Whether the process was lost rather than the game: what a crash penalty is for.
    pub fn is_crash(self) -> bool {
        use FaultKind::*;
        matches!(self, Crash | EarlyExit | ForbiddenCall | OutOfMemory | Protocol | LoadFailure)
    }
}

/// A fault: what, where, and a message that its author can act on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// In which phase.
    pub phase: Phase,
    /// Turns played before it, by all seats.
    pub ply: u32,
    /// What happened, where, and what to do.
    pub message: String,
    /// The bytes that were refused, hex; empty if there were none.
    pub raw: String,
}

/// Something worth telling that does not cost the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeKind {
    /// It tried to open a file that it may not.
    DeniedFile,
    /// It printed more than is kept.
    CappedOutput,
    /// It blocks signals.
    BlockedSignals,
    /// Its name is missing or unusable; the file's name is shown.
    BadName,
    /// It went wrong in `finalize`, when the result already stood.
    Finalize,
    /// A rung of the sandbox does not hold, so that what it would show cannot be told.
    MissingRung,
    /// Under the wall clock the machine kept it from its core for so long that it would have lost on time; that was not charged.
    KeptWaiting,
}

impl NoticeKind {
    /// In tables and messages.
    pub fn name(self) -> &'static str {
        match self {
            NoticeKind::DeniedFile => "denied-file",
            NoticeKind::CappedOutput => "capped-output",
            NoticeKind::BlockedSignals => "blocked-signals",
            NoticeKind::BadName => "bad-name",
            NoticeKind::Finalize => "finalize",
            NoticeKind::MissingRung => "missing-rung",
            NoticeKind::KeptWaiting => "kept-waiting",
        }
    }
}

/// A notice: what, where, and a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// What.
    pub kind: NoticeKind,
    /// In which phase.
    pub phase: Phase,
    /// Turns played before it, by all seats.
    pub ply: u32,
    /// One sentence.
    pub message: String,
}

/// One move of one seat. Seats that move at once share a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Turns played before, by all seats.
    pub ply: u32,
    /// Whose.
    pub seat: Seat,
    /// The move's bytes.
    pub mv: MoveBytes,
    /// Given by the client, or by the rules for an absent one.
    pub by_client: bool,
    /// Processor time of the call, microseconds.
    pub cpu_us: u64,
    /// Wall time from question to answer, microseconds.
    pub wall_us: u64,
    /// Hash of the state after the ply.
    pub hash: u64,
}

/// Where a text came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// What the client printed.
    Stdout,
    /// What it printed to stderr.
    Stderr,
    /// What it said by `agon_log`: `key<TAB>value`.
    Log,
}

/// Text of a client, with the place in the match where it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// Whose.
    pub seat: Seat,
    /// In which phase.
    pub phase: Phase,
    /// Turns played before, by all seats.
    pub ply: u32,
    /// Where it came from.
    pub stream: Stream,
    /// Bytes that are no UTF-8 are replaced.
    pub text: String,
}

/// How one seat came out of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatResult {
    /// The entrant, by index in its ladder.
    pub entrant: usize,
    /// Its own seed.
    pub seed: u64,
    /// The name it gave, or the file's.
    pub told_name: String,
    /// The game's own number.
    pub score: i64,
    /// From 1; equal ranks are shared.
    pub rank: u32,
    /// What it did wrong.
    pub fault: Option<Fault>,
    /// What is worth telling.
    pub notices: Vec<Notice>,
    /// Rungs of the sandbox that held, by name.
    pub rungs: Vec<String>,
    /// Time and memory.
    pub usage: Usage,
}

/// What one seat used, microseconds and bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Processor time in `play`.
    pub play_cpu_us: u64,
    /// Wall time in `play`.
    pub play_wall_us: u64,
    /// The slowest call of `play`, on the judging clock.
    pub slowest_us: u64,
    /// Wall time until the library was open.
    pub load_us: u64,
    /// Processor time of `initialize`.
    pub initialize_us: u64,
    /// Processor time of `finalize`.
    pub finalize_us: u64,
    /// The most resident memory seen.
    pub memory: u64,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "cause")]
pub enum Ending {
    /// By the game's own end, faults of some seats included where the others played on.
    Over,
    /// By a fault, which decided it.
    Fault,
    /// By our own trouble: not counted, played again under the same id.
    Void(String),
}

/// A match, from its pairing to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// See [`Pairing::id`].
    pub id: String,
    /// Hash of the state that it began with; 0 where an old record does not know it.
    pub start: u64,
    /// How it ended.
    pub ending: Ending,
    /// Seat by seat.
    pub seats: Vec<SeatResult>,
    /// Move by move.
    pub steps: Vec<Step>,
    /// What the clients printed and logged.
    pub outputs: Vec<Output>,
    /// When it began, seconds since 1970.
    pub started: u64,
    /// Wall time from start to end, microseconds.
    pub wall_us: u64,
}

impl Match {
    /// A hash of its moves: matches with the same one, from the same start, are one game played again.
    pub fn game(&self) -> u64 {
        let mut hasher = blake3::Hasher::new_derive_key("agon moves 1");
        for step in &self.steps {
            hasher.update(&[step.seat as u8, step.mv.as_slice().len() as u8]).update(step.mv.as_slice());
        }
        let digest = *hasher.finalize().as_bytes();
        u64::from_le_bytes(std::array::from_fn(|index| digest[index]))
    }
}

/// A block with its matches: what a worker gives back and the store keeps in one transaction.
#[derive(Clone, Debug)]
pub struct PlayedBlock {
    /// Which.
    pub block: Block,
    /// One a rotation, in order.
    pub matches: Vec<Match>,
}

/// Where things are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The record, the logs and the copies of client files.
    pub out: PathBuf,
    /// The host program.
    pub host: PathBuf,
    /// The admission program.
    pub admit: PathBuf,
    /// The client that plays for files without a descriptor, where there is one.
    pub adapter: Option<PathBuf>,
}

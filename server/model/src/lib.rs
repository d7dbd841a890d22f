//! The plain data that travels between the stages: who plays whom, how a match went, what went wrong.
//! It belongs to no stage; every stage may use it, and it uses none of them.

mod adjudication;
mod begin;
mod counted;
mod fault;
mod file_name;
pub mod move_line;
mod outcome;
mod seeds;
pub mod shell;
mod shortage;
mod speed;
mod stage;
mod terms;
mod time_words;
mod turns;
pub mod units;
pub mod visible;
mod weakness;

pub use adjudication::{Adjudication, Agreement, SURE};
pub use begin::{Begin, Told};
pub use counted::{counted, cut, some_of, time_text};
pub use fault::{Excuse, Fault, FaultKind, Notice, NoticeKind, Phase};
pub use file_name::readable;
pub use move_line::MoveLine;
pub use outcome::{MatchOutcome, SeatOutcome, Tally, TallyRow};
pub use seeds::{client_seed, opening, seat_seed};
pub use shortage::is_shortage;
pub use speed::MachineSpeed;
pub use stage::{PlayedStage, PlayerId, Stage, StageKind};
pub use terms::{ClockKind, Isolation, Limits, SandboxMode, SandboxPolicy, TimeControl, TimeScale, WALL_FACTOR};
pub use time_words::{LONGEST_PERIOD, TimeWords};
pub use turns::Turns;
pub use weakness::Weakness;

pub use agon_stats::Points;

use agon_games::{MoveBytes, Seat};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use strum::{EnumString, IntoStaticStr};

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

/// What the name of a ladder is like: it becomes a part of the name of a file.
pub const LADDER_NAME: &str = "write 1 to 64 characters without a slash or a line break, and no dot before them";

/// Whether a ladder can have this name; see [`LADDER_NAME`].
pub fn is_ladder_name(name: &str) -> bool {
    let is_odd = |character: char| character == '/' || character.is_control();
    (1..=64).contains(&name.chars().count()) && !name.contains(is_odd) && !name.starts_with('.')
}

/// The option of a client by which an adapter learns for which file it plays; nobody else may set it.
pub const FILE_OPTION: &str = "file";
/// What the options of a client begin with that name the files it is given, by SHA-256; nobody else may set them.
pub const DATA_OPTION: &str = "data.";
/// The option of a client that has its own time; the client itself is not given it, and nobody else may set it.
pub const TIME_OPTION: &str = "time";

impl Entrant {
    /// The name that all its versions share: `red` of `red@2`.
    pub fn team(&self) -> &str {
        match self.label.rsplit_once('@') {
            Some((team, version)) if version.parse::<u32>().is_ok() => team,
            _ => &self.label,
        }
    }

    /// The time that it has instead of the ladder's, if it has its own.
    ///
    /// # Errors
    /// The record says something else there: a sentence.
    pub fn own_time(&self) -> Result<Option<TimeWords>, String> {
        let read = |text: &String| {
            TimeWords::read(text).map_err(|why| format!("client {} has no readable time: {why}", self.label))
        };
        self.options.get(TIME_OPTION).map(read).transpose()
    }

    /// The time control that it plays by in a ladder of this one.
    ///
    /// # Errors
    /// As for `own_time`.
    pub fn time(&self, common: &TimeControl) -> Result<TimeControl, String> {
        Ok(self.own_time()?.map_or_else(|| common.clone(), |own| own.over(common)))
    }
}

/// Why a client that could play gets no new blocks. What it played stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspension {
    /// Until when, and for whom.
    pub kind: SuspensionKind,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SuspensionKind {
    /// This file, until it is let back; a new version plays.
    Benched,
    /// All versions, those to come included, until it is let back.
    Withdrawn,
}

impl SuspensionKind {
    /// By its name.
    pub fn named(name: &str) -> Option<SuspensionKind> {
        name.parse().ok()
    }

    /// In tables and in the record.
    pub fn name(self) -> &'static str {
        self.into()
    }
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
    /// Its matches: the line-up, shifted by one seat each time; those that are more than seats have it turned round.
    pub rotations: usize,
    /// Which of the ladder's settings (boards and other options).
    pub setting: usize,
    /// Number of the opening: the seed of the deal follows from it and the ladder's seed.
    pub opening: u64,
    /// What its clients' own seeds are drawn from.
    pub draws: [u8; 32],
}

impl Block {
    /// Its matches: the line-up in its cyclic shifts, and those that are more than seats with the order turned round.
    pub fn pairings(&self) -> impl Iterator<Item = Pairing> + '_ {
        (0..self.rotations).map(|rotation| {
            let mut seats = self.lineup.clone();
            if rotation >= seats.len() {
                seats.reverse();
            }
            let shift = rotation % seats.len().max(1);
            seats.rotate_left(shift);
            let letter = char::from(b'a' + rotation as u8);
            Pairing { id: format!("{}-{letter}", self.id), rotation, seats }
        })
    }
}

/// The id of the block that a match with this id is of.
pub fn block_of(id: &str) -> &str {
    id.split_once('-').map_or(id, |(block, _)| block)
}

/// One match of a block: the line-up, shifted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Block id and rotation letter: `3f9a1c20-a`.
    pub id: String,
    /// Which match of the block, from 0.
    pub rotation: usize,
    /// The entrant of each seat, by index.
    pub seats: Vec<usize>,
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
    /// Layers of the sandbox that held, by name.
    #[serde(rename = "rungs")]
    pub layers: Vec<String>,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the game's own end, faults of some seats included where the others played on.
    Over,
    /// By a fault, which decided it.
    Fault,
    /// Before its end, since both clients said who wins; see [`Adjudication`].
    Adjudicated,
    /// By our own trouble: not counted, played again under the same id.
    Void(String),
    /// The machine lacked something that it may have again: nothing was decided, and it is played when there is enough.
    Shortage(String),
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
    /// How many turns were played, by all seats.
    pub fn plies(&self) -> u32 {
        self.steps.last().map_or(0, |step| step.ply + 1)
    }

    /// A hash of its moves: matches with the same one, from the same start, are one game played again.
    pub fn game(&self) -> u64 {
        let mut moves = Vec::with_capacity(18 * self.steps.len());
        for step in &self.steps {
            moves.extend([step.seat as u8, step.mv.as_slice().len() as u8]);
            moves.extend_from_slice(step.mv.as_slice());
        }
        let digest = blake3::derive_key("agon moves 1", &moves);
        u64::from_le_bytes(std::array::from_fn(|index| digest[index]))
    }
}

/// A block with its matches: what a worker gives back and the store keeps in one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedBlock {
    /// Which.
    pub block: Block,
    /// One a rotation, in order.
    pub matches: Vec<Match>,
}

/// Which matches leave a readable log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogPolicy {
    /// Every match; written line by line as it goes.
    All,
    /// Those with a fault; written at the end.
    Faults,
    /// No match; `agon show ID --jsonl` makes one at any time.
    None,
}

/// Where things are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// The record, the logs and the copies of client files.
    pub out: PathBuf,
    /// The host program.
    pub host: PathBuf,
    /// The admission program.
    pub admit: PathBuf,
    /// The client that plays for files without a descriptor, where there is one.
    pub adapter: Option<PathBuf>,
}

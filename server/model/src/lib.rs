//! The plain data that travels between the stages, and pure functions of it: ladders, pairings, matches and faults. It
//! belongs to no stage; every stage may use it, and it uses none of them.

mod adjudication;
mod answer;
mod begin;
mod client_files;
mod closing;
mod copied;
mod counted;
mod distinct_labels;
mod entrant;
mod fault;
mod file_name;
mod find_game;
pub mod formula;
mod grades;
mod ids;
mod ladder;
mod ladder_row;
mod ladder_terms;
mod live_boards;
mod look;
pub mod match_log;
pub mod move_line;
mod nearest;
mod outcome;
pub mod pairing;
mod ranking;
mod replay;
mod seeds;
pub mod shell;
mod shortage;
mod slow;
mod sources;
mod speed;
mod stage;
mod stored_match;
mod terms;
mod text_line;
mod thought;
mod time_words;
mod turns;
pub mod units;
pub mod visible;
mod weakness;
mod worker_state;

pub use adjudication::{Adjudication, Agreement, SURE};
pub use answer::Answer;
pub use begin::{Begin, NamedValues};
pub use client_files::ClientFiles;
pub use closing::{Closing, show_moment};
pub use copied::{Copied, copy_path, data_of, data_path, is_hash, names_files};
pub use counted::{counted, cut, some_of, time_text};
pub use distinct_labels::distinct_labels;
pub use entrant::{DATA_OPTION, Entrant, FILE_OPTION, LATE, Suspension, SuspensionKind, TIME_OPTION};
pub use fault::{Excuse, Fault, FaultKind, Notice, NoticeKind, Phase};
pub use file_name::readable;
pub use find_game::{NoGame, find_game};
pub use grades::{GradeRule, Grades, reached};
pub use ids::{BlockRow, EntrantId, LadderId};
pub use ladder::{About, ClientSpec, Ladder, MATCH, Seeding, Setting, Stop, System, SystemKind, without_version};
pub use ladder_row::LadderRow;
pub use ladder_terms::{LadderTerms, OptionTerm, PairingTerms, RulesVersion, TurnOrderTerm};
pub use live_boards::{LiveBoard, LiveBoards, LivePlace};
pub use look::{HOW_TO_END, Look};
pub use move_line::MoveLine;
pub use nearest::{did_you_mean, nearest};
pub use outcome::{MatchOutcome, SeatOutcome, Tally, TallyRow};
pub use ranking::{at_fault, final_scores, rank};
pub use replay::{replay, replay_from, state_after};
pub use seeds::{client_seed, opening, seat_seed};
pub use shortage::is_shortage;
pub use slow::{named_if_slow, write_slow_acts_by};
pub use sources::{Labels, Sources, out_option};
pub use speed::MachineSpeed;
pub use stage::{PlayedStage, Stage, StageKind};
pub use stored_match::StoredMatch;
pub use terms::{ClockKind, Isolation, Limits, SandboxMode, SandboxPolicy, TimeControl, TimeScale, WALL_FACTOR};
pub use text_line::{Charset, Ink, TextLine};
pub use thought::Thought;
pub use time_words::{LONGEST_PERIOD, TimeWords};
pub use turns::Turns;
pub use weakness::Weakness;
pub use worker_state::WorkerState;

pub use agon_stats::Points;

use agon_games::{MoveBytes, Seat};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The rule for names of ladders, which become part of file names.
pub const LADDER_NAME: &str = "write 1 to 64 characters without a slash or a line break, and no dot before them";

/// Whether a ladder can have this name; see [`LADDER_NAME`].
pub fn is_ladder_name(name: &str) -> bool {
    let is_odd = |character: char| character == '/' || character.is_control();
    (1..=64).contains(&name.chars().count()) && !name.contains(is_odd) && !name.starts_with('.')
}

/// One line-up on one opening: the unit of schedule, of transaction and of statistics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The hash, in hex, of everything that decides how its matches go.
    pub id: String,
    /// Its place in the schedule, from 0.
    pub number: u64,
    /// Entrants by index, one for each seat, in the order of seats of the first rotation.
    pub lineup: Vec<usize>,
    /// The number of its matches: the line-up, shifted by one seat each time. Those beyond the number of seats have its
    /// order reversed.
    pub rotations: usize,
    /// The index of its setting (boards and other options).
    pub setting: usize,
    /// The number of the opening: the seed of the deal follows from it and the ladder's seed.
    pub opening: u64,
    /// The seed from which its clients' own seeds are drawn.
    pub draws: [u8; 32],
}

impl Block {
    /// Its matches: the line-up in its cyclic shifts, and then in reversed order.
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

/// The id of the block to which a match with this id belongs.
pub fn block_of(id: &str) -> &str {
    id.split_once('-').map_or(id, |(block, _)| block)
}

/// One match of a block: the line-up, shifted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The block's id and rotation letter: `3f9a1c20-a`.
    pub id: String,
    /// The index of the match in the block, from 0.
    pub rotation: usize,
    /// The entrant of each seat, by index.
    pub seats: Vec<usize>,
}

/// One move of one seat. Seats that move at once share a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The turns played before, by all seats.
    pub ply: u32,
    /// The seat of the move.
    pub seat: Seat,
    pub mv: MoveBytes,
    /// Whether the client gave it; else the rules did, for a client that is out.
    pub by_client: bool,
    /// Processor time of the call, microseconds.
    pub cpu_us: u64,
    /// Wall time from question to answer, microseconds.
    pub wall_us: u64,
    /// Hash of the state after the ply.
    pub hash: u64,
}

/// The source of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    Stdout,
    Stderr,
    /// The lines of `agon_log`: `key<TAB>value`.
    Log,
}

/// A text of a client, with the place in the match where it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// The seat of the client.
    pub seat: Seat,
    pub phase: Phase,
    /// The turns played before, by all seats.
    pub ply: u32,
    pub stream: Stream,
    /// The text; bytes that are not UTF-8 are replaced.
    pub text: String,
}

/// The result of one seat in a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatResult {
    /// The entrant, by index in its ladder.
    pub entrant: usize,
    /// The seed of its own random choices.
    pub seed: u64,
    /// The name that it gave, or the file's.
    pub told_name: String,
    /// The score by the game's rules.
    pub score: i64,
    /// The rank, from 1; seats may share a rank.
    pub rank: u32,
    pub fault: Option<Fault>,
    pub notices: Vec<Notice>,
    /// Layers of the sandbox that held, by name.
    #[serde(rename = "rungs")]
    pub layers: Vec<String>,
    pub usage: Usage,
}

/// The time and memory that one seat used, microseconds and bytes.
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

/// The endings of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The game ended by its rules, perhaps after faults of some seats while the others played on.
    Over,
    /// A fault decided it.
    Fault,
    /// It ended early, because both clients named the winner; see [`Adjudication`].
    Adjudicated,
    /// The server had trouble: the match does not count, and is played again under the same id.
    Void(String),
    /// The machine lacked something that it may have later: nothing was decided, and the match is played then.
    Shortage(String),
}

/// A match, from its pairing to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The id; see [`Pairing::id`].
    pub id: String,
    /// Hash of its first state; 0 if an old record does not contain it.
    pub start: u64,
    pub ending: Ending,
    /// The result of each seat.
    pub seats: Vec<SeatResult>,
    /// The moves in order.
    pub steps: Vec<Step>,
    /// The clients' prints and logs.
    pub outputs: Vec<Output>,
    /// Its start, seconds since 1970.
    pub started: u64,
    /// Wall time from start to end, microseconds.
    pub wall_us: u64,
}

impl Match {
    /// The number of turns played, by all seats.
    pub fn plies(&self) -> u32 {
        self.steps.last().map_or(0, |step| step.ply + 1)
    }

    /// A hash of its moves: matches with the same hash and the same start are one game played again.
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

/// A block with its matches: a worker returns it, and the record keeps it in one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedBlock {
    pub block: Block,
    /// One match for each rotation, in order.
    pub matches: Vec<Match>,
}

/// The matches that leave a readable log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogPolicy {
    /// Every match leaves a log, written line by line during play.
    All,
    /// Matches with a fault leave a log, written at the end.
    Faults,
    /// No match leaves a log; `agon show ID --jsonl` makes one at any time.
    None,
}

/// The paths of folders and programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// The folder of the record, the logs and the copies of client files.
    pub out: PathBuf,
    pub host: PathBuf,
    pub admit: PathBuf,
    /// The client that plays for files without a descriptor, if there is one.
    pub adapter: Option<PathBuf>,
}

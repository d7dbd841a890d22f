//! A match after play: its moves, results and texts; and a block of such matches.

use super::{Block, Ending, Fault, Notice, Phase, SeatOutcome};
use agon_games::{MoveBytes, Seat};
use serde::{Deserialize, Serialize};

/// A block with its matches: a worker returns it, and the record keeps it in one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedBlock {
    pub block: Block,
    /// One match for each rotation, in order.
    pub matches: Vec<Match>,
}

/// A match, from its pairing to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The id; see [`crate::Pairing::id`].
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
    pub fn moves_hash(&self) -> u64 {
        let mut moves = Vec::with_capacity(18 * self.steps.len());
        for step in &self.steps {
            moves.extend([step.seat as u8, step.mv.as_slice().len() as u8]);
            moves.extend_from_slice(step.mv.as_slice());
        }
        let digest = blake3::derive_key("agon moves 1", &moves);
        u64::from_le_bytes(std::array::from_fn(|index| digest[index]))
    }
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
    pub layers: Vec<String>,
    pub usage: Usage,
}

impl SeatResult {
    /// The part of the result for standings.
    pub fn outcome(&self) -> SeatOutcome {
        let (entrant, rank, score) = (self.entrant, self.rank, self.score);
        let fault = self.fault.as_ref().map(|fault: &Fault| fault.kind);
        SeatOutcome { entrant, rank, score, fault, notices: self.notices.len() as u32 }
    }
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

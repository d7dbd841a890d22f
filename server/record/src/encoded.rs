//! A played block in the form in which it is kept. Whoever played it makes this, on its own core, so that whoever
//! writes only writes.

use super::digest::Digest;
use super::{encode, to_json};
use agon_model::{Match, PlayedBlock, SeatResult};
use rusqlite::params;

/// A block as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedBlock {
    /// Number of its ladder.
    pub ladder: i64,
    /// Its id.
    pub id: String,
    /// Which setting of the ladder.
    pub setting: i64,
    /// Number of the opening.
    pub opening: i64,
    /// One a rotation, in order.
    pub matches: Vec<EncodedMatch>,
    /// Of all of it.
    pub digest: i64,
}

/// One of its matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedMatch {
    /// Its id.
    pub id: String,
    /// `over` or `fault`.
    pub ending: &'static str,
    /// How many turns were played.
    pub plies: u32,
    /// Seconds since 1970.
    pub started: i64,
    /// Microseconds.
    pub wall_us: i64,
    /// Hash of the state it began with, if it is known.
    pub start: Option<i64>,
    /// Hash of its moves.
    pub game: i64,
    /// 48 bytes a step.
    pub steps: Vec<u8>,
    /// All that is known of its seats, as JSON.
    pub details: String,
    /// What clients printed, as JSON; `None` if nothing.
    pub outputs: Option<String>,
    /// What is added up of each seat.
    pub seats: Vec<EncodedSeat>,
}

/// What is added up of one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedSeat {
    /// The entrant's number in the record.
    pub entrant: i64,
    /// The game's own number.
    pub score: i64,
    /// From 1.
    pub rank: u32,
    /// Kind of its fault.
    pub fault: Option<&'static str>,
    /// How many notices it has.
    pub notices: i64,
}

impl EncodedBlock {
    /// Of a ladder with this number; `ids` are the entrants' numbers in the record.
    pub fn new(ladder: i64, played: &PlayedBlock, ids: &[i64]) -> EncodedBlock {
        let (id, setting, opening) =
            (played.block.id.clone(), played.block.setting as i64, played.block.opening as i64);
        let matches = played.matches.iter().map(|played| EncodedMatch::new(played, ids)).collect();
        let mut block = EncodedBlock { ladder, id, setting, opening, matches, digest: 0 };
        block.digest = block.sum();
        block
    }

    /// The digest of what is kept, in the order of the tables.
    fn sum(&self) -> i64 {
        let mut digest = Digest::new();
        digest.add(params![self.ladder, self.id, self.setting, self.opening]);
        for one in &self.matches {
            let EncodedMatch { id, ending, plies, started, wall_us, start, game, .. } = one;
            digest.add(params![id, ending, plies, started, wall_us, start, game]);
            digest.add(params![one.steps, one.details, one.outputs]);
            for (number, seat) in one.seats.iter().enumerate() {
                let EncodedSeat { entrant, score, rank, fault, notices } = seat;
                digest.add(params![number as i64, entrant, score, rank, fault, notices]);
            }
        }
        digest.number()
    }
}

impl EncodedMatch {
    fn new(played: &Match, ids: &[i64]) -> EncodedMatch {
        EncodedMatch {
            id: played.id.clone(),
            ending: played.ending.name(),
            plies: played.plies(),
            started: played.started as i64,
            wall_us: played.wall_us as i64,
            start: (played.start != 0).then_some(played.start as i64),
            game: played.game() as i64,
            steps: encode::steps(&played.steps),
            details: to_json(&played.seats),
            outputs: (!played.outputs.is_empty()).then(|| to_json(&played.outputs)),
            seats: played.seats.iter().map(|seat| EncodedSeat::new(seat, ids)).collect(),
        }
    }
}

impl EncodedSeat {
    fn new(result: &SeatResult, ids: &[i64]) -> EncodedSeat {
        EncodedSeat {
            entrant: ids[result.entrant],
            score: result.score,
            rank: result.rank,
            fault: result.fault.as_ref().map(|fault| fault.kind.name()),
            notices: result.notices.len() as i64,
        }
    }
}

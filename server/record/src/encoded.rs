//! A played block in the form in which it is kept. Whoever played it makes this, on its own core, so that whoever
//! writes only writes.

use super::digest::Digest;
use super::{StoredBlock, encode, to_json};
use agon_model::{Ending, Match, Output, PlayedBlock, SeatResult};
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

    /// Whether it is what was written.
    pub fn is_sound(&self) -> bool {
        self.sum() == self.digest
    }

    /// Gives it the digest of what it is now.
    pub fn seal(&mut self) {
        self.digest = self.sum();
    }

    /// As it was played; `index` makes entrants of their numbers.
    ///
    /// # Errors
    /// What of it cannot be read.
    pub fn read(&self, index: &dyn Fn(i64) -> usize) -> Result<StoredBlock, &'static str> {
        let matches = self.matches.iter().map(|one| one.read(index)).collect::<Result<_, _>>()?;
        let (setting, opening) = (self.setting as usize, self.opening as u64);
        Ok(StoredBlock { id: self.id.clone(), setting, opening, matches })
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

    fn read(&self, index: &dyn Fn(i64) -> usize) -> Result<Match, &'static str> {
        let mut seats: Vec<SeatResult> = serde_json::from_str(&self.details).map_err(|_| "seats")?;
        seats.iter_mut().zip(&self.seats).for_each(|(result, seat)| result.entrant = index(seat.entrant));
        let outputs = self.outputs.as_deref().map(serde_json::from_str).transpose().map_err(|_| "outputs")?;
        Ok(Match {
            id: self.id.clone(),
            start: self.start.unwrap_or(0) as u64,
            ending: Ending::named(self.ending).ok_or("ending")?,
            seats,
            steps: encode::read_steps(&self.steps).ok_or("steps")?,
            outputs: outputs.unwrap_or_default(),
            started: self.started as u64,
            wall_us: self.wall_us as u64,
        })
    }

    /// Takes what a seat said out of it; what it did stays.
    ///
    /// # Errors
    /// What is known of the seats cannot be read.
    pub fn silence(&mut self, seat: usize, name: &str) -> Result<(), &'static str> {
        let (details, outputs) = (&self.details, self.outputs.as_deref());
        (self.details, self.outputs) = silence(details, outputs, seat, name).map_err(|_| "seats")?;
        Ok(())
    }
}

/// Seats and outputs of a match, as they are kept, without what one seat said.
pub fn silence(
    details: &str,
    outputs: Option<&str>,
    seat: usize,
    name: &str,
) -> Result<(String, Option<String>), serde_json::Error> {
    let mut seats: Vec<SeatResult> = serde_json::from_str(details)?;
    if let Some(result) = seats.get_mut(seat) {
        name.clone_into(&mut result.told_name);
        result.seed = 0;
        if let Some(fault) = &mut result.fault {
            fault.message.clear();
            fault.raw.clear();
        }
        result.notices.iter_mut().for_each(|notice| notice.message.clear());
    }
    // Outputs that cannot be read go as a whole.
    let mut outputs: Vec<Output> = outputs.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    outputs.retain(|output| output.seat != seat);
    let outputs = (!outputs.is_empty()).then(|| to_json(&outputs));
    Ok((to_json(&seats), outputs))
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

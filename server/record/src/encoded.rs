//! A played block in its stored form. The thread that played it makes this form on its own core, so that the writer
//! only writes.

use super::digest::Digest;
use super::{StoredBlock, encode, to_json};
use agon_model::{Ending, EntrantId, LadderId, Match, Output, PlayedBlock, SeatResult};
use rusqlite::params;

/// A block in its stored form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedBlock {
    /// Number of its ladder.
    pub ladder: LadderId,
    pub id: String,
    /// The index of its setting in the ladder.
    pub setting: i64,
    /// The number of the opening.
    pub opening: i64,
    /// One match for each rotation, in order.
    pub matches: Vec<EncodedMatch>,
    /// The digest of all of it.
    pub digest: i64,
}

/// A match of the block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedMatch {
    pub id: String,
    /// The word `over` or `fault`.
    pub ending: &'static str,
    /// The number of turns played.
    pub plies: u32,
    /// Its start in seconds since 1970.
    pub started: i64,
    /// Its duration in microseconds.
    pub wall_us: i64,
    /// The hash of its first state.
    pub start: i64,
    /// Hash of its moves.
    pub moves_hash: i64,
    /// Its steps, 48 bytes each.
    pub steps: Vec<u8>,
    /// All data of its seats, as JSON.
    pub details: String,
    /// The clients' prints, as JSON; `None` if there are none.
    pub outputs: Option<String>,
    /// The values of each seat that are added up.
    pub seats: Vec<EncodedSeat>,
}

/// The values of one seat that are added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedSeat {
    /// The entrant's number in the record.
    pub entrant: EntrantId,
    /// The score by the game's rules.
    pub score: i64,
    /// The rank, from 1.
    pub rank: u32,
    /// The kind of its fault.
    pub fault: Option<&'static str>,
    /// The number of its notices.
    pub notices: i64,
}

impl EncodedBlock {
    /// Encodes a block of a ladder with this number; `ids` are the entrants' numbers in the record.
    pub fn new(ladder: LadderId, played: &PlayedBlock, ids: &[EntrantId]) -> EncodedBlock {
        let (id, setting, opening) =
            (played.block.id.clone(), played.block.setting as i64, played.block.opening as i64);
        let matches = played.matches.iter().map(|played| EncodedMatch::new(played, ids)).collect();
        let mut block = EncodedBlock { ladder, id, setting, opening, matches, digest: 0 };
        block.digest = block.sum();
        block
    }

    /// Whether it is unchanged.
    pub fn is_sound(&self) -> bool {
        self.sum() == self.digest
    }

    /// Gives it the digest of its present contents.
    pub fn seal(&mut self) {
        self.digest = self.sum();
    }

    /// Decodes the block as it was played; `index` turns numbers into entrants.
    ///
    /// # Errors
    /// A part cannot be read; the text names it.
    pub fn read(&self, index: &dyn Fn(EntrantId) -> usize) -> Result<StoredBlock, &'static str> {
        let matches = self.matches.iter().map(|one| one.read(index)).collect::<Result<_, _>>()?;
        let (setting, opening) = (self.setting as usize, self.opening as u64);
        Ok(StoredBlock { id: self.id.clone(), setting, opening, matches })
    }

    /// The digest of the stored values, in the order of the tables.
    fn sum(&self) -> i64 {
        let mut digest = Digest::new();
        digest.add(params![self.ladder.0, self.id, self.setting, self.opening]);
        for one in &self.matches {
            let EncodedMatch { id, ending, plies, started, wall_us, start, moves_hash, .. } = one;
            digest.add(params![id, ending, plies, started, wall_us, start, moves_hash]);
            digest.add(params![one.steps, one.details, one.outputs]);
            for (number, seat) in one.seats.iter().enumerate() {
                let EncodedSeat { entrant, score, rank, fault, notices } = seat;
                digest.add(params![number as i64, entrant.0, score, rank, fault, notices]);
            }
        }
        digest.number()
    }
}

impl EncodedMatch {
    fn new(played: &Match, ids: &[EntrantId]) -> EncodedMatch {
        EncodedMatch {
            id: played.id.clone(),
            ending: played.ending.name(),
            plies: played.plies(),
            started: played.started as i64,
            wall_us: played.wall_us as i64,
            start: played.start as i64,
            moves_hash: played.moves_hash() as i64,
            steps: encode::steps(&played.steps),
            details: to_json(&played.seats),
            outputs: (!played.outputs.is_empty()).then(|| to_json(&played.outputs)),
            seats: played.seats.iter().map(|seat| EncodedSeat::new(seat, ids)).collect(),
        }
    }

    fn read(&self, index: &dyn Fn(EntrantId) -> usize) -> Result<Match, &'static str> {
        let mut seats: Vec<SeatResult> = serde_json::from_str(&self.details).map_err(|_| "seats")?;
        seats.iter_mut().zip(&self.seats).for_each(|(result, seat)| result.entrant = index(seat.entrant));
        let outputs = self.outputs.as_deref().map(serde_json::from_str).transpose().map_err(|_| "outputs")?;
        Ok(Match {
            id: self.id.clone(),
            start: self.start as u64,
            ending: Ending::named(self.ending).ok_or("ending")?,
            seats,
            steps: encode::read_steps(&self.steps).ok_or("steps")?,
            outputs: outputs.unwrap_or_default(),
            started: self.started as u64,
            wall_us: self.wall_us as u64,
        })
    }

    /// Removes a seat's texts from the block; its moves stay.
    pub fn silence(&mut self, seat: usize, name: &str) -> Result<(), &'static str> {
        let (details, outputs) = (&self.details, self.outputs.as_deref());
        (self.details, self.outputs) = silence(details, outputs, seat, name).map_err(|_| "seats")?;
        Ok(())
    }
}

/// Returns the stored seats and outputs of a match without the texts of one seat.
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
    // Unreadable outputs are removed as a whole.
    let mut outputs: Vec<Output> = outputs.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    outputs.retain(|output| output.seat != seat);
    let outputs = (!outputs.is_empty()).then(|| to_json(&outputs));
    Ok((to_json(&seats), outputs))
}

impl EncodedSeat {
    fn new(result: &SeatResult, ids: &[EntrantId]) -> EncodedSeat {
        EncodedSeat {
            entrant: ids[result.entrant],
            score: result.score,
            rank: result.rank,
            fault: result.fault.as_ref().map(|fault| fault.kind.name()),
            notices: result.notices.len() as i64,
        }
    }
}

//! The suspended clients of a ladder, and the clients whose earlier failures do not count.

use super::participants::Participants;
use agon_model::{BlockRow, MatchOutcome};
use agon_record::{Record, RunError};
use std::collections::{BTreeMap, BTreeSet};

/// The suspended clients, by index in the ladder.
#[derive(Clone, Default)]
pub struct Suspensions {
    /// The first block without each of them.
    out: BTreeMap<usize, u64>,
    /// The row of the record up to which a client's failures do not count.
    pardoned: BTreeMap<usize, BlockRow>,
}

impl Suspensions {
    /// Whether a client does not play a block.
    pub fn is_out(&self, entrant: usize, number: u64) -> bool {
        self.out.get(&entrant).is_some_and(|since| number >= *since)
    }

    /// Whether the failures in a row of the record count against a client.
    pub fn counts(&self, entrant: usize, row: BlockRow) -> bool {
        self.pardoned.get(&entrant).is_none_or(|pardoned| row > *pardoned)
    }

    /// The failures of a client up to this row do not count.
    pub fn pardon(&mut self, entrant: usize, row: BlockRow) {
        self.pardoned.insert(entrant, row);
    }

    /// The clients whose recorded failures do not count: those that left, and those let back since.
    pub fn pardoned_in(&self, matches: &[MatchOutcome]) -> BTreeSet<usize> {
        let seats = matches.iter().flat_map(|played| played.seats.iter().map(|seat| (seat.entrant, played.block)));
        let counts = |(entrant, row)| entrant != usize::MAX && self.counts(entrant, row);
        seats.filter(|seat| !counts(*seat)).map(|(entrant, _)| entrant).collect()
    }

    /// Suspends a client from a block on; false = it is suspended already, which remains unchanged.
    pub fn begin(&mut self, entrant: usize, since: u64) -> bool {
        let is_new = !self.out.contains_key(&entrant);
        self.out.entry(entrant).or_insert(since);
        is_new
    }

    /// Lets a client back.
    pub fn end(&mut self, entrant: usize) {
        self.out.remove(&entrant);
    }

    /// Joins the suspensions of a later look at the record; false = a client was let back, and nothing is joined.
    pub fn join(&mut self, now: Suspensions) -> bool {
        let is_back = |entrant: &usize| !now.out.contains_key(entrant);
        if now.pardoned != self.pardoned || self.out.keys().any(is_back) {
            return false;
        }
        for (entrant, since) in now.out {
            self.begin(entrant, since);
        }
        true
    }

    /// Reads the suspensions in the record; `digest` is that of the schedule whose block numbers count.
    pub fn read(record: &dyn Record, participants: &Participants, digest: &str) -> Result<Suspensions, RunError> {
        let mut suspensions = Suspensions::default();
        for member in record.members(participants.row.id)? {
            let Some(entrant) = participants.index(member.id) else { continue };
            suspensions.pardon(entrant, member.pardoned);
            if let Some(suspension) = member.suspension {
                suspensions.out.insert(entrant, if suspension.schedule == digest { suspension.since } else { 0 });
            }
        }
        Ok(suspensions)
    }
}

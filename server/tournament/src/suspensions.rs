//! Who is set aside in a ladder, and whose failures of before do not count.

use super::RunError;
use super::participants::Participants;
use agon_record::Store;
use std::collections::BTreeMap;

/// Who does not play, by index in the ladder.
#[derive(Default)]
pub struct Suspensions {
    /// From which block on.
    pub out: BTreeMap<usize, u64>,
    /// Up to which row of the record somebody's failures do not count.
    pub pardoned: BTreeMap<usize, i64>,
}

impl Suspensions {
    /// Whether somebody does not play a block.
    pub fn is_out(&self, entrant: usize, number: u64) -> bool {
        self.out.get(&entrant).is_some_and(|since| number >= *since)
    }

    /// As the record has it now; `digest` is the schedule's in which block numbers count.
    pub fn read(store: &Store, participants: &Participants, digest: &str) -> Result<Suspensions, RunError> {
        let mut suspensions = Suspensions::default();
        for member in store.members(participants.row.id)? {
            let Some(entrant) = participants.index(member.id) else { continue };
            suspensions.pardoned.insert(entrant, member.pardoned);
            if let Some(aside) = member.aside {
                suspensions.out.insert(entrant, if aside.schedule == digest { aside.since } else { 0 });
            }
        }
        Ok(suspensions)
    }
}

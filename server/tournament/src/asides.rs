//! Who is set aside in a ladder, and whose failures of before do not count.

use super::RunError;
use super::pass::Table;
use agon_record::Store;
use std::collections::BTreeMap;

/// Who does not play, by index in the ladder.
#[derive(Default)]
pub struct Asides {
    /// From which block on.
    pub out: BTreeMap<usize, u64>,
    /// Up to which row of the record somebody's failures do not count.
    pub pardoned: BTreeMap<usize, i64>,
}

impl Asides {
    /// Whether somebody does not play a block.
    pub fn is_out(&self, entrant: usize, number: u64) -> bool {
        self.out.get(&entrant).is_some_and(|since| number >= *since)
    }

    /// As the record has it now; `digest` is the schedule's in which block numbers count.
    pub fn read(store: &Store, table: &Table, digest: &str) -> Result<Asides, RunError> {
        let mut asides = Asides::default();
        for member in store.roster(table.row.id)? {
            let Some(entrant) = table.index(member.id) else { continue };
            asides.pardoned.insert(entrant, member.pardoned);
            if let Some(aside) = member.aside {
                asides.out.insert(entrant, if aside.schedule == digest { aside.since } else { 0 });
            }
        }
        Ok(asides)
    }
}

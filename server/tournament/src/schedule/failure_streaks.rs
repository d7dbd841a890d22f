//! Counts failures in a row of each entrant, in the order of the schedule.

use agon_model::{FaultKind, MatchOutcome};
use std::collections::{BTreeMap, BTreeSet};

/// An entrant that reached the limit of failures in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failing {
    /// Its index in the ladder.
    pub entrant: usize,
    /// The kind of the last fault.
    pub fault: FaultKind,
    /// The match with the last fault.
    pub id: String,
}

/// The counts of all entrants.
#[derive(Debug)]
pub struct FailureStreaks {
    limit: u32,
    in_a_row: BTreeMap<usize, u32>,
}

impl FailureStreaks {
    /// Allows fewer than `limit` failures in a row; 0 = no limit.
    pub fn new(limit: u32) -> FailureStreaks {
        FailureStreaks { limit, in_a_row: BTreeMap::new() }
    }

    /// Whether there is a limit.
    pub fn judges(&self) -> bool {
        self.limit > 0
    }

    /// Passes a block whose result nobody knows: the failures before it are not in a row with later ones.
    pub fn interrupt(&mut self, lineup: &[usize]) {
        self.in_a_row.retain(|entrant, _| !lineup.contains(entrant));
    }

    /// Counts the next block, except for pardoned entrants. Returns those that reached the limit, in order.
    pub fn count(&mut self, matches: &[MatchOutcome], pardoned: &BTreeSet<usize>) -> Vec<Failing> {
        let mut failing = Vec::new();
        for outcome in matches {
            for (entrant, fault) in outcome.appearances().into_iter().filter(|(entrant, _)| !pardoned.contains(entrant))
            {
                let count = self.in_a_row.entry(entrant).or_default();
                *count = if fault.is_some() { *count + 1 } else { 0 };
                if let Some(fault) = fault.filter(|_| *count == self.limit) {
                    failing.push(Failing { entrant, fault, id: outcome.id.clone() });
                }
            }
        }
        failing
    }
}

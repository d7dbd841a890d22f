//! The list of the entries that were not copied, which is short whatever an archive names.

use super::top;
use std::collections::BTreeMap;
use std::path::Path;

/// The longest name of an entry, bytes.
pub(super) const LONGEST_NAME: usize = 4_096;
/// The most names that are listed of one entry at the top.
const MOST_OF_ONE: usize = 20;
/// The most names that are listed in all.
const MOST_LISTED: usize = 1_000;

/// An entry that was not copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its path within the submission.
    pub name: String,
    /// The reason why it was not unpacked.
    pub why: String,
}

/// Names and counts of entries that were not copied.
#[derive(Default)]
pub(super) struct LeftOutList {
    listed: Vec<LeftOut>,
    /// For each entry at the top that is listed, the names that are listed, and the others.
    counted: BTreeMap<String, (usize, usize)>,
    /// The entries of which nothing is listed.
    further: usize,
}

impl LeftOutList {
    pub(super) fn add(&mut self, name: &str, why: &str) {
        let end = (0..=LONGEST_NAME.min(name.len())).rev().find(|end| name.is_char_boundary(*end));
        let name = &name[..end.unwrap_or(0)];
        let (top, is_full) = (top(Path::new(name)), self.listed.len() >= MOST_LISTED);
        if is_full && !self.counted.contains_key(&top) {
            self.further += 1;
            return;
        }
        let (listed, others) = self.counted.entry(top).or_default();
        if is_full || *listed >= MOST_OF_ONE {
            *others += 1;
            return;
        }
        *listed += 1;
        self.listed.push(LeftOut { name: name.to_owned(), why: why.to_owned() });
    }

    /// The names, and then how many more there are.
    pub(super) fn all(self) -> Vec<LeftOut> {
        let more = self.counted.into_iter().filter(|(_, (_, others))| *others > 0);
        let more = more.map(|(name, (_, others))| LeftOut { name, why: format!("{others} more of its entries") });
        let mut all: Vec<LeftOut> = self.listed.into_iter().chain(more).collect();
        if self.further > 0 {
            let why = format!("{} were left out and are not listed", self.further);
            all.push(LeftOut { name: "further entries".to_owned(), why });
        }
        all
    }
}

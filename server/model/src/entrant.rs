//! A client in a ladder.

use crate::{TimeControl, TimeWords};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A client in a ladder: one file with one set of options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// The name in tables; unique in the ladder.
    pub label: String,
    /// The name of its original file, without folders.
    pub file: String,
    /// SHA-256 of the file's bytes, hex; with `+` and that of the adapter, if one plays for it.
    pub hash: String,
    /// The options from its `[[client]]`.
    pub options: BTreeMap<String, String>,
    /// The reason why admission refused it; it then gets no blocks.
    pub refused: Option<String>,
}

/// How the refusal of a client begins whose only file came after the closing time.
pub const LATE: &str = "its file was not there at the closing time";

/// The option by which an adapter learns for which file it plays; only the server may set it.
pub const FILE_OPTION: &str = "file";
/// The beginning of options that name the files given to a client, by SHA-256; only the server may set them.
pub const DATA_OPTION: &str = "data.";
/// The option of a client that has its own time. The client itself does not get it, and only the server may set it.
pub const TIME_OPTION: &str = "time";

impl Entrant {
    /// Whether its only file came after the closing time.
    pub fn is_late(&self) -> bool {
        self.refused.as_ref().is_some_and(|why| why.starts_with(LATE))
    }

    /// The name that all its versions share: `red` of `red@2`.
    pub fn team(&self) -> &str {
        match self.label.rsplit_once('@') {
            Some((team, version)) if version.parse::<u32>().is_ok() => team,
            _ => &self.label,
        }
    }

    /// The client's own time, which replaces the ladder's. In an imported record the text may be
    /// anything; a text that is not a time control changes nothing.
    pub fn own_time(&self) -> Option<TimeWords> {
        TimeWords::read(self.options.get(TIME_OPTION)?).ok()
    }

    /// The client's time control in a ladder with this common one.
    pub fn time(&self, common: &TimeControl) -> TimeControl {
        self.own_time().map_or_else(|| common.clone(), |own| own.over(common))
    }
}

//! A client in a ladder, and why it plays no more.

use crate::{TimeControl, TimeWords};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use strum::{EnumString, IntoStaticStr};

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

/// Why a playable client gets no new blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspension {
    /// Its duration, and its versions.
    pub kind: SuspensionKind,
    /// Whether a person did it, rather than `disable_after`.
    pub by_hand: bool,
    /// The reason, as a sentence.
    pub why: String,
    /// The first block of the schedule without it.
    pub since: u64,
    /// Digest of the schedule in which `since` counts; in another one, `since` is the beginning.
    pub schedule: String,
}

/// How a client was set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SuspensionKind {
    /// This file is set aside until it is let back; a new version plays.
    Benched,
    /// All versions are set aside, including future ones, until it is let back.
    Withdrawn,
}

impl SuspensionKind {
    /// Finds a kind by its name.
    pub fn named(name: &str) -> Option<SuspensionKind> {
        name.parse().ok()
    }

    /// The name in tables and in the record.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

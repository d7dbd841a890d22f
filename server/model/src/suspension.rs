//! Why a client plays no more: a person or its own faults suspended it.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

/// Why a playable client gets no new blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspension {
    /// Its duration, and its versions.
    pub kind: SuspensionKind,
    /// Whether a person did it, rather than `bench_after`.
    pub by_hand: bool,
    /// The reason, as a sentence.
    pub why: String,
    /// The first block of the schedule without it.
    pub since: u64,
    /// Digest of the schedule in which `since` counts; in another one, `since` is the beginning.
    pub schedule: String,
}

/// How a client is suspended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SuspensionKind {
    /// This file does not play until it is let back; a new version plays.
    Benched,
    /// No version plays, not even a future one, until it is let back.
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

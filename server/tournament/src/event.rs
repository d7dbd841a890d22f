//! What whoever runs a ladder is told: while it goes on, and at its end.

use crate::disk_estimate::DiskEstimate;
use agon_model::{Entrant, PlayedBlock};
use agon_record::LadderRow;

/// What happens while a ladder runs, for whoever shows it.
pub enum RunEvent<'a> {
    /// Something worth telling before the start.
    Warning(String),
    /// Everything is ready: matches in all, and matches already in the record.
    Ready {
        /// In the whole schedule.
        matches: u64,
        /// Played before.
        done: u64,
        /// At once.
        jobs: usize,
        /// As the record has it.
        ladder: &'a LadderRow,
        /// Who takes part.
        entrants: &'a [Entrant],
    },
    /// What the ladder will take of the disk.
    DiskEstimate(DiskEstimate),
    /// What the record had of the ladder is now kept under this name.
    SetAside(String),
    /// A block was played and kept.
    Played(&'a PlayedBlock, &'a [Entrant]),
    /// Matches are under way, and none has ended for a moment.
    Waiting,
    /// A block was void as often as it may be.
    Void(&'a str),
    /// A client plays no more, and why: a sentence.
    Benched(&'a str),
    /// Something that happened to a client and is worth telling.
    Note(&'a str),
    /// Meetings were drawn: a sentence, and how many matches there will be in all, as far as is known.
    Drawn(&'a str, u64),
    /// So many matches of the schedule are left out: a client of theirs is set aside.
    Skipped(u64),
}

/// Which way to begin where the record already has this ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// Go on; changed settings are refused.
    GoOn,
    /// Set what is there aside and begin anew.
    Fresh,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The ladder as the record has it.
    pub ladder: LadderRow,
    /// Matches of the schedule in the record, and those that were to be played.
    pub done: u64,
    /// See `done`.
    pub matches: u64,
    /// Matches that the schedule would have if nothing had stopped it.
    pub scheduled: u64,
    /// Whether it was stopped before the end.
    pub stopped: bool,
    /// Whether no match began.
    pub idle: bool,
    /// Whether the rule for stopping had seen enough.
    pub enough: bool,
    /// The key of `[stop]` that ended it before its schedule was over, with its value.
    pub stopped_by: Option<String>,
}

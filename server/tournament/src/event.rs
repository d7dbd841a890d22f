//! Reports of a running ladder to its operator, while it goes on and at its end.

use crate::controller::EarlyEnd;
use crate::disk_estimate::DiskEstimate;
use agon_model::{Entrant, LadderRow, PlayedBlock};

/// An event of a running ladder, for display.
pub enum RunEvent<'a> {
    /// A warning before the start.
    Warning(String),
    /// Everything is ready: matches in all, and matches already in the record.
    Ready {
        /// Matches in the whole schedule.
        matches: u64,
        done: u64,
        /// Matches played at once.
        jobs: usize,
        /// The ladder in the record.
        ladder: &'a LadderRow,
        entrants: &'a [Entrant],
    },
    /// The disk space that the ladder will take.
    DiskEstimate(DiskEstimate),
    /// The old results of the ladder are now kept under this name.
    Archived(String),
    /// A block was played and kept.
    Played(&'a PlayedBlock, &'a [Entrant]),
    /// Matches are under way, and none has ended for a moment.
    Waiting,
    /// A block was void as often as it may be.
    Void(&'a str),
    /// A client plays no more, for the reason in this sentence.
    Benched(&'a str),
    /// Another event about a client.
    Note(&'a str),
    /// Meetings were drawn: a sentence, and the number of all matches, as far as is known.
    Drawn(&'a str, u64),
    /// This number of matches is left out, because one of their clients is suspended.
    Skipped(u64),
}

/// How to begin if the record already has this ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// Go on; changed settings are refused.
    GoOn,
    /// Archive the old results and begin anew.
    Fresh,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The ladder in the record.
    pub ladder: LadderRow,
    /// Matches of the schedule in the record, and those that were to be played.
    pub done: u64,
    /// Matches of the schedule that were to be played.
    pub matches: u64,
    /// Matches that the schedule would have if nothing had stopped it.
    pub scheduled: u64,
    /// Whether no match began.
    pub idle: bool,
    /// Why it ended before its schedule; `None` if nothing stopped it.
    pub early: Option<EarlyEnd>,
}

impl Ended {
    /// Whether a user stopped it.
    pub fn is_interrupted(&self) -> bool {
        self.early == Some(EarlyEnd::Signal)
    }
}

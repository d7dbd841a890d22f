//! A worker as the operator of a record sees it.

use agon_model::{MachineSpeed, WorkerState};
use std::time::Duration;

/// A worker as people see it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkerRow {
    /// Its number, a new one at each start.
    pub id: i64,
    /// Its name for itself.
    pub name: String,
    /// Its role in the database.
    pub role: String,
    /// The invitation by which it came; `None` = the owner's address.
    pub line: Option<String>,
    pub state: WorkerState,
    pub build: String,
    /// The number of its cores, and of those on which it plays.
    pub cores: (u32, u32),
    /// The number of its blocks under way.
    pub holds: u64,
    /// The number of its blocks in the record.
    pub blocks: u64,
    /// The number of its void blocks.
    pub voids: u64,
    /// The number of its deliveries that came late or twice.
    pub late: u64,
    /// The number of its refused deliveries.
    pub faults: u64,
    /// The speed of its machine, if it was reported.
    pub speed: Option<MachineSpeed>,
    /// How long it has been silent.
    pub silent: Duration,
    /// How long it was there, from the first time it was heard to the last.
    pub stay: Duration,
    /// The last refusal, or why it does not play.
    pub why: Option<String>,
}

impl WorkerRow {
    /// The blocks that it played an hour; `None` if it was not there for long enough to say.
    pub fn blocks_an_hour(&self) -> Option<u64> {
        let hours = self.stay.as_secs_f64() / 3600.0;
        (self.stay >= ENOUGH).then(|| (self.blocks as f64 / hours).round() as u64)
    }
}

/// How long a worker must be there before its blocks an hour say anything.
const ENOUGH: Duration = Duration::from_secs(10);

//! The state of a running test, kept every few seconds for the pages of its ladder.

use agon_command::Failure;
use agon_command::record_location::RecordLocation;
use agon_live::test_result;
use agon_model::LadderId;
use agon_report::SprtReport;
use std::time::{Duration, Instant};

/// The time between two writes of the state.
const KEPT: Duration = Duration::from_secs(2);

/// Where the state of a test goes, and whose it is.
#[derive(Clone)]
pub(super) struct TestState<'a> {
    location: &'a RecordLocation,
    /// The name of the ladder.
    pub ladder: &'a str,
    /// The new version and what it is compared with, as the record calls them.
    pub sides: [&'a str; 2],
    /// The ladder's number in the record, once it is known.
    id: Option<LadderId>,
    kept: Instant,
}

impl<'a> TestState<'a> {
    /// Nothing is kept yet.
    pub fn new(location: &'a RecordLocation, ladder: &'a str, sides: [&'a str; 2]) -> TestState<'a> {
        TestState { location, ladder, sides, id: None, kept: Instant::now() }
    }

    /// The same for another pass, whose ladder may be a fresh one.
    pub fn begun_anew(&self) -> TestState<'a> {
        TestState { id: None, kept: Instant::now(), ..self.clone() }
    }

    /// Whether the state was not written for that time.
    pub fn is_due(&self) -> bool {
        self.kept.elapsed() >= KEPT
    }

    /// Writes the state. A failed write is tried again with the next one; the end of the test warns if that fails, too.
    pub fn keep(&mut self, report: &SprtReport<'_>) {
        self.kept = Instant::now();
        if self.id.is_none() {
            let record = self.location.open_existing();
            self.id = record.and_then(|record| record.ladder(self.ladder)).ok().flatten().map(|row| row.id);
        }
        if let Some(id) = self.id {
            let _: Result<(), Failure> = test_result::keep(self.location.out(), id, &report.document());
        }
    }
}

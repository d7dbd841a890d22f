//! Estimates whether the disk has space for a ladder, from the bytes of recorded matches, or from a random match.

use super::PreparedLadder;
use agon_games::{Opening, PreparedSetting, rng_from};
use agon_model::LogPolicy;
use agon_model::units::about_size;
use agon_record::{MatchSize, Record, RunError};
use std::path::Path;

/// The disk space that a ladder will take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskEstimate {
    /// Matches that are still to be played.
    pub matches: u64,
    /// Bytes of a match, including logs.
    pub bytes: u64,
    /// Whether it comes from such matches; else from one with random moves, without clients.
    pub is_known: bool,
    /// Free bytes, if the system reports them.
    pub free: Option<u64>,
}

/// Bytes of the record without steps and prints: of a match, and of each seat.
const MATCH: u64 = 350;
const SEAT: u64 = 450;
/// Bytes of a step in the record.
const STEP: u64 = 48;
/// Bytes of a log: its first and last line, the lines of a seat, the line of a move.
const LOG: (u64, u64, u64) = (1_200, 500, 190);
/// A game without an end in sight counts as this long.
const MOST_TURNS: usize = 10_000;

impl DiskEstimate {
    /// The bytes for all matches.
    pub fn needed(&self) -> u64 {
        self.bytes.saturating_mul(self.matches)
    }

    /// Whether it may not fit.
    pub fn is_short(&self) -> bool {
        self.free.is_some_and(|free| self.needed() > free)
    }

    /// A line about the estimate, with advice if the space may not suffice.
    pub fn text(&self) -> String {
        let (needed, each) = (about_size(self.needed()), about_size(self.bytes));
        let from = if self.is_known { "as those in the record" } else { "measured on a random match" };
        let free = self.free.map_or(String::new(), |free| format!(", {} free", about_size(free)));
        let help = if self.is_short() {
            "; it may fill up; help: free some space, logs = \"faults\", or another [output] dir"
        } else {
            ""
        };
        format!("disk: about {needed} for {} matches ({each} each, {from}){free}{help}", self.matches)
    }
}

/// Free bytes for a folder, or for the nearest existing one above it.
pub fn free_space(out: &Path) -> Option<u64> {
    let absolute = std::path::absolute(out).ok()?;
    let folder = absolute.ancestors().find(|folder| folder.is_dir())?;
    let seen = rustix::fs::statvfs(folder).ok()?;
    Some(seen.f_bavail.saturating_mul(seen.f_frsize))
}

impl PreparedLadder<'_> {
    /// The mean number of moves of a random match, over the settings.
    pub(crate) fn moves_by_chance(&self) -> u64 {
        let steps: u64 = self.settings.iter().map(|setting| steps_by_chance(&**setting)).sum();
        steps / self.settings.len().max(1) as u64
    }

    /// The disk space for this number of matches.
    pub fn disk_estimate(&self, record: &dyn Record, matches: u64) -> Result<DiskEstimate, RunError> {
        let (ladder, seats) = (self.ladder, self.ladder.seats as u64);
        let seen = record.match_size(&ladder.game, ladder.seats)?;
        let by_chance = || {
            let steps = self.moves_by_chance();
            MatchSize { record: MATCH + SEAT * seats + STEP * steps, steps, outputs: 0 }
        };
        let MatchSize { record, steps, outputs } = seen.unwrap_or_else(by_chance);
        let log = match ladder.logs {
            LogPolicy::All => LOG.0 + LOG.1 * seats + LOG.2 * steps + outputs,
            // Most matches have no fault.
            LogPolicy::Faults | LogPolicy::None => 0,
        };
        Ok(DiskEstimate { matches, bytes: record + log, is_known: seen.is_some(), free: free_space(&ladder.out) })
    }
}

/// The number of steps of a random match.
fn steps_by_chance(setting: &dyn PreparedSetting) -> u64 {
    let (mut state, mut rng) = (setting.start(&Opening::ANY), rng_from(&[1; 32]));
    let mut steps = 0;
    for _ in 0..MOST_TURNS {
        let answers: Vec<_> = state.to_move().iter().map(|seat| (seat, state.sample(seat, &mut rng))).collect();
        if answers.is_empty() {
            break;
        }
        steps += answers.len() as u64;
        state.play(&answers);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::DiskEstimate;

    #[test]
    fn a_disk_that_may_fill_up_is_told() {
        let disk_estimate = DiskEstimate { matches: 12_000, bytes: 5_120, is_known: true, free: Some(1 << 30) };
        assert_eq!(
            disk_estimate.text(),
            "disk: about 61 MB for 12000 matches (5.1 kB each, as those in the record), 1.1 GB free"
        );
        let short = DiskEstimate { free: Some(60 << 20), is_known: false, matches: 20_000, ..disk_estimate };
        assert!(
            short.is_short()
                && short.text().contains("measured on a random match), 63 MB free; it may fill up; help: ")
        );
        assert!(!DiskEstimate { free: None, ..short }.is_short());
    }
}

//! Ends a ladder before its schedule does, by `[stop]` of its file. It judges the precision of results at checkpoints
//! of the schedule, from the blocks before them. So the same blocks are played for any `jobs`, and after an
//! interruption. The time of a run depends on the machine, and so do the blocks played by then.

use crate::schedule::Schedule;
use agon_model::units::show_duration;
use agon_model::{Block, Ladder, MatchOutcome, Tally, TallyRow};
use agon_stats::Start;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// With fewer blocks than this, or with fewer starts where they repeat, the errors are too uncertain themselves.
const FEWEST: f64 = 10.0;

/// The conditions for an early end, and whether one holds.
pub struct Stops {
    time_us: Option<u64>,
    /// When the first block began: skipping blocks of earlier runs takes no time.
    began: Option<Instant>,
    precision: Option<Precision>,
    reached: Option<String>,
}

/// The condition that everybody's points are known well enough.
struct Precision {
    /// The largest standard error, in thousandths of a point and in points.
    most: (i64, f64),
    players: BTreeSet<usize>,
    tally: Tally,
}

impl Stops {
    /// Begins for a run that may have begun in an earlier pass.
    pub fn new(ladder: &Ladder, entrants: usize, schedule: &Schedule, began: Option<Instant>) -> Stops {
        let precision = ladder.stop.error.map(|most| {
            let tally = Tally::new(entrants, ladder.seats, ladder.points);
            Precision { most: (most, most as f64 / 1000.0), players: schedule.players(), tally }
        });
        Stops { time_us: ladder.stop.time_us, began, precision, reached: None }
    }

    /// Makes a ladder without conditions.
    #[cfg(test)]
    pub fn none() -> Stops {
        Stops { time_us: None, began: None, precision: None, reached: None }
    }

    /// When the first block began.
    pub fn began(&self) -> Option<Instant> {
        self.began
    }

    /// The key that ended the ladder, with its value.
    pub fn reached(&self) -> Option<&str> {
        self.reached.as_deref()
    }

    pub fn judges(&self) -> bool {
        self.precision.is_some()
    }

    pub fn look(&mut self) {
        if let (Some(us), Some(began)) = (self.time_us, self.began)
            && began.elapsed() >= Duration::from_micros(us)
        {
            self.reached.get_or_insert_with(|| format!("time = \"{}\"", show_duration(us)));
        }
    }

    /// Records that a block begins.
    pub fn begin(&mut self) {
        self.began.get_or_insert_with(Instant::now);
    }

    /// Counts the next block of the schedule; it has no matches if it was void or left out.
    pub fn count(&mut self, block: &Block, matches: &[MatchOutcome]) {
        if let Some(precision) = &mut self.precision {
            let start = matches.first().map_or(Start { setting: block.setting, state: 0 }, MatchOutcome::start);
            precision.tally.add_games(start, matches, |outcome| &outcome.seats, |outcome| outcome.game);
        }
    }

    /// Judges the counted blocks; clients that sit out from here on do not matter.
    pub fn judge(&mut self, is_out: &dyn Fn(usize) -> bool) {
        if let Some(precision) = &self.precision
            && precision.is_reached(is_out)
        {
            let (most, _) = precision.most;
            self.reached.get_or_insert_with(|| format!("error = {}.{:03}", most / 1000, most % 1000));
        }
    }
}

impl Precision {
    fn is_reached(&self, is_out: &dyn Fn(usize) -> bool) -> bool {
        let lines = self.tally.lines();
        let mut playing =
            self.players.iter().filter(|player| !is_out(**player)).filter_map(|player| lines.get(*player));
        let fits = |line: &TallyRow| {
            line.points.degrees + 1.0 >= FEWEST && line.points.error.is_some_and(|error| error <= self.most.1)
        };
        playing.all(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::{Points, SeatOutcome};

    /// Whether 64 blocks from this number of starts, half of them won by either side, are enough for an error of 0.08.
    fn is_enough(starts: u64) -> bool {
        let mut tally = Tally::new(2, 2, Points::default());
        for number in 0..64 {
            let row = |entrant: usize, rank: u32| SeatOutcome { entrant, rank, score: 0, fault: None, notices: 0 };
            let (one, other) = if number / 32 == 0 { (1, 2) } else { (2, 1) };
            let start = Start { setting: 0, state: number % starts };
            tally.add_block(start, &[[row(0, one), row(1, other)], [row(1, other), row(0, one)]]);
        }
        let players = BTreeSet::from([0, 1]);
        Precision { most: (80, 0.08), players, tally }.is_reached(&|_| false)
    }

    #[test]
    fn copies_of_few_starts_are_not_enough() {
        assert!(is_enough(64) && is_enough(16) && is_enough(1));
        assert!(!is_enough(2) && !is_enough(9), "starts that come again are counted as blocks");
    }
}

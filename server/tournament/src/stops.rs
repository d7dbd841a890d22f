//! Ends a ladder before its schedule does, by `[stop]` of its file. It judges the precision of results at checkpoints
//! of the schedule, from the blocks before them. So the same blocks are played for any `jobs`, and after an
//! interruption. The time of a run depends on the machine, and so do the blocks played by then.

use crate::schedule::Schedule;
use agon_model::units::show_duration;
use agon_model::{Block, Ladder, MatchOutcome, SeatOutcome, Tally, TallyRow};
use agon_stats::Start;
use std::collections::BTreeSet;
use std::fmt;
use std::fmt::{Display, Formatter};
use std::time::{Duration, Instant};

/// With fewer blocks than this, or with fewer starts where they repeat, the errors are too uncertain themselves.
const FEWEST: f64 = 10.0;

/// The conditions for an early end, and whether one holds.
pub struct Stops {
    time_us: Option<u64>,
    /// When the first block began: skipping blocks of earlier runs takes no time.
    began: Option<Instant>,
    precision: Option<Precision>,
    reached: Option<StopKey>,
}

/// A key of `[stop]` that ended a ladder, with its value. Shown, it is a line of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopKey {
    /// The number of matches that were enough.
    Matches(u64),
    /// Microseconds since the first match. The next run may play as long again.
    Time(u64),
    /// The largest standard error, in thousandths of a point.
    Error(i64),
}

impl Display for StopKey {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            StopKey::Matches(most) => write!(out, "matches = {most}"),
            StopKey::Time(us) => write!(out, "time = \"{}\"", show_duration(*us)),
            StopKey::Error(most) => write!(out, "error = {}.{:03}", most / 1000, most % 1000),
        }
    }
}

/// The condition that everybody's points are known well enough.
struct Precision {
    /// The largest standard error, in thousandths of a point and in points.
    most: (i64, f64),
    players: BTreeSet<usize>,
    /// The sums of no block.
    empty: Tally,
    /// The sums of the blocks without clients that are out.
    tally: Tally,
    out: BTreeSet<usize>,
    /// All blocks, to sum them up again when a client leaves.
    blocks: Vec<Counted>,
}

/// A block as sums take it: of each match the hash of its moves and its seats.
struct Counted {
    start: Start,
    matches: Box<[(u64, Box<[SeatOutcome]>)]>,
}

impl Stops {
    /// Begins for a run that may have begun in an earlier pass.
    pub fn new(ladder: &Ladder, entrants: usize, schedule: &Schedule, began: Option<Instant>) -> Stops {
        let precision = ladder.stop.error.map(|most| {
            let tally = Tally::new(entrants, ladder.seats, ladder.points);
            Precision::new(most, schedule.players(), tally)
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

    /// The key that ended the ladder.
    pub fn reached(&self) -> Option<StopKey> {
        self.reached
    }

    pub fn judges(&self) -> bool {
        self.precision.is_some()
    }

    pub fn look(&mut self) {
        if let (Some(us), Some(began)) = (self.time_us, self.began)
            && began.elapsed() >= Duration::from_micros(us)
        {
            self.reached.get_or_insert(StopKey::Time(us));
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
            let matches =
                matches.iter().map(|outcome| (outcome.moves_hash, outcome.seats.clone().into_boxed_slice())).collect();
            precision.count(Counted { start, matches });
        }
    }

    /// Judges the counted blocks. Clients that sit out from here on do not matter, and nor do their matches, as in the
    /// table.
    pub fn judge(&mut self, is_out: &dyn Fn(usize) -> bool) {
        if let Some(precision) = &mut self.precision
            && precision.is_reached(is_out)
        {
            self.reached.get_or_insert(StopKey::Error(precision.most.0));
        }
    }
}

impl Precision {
    fn new(most: i64, players: BTreeSet<usize>, tally: Tally) -> Precision {
        let most = (most, most as f64 / 1000.0);
        Precision { most, players, empty: tally.clone(), tally, out: BTreeSet::new(), blocks: Vec::new() }
    }

    fn count(&mut self, block: Counted) {
        block.add_to(&mut self.tally, &self.out);
        self.blocks.push(block);
    }

    fn is_reached(&mut self, is_out: &dyn Fn(usize) -> bool) -> bool {
        let out: BTreeSet<usize> = self.players.iter().copied().filter(|player| is_out(*player)).collect();
        if out != self.out {
            self.tally = self.empty.clone();
            self.blocks.iter().for_each(|block| block.add_to(&mut self.tally, &out));
            self.out = out;
        }
        let lines = self.tally.lines();
        let mut playing =
            self.players.iter().filter(|player| !is_out(**player)).filter_map(|player| lines.get(*player));
        let fits = |line: &TallyRow| {
            line.points.degrees + 1.0 >= FEWEST && line.points.error.is_some_and(|error| error <= self.most.1)
        };
        playing.all(fits)
    }
}

impl Counted {
    /// Adds its matches that count.
    fn add_to(&self, tally: &mut Tally, out: &BTreeSet<usize>) {
        let counts = |seats: &[SeatOutcome]| !seats.iter().any(|seat| out.contains(&seat.entrant));
        let counted: Vec<&(u64, Box<[SeatOutcome]>)> = self.matches.iter().filter(|(_, seats)| counts(seats)).collect();
        tally.add_matches(self.start, &counted, |(_, seats)| seats, |(game, _)| *game);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::Points;

    fn precision(entrants: usize) -> Precision {
        Precision::new(80, (0..entrants).collect(), Tally::new(entrants, 2, Points::default()))
    }

    /// A block of two, from both seats, that one of them wins.
    fn block(state: u64, winner: usize, loser: usize) -> Counted {
        let row = |entrant: usize, rank: u32| SeatOutcome { entrant, rank, score: 0, fault: None, notices: 0 };
        let matches = [[row(winner, 1), row(loser, 2)], [row(loser, 2), row(winner, 1)]];
        let game = |seats: [SeatOutcome; 2]| (state * 7 + winner as u64, Box::from(seats));
        Counted { start: Start { setting: 0, state }, matches: matches.map(game).into() }
    }

    /// Whether 64 blocks from this number of starts, half of them won by either side, are enough for an error of 0.08.
    fn is_enough(starts: u64) -> bool {
        let mut precision = precision(2);
        for number in 0..64 {
            let (one, other) = if number / 32 == 0 { (0, 1) } else { (1, 0) };
            precision.count(block(number % starts, one, other));
        }
        precision.is_reached(&|_| false)
    }

    #[test]
    fn keys_are_shown_as_in_the_file() {
        let keys = [StopKey::Matches(7), StopKey::Time(7_200_000_000), StopKey::Error(1_020)];
        assert_eq!(keys.map(|key| key.to_string()), ["matches = 7", "time = \"7200s\"", "error = 1.020"]);
    }

    #[test]
    fn copies_of_few_starts_are_not_enough() {
        assert!(is_enough(64) && is_enough(16) && is_enough(1));
        assert!(!is_enough(2) && !is_enough(9), "starts that come again are counted as blocks");
    }

    /// Two of equal strength that met 20 times, and both beat a third 200 times, which is then benched.
    #[test]
    fn matches_against_a_client_that_is_out_make_no_results_surer() {
        let mut precision = precision(3);
        (0..20).for_each(|state| precision.count(block(state, (state % 2) as usize, ((state + 1) % 2) as usize)));
        (0..400).for_each(|state| precision.count(block(20 + state, (state % 2) as usize, 2)));
        let table = |precision: &Precision| precision.tally.lines()[0].points.error.unwrap();
        assert!(precision.is_reached(&|_| false), "{}", table(&precision));
        assert!(!precision.is_reached(&|client| client == 2), "{}", table(&precision));
        let alone = table(&precision);
        // What follows is counted alike, and a client that comes back counts again.
        precision.count(block(900, 0, 2));
        assert_eq!(table(&precision), alone);
        assert!(precision.is_reached(&|_| false));
    }
}

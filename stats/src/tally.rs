//! The tally of a ladder: results go in by blocks, a line for each entrant comes out. Memory grows with entrants and,
//! up to a bound, with starts, not with matches.

use crate::copies::PlayedMatch;
use crate::estimate::Estimate;
use crate::one_start::BlockParts;
use crate::part::Part;
use crate::starts::{Start, Starts};
use crate::strata::Strata;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The values of results, in thousandths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Points {
    /// For every opponent beaten.
    pub win: i64,
    /// For every opponent with the same rank.
    pub draw: i64,
    /// The value for every opponent that did better.
    pub loss: i64,
    /// Instead of all that, where the client's process was lost; `None` = as any other result.
    pub crash: Option<i64>,
}

impl Default for Points {
    /// Win 1, draw 1/2, loss 0, a crash like any other loss.
    fn default() -> Points {
        Points { win: 1000, draw: 500, loss: 0, crash: None }
    }
}

impl Points {
    /// The value of a match of two, from the comparison of the ranks.
    pub fn of(&self, rank: Ordering, is_crash: bool) -> i64 {
        match (self.crash.filter(|_| is_crash), rank) {
            (Some(crash), _) => crash,
            (None, Ordering::Less) => self.win,
            (None, Ordering::Equal) => self.draw,
            (None, Ordering::Greater) => self.loss,
        }
    }
}

/// The faults of a seat, as far as sums need them.
pub trait SeatFault: Copy + Ord {
    /// Whether the process was lost, so that [`Points::crash`] counts.
    fn is_crash(self) -> bool;
}

/// The result of one seat of a match; `F` are the kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatOutcome<F> {
    /// The entrant, by index in the reader's list.
    pub entrant: usize,
    /// From 1; equal ranks are shared.
    pub rank: u32,
    /// The game's own number; beyond 10^12 either way it counts as that.
    pub score: i64,
    pub fault: Option<F>,
    /// How many notices it got.
    pub notices: u32,
}

/// The sums of one entrant.
#[derive(Clone, Debug, PartialEq)]
pub struct TallyRow<F> {
    /// The entrant, counted from 0.
    pub entrant: usize,
    /// Seats played: in a match against itself an entrant plays several.
    pub matches: u64,
    /// Blocks with at least one of those.
    pub blocks: u64,
    /// Opponents beaten, one a seat and match; with two seats, matches won.
    pub wins: u64,
    /// Opponents with the same rank.
    pub draws: u64,
    /// The number of opponents that did better.
    pub losses: u64,
    /// Points a match: the mean over its opponents.
    pub points: Estimate,
    /// The rank, counted from 1.
    pub rank: Estimate,
    /// The game's own number.
    pub score: Estimate,
    /// How often each fault.
    pub faults: BTreeMap<F, u64>,
    pub notices: u64,
}

/// The sums of one seat, for any entrants there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatLine {
    /// Matches in which it was best alone.
    pub wins: u64,
    /// Matches in which it shared the best rank.
    pub shared: u64,
    pub matches: u64,
}

#[derive(Clone, Debug)]
struct Entry<F> {
    wins: u64,
    draws: u64,
    losses: u64,
    matches: u64,
    blocks: u64,
    faults: BTreeMap<F, u64>,
    notices: u64,
}

impl<F> Default for Entry<F> {
    fn default() -> Entry<F> {
        let (wins, draws, losses, matches, blocks, notices) = (0, 0, 0, 0, 0, 0);
        Entry { wins, draws, losses, matches, blocks, faults: BTreeMap::new(), notices }
    }
}

#[derive(Clone, Debug)]
pub struct Tally<F> {
    points: Points,
    opponents: i64,
    entries: Vec<Entry<F>>,
    starts: Starts,
    seats: Vec<SeatLine>,
    blocks: u64,
    matches: u64,
    /// Whether a score below zero was counted.
    has_negative: bool,
}

impl<F: SeatFault> Tally<F> {
    /// For this many entrants and seats, both at least 1.
    pub fn new(entrants: usize, seats: usize, points: Points) -> Tally<F> {
        let opponents = seats.saturating_sub(1).max(1) as i64;
        let starts = Starts::new(entrants);
        Tally {
            points,
            opponents,
            entries: vec![Entry::default(); entrants],
            starts,
            seats: vec![SeatLine::default(); seats],
            blocks: 0,
            matches: 0,
            has_negative: false,
        }
    }

    /// Adds a block of which the moves are not known: where it began, its matches, and of each the seats in order. An
    /// entrant or a seat that does not exist is left out.
    pub fn add_block<M: AsRef<[SeatOutcome<F>]>>(&mut self, start: Start, matches: &[M]) {
        self.add(start, matches, Vec::new());
    }

    /// Adds a block: of each match its seats in order, and the hash of its moves, by which copies are found.
    pub fn add_matches<M, S: AsRef<[SeatOutcome<F>]>>(
        &mut self,
        start: Start,
        matches: &[M],
        seats: impl Fn(&M) -> &S,
        moves: impl Fn(&M) -> u64,
    ) {
        let game = |played: &M| {
            let rows = seats(played).as_ref();
            let (who, ranks) = (rows.iter().map(|row| row.entrant as u64), rows.iter().map(|row| u64::from(row.rank)));
            PlayedMatch::new(who, [start.setting as u64, start.state], moves(played), ranks)
        };
        let played_matches = matches.iter().map(game).collect();
        let rows: Vec<&S> = matches.iter().map(seats).collect();
        self.add(start, &rows, played_matches);
    }

    fn add<M: AsRef<[SeatOutcome<F>]>>(&mut self, start: Start, matches: &[M], played_matches: Vec<PlayedMatch>) {
        let known = self.entries.len();
        let mut parts: BTreeMap<usize, Part> = BTreeMap::new();
        for rows in matches {
            let rows = rows.as_ref();
            self.add_seats(rows);
            for (seat, row) in rows.iter().enumerate().filter(|(_, row)| row.entrant < known) {
                let points = self.add_row(seat, rows);
                let part = parts.entry(row.entrant).or_default();
                part.seats += 1;
                part.points += points;
                self.has_negative |= row.score < 0;
                part.rank += i128::from(row.rank);
                part.score += i128::from(row.score.clamp(-1_000_000_000_000, 1_000_000_000_000));
            }
        }
        parts.keys().for_each(|entrant| self.entries[*entrant].blocks += 1);
        // A void block has no start.
        if !parts.is_empty() {
            self.starts.add(start, BlockParts { parts: parts.into_iter().collect(), played_matches });
        }
        self.blocks += 1;
        self.matches += matches.len() as u64;
    }

    /// Counts one seat against the others; its points, in thousandths times the number of opponents.
    fn add_row(&mut self, seat: usize, rows: &[SeatOutcome<F>]) -> i128 {
        let row = rows[seat];
        let others = || rows.iter().enumerate().filter(move |(other, _)| *other != seat).map(|(_, other)| other.rank);
        let wins = others().filter(|rank| *rank > row.rank).count() as u64;
        let draws = others().filter(|rank| *rank == row.rank).count() as u64;
        let losses = others().count() as u64 - wins - draws;
        let entry = &mut self.entries[row.entrant];
        entry.matches += 1;
        entry.wins += wins;
        entry.draws += draws;
        entry.losses += losses;
        entry.notices += u64::from(row.notices);
        if let Some(fault) = row.fault {
            *entry.faults.entry(fault).or_default() += 1;
        }
        let worth = |count: u64, value: i64| i128::from(count) * i128::from(value);
        match (row.fault, self.points.crash) {
            (Some(fault), Some(crash)) if fault.is_crash() => i128::from(crash) * i128::from(self.opponents),
            _ => worth(wins, self.points.win) + worth(draws, self.points.draw) + worth(losses, self.points.loss),
        }
    }

    fn add_seats(&mut self, rows: &[SeatOutcome<F>]) {
        let best = rows.iter().map(|row| row.rank).min();
        let sharing = rows.iter().filter(|row| Some(row.rank) == best).count();
        for (row, seat) in rows.iter().zip(&mut self.seats) {
            seat.matches += 1;
            if Some(row.rank) == best {
                *(if sharing == 1 { &mut seat.wins } else { &mut seat.shared }) += 1;
            }
        }
    }

    /// How many blocks were added.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// How many matches were added.
    pub fn matches(&self) -> u64 {
        self.matches
    }

    /// The settings in which all blocks began alike, where errors are about this start alone; and the number of settings
    /// with blocks.
    pub fn settings_of_one_start(&self) -> (Vec<usize>, usize) {
        self.starts.fixed()
    }

    /// Whether blocks from a setting's only start are copies of others, so that they count as one for intervals.
    pub fn has_copies(&self) -> bool {
        self.starts.have_copies()
    }

    /// The values in order of seats.
    pub fn seats(&self) -> &[SeatLine] {
        &self.seats
    }

    /// Where no score is below zero, no mean of them is.
    fn bounded_score(&self, score: Estimate) -> Estimate {
        if self.has_negative { score } else { score.above_zero() }
    }

    /// Entrant by entrant, in their order.
    pub fn lines(&self) -> Vec<TallyRow<F>> {
        let sums = self.starts.sums(self.entries.len());
        let unit = 1_000 * self.opponents;
        let worth = [Some(self.points.win), Some(self.points.draw), Some(self.points.loss), self.points.crash];
        let worth = || worth.into_iter().flatten().map(|worth| worth as f64 / 1_000.0);
        let points = Some((worth().fold(f64::INFINITY, f64::min), worth().fold(f64::NEG_INFINITY, f64::max)));
        let rank = Some((1.0, self.seats.len() as f64));
        let line = |(entrant, (entry, sums)): (usize, (&Entry<F>, &Strata))| TallyRow {
            entrant,
            matches: entry.matches,
            blocks: entry.blocks,
            wins: entry.wins,
            draws: entry.draws,
            losses: entry.losses,
            points: sums.estimate(|part| &part.points, unit, points),
            rank: sums.estimate(|part| &part.rank, 1, rank),
            score: self.bounded_score(sums.estimate(|part| &part.score, 1, None)),
            faults: entry.faults.clone(),
            notices: entry.notices,
        };
        self.entries.iter().zip(&sums).enumerate().map(line).collect()
    }
}

#[cfg(test)]
mod tests;

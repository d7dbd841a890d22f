//! The sequential test as a rule for stopping: pairs of matches in, and whether there is an answer.

use super::answer::TestState;
use agon_command::output::say;
use agon_model::MatchOutcome;
use agon_report::{SprtReport, TestEnd, sprt_line};
use agon_stats::bradley_terry::DuelOutcome;
use agon_stats::copies::{PlayedMatch, PlayedMatches};
use agon_stats::sprt::{Hypotheses, MatchPair, Sprt};
use agon_tournament::StopRule;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The time between two lines about the state of the test.
const TOLD: Duration = Duration::from_secs(10);
/// This many repeated pairs in a row end the test: nothing new comes.
const MOST_REPEATED: u64 = 200;
/// This many pairs in a row whose matches were both decided by a fault end the test: a broken client is not tested.
pub(super) const MOST_FAULTY: u64 = 20;

/// The test as a rule for stopping.
pub(super) struct SequentialTest<'a> {
    hypotheses: Hypotheses,
    /// Whether it asks about the openings that are played, and no others.
    these_openings: bool,
    quiet: bool,
    /// Keeps what the test has come to for the pages of its ladder.
    answer: TestState<'a>,
    pub sprt: Option<Sprt>,
    /// Whether chance has shown between the two, so that equal pairs are frequencies.
    played_matches: PlayedMatches,
    /// Pairs by their games.
    different: BTreeSet<[(u64, u64); 2]>,
    /// All pairs in the order of the schedule, each with its line.
    pairs: Vec<(MatchPair, u64)>,
    /// The pairs that were left out: without chance, a repetition says nothing new.
    repeated: u64,
    repeated_in_a_row: u64,
    faults: usize,
    faulty_in_a_row: u64,
    told: Instant,
}

impl<'a> SequentialTest<'a> {
    pub fn new(hypotheses: Hypotheses, these_openings: bool, quiet: bool, answer: TestState<'a>) -> SequentialTest<'a> {
        let told = Instant::now();
        SequentialTest {
            hypotheses,
            these_openings,
            quiet,
            answer,
            sprt: None,
            played_matches: PlayedMatches::default(),
            different: BTreeSet::new(),
            pairs: Vec::new(),
            repeated: 0,
            repeated_in_a_row: 0,
            faults: 0,
            faulty_in_a_row: 0,
            told,
        }
    }

    /// The state of the test as a report.
    pub fn report(&self, end: Option<TestEnd>) -> SprtReport<'a> {
        let TestState { ladder, sides: [new, base], .. } = self.answer;
        SprtReport {
            new,
            base,
            ladder,
            hypotheses: self.hypotheses,
            test: self.sprt.as_ref().map(Sprt::report),
            repeated: self.repeated,
            faults: self.faults,
            end,
        }
    }

    /// Why a test without an answer has ended, if it has.
    pub fn end(&self, all_are_played: bool) -> Option<TestEnd> {
        match () {
            () if self.has_faults_only() => Some(TestEnd::FaultsOnly),
            () if self.has_nothing_new() => Some(TestEnd::NothingNew),
            () => all_are_played.then_some(TestEnd::AllPlayed),
        }
    }

    pub fn has_nothing_new(&self) -> bool {
        self.repeated_in_a_row >= MOST_REPEATED
    }

    pub fn has_faults_only(&self) -> bool {
        self.faulty_in_a_row >= MOST_FAULTY
    }

    fn tell(&mut self, sprt: &Sprt) {
        if !self.quiet && self.told.elapsed() >= TOLD {
            self.told = Instant::now();
            say(&sprt_line(&sprt.report()));
        }
    }
}

impl StopRule for SequentialTest<'_> {
    fn begin(&mut self) {
        let sprt = Sprt::new(self.hypotheses).ok();
        let answer = self.answer.begun_anew();
        *self =
            SequentialTest { sprt, ..SequentialTest::new(self.hypotheses, self.these_openings, self.quiet, answer) };
    }

    fn is_enough(&mut self, matches: &[MatchOutcome]) -> bool {
        let is_enough = self.add(matches);
        if self.answer.is_due() {
            let report = self.report(None);
            self.answer.keep(&report);
        }
        is_enough
    }
}

impl SequentialTest<'_> {
    /// Adds the matches of a block; whether the test is over.
    fn add(&mut self, matches: &[MatchOutcome]) -> bool {
        let [one, other] = matches else { return false };
        let faults = [one, other].map(|outcome| outcome.seats.iter().filter(|seat| seat.fault.is_some()).count());
        self.faults += faults[0] + faults[1];
        self.faulty_in_a_row = if faults.contains(&0) { 0 } else { self.faulty_in_a_row + 1 };
        if self.has_faults_only() {
            return true;
        }
        // The new version is the first client of the ladder; which seat it has in the first match of a block is not
        // fixed.
        let (first, second) = if one.seats[0].entrant == 0 { (one, other) } else { (other, one) };
        // Where the answer is for these openings alone, a pair stands for itself.
        let line = if self.these_openings { self.pairs.len() as u64 } else { one.start().state };
        let pair = (MatchPair::new(outcome(first), outcome(second)), line);
        self.pairs.push(pair);
        [one, other].into_iter().for_each(|played| self.played_matches.add(game(played)));
        let is_new = self.different.insert([one, other].map(|played| (game(played).seating, game(played).played)));
        if self.played_matches.is_by_chance(game(one).lineup) {
            return self.count_all();
        }
        if !is_new {
            self.repeated += 1;
            self.repeated_in_a_row += 1;
            return self.has_nothing_new();
        }
        self.repeated_in_a_row = 0;
        self.count(&[pair])
    }

    /// Adds pairs to the test; whether it has its answer.
    fn count(&mut self, pairs: &[(MatchPair, u64)]) -> bool {
        let Some(mut sprt) = self.sprt.take() else { return true };
        let mut is_over = false;
        for (pair, line) in pairs {
            is_over |= sprt.add(*pair, *line).is_some();
        }
        self.tell(&sprt);
        self.sprt = Some(sprt);
        is_over
    }

    /// Adds the newest pair, as chance has shown; with all that were left out before.
    fn count_all(&mut self) -> bool {
        let left_out = std::mem::take(&mut self.repeated);
        self.repeated_in_a_row = 0;
        let pairs = std::mem::take(&mut self.pairs);
        let newest = if left_out > 0 { 0 } else { pairs.len() - 1 };
        if left_out > 0 {
            self.sprt = Sprt::new(self.hypotheses).ok();
        }
        let is_over = self.count(&pairs[newest..]);
        self.pairs = pairs;
        is_over
    }
}

/// The facts of a match by which copies are found.
fn game(played: &MatchOutcome) -> PlayedMatch {
    let (who, ranks) =
        (played.seats.iter().map(|seat| seat.entrant as u64), played.seats.iter().map(|seat| u64::from(seat.rank)));
    PlayedMatch::new(who, [played.start().setting as u64, played.start().state], played.moves_hash, ranks)
}

fn outcome(played: &MatchOutcome) -> DuelOutcome {
    match played.seats[0].rank.cmp(&played.seats[1].rank) {
        Ordering::Less => DuelOutcome::First,
        Ordering::Equal => DuelOutcome::Draw,
        Ordering::Greater => DuelOutcome::Second,
    }
}

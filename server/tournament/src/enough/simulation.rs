//! Simulates sequential tests of equal players on many slots, in which lost games last longer, to show the value of the
//! schedule's order.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

use super::{Enough, StopRule};
use agon_model::{MatchOutcome, SeatOutcome};
use agon_stats::bradley_terry::DuelOutcome;
use agon_stats::sprt::{Hypotheses, MatchPair, Scale, Sprt, Verdict};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

const TESTS: u64 = 500;
/// The length of a game that is not lost, and the extra length of a lost one.
const LASTS: u64 = 1000;
const LOST: u64 = 200;

/// The test as a rule, and the number of pairs that it took.
struct Test {
    sprt: Sprt,
    pairs: u64,
    verdict: Option<Verdict>,
}

impl Test {
    fn new() -> Test {
        let hypotheses = Hypotheses { scale: Scale::Normalised, elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 };
        Test { sprt: Sprt::new(hypotheses).unwrap(), pairs: 0, verdict: None }
    }
}

impl StopRule for Test {
    fn begin(&mut self) {}

    fn is_enough(&mut self, matches: &[MatchOutcome]) -> bool {
        self.pairs += 1;
        let outcome = |one: &MatchOutcome| match one.seats[0].rank.cmp(&one.seats[1].rank) {
            std::cmp::Ordering::Less => DuelOutcome::First,
            std::cmp::Ordering::Equal => DuelOutcome::Draw,
            std::cmp::Ordering::Greater => DuelOutcome::Second,
        };
        let pair = MatchPair::new(outcome(&matches[0]), outcome(&matches[1]));
        self.verdict = self.sprt.add(pair, self.pairs);
        self.verdict.is_some()
    }
}

/// A pair of games of equal players, and its length. The new version sits first and then second, and wins as often as
/// it loses.
fn play(rng: &mut StdRng) -> (Vec<MatchOutcome>, u64) {
    let mut lasts = 0;
    let mut game = |new: usize| {
        // Won, lost, or, in one game of five, drawn.
        let came = rng.random_range(0..5);
        let (is_won, is_lost) = (came < 2, came == 2 || came == 3);
        lasts += LASTS + if is_lost { LOST } else { 0 };
        let rank = |seat: usize| 1 + u32::from(if seat == new { is_lost } else { is_won });
        let seat = |seat: usize| SeatOutcome { entrant: seat, rank: rank(seat), score: 0, fault: None, notices: 0 };
        MatchOutcome { seats: vec![seat(0), seat(1)], ..MatchOutcome::default() }
    };
    let matches = vec![game(0), game(1)];
    (matches, lasts)
}

/// Plays on this number of slots until the test has its answer, in the order of the schedule or in that of the ends.
fn run(seed: u64, slots: usize, in_order: bool) -> Test {
    let mut test = Test::new();
    let mut enough = Enough::new(&mut test);
    let (mut under_way, mut games) = (BinaryHeap::new(), BTreeMap::new());
    let (mut begun, mut ended, mut now) = (0u64, 0u64, 0u64);
    while !enough.is_reached() {
        while under_way.len() < slots {
            let (matches, lasts) = play(&mut StdRng::seed_from_u64(seed << 32 | begun));
            games.insert(begun, matches);
            under_way.push(Reverse((now + lasts, begun)));
            begun += 1;
        }
        let Some(Reverse((end, number))) = under_way.pop() else { break };
        now = end;
        enough.see(if in_order { number } else { ended }, games.remove(&number).unwrap_or_default());
        ended += 1;
    }
    drop(enough);
    test
}

/// The number of tests that call the new version better.
fn passed(slots: usize, in_order: bool) -> u64 {
    (0..TESTS).map(|seed| u64::from(run(seed, slots, in_order).verdict == Some(Verdict::H1))).sum()
}

#[test]
fn the_test_stops_at_the_same_pair_on_any_number_of_slots() {
    for seed in 0..20 {
        let [one, some, many] = [1, 30, 300].map(|slots| run(seed, slots, true));
        assert_eq!((one.pairs, one.verdict), (some.pairs, some.verdict));
        assert_eq!((one.pairs, one.verdict), (many.pairs, many.verdict));
    }
}

#[test]
fn equal_players_pass_no_oftener_for_losses_that_last_longer() {
    let (in_order, by_arrival) = (passed(300, true), passed(300, false));
    assert!(100 * in_order <= 7 * TESTS, "{in_order} of {TESTS} pass");
    assert!(100 * by_arrival >= 14 * TESTS, "the control: {by_arrival} of {TESTS} pass");
}

//! Whether intervals of 95 % hold the truth: with few blocks and many, few seats and many, luck that matches share,
//! draws and gaps.

use crate::simulator::{Chance, World, correlated_ranked_block};
use agon_stats::bradley_terry::{self, Duel};
use agon_stats::plackett_luce::{self, RankedSeat, Ranking};
use agon_stats::{RatingOptions, Ratings};

/// One line-up that plays so many blocks, each from a start of its own.
#[derive(Clone, Copy, Debug)]
struct Case {
    seats: usize,
    blocks: usize,
    /// The correlation of the results of a client in a block.
    correlation: f64,
    /// Elo between a client and the next.
    gap: f64,
    /// Whether there are draws, or shared ranks.
    draws: bool,
}

/// Shares of the intervals of all differences.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    /// Those that hold the truth.
    held: f64,
    /// Those that are open on a side.
    open: f64,
}

impl Case {
    fn elo(&self) -> Vec<f64> {
        (0..self.seats).map(|place| self.gap * place as f64).collect()
    }

    fn play(&self, chance: &mut Chance) -> Ratings {
        let elo = self.elo();
        if self.seats == 2 {
            let draw_rate = if self.draws { 0.4 } else { 0.0 };
            let world = World { elo, first_seat: 30.0, draw_rate, uneven: false };
            let block = |block| world.correlated_block(chance, 0, 1, block, self.correlation);
            let duels: Vec<Duel> = (0..self.blocks as u64).flat_map(block).collect();
            return bradley_terry::fit(duels, 2, &RatingOptions::default()).unwrap();
        }
        let (tie, players): (f64, Vec<usize>) = (if self.draws { 60.0 } else { 0.0 }, (0..self.seats).collect());
        let block = |block| correlated_ranked_block(chance, &elo, &players, block, tie, self.correlation);
        let rankings: Vec<Ranking> = (0..self.blocks as u64).flat_map(block).collect();
        plackett_luce::fit(rankings, self.seats, &RatingOptions::default()).unwrap()
    }

    fn simulate(&self, times: u64) -> Found {
        let elo = self.elo();
        let mut found = Found::default();
        let pairs = self.seats * (self.seats - 1) / 2;
        let share = 1.0 / (pairs as f64 * times as f64);
        for seed in 0..times {
            let ratings = self.play(&mut Chance::new(seed));
            for (a, b) in (0..self.seats).flat_map(|a| (0..a).map(move |b| (a, b))) {
                let difference = ratings.difference(a, b).unwrap();
                let truth = elo[a] - elo[b];
                let holds =
                    difference.low.is_none_or(|low| low <= truth) && difference.high.is_none_or(|high| high >= truth);
                let open = difference.low.is_none() || difference.high.is_none();
                found.held += if holds { share } else { 0.0 };
                found.open += if open { share } else { 0.0 };
            }
        }
        found
    }
}

/// With two to ten seats and few blocks, and with more: where the old intervals held in 90 of 100.
#[test]
fn few_blocks_are_enough() {
    for (seats, blocks, correlation, gap) in [
        (2, 3, 0.3, 0.0),
        (2, 10, 0.3, 100.0),
        (4, 2, 0.15, 0.0),
        (4, 3, 0.15, 0.0),
        (4, 7, 0.3, 0.0),
        (4, 3, 0.3, 400.0),
    ] {
        let case = Case { seats, blocks, correlation, gap, draws: false };
        let found = case.simulate(500);
        println!("{case:?}: {found:?}");
        assert!(found.held > 0.94, "{case:?}: {found:?}");
    }
    for (seats, blocks, correlation, gap) in [(6, 2, 0.15, 100.0), (10, 3, 0.3, 100.0), (10, 2, 0.3, 0.0)] {
        let case = Case { seats, blocks, correlation, gap, draws: true };
        let found = case.simulate(60);
        println!("{case:?}: {found:?}");
        assert!(found.held > 0.92, "{case:?}: {found:?}");
    }
}

/// Everybody meets everybody so often on each of some starts, on which a client has the same luck whenever it plays it,
/// in whatever line-up: two results of a client from one start have this correlation.
#[derive(Clone, Copy, Debug)]
struct Shared {
    clients: usize,
    starts: usize,
    blocks: usize,
    correlation: f64,
}

impl Shared {
    fn play(&self, chance: &mut Chance, elo: &[f64]) -> Ratings {
        let gumbel = |chance: &mut Chance| -(-chance.unit().ln()).ln() * 400.0 / 10f64.ln();
        let mut rankings = Vec::new();
        for opening in 0..self.starts as u64 {
            let luck: Vec<f64> = (0..self.clients).map(|_| gumbel(chance)).collect();
            let pairs = (0..self.clients).flat_map(|a| (0..a).map(move |b| [a, b]));
            for pair in pairs.flat_map(|pair| std::iter::repeat_n(pair, self.blocks)) {
                let block = rankings.len() as u64 / 2;
                for players in [pair, [pair[1], pair[0]]] {
                    let shown = players.map(|player| {
                        let own = gumbel(chance);
                        elo[player] + if chance.unit() < self.correlation.sqrt() { luck[player] } else { own }
                    });
                    let seat = |seat: usize| RankedSeat {
                        entrant: players[seat] as u32,
                        rank: 1 + u32::from(shown[seat] < shown[1 - seat]),
                    };
                    let game = chance.bits();
                    rankings.push(Ranking { seats: vec![seat(0), seat(1)], setting: 0, opening, game, block });
                }
            }
        }
        plackett_luce::fit(rankings, self.clients, &RatingOptions::default()).unwrap()
    }

    fn held(&self, times: u64) -> f64 {
        let elo: Vec<f64> = (0..self.clients).map(|place| 30.0 * place as f64).collect();
        let pairs: Vec<(usize, usize)> = (0..self.clients).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        let mut held = 0.0;
        for seed in 0..times {
            let ratings = self.play(&mut Chance::new(seed), &elo);
            for (a, b) in &pairs {
                let (found, truth) = (ratings.difference(*a, *b).unwrap(), elo[*a] - elo[*b]);
                let holds = found.low.is_none_or(|low| low <= truth) && found.high.is_none_or(|high| high >= truth);
                held += if holds { 1.0 } else { 0.0 };
            }
        }
        held / (times as f64 * pairs.len() as f64)
    }
}

/// Starts that are shared by line-ups, and books of few lines.
#[test]
fn luck_with_a_start_counts_once() {
    for (clients, starts, blocks) in
        [(6, 5, 1), (6, 20, 1), (10, 10, 1), (2, 5, 20), (2, 10, 10), (2, 20, 10), (4, 3, 10)]
    {
        for correlation in [0.0, 0.15, 0.3] {
            let case = Shared { clients, starts, blocks, correlation };
            let held = case.held(300);
            println!("{case:?}: {held:.3}");
            assert!(held > 0.92, "{case:?}: {held}");
        }
    }
}

/// The table of `docs/notebook/intervals.md`, each cell over `AGON_TIMES` simulations (1,000), fewer where more sit at the table:
/// `cargo test --release -p agon-stats coverage:: -- --ignored --nocapture`.
#[test]
#[ignore = "takes an hour; prints a table"]
fn intervals_of_95_per_cent_hold() {
    const BLOCKS: [usize; 7] = [2, 3, 5, 10, 20, 50, 100];
    let times: u64 = std::env::var("AGON_TIMES").map_or(1_000, |text| text.parse().unwrap());
    println!("| seats | gap | draws | correlation | {} |", BLOCKS.map(|blocks| blocks.to_string()).join(" | "));
    println!("|---|---|---|---|{}", "---|".repeat(BLOCKS.len()));
    let mut below = Vec::new();
    for seats in [2, 3, 4, 6, 10] {
        for (gap, draws) in [(0.0, false), (0.0, true), (100.0, false), (400.0, false)] {
            for correlation in [0.0, 0.15, 0.3] {
                print!("| {seats} | {gap} | {} | {correlation} |", if draws { "yes" } else { "no" });
                for blocks in BLOCKS {
                    let case = Case { seats, blocks, correlation, gap, draws };
                    // The pairs of a line-up tell of each other's intervals, but not all the same.
                    let times = (times * 2 / seats as u64).max(2);
                    let found = case.simulate(times);
                    let open = if found.open > 0.005 { format!(" ({:.0})", 100.0 * found.open) } else { String::new() };
                    print!(" {:.1}{open} |", 100.0 * found.held);
                    // Three standard errors of a share of 0.95.
                    let noise = 3.0 * (0.95f64 * 0.05 / times as f64).sqrt();
                    below.extend((found.held < 0.94 - noise).then_some((case, found)));
                }
                println!();
            }
        }
    }
    assert!(below.is_empty(), "{below:?}");
}

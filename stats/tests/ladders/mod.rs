//! Simulated ladders of clients whose chance is known, and what is true of them.

pub mod reversed;
mod truth;

use crate::chance::Nothing;
use crate::simulator::Chance;
use agon_stats::bradley_terry::{self, Duel, DuelOutcome};
use agon_stats::plackett_luce::{self, RankedSeat, Ranking};
use agon_stats::{Points, RatingOptions, Ratings, SeatOutcome, Start, Tally, TallyRow};
use reversed::Exact;
use std::collections::HashMap;

/// Where blocks begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// All alike: what is true is true of this start.
    One,
    /// Twelve heaps in turn.
    Heaps,
    /// Each opening for two blocks of a line-up.
    Openings,
}

/// A ladder in which every line-up plays so many blocks.
#[derive(Clone, Debug)]
pub struct Ladder {
    pub seats: usize,
    pub clients: usize,
    pub starts: Starts,
    /// So often a game from a start is the one that came first, move by move.
    pub again: f64,
    pub blocks: usize,
    /// Elo between a client and the next.
    pub gap: f64,
}

/// The share of intervals that hold the truth, over ladders: the intervals of one ladder depend on each other, so a
/// ladder is one observation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Held {
    ladders: f64,
    sum: f64,
    squares: f64,
}

impl Held {
    /// Adds the share of one ladder.
    fn add(&mut self, share: f64) {
        (self.ladders, self.sum, self.squares) = (self.ladders + 1.0, self.sum + share, self.squares + share * share);
    }

    pub fn mean(&self) -> f64 {
        self.sum / self.ladders
    }

    /// The standard error of the mean by the spread of the ladders: for one interval a ladder that of a binomial share,
    /// and more for intervals that hold or miss together. It is at least that of a share of 95 % whose intervals are
    /// all independent.
    pub fn error(&self, intervals: usize) -> f64 {
        let spread = (self.squares / self.ladders - self.mean().powi(2)).max(0.95 * 0.05 / intervals as f64);
        (spread / self.ladders).sqrt()
    }
}

/// The quality of the intervals of simulated ladders.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    /// Intervals of differences of ratings that hold the truth.
    pub held: Held,
    /// Those of points that do.
    pub points_held: Held,
    /// The share of intervals of differences that are open on a side.
    pub open: f64,
    /// How many are wholly on the wrong side of zero.
    pub reversed: usize,
    /// How many of exact intervals would be, since chance may bring an estimate so far from the truth.
    pub reversed_by_chance: f64,
}

/// Estimates of one difference in all ladders.
#[derive(Clone, Debug, Default)]
struct Estimates {
    /// The sum of the squares of estimate less truth.
    squares: f64,
    /// The truths that are apart from zero.
    apart: Vec<f64>,
}

/// A match: who sat where, and who came before whom, the first first.
type Played = (Vec<usize>, Vec<usize>);
/// A match with its start, its game and its block.
type Row = (Played, u64, u64, u64);

/// The luck of a ladder: the game that came first from each start, by who sits where.
struct World<'a> {
    ladder: &'a Ladder,
    first: HashMap<(u64, Vec<usize>), (Vec<usize>, u64)>,
}

impl World<'_> {
    fn elo(&self, client: usize) -> f64 {
        self.ladder.gap * client as f64
    }

    /// An order as it comes: strengths with Gumbel numbers.
    fn order(&self, chance: &mut Chance, seats: &[usize]) -> Vec<usize> {
        let mut shown: Vec<(f64, usize)> = seats
            .iter()
            .map(|client| (self.elo(*client) - (-chance.unit().ln()).ln() * 400.0 / 10f64.ln(), *client))
            .collect();
        shown.sort_by(|a, b| b.0.total_cmp(&a.0));
        shown.into_iter().map(|(_, client)| client).collect()
    }

    fn play(&mut self, chance: &mut Chance, start: u64, seats: &[usize]) -> (Played, u64) {
        let drawn = (self.order(chance, seats), chance.bits());
        let known = self.first.entry((start, seats.to_vec())).or_insert_with(|| drawn.clone()).clone();
        let (order, game) = if chance.unit() < self.ladder.again { known } else { drawn };
        ((seats.to_vec(), order), game)
    }
}

/// All rotations.
fn rotations(lineup: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    (0..lineup.len()).map(|by| (0..lineup.len()).map(|seat| lineup[(seat + by) % lineup.len()]).collect())
}

fn lineups(clients: usize, seats: usize) -> Vec<Vec<usize>> {
    let all = (0u32..1 << clients).filter(|mask| mask.count_ones() as usize == seats);
    all.map(|mask| (0..clients).filter(|client| mask >> client & 1 == 1).collect()).collect()
}

fn fit(ladder: &Ladder, played: &[Row]) -> Ratings {
    if ladder.seats == 2 {
        let duel = |((seats, order), start, game, block): &Row| Duel {
            first: seats[0] as u32,
            second: seats[1] as u32,
            setting: 0,
            opening: *start,
            game: *game,
            outcome: if order[0] == seats[0] { DuelOutcome::First } else { DuelOutcome::Second },
            block: *block,
        };
        return bradley_terry::fit(played.iter().map(duel).collect(), ladder.clients, &RatingOptions::default())
            .unwrap();
    }
    let ranking = |((seats, order), start, game, block): &Row| {
        let rank = |client: usize| 1 + order.iter().position(|other| *other == client).unwrap() as u32;
        let seats = seats.iter().map(|client| RankedSeat { entrant: *client as u32, rank: rank(*client) }).collect();
        Ranking { seats, setting: 0, opening: *start, game: *game, block: *block }
    };
    plackett_luce::fit(played.iter().map(ranking).collect(), ladder.clients, &RatingOptions::default()).unwrap()
}

impl Ladder {
    /// Two to six seats, three kinds of starts, a game comes again never, often and mostly.
    pub fn all(blocks: usize) -> Vec<Ladder> {
        let mut all = Vec::new();
        for (seats, clients) in [(2, 2), (2, 4), (3, 3), (3, 4), (4, 4), (5, 5), (6, 6)] {
            for starts in [Starts::One, Starts::Heaps, Starts::Openings] {
                for again in [0.0, 0.5, 0.9] {
                    all.push(Ladder { seats, clients, starts, again, blocks, gap: 100.0 });
                }
            }
        }
        all
    }

    fn start(&self, block: usize) -> u64 {
        match self.starts {
            Starts::One => 0,
            Starts::Heaps => block as u64 % 12,
            Starts::Openings => block as u64 / 2,
        }
    }

    pub fn simulate(&self, times: u64) -> Found {
        let (mut found, mut all) = (Found::default(), vec![Estimates::default(); self.pairs()]);
        for seed in 0..times {
            self.simulate_one(&mut Chance::new(seed), &mut found, &mut all);
        }
        let exact = Exact::new(self.clusters() - 1.0);
        for Estimates { squares, apart } in all {
            let error = (squares / times as f64).sqrt();
            found.reversed_by_chance += apart.iter().map(|truth| exact.is_reversed(truth / error)).sum::<f64>();
        }
        found.open /= (self.pairs() * times as usize) as f64;
        found
    }

    /// The least number of clusters that show a difference.
    fn clusters(&self) -> f64 {
        match self.starts {
            Starts::One => self.blocks as f64,
            Starts::Heaps => 12.0,
            Starts::Openings => self.blocks as f64 / 2.0,
        }
    }

    /// The number of differences of a ladder.
    pub fn pairs(&self) -> usize {
        self.clients * (self.clients - 1) / 2
    }

    /// One ladder: its luck, its matches and its table.
    fn play(&self, chance: &mut Chance) -> (World<'_>, Vec<Row>, Tally<Nothing>) {
        let mut world = World { ladder: self, first: HashMap::new() };
        let (mut played, mut tally) = (Vec::new(), Tally::new(self.clients, self.seats, Points::default()));
        let mut block = 0;
        for lineup in lineups(self.clients, self.seats) {
            for number in 0..self.blocks {
                let start = self.start(number);
                let games: Vec<(Played, u64)> =
                    rotations(&lineup).map(|seats| world.play(chance, start, &seats)).collect();
                let rows = |((seats, order), game): &(Played, u64)| {
                    let rank = |client| 1 + order.iter().position(|other| *other == client).unwrap() as u32;
                    let row = |entrant| SeatOutcome { entrant, rank: rank(entrant), score: 0, fault: None, notices: 0 };
                    (*game, seats.iter().map(|client| row(*client)).collect::<Vec<SeatOutcome<Nothing>>>())
                };
                let rows: Vec<(u64, Vec<SeatOutcome<Nothing>>)> = games.iter().map(rows).collect();
                tally.add_matches(Start { setting: 0, state: start }, &rows, |(_, rows)| rows, |(game, _)| *game);
                played.extend(games.into_iter().map(|(played, game)| (played, start, game, block)));
                block += 1;
            }
        }
        (world, played, tally)
    }

    fn simulate_one(&self, chance: &mut Chance, found: &mut Found, all: &mut [Estimates]) {
        let (world, played, tally) = self.play(chance);
        let ratings = fit(self, &played);
        let elo = self.true_elo(&world);
        let mut held = 0usize;
        for (a, b) in (0..self.clients).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let difference = ratings.difference(a, b).unwrap();
            let truth = elo[a] - elo[b];
            let (low, high) = (difference.low.unwrap_or(f64::NEG_INFINITY), difference.high.unwrap_or(f64::INFINITY));
            held += usize::from(low <= truth && truth <= high);
            found.open += f64::from(u8::from(low.is_infinite() || high.is_infinite()));
            // Where luck makes two equal, a side is as wrong as the other.
            let is_apart = truth.abs() > 60.0;
            found.reversed += usize::from(is_apart && (truth > 0.0 && high < 0.0 || truth < 0.0 && low > 0.0));
            let estimates = &mut all[a * (a - 1) / 2 + b];
            estimates.squares += (difference.elo - truth).powi(2);
            estimates.apart.extend(is_apart.then_some(truth.abs()));
        }
        found.held.add(held as f64 / self.pairs() as f64);
        found.points_held.add(self.points_held(&world, &tally));
    }

    /// The share of the intervals of points in a table that hold the truth.
    fn points_held(&self, world: &World<'_>, tally: &Tally<Nothing>) -> f64 {
        let holds = |(line, truth): (&TallyRow<Nothing>, &f64)| {
            line.points.interval().is_none_or(|(low, high)| low - 1e-9 <= *truth && *truth <= high + 1e-9)
        };
        let truth = self.true_points(world);
        tally.lines().iter().zip(&truth).filter(|both| holds(*both)).count() as f64 / self.clients as f64
    }

    /// The same over this number of ladders, which are not rated.
    pub fn simulate_points(&self, times: u64) -> Held {
        let mut held = Held::default();
        for seed in 0..times {
            let (world, _, tally) = self.play(&mut Chance::new(seed));
            held.add(self.points_held(&world, &tally));
        }
        held
    }
}

//! Whether 95 % intervals hold the truth where pairings follow from results or from lots: simulated tournaments of
//! clients of known chance. The whole table: `cargo test --release -p agon-tournament --test drawn_systems -- --ignored
//! --nocapture`.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

use agon_model::pairing::PairingRules;
use agon_model::{Entrant, EntrantId, PlayedStage, SeatOutcome, Stage, System, Tally, TallyRow};
use agon_stats::bradley_terry::{self, Duel, DuelOutcome};
use agon_stats::plackett_luce::{self, RankedSeat, Ranking};
use agon_stats::{Points, RatingOptions, Ratings, Start, separated};
use agon_tournament::schedule::{Common, KeptDrawing, Lineups, Schedule};
use std::collections::{BTreeMap, HashMap};

/// Elo between a client and the next.
const GAP: f64 = 50.0;
const SEATS: usize = 4;
const SEED: u64 = 1;

/// The pairing decides who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pairing {
    Swiss,
    Knockout,
    Continuous,
    /// The meetings of such a ladder once more: results have no part in who meets whom.
    Replayed,
    /// A partial round robin at tables of four.
    Partial,
}

#[derive(Clone, Copy, Debug)]
struct Case {
    pairing: Pairing,
    clients: usize,
    /// The openings of a meeting.
    openings: u64,
    /// Whether all openings are one start.
    is_one_start: bool,
    /// The share of games that repeat the first one from their start.
    again: f64,
}

/// A number from 0 to 1 that looks drawn by chance (xorshift64*, Vigna 2016).
struct Chance(u64);

impl Chance {
    fn new(seed: u64) -> Chance {
        let mut chance = Chance((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        (0..8).for_each(|_| _ = chance.bits());
        chance
    }

    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn unit(&mut self) -> f64 {
        ((self.bits() >> 12) as f64 + 0.5) / (1u64 << 52) as f64
    }
}

/// A match: the seats in order, the clients from the first rank to the last, and its game.
#[derive(Clone)]
struct Played {
    seats: Vec<usize>,
    order: Vec<usize>,
    game: u64,
    start: u64,
    block: u64,
}

/// A tournament on its way.
struct World {
    case: Case,
    chance: Chance,
    elo: Vec<f64>,
    first: HashMap<(u64, Vec<usize>), (Vec<usize>, u64)>,
    played: Vec<Played>,
    tally: Tally,
    blocks: u64,
}

/// The blocks of a continuous ladder: AGON_BLOCKS asks for another number.
fn blocks() -> u64 {
    std::env::var("AGON_BLOCKS").map_or(160, |blocks| blocks.parse().unwrap())
}

fn rank(order: &[usize], client: usize) -> u32 {
    1 + order.iter().position(|other| *other == client).unwrap() as u32
}

impl World {
    /// Plays a block; the points of each client in thousandths.
    fn block(&mut self, lineup: &[usize], opening: u64, orders: &[Vec<usize>]) -> Vec<i64> {
        let start = if self.case.is_one_start { 0 } else { opening };
        let mut matches = Vec::new();
        for seats in orders {
            let mut shown: Vec<(f64, usize)> = Vec::new();
            for client in seats {
                let luck = -(-self.chance.unit().ln()).ln() * 400.0 / 10f64.ln();
                shown.push((self.elo[*client] + luck, *client));
            }
            shown.sort_by(|a, b| b.0.total_cmp(&a.0));
            let drawn = (shown.into_iter().map(|(_, client)| client).collect::<Vec<_>>(), self.chance.bits());
            let known = self.first.entry((start, seats.clone())).or_insert_with(|| drawn.clone()).clone();
            let (order, game) = if self.chance.unit() < self.case.again { known } else { drawn };
            matches.push(Played { seats: seats.clone(), order, game, start, block: self.blocks });
        }
        self.blocks += 1;
        let row = |played: &Played, entrant: usize| {
            let rank = rank(&played.order, entrant);
            SeatOutcome { entrant, rank, score: 0, fault: None, notices: 0 }
        };
        let rows: Vec<(u64, Vec<SeatOutcome>)> = (matches.iter())
            .map(|played| (played.game, played.seats.iter().map(|client| row(played, *client)).collect()))
            .collect();
        self.tally.add_matches(Start { setting: 0, state: start }, &rows, |(_, rows)| rows, |(game, _)| *game);
        let points = |client: &usize| -> i64 {
            let beaten = |played: &Played| (played.order.len() as u32 - rank(&played.order, *client)) as i64;
            matches.iter().map(|played| 1_000 * beaten(played)).sum()
        };
        let points = lineup.iter().map(points).collect();
        self.played.extend(matches);
        points
    }

    fn stage(&mut self, stage: Stage) -> PlayedStage {
        let mut scores = Vec::new();
        for meeting in &stage.meetings {
            let players: Vec<usize> = meeting.iter().map(|player| player.0 as usize).collect();
            if let &[one, other] = &players[..] {
                let mut sum = vec![0; 2];
                for opening in stage.opening..stage.opening + stage.openings {
                    let points = self.block(&players, opening, &[vec![one, other], vec![other, one]]);
                    sum.iter_mut().zip(points).for_each(|(sum, points)| *sum += points);
                }
                scores.push(sum);
            } else {
                scores.push(vec![2_000 * stage.openings as i64]);
            }
        }
        PlayedStage { stage, scores }
    }

    fn ratings(&self) -> Ratings {
        let options = RatingOptions::default();
        if self.case.pairing == Pairing::Partial {
            let seat = |played: &Played, client: usize| RankedSeat {
                entrant: client as u32,
                rank: rank(&played.order, client),
            };
            let ranking = |played: &Played| Ranking {
                seats: played.seats.iter().map(|client| seat(played, *client)).collect(),
                setting: 0,
                opening: played.start,
                game: played.game,
                block: played.block,
            };
            return plackett_luce::fit(self.played.iter().map(ranking).collect(), self.case.clients, &options).unwrap();
        }
        let duel = |played: &Played| Duel {
            first: played.seats[0] as u32,
            second: played.seats[1] as u32,
            setting: 0,
            opening: played.start,
            game: played.game,
            outcome: if played.order[0] == played.seats[0] { DuelOutcome::First } else { DuelOutcome::Second },
            block: played.block,
        };
        bradley_terry::fit(self.played.iter().map(duel).collect(), self.case.clients, &options).unwrap()
    }

    /// The points that each client is to expect in the matches that it plays.
    fn expected(&self) -> Vec<f64> {
        let before = |one: usize, other: usize| 1.0 / (1.0 + 10f64.powf((self.elo[other] - self.elo[one]) / 400.0));
        let mut sums = vec![(0.0, 0.0); self.case.clients];
        for played in &self.played {
            let known = &self.first[&(played.start, played.seats.clone())].0;
            let others = (played.seats.len() - 1) as f64;
            for client in &played.seats {
                let all: f64 =
                    played.seats.iter().filter(|other| *other != client).map(|other| before(*client, *other)).sum();
                let fixed = (played.seats.len() as u32 - rank(known, *client)) as f64;
                let again = if self.case.is_one_start { self.case.again } else { 0.0 };
                sums[*client].0 += (again * fixed + (1.0 - again) * all) / others;
                sums[*client].1 += 1.0;
            }
        }
        sums.into_iter().map(|(sum, matches)| sum / matches).collect()
    }
}

impl Case {
    fn play(&self, seed: u64) -> World {
        let mut chance = Chance::new(seed);
        let mut elo: Vec<f64> = (0..self.clients).map(|client| GAP * client as f64).collect();
        (1..elo.len()).rev().for_each(|last| elo.swap(last, (chance.unit() * (last + 1) as f64) as usize));
        let seats = if self.pairing == Pairing::Partial { SEATS } else { 2 };
        let start = |chance: Chance| {
            let tally = Tally::new(self.clients, seats, Points::default());
            let (elo, first) = (elo.clone(), HashMap::new());
            World { case: *self, chance, elo, first, played: Vec::new(), tally, blocks: 0 }
        };
        let mut world = start(chance);
        let system = match self.pairing {
            Pairing::Swiss => System::Swiss { rounds: Some(5) },
            Pairing::Knockout => System::Knockout { playoffs: 2 },
            Pairing::Continuous | Pairing::Replayed => System::Continuous { blocks: blocks() },
            Pairing::Partial => {
                self.partial(&mut world, seed);
                return world;
            }
        };
        let rules = PairingRules { system, openings: self.openings, settings: 1 };
        let field: Vec<EntrantId> = (0..self.clients as i64).map(EntrantId).collect();
        let mut played: Vec<PlayedStage> = Vec::new();
        while let Some(stage) = rules.next(&field, &played) {
            played.push(world.stage(stage));
        }
        if self.pairing == Pairing::Replayed {
            world = start(Chance::new(seed + 1_000_000));
            played.into_iter().for_each(|played| drop(world.stage(played.stage)));
        }
        world
    }

    fn partial(&self, world: &mut World, seed: u64) {
        let entrant = |index: usize| Entrant {
            label: index.to_string(),
            file: String::new(),
            hash: format!("{index:064}"),
            options: BTreeMap::new(),
            refused: None,
        };
        let entrants: Vec<Entrant> = (0..self.clients).map(entrant).collect();
        let common = Common { game: "game", terms: &Default::default(), seed: SEED + seed };
        let lineups = Lineups::Partial { of: (0..self.clients).collect(), seats: SEATS, rounds: 8 };
        let lot = [seed as u8; 32];
        let lineups = lineups.drawn_by(&lot, &mut KeptDrawing::default()).unwrap();
        let schedule = Schedule::new(&common, (&entrants, &[]), &[(String::new(), SEATS)], lineups, self.openings);
        for block in schedule.in_turns(SEATS).blocks() {
            let orders: Vec<Vec<usize>> = block.pairings().map(|pairing| pairing.seats).collect();
            world.block(&block.lineup.clone(), block.opening, &orders);
        }
    }

    fn simulate(&self, times: u64) -> Found {
        let mut found = Found::default();
        for seed in 0..times {
            self.judge(&self.play(seed), &mut found);
        }
        found
    }

    fn judge(&self, world: &World, found: &mut Found) {
        let rows = world.tally.lines();
        let known = |(row, truth): (&TallyRow, f64)| {
            let (low, high) = row.points.interval()?;
            Some(low - 1e-9 <= truth && truth <= high + 1e-9)
        };
        found.points.add(rows.iter().zip(world.expected()).filter_map(known));
        // From one start the first games decide who is stronger, and by how much.
        if self.again > 0.0 {
            return;
        }
        let ratings = world.ratings();
        let mut held = Vec::new();
        for (a, b) in (0..self.clients).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let truth = world.elo[a] - world.elo[b];
            let (one, other) = (&rows[a].points, &rows[b].points);
            let is_turned = separated(one, other) == Some(true) && (one.mean > other.mean) != (truth > 0.0);
            found.turned_by_points += u32::from(is_turned);
            let Some(difference) = ratings.difference(a, b) else { continue };
            let low = difference.low.unwrap_or(f64::NEG_INFINITY);
            let high = difference.high.unwrap_or(f64::INFINITY);
            held.push(low <= truth && truth <= high);
            found.open += u32::from(low.is_infinite() || high.is_infinite());
            found.turned += u32::from(truth > 0.0 && high < 0.0 || truth < 0.0 && low > 0.0);
            found.pairs += 1;
            found.products += difference.elo * truth;
            found.squares += truth * truth;
        }
        found.ratings.add(held.into_iter());
    }
}

/// Intervals of tournaments of one kind.
#[derive(Default)]
struct Found {
    ratings: Held,
    points: Held,
    pairs: u32,
    /// The sums of estimate times truth and of the squares of truths: their ratio is above 1 where ratings overstate.
    products: f64,
    squares: f64,
    /// The pairs whose interval is open on a side.
    open: u32,
    /// The pairs of which ratings call the weaker one better.
    turned: u32,
    /// Those of which intervals of points would, if opponents were the same.
    turned_by_points: u32,
}

/// The share of intervals that hold the truth. A tournament is one observation, since its intervals depend on each
/// other.
#[derive(Default)]
struct Held {
    tournaments: f64,
    sum: f64,
    squares: f64,
}

impl Held {
    fn add(&mut self, all: impl Iterator<Item = bool>) {
        let (held, count) = all.fold((0.0, 0.0), |(held, count), is| (held + f64::from(u8::from(is)), count + 1.0));
        if count > 0.0 {
            let share = held / count;
            (self.tournaments, self.sum, self.squares) =
                (self.tournaments + 1.0, self.sum + share, self.squares + share * share);
        }
    }

    fn mean(&self) -> f64 {
        self.sum / self.tournaments
    }

    fn error(&self) -> f64 {
        ((self.squares / self.tournaments - self.mean().powi(2)) / self.tournaments).max(0.0).sqrt()
    }

    fn shown(&self) -> String {
        if self.tournaments == 0.0 {
            return "-".to_owned();
        }
        format!("{:.1} ± {:.1}", 100.0 * self.mean(), 100.0 * self.error())
    }

    /// Whether at least 94 % hold, as far as this number of tournaments shows.
    fn is_enough(&self) -> bool {
        self.tournaments == 0.0 || self.mean() + 3.0 * self.error() >= 0.94
    }
}

/// Swiss, knockout and continuous ladders of eight clients, partial round robins of twelve: with clients 50 Elo apart,
/// who repeat no game, half of the games or nine of ten.
#[test]
#[ignore = "some minutes; prints a table"]
fn intervals_hold_in_drawn_systems() {
    let times = std::env::var("AGON_LADDERS").map_or(400, |times| times.parse().unwrap());
    println!(
        "| pairing | openings | repeats | ratings held | points held | overstated | pairs | open | turned | by points |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut wrong = Vec::new();
    let only = std::env::var("AGON_PAIRING").ok();
    let all = [Pairing::Swiss, Pairing::Knockout, Pairing::Continuous, Pairing::Replayed, Pairing::Partial];
    for pairing in all.into_iter().filter(|one| only.as_ref().is_none_or(|only| format!("{one:?}") == *only)) {
        for (is_one_start, again) in [(false, 0.0), (true, 0.0), (true, 0.5), (true, 0.9)] {
            for openings in [1, 4, 12] {
                let clients = if pairing == Pairing::Partial { 12 } else { 8 };
                let case = Case { pairing, clients, openings, is_one_start, again };
                let found = case.simulate(times);
                let Found { ratings, points, pairs, open, turned, turned_by_points, products, squares } = &found;
                let overstated = products / squares;
                let starts = if is_one_start { "one start" } else { "different" };
                let shares = (ratings.shown(), points.shown());
                println!(
                    "| {pairing:?} | {openings}, {starts} | {again} | {} | {} | {overstated:.2} | {pairs} | {open} | \
                     {turned} | {turned_by_points} |",
                    shares.0, shares.1
                );
                // Exact intervals of equal clients are wrong about the order in 2.5 %; these clients lie 50 Elo apart.
                let are_few = f64::from(*turned) <= 0.005 * f64::from(*pairs);
                wrong.extend((!ratings.is_enough() || !points.is_enough() || !are_few).then_some(case));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn intervals_hold_in_a_small_swiss() {
    let case = Case { pairing: Pairing::Swiss, clients: 8, openings: 4, is_one_start: false, again: 0.0 };
    let Found { ratings, points, pairs, turned, .. } = case.simulate(20);
    assert!(
        ratings.is_enough() && points.is_enough() && turned * 100 < pairs,
        "{} {}",
        ratings.shown(),
        points.shown()
    );
}

//! Clients of known chance: equal games are frequencies where chance has a part, and copies where it has none.

use crate::ladders::reversed::at_least;
use crate::ladders::{Found, Held, Ladder, Starts};
use crate::simulator::Chance;
use agon_stats::bradley_terry::{self, Duel, DuelOutcome};
use agon_stats::{Draws, Points, RatingOptions, SeatFault, SeatOutcome, Start, Tally};

/// Clients that play a game again from the same start and seats so often; who wins it is drawn when it first comes.
fn duels(chance: &mut Chance, clients: usize, blocks: usize, starts: u64, again: f64) -> Vec<Duel> {
    let mut first = std::collections::HashMap::new();
    let mut duels = Vec::new();
    for b in 0..clients as u32 {
        for (a, block) in (0..b).flat_map(|a| (0..blocks as u64).map(move |block| (a, block))) {
            let (opening, block) = ((block * 7 + u64::from(a)) % starts, duels.len() as u64);
            for (one, other) in [(a, b), (b, a)] {
                let better = 1.0 / (1.0 + 10f64.powf((f64::from(other) - f64::from(one)) * 60.0 / 400.0));
                let won = if chance.unit() < better { DuelOutcome::First } else { DuelOutcome::Second };
                let drawn = (won, chance.bits());
                let known = *first.entry((one, other, opening)).or_insert(drawn);
                let (outcome, game) = if chance.unit() < again { known } else { drawn };
                duels.push(Duel { first: one, second: other, setting: 0, opening, game, outcome, block });
            }
        }
    }
    duels
}

fn plain() -> RatingOptions {
    RatingOptions { draws: Draws::HalfPoints, first_seat: false, ..RatingOptions::default() }
}

/// The strengths by all games, each counted, in the plainest way.
fn by_all_games(duels: &[Duel], clients: usize) -> Vec<f64> {
    let mut games = std::collections::BTreeMap::new();
    for duel in duels {
        *games.entry((duel.first as usize, duel.second as usize, duel.outcome)).or_insert(0.0) += 1.0;
    }
    let points = |outcome: DuelOutcome| [1.0, 0.5, 0.0][outcome as usize];
    let games: Vec<crate::reference::Game> =
        games.into_iter().map(|((one, other, outcome), times)| (one, other, points(outcome), times)).collect();
    crate::reference::bradley_terry(&games, clients)
}

#[test]
fn ratings_of_clients_with_chance_are_bradley_terrys_on_all_games() {
    for (seed, starts, again) in [(0, 1, 0.0), (1, 1, 0.5), (2, 1, 0.9), (3, 5, 0.5), (4, 23, 0.9), (5, 3, 0.97)] {
        let all = duels(&mut Chance::new(seed), 4, 150, starts, again);
        let found = bradley_terry::fit(all.clone(), 4, &plain()).unwrap();
        let expected = by_all_games(&all, 4);
        for client in 0..4 {
            let apart = (found.strengths[client].elo - expected[client]).abs();
            assert!(apart < 0.01, "{starts} starts, {again}: {found:?} {expected:?}");
            assert_eq!(found.strengths[client].distinct, found.strengths[client].matches as f64);
        }
    }
}

/// 533 of 800 games from one start, most of them equal: by far the better one.
#[test]
fn a_record_of_equal_games_is_rated_by_how_often_they_came() {
    let duel = |number: u64| {
        let (first, second) = if number.is_multiple_of(2) { (0, 1) } else { (1, 0) };
        let zero_wins = number % 800 * 7 % 800 < 533;
        let outcome = if zero_wins == (first == 0) { DuelOutcome::First } else { DuelOutcome::Second };
        // Two games a seat: one that is won and one that is lost.
        Duel { first, second, setting: 0, opening: 0, game: u64::from(zero_wins), outcome, block: number / 2 }
    };
    let found = bradley_terry::fit((0..800).map(duel).collect(), 2, &RatingOptions::default()).unwrap();
    let difference = found.difference(0, 1).unwrap();
    let expected = 400.0 * (533.0f64 / 267.0).log10();
    assert!((difference.elo - expected).abs() < 1.0, "{difference:?} {expected}");
    assert!(difference.low.unwrap() > 0.0 && difference.superiority > 0.99, "{difference:?}");
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Nothing;

impl SeatFault for Nothing {
    fn is_crash(self) -> bool {
        false
    }
}

fn tallied(blocks: &[Vec<Duel>]) -> Tally<Nothing> {
    let mut tally = Tally::new(3, 2, Points::default());
    for block in blocks {
        let row =
            |entrant: u32, rank| SeatOutcome { entrant: entrant as usize, rank, score: 0, fault: None, notices: 0 };
        let ranks = |outcome| [[1, 2], [1, 1], [2, 1]][outcome as usize];
        let rows = |duel: &Duel| {
            let [one, other] = ranks(duel.outcome);
            (duel.game, [row(duel.first, one), row(duel.second, other)])
        };
        let start = Start { setting: block[0].setting as usize, state: block[0].opening };
        let games: Vec<(u64, [SeatOutcome<Nothing>; 2])> = block.iter().map(rows).collect();
        tally.add_matches(start, &games, |(_, rows)| rows, |(game, _)| *game);
    }
    tally
}

/// 200 equal blocks from a setting's only start, next to 30 that differ: ± does not shrink.
#[test]
fn copies_make_no_points_surer() {
    let all = duels(&mut Chance::new(4), 2, 30, 30, 0.0);
    let mut blocks: Vec<Vec<Duel>> = all.chunks(2).map(<[Duel]>::to_vec).collect();
    let reach = |blocks: &[Vec<Duel>]| tallied(blocks).lines()[0].points.reach().unwrap();
    let before = reach(&blocks);
    let copy = |setting: u64| {
        let duel = |first: u32| Duel {
            first,
            second: 1 - first,
            setting,
            opening: 77,
            game: u64::from(first),
            outcome: if first == 0 { DuelOutcome::First } else { DuelOutcome::Second },
            block: 0,
        };
        vec![duel(0), duel(1)]
    };
    for setting in [1, 0] {
        let mut longest = before;
        for _ in 0..200 {
            blocks.push(copy(setting));
            let now = reach(&blocks);
            assert!(now > 0.97 * before, "{now} {before}");
            longest = longest.max(now);
        }
        assert!(longest > before);
    }
    // Where chance has shown in the line-up, the same blocks are frequencies.
    let by_chance = |number: u64| {
        let mut block = copy(1);
        if number == 0 {
            block[0].game = 99;
        }
        block
    };
    let counted: Vec<Vec<Duel>> = (0..200).map(by_chance).collect();
    let copies: Vec<Vec<Duel>> = (0..200).map(|_| copy(1)).collect();
    assert!(reach(&counted) < 0.05 && tallied(&copies).lines()[0].points.reach().is_none());
}

/// Standard errors of a share by which it may be off: among the 252 limits of all kinds chance passes one of 3.5 in one
/// of 17 runs even if all shares lie just within.
const OFF: f64 = 3.5;
/// So seldom may chance explain how many orders are reversed.
const SELDOM: f64 = 1e-4;

/// In each kind of ladder 94 to 98 % of intervals hold the truth, as far as this number of ladders shows, and no more
/// orders are reversed than those of exact intervals.
fn assert_held(times: u64, kinds: &[Ladder]) {
    println!("| seats | clients | starts | repeats | ratings held | points held | open | reversed | of exact ones |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let (mut wrong, mut all, mut all_exact) = (Vec::new(), 0, 0.0);
    for ladder in kinds {
        let Found { held, points_held, open, reversed, reversed_by_chance } = ladder.simulate(times);
        let Ladder { seats, clients, starts, again, .. } = ladder;
        let shown =
            |held: &Held, intervals| format!("{:.1} ± {:.1}", 100.0 * held.mean(), 100.0 * held.error(intervals));
        let (ratings, points) = (shown(&held, ladder.pairs()), shown(&points_held, *clients));
        let open = 100.0 * open;
        println!(
            "| {seats} | {clients} | {starts:?} | {again} | {ratings} | {points} | {open:.1} | {reversed} | {reversed_by_chance:.2} |"
        );
        let is_within = |held: &Held, intervals| {
            let off = OFF * held.error(intervals);
            held.mean() + off >= 0.94 && held.mean() - off <= 0.98
        };
        let are_within = is_within(&held, ladder.pairs()) && is_within(&points_held, *clients);
        let are_too_many = at_least(reversed, reversed_by_chance) < SELDOM;
        wrong.extend((!are_within || are_too_many).then_some(ladder));
        (all, all_exact) = (all + reversed, all_exact + reversed_by_chance);
    }
    println!("reversed in all: {all}, and {all_exact:.2} of exact intervals");
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(at_least(all, all_exact) > SELDOM, "{all} orders are reversed, {all_exact} by chance");
}

#[test]
fn intervals_hold_for_clients_of_known_chance() {
    let kinds = Ladder::all(24);
    let some: Vec<Ladder> =
        kinds.into_iter().filter(|ladder| ladder.seats < 4 && ladder.seats * ladder.clients < 12).collect();
    assert_held(30, &some);
}

/// Clients that mostly repeat their games from the only start score differently against each opponent, but not by
/// chance.
#[test]
fn intervals_from_one_start_do_not_grow_with_the_differences_between_opponents() {
    for (seats, clients) in [(2, 4), (3, 4)] {
        let ladder = Ladder { seats, clients, starts: Starts::One, again: 0.9, blocks: 40, gap: 100.0 };
        let Found { held, points_held, .. } = ladder.simulate(60);
        for share in [held.mean(), points_held.mean()] {
            assert!((0.93..0.98).contains(&share), "{seats} seats: {held:?} {points_held:?}");
        }
    }
}

/// Twelve blocks against each of two opponents, with more points against one of them.
#[test]
fn more_points_against_one_opponent_change_no_error() {
    let error = |starts: u64, more: i64, copied: bool| {
        let mut tally = Tally::<Nothing>::new(3, 2, Points::default());
        for number in 0..24 {
            let opponent = 1 + (number % 2) as usize;
            let score = (number * number % 7) as i64 + if opponent == 2 { more } else { 0 };
            let row = |entrant, score| SeatOutcome { entrant, rank: 1, score, fault: None, notices: 0 };
            let rows = [row(0, score), row(opponent, 0)];
            let moves = if copied { 0 } else { number };
            let start = Start { setting: 0, state: number % starts };
            tally.add_matches(start, &[(moves, rows)], |(_, rows)| rows, |(moves, _)| *moves);
        }
        tally.lines()[0].score.error
    };
    assert_eq!(error(1, 1_000, false), error(1, 0, false));
    // It is chance what a start is worth. Nor is the spread of copies known.
    assert!(error(5, 1_000, false) > error(5, 0, false) && error(1, 1_000, true) > error(1, 0, true));
}

/// The truth of one start is known exactly: many games come close to it, but only very many if there are many orders.
#[test]
fn many_games_from_one_start_show_what_endless_ones_do() {
    let ladder = |seats: usize, clients: usize| Ladder {
        seats,
        clients,
        starts: Starts::One,
        again: 0.5,
        blocks: 1,
        gap: 100.0,
    };
    for (seats, clients, many, most) in
        [(3, 3, 400.0, 1.0), (3, 4, 400.0, 1.0), (4, 4, 2_000.0, 1.0), (5, 5, 4_000.0, 1.5)]
    {
        for seed in 0..3 {
            let off = ladder(seats, clients).error_of_sample(seed, many);
            assert!(off < most, "{seats} seats, {clients} clients, {seed}: {off}");
        }
    }
    let off = ladder(6, 6).error_of_sample(0, 400.0);
    assert!(off > 2.0, "a sample would do: {off}");
}

/// With 10,000 ladders a share is known within 0.3: AGON_LADDERS asks for another number.
#[test]
#[ignore = "some minutes; prints a table"]
fn intervals_of_points_hold_in_many_ladders() {
    let times = std::env::var("AGON_LADDERS").map_or(10_000, |times| times.parse().unwrap());
    println!("| seats | clients | starts | repeats | points held |");
    println!("|---|---|---|---|---|");
    let mut wrong = Vec::new();
    for ladder in Ladder::all(40) {
        let held = ladder.simulate_points(times);
        let (share, error) = (held.mean(), held.error(ladder.clients));
        let Ladder { seats, clients, starts, again, .. } = ladder;
        println!("| {seats} | {clients} | {starts:?} | {again} | {:.2} ± {:.2} |", 100.0 * share, 100.0 * error);
        let is_within = share + OFF * error >= 0.945 && share - OFF * error <= 0.98;
        wrong.extend((!is_within).then_some((ladder, share)));
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// `cargo test --release -p agon-stats chance:: -- --ignored --nocapture`
#[test]
#[ignore = "some minutes; prints a table"]
fn intervals_hold_for_clients_of_known_chance_in_many_ladders() {
    let times = std::env::var("AGON_LADDERS").map_or(500, |times| times.parse().unwrap());
    let seats = std::env::var("AGON_SEATS").ok().map(|seats| seats.parse::<usize>().unwrap());
    let blocks = std::env::var("AGON_BLOCKS").map_or(40, |blocks| blocks.parse().unwrap());
    let kinds: Vec<Ladder> =
        Ladder::all(blocks).into_iter().filter(|one| seats.is_none_or(|seats| one.seats == seats)).collect();
    assert_held(times, &kinds);
}

#[test]
fn reversed_orders_of_exact_intervals_are_known() {
    let exact = crate::ladders::reversed::Exact::new(11.0);
    // At zero half of the 5 % lie on either side.
    assert!((exact.is_reversed(0.0) - 0.025).abs() < 1e-6);
    let mut chance = Chance::new(8);
    let mut normal = || (0..12).map(|_| chance.unit()).sum::<f64>() - 6.0;
    let reversed = |truth: f64, normal: &mut dyn FnMut() -> f64| {
        let estimate = truth + normal();
        let error = ((0..11).map(|_| normal().powi(2)).sum::<f64>() / 11.0).sqrt();
        estimate + 2.201 * error < 0.0
    };
    for truth in [0.5, 1.0] {
        let share = (0..100_000).filter(|_| reversed(truth, &mut normal)).count() as f64 / 1e5;
        let expected = exact.is_reversed(truth);
        assert!((share - expected).abs() < 4.0 * (expected / 1e5).sqrt() + 2e-4, "{share} {expected}");
    }
    assert!((at_least(2, 1.0) - (1.0 - 2.0 / std::f64::consts::E)).abs() < 1e-12 && at_least(0, 3.0) == 1.0);
}

//! Ratings against results of known strengths, in any order, with results repeated; and Ordo's method written out
//! plainly.

mod intervals;

use crate::simulator::{Chance, World, ranked_block};
use agon_stats::bradley_terry::{self, Duel, DuelOutcome};
use agon_stats::plackett_luce::{self, Ranking};
use agon_stats::{Draws, RatingOptions, Ratings, Unfit};

/// Strengths `step` Elo apart.
fn world(entrants: usize, step: f64) -> World {
    World {
        elo: (0..entrants).map(|place| step * place as f64).collect(),
        first_seat: 40.0,
        draw_rate: 0.2,
        uneven: false,
    }
}

fn rate(duels: &[Duel], entrants: usize) -> Ratings {
    bradley_terry::fit(duels.to_vec(), entrants, &RatingOptions::default()).unwrap()
}

fn rate_ranked(rankings: &[Ranking], entrants: usize) -> Ratings {
    plackett_luce::fit(rankings.to_vec(), entrants, &RatingOptions::default()).unwrap()
}

/// Blocks of three of the entrants, every three meeting so often.
fn ranked(elo: &[f64], blocks: usize, chance: &mut Chance, tie: f64) -> Vec<Ranking> {
    let mut rankings = Vec::new();
    for c in 0..elo.len() {
        for (a, b) in (0..c).flat_map(|b| (0..b).map(move |a| (a, b))) {
            (0..blocks)
                .for_each(|_| rankings.extend(ranked_block(chance, elo, &[a, b, c], rankings.len() as u64, tie)));
        }
    }
    rankings
}

#[test]
fn the_first_seat_and_draws_are_found() {
    let world = world(4, 60.0);
    let found = rate(&world.round_robin(&mut Chance::new(1), 20_000), 4);
    let (first, draws) = (found.first_seat.unwrap(), found.draw_rate.unwrap());
    assert!((first.mean - 40.0).abs() < 3.0 * first.error.unwrap() && first.error.unwrap() < 1.0, "{first:?}");
    assert!((draws.mean - 0.2).abs() < 3.0 * draws.error.unwrap() && draws.error.unwrap() < 0.01, "{draws:?}");
    let difference = found.difference(3, 0).unwrap();
    assert!((difference.elo - 180.0).abs() < 3.0 * difference.error && difference.superiority > 0.999_999);
}

#[test]
fn plackett_luce_finds_strengths() {
    let elo: Vec<f64> = [0.0, 30.0, 120.0, 250.0, 400.0].to_vec();
    let found = rate_ranked(&ranked(&elo, 3000, &mut Chance::new(4), 0.0), 5);
    for (place, elo) in elo.iter().enumerate().skip(1) {
        let difference = found.difference(place, 0).unwrap();
        assert!((difference.elo - elo).abs() < 3.5 * difference.error && difference.error < 6.0, "{difference:?}");
    }
}

/// With two seats and ties it is the same model as Bradley and Terry's with draws as half points.
#[test]
fn both_models_agree_on_two_seats() {
    let elo = world(5, 50.0).elo;
    let mut chance = Chance::new(8);
    let mut rankings = Vec::new();
    (0..400).for_each(|block| {
        rankings.extend(ranked_block(&mut chance, &elo, &[block % 5, (block + 1) % 5], block as u64, 40.0))
    });
    let duel = |ranking: &Ranking| {
        let [first, second] = [0, 1].map(|seat| ranking.seats[seat]);
        let outcome = match first.rank.cmp(&second.rank) {
            std::cmp::Ordering::Less => DuelOutcome::First,
            std::cmp::Ordering::Equal => DuelOutcome::Draw,
            std::cmp::Ordering::Greater => DuelOutcome::Second,
        };
        let Ranking { opening, game, block, .. } = *ranking;
        Duel { first: first.entrant, second: second.entrant, setting: 0, opening, game, outcome, block }
    };
    let duels: Vec<Duel> = rankings.iter().map(duel).collect();
    assert!(duels.iter().any(|duel| duel.outcome == DuelOutcome::Draw));
    let halves = RatingOptions { draws: Draws::HalfPoints, first_seat: false, ..RatingOptions::default() };
    let (one, other) = (bradley_terry::fit(duels, 5, &halves).unwrap(), rate_ranked(&rankings, 5));
    for a in 1..5 {
        let (one, other) = (one.difference(a, 0).unwrap(), other.difference(a, 0).unwrap());
        assert!((one.elo - other.elo).abs() < 1e-6, "{one:?} {other:?}");
        assert!((one.error - other.error).abs() < 1e-6, "{one:?} {other:?}");
    }
}

#[test]
fn any_order_gives_the_same_bytes() {
    let mut chance = Chance::new(5);
    let mut duels = world(6, 70.0).round_robin(&mut chance, 12);
    // Some repeated, so that weights differ.
    (0..200).for_each(|place| duels[place + 100] = Duel { block: duels[place + 100].block, ..duels[place % 7] });
    let elo = world(5, 60.0).elo;
    let mut rankings = ranked(&elo, 10, &mut chance, 30.0);
    (0..100).for_each(|place| rankings[place + 30] = Ranking { block: 7, ..rankings[place % 5].clone() });
    let (one, other) = (format!("{:?}", rate(&duels, 6)), format!("{:?}", rate_ranked(&rankings, 5)));
    for _ in 0..5 {
        chance.shuffle(&mut duels);
        chance.shuffle(&mut rankings);
        // The numbers of blocks say nothing either.
        let salt = chance.bits();
        duels.iter_mut().for_each(|duel| duel.block = (duel.block ^ salt).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        rankings.iter_mut().for_each(|row| row.block = (row.block ^ salt).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        assert_eq!(format!("{:?}", rate(&duels, 6)), one);
        assert_eq!(format!("{:?}", rate_ranked(&rankings, 5)), other);
    }
}

fn close(one: &Ratings, other: &Ratings) {
    for (a, b) in [(0, 1), (1, 2), (0, 2)] {
        let (one, other) = (one.difference(a, b).unwrap(), other.difference(a, b).unwrap());
        let ends = [(one.elo, other.elo), (one.error, other.error), (one.superiority, other.superiority)];
        assert!(ends.iter().all(|(one, other)| (one - other).abs() < 1e-6), "{one:?} {other:?}");
        assert_eq!((one.low.is_some(), one.high.is_some()), (other.low.is_some(), other.high.is_some()));
    }
}

#[test]
fn a_thousand_copies_of_one_game_count_as_one() {
    // Every game of a tournament a thousand times over, in blocks of their own; and one game a thousand times beside
    // the others.
    let world = world(3, 50.0);
    let once = world.round_robin(&mut Chance::new(2), 25);
    let again = |duel: &Duel, copy: u64| Duel { block: duel.block + copy * 1_000_000, ..*duel };
    let all: Vec<Duel> = once.iter().flat_map(|duel| (0..1000).map(move |copy| again(duel, copy))).collect();
    let some: Vec<Duel> = once.iter().copied().chain((1..1000).map(|copy| again(&once[0], copy))).collect();
    close(&rate(&once, 3), &rate(&all, 3));
    assert_eq!(rate(&all, 3).strengths[0].matches, 100_000);
    assert!((rate(&all, 3).strengths[0].distinct - 100.0).abs() < 1e-6);
    let (one, other) = (rate(&once, 3).difference(0, 1).unwrap(), rate(&some, 3).difference(0, 1).unwrap());
    assert!((one.elo - other.elo).abs() < 1e-6 && (one.error / other.error - 1.0).abs() < 0.02, "{one:?} {other:?}");
    // A single game, and nothing else.
    let single = [Duel { first: 0, second: 1, setting: 0, opening: 0, game: 9, outcome: DuelOutcome::First, block: 0 }];
    let copies: Vec<Duel> = (0..1000).map(|block| Duel { block, ..single[0] }).collect();
    let (one, other) = (rate(&single, 2).difference(0, 1).unwrap(), rate(&copies, 2).difference(0, 1).unwrap());
    assert!(
        (one.error - other.error).abs() < 1e-6 && (one.low.unwrap() - other.low.unwrap()).abs() < 1e-6,
        "{one:?} {other:?}"
    );
    let counted = bradley_terry::fit(
        copies,
        2,
        &RatingOptions { distinct: false, first_seat: false, ..RatingOptions::default() },
    )
    .unwrap();
    assert!(counted.difference(0, 1).unwrap().low.unwrap() > 500.0);
    // The same for more seats.
    let elo = world.elo.clone();
    let once = ranked(&elo, 25, &mut Chance::new(3), 0.0);
    let again = |row: &Ranking, copy: u64| Ranking { block: row.block + copy * 1_000_000, ..row.clone() };
    let all: Vec<Ranking> = once.iter().flat_map(|row| (0..1000).map(move |copy| again(row, copy))).collect();
    close(&rate_ranked(&once, 3), &rate_ranked(&all, 3));
}

/// Copies of whole blocks of clients without chance, in any number and any order, leave every byte as it was: next to
/// other games of the same setting, where starts repeat and where all blocks have one start.
#[test]
fn copies_of_blocks_change_nothing() {
    for (seed, starts) in [(0, 1), (1, 1), (2, 3), (3, 40), (4, 1_000)] {
        let mut chance = Chance::new(seed);
        let mut duels = world(4, 60.0).round_robin(&mut chance, 20);
        duels.iter_mut().for_each(|duel| duel.opening %= starts);
        let mut rankings = ranked(&world(5, 60.0).elo, 10, &mut chance, 30.0);
        rankings.iter_mut().for_each(|row| row.opening %= starts);
        // The game that comes first from a start, in the same seats, is the game that always comes.
        let mut first = std::collections::HashMap::new();
        duels.iter_mut().for_each(|duel| {
            let (outcome, game) =
                *first.entry((duel.first, duel.second, duel.opening)).or_insert((duel.outcome, duel.game));
            (duel.outcome, duel.game) = (outcome, game);
        });
        let mut first = std::collections::HashMap::new();
        rankings.iter_mut().for_each(|row| {
            let who: Vec<u32> = row.seats.iter().map(|seat| seat.entrant).collect();
            let Ranking { seats, game, .. } = first.entry((who, row.opening)).or_insert(row.clone()).clone();
            (row.seats, row.game) = (seats, game);
        });
        let once = (format!("{:?}", known(&rate(&duels, 4))), format!("{:?}", known(&rate_ranked(&rankings, 5))));
        for copy in 0..300 {
            let (block, ranked) = (duels[chance.below(240)].block, rankings[chance.below(300)].block);
            let again = |duel: &Duel| Duel { block: block ^ (copy + 1) << 32, ..*duel };
            duels.extend(duels.clone().iter().filter(|duel| duel.block == block).map(again));
            let again = |row: &Ranking| Ranking { block: ranked ^ (copy + 1) << 32, ..row.clone() };
            rankings.extend(rankings.clone().iter().filter(|row| row.block == ranked).map(again));
        }
        chance.shuffle(&mut duels);
        chance.shuffle(&mut rankings);
        let again = (format!("{:?}", known(&rate(&duels, 4))), format!("{:?}", known(&rate_ranked(&rankings, 5))));
        assert_eq!(again, once, "{starts} starts");
    }
}

/// All that is told, but for how many matches were played.
fn known(ratings: &Ratings) -> Ratings {
    let mut ratings = ratings.clone();
    ratings.strengths.iter_mut().for_each(|strength| strength.matches = 0);
    ratings
}

#[test]
fn who_never_lost_has_a_bound_below_only() {
    let world = world(4, 50.0);
    let mut duels = world.round_robin(&mut Chance::new(6), 20);
    for block in 0..40u64 {
        let other = (block % 3) as u32;
        let duel = |first, second, outcome| Duel {
            first,
            second,
            setting: 0,
            opening: block,
            game: block,
            outcome,
            block: 9000 + block,
        };
        duels.extend([duel(4, other, DuelOutcome::First), duel(other, 4, DuelOutcome::Second)]);
    }
    // Two that nobody else met, and one that met nobody.
    duels.push(Duel {
        first: 5,
        second: 6,
        setting: 0,
        opening: 0,
        game: 0,
        outcome: DuelOutcome::Draw,
        block: 99_999,
    });
    let found = rate(&duels, 8);
    assert_eq!(found.groups, [vec![0, 1, 2, 3, 4], vec![5, 6], vec![7]]);
    assert_eq!((found.difference(0, 5), found.difference(5, 7), found.difference(1, 1)), (None, None, None));
    let difference = found.difference(4, 3).unwrap();
    assert!(difference.high.is_none() && (100.0..difference.elo).contains(&difference.low.unwrap()), "{difference:?}");
    assert_eq!(found.difference(3, 4).unwrap().high.map(|high| -high), difference.low);
    let strengths = &found.strengths;
    assert!(strengths[4].high.is_none() && strengths[4].low.is_some() && strengths[0].low.is_some());
    assert_eq!((strengths[7].elo, strengths[7].low, strengths[7].high), (0.0, None, None));
    assert!(strengths.iter().all(|strength| strength.elo.is_finite() && strength.error.is_finite()), "{strengths:?}");
    // The core, not the one that nothing bounds, is the zero.
    assert!((0..4).map(|place| strengths[place].elo).sum::<f64>().abs() < 1e-9);
    let refused = bradley_terry::fit(duels, 8, &RatingOptions { prior: None, ..RatingOptions::default() }).unwrap_err();
    assert_eq!(refused, Unfit::Unbounded(vec![4]));
    assert!(refused.to_string().contains("[4]") && refused.to_string().contains("prior"));
}

#[test]
fn input_that_cannot_be_rated_is_named() {
    let duel = Duel { first: 0, second: 1, setting: 0, opening: 0, game: 0, outcome: DuelOutcome::Draw, block: 0 };
    assert_eq!(
        bradley_terry::fit(vec![duel], 1, &RatingOptions::default()).unwrap_err(),
        Unfit::UnknownEntrant { entrant: 1, entrants: 1 }
    );
    let refused = |options: RatingOptions| bradley_terry::fit(vec![duel], 2, &options).unwrap_err();
    assert_eq!(refused(RatingOptions { scale: 0.0, ..RatingOptions::default() }), Unfit::Options);
    assert_eq!(refused(RatingOptions { prior: Some(f64::NAN), ..RatingOptions::default() }), Unfit::Options);
    assert_eq!(refused(RatingOptions { prior: None, ..RatingOptions::default() }), Unfit::Singular);
    assert!(bradley_terry::fit(vec![], 3, &RatingOptions::default()).unwrap().difference(0, 1).is_none());
    assert!(plackett_luce::fit(vec![], 0, &RatingOptions::default()).unwrap().strengths.is_empty());
    // A client against itself tells of the seats and of draws.
    let itself = rate(&[Duel { second: 0, ..duel }], 1);
    assert_eq!((itself.strengths[0].elo, itself.strengths[0].matches), (0.0, 2));
}

#[test]
fn how_many_matches_would_separate_two() {
    // As many as were played separate them where their difference is 2.8 errors.
    let world = world(3, 15.0);
    let found = rate(&world.round_robin(&mut Chance::new(11), 100), 3);
    let difference = found.difference(2, 0).unwrap();
    let expected = 400.0 * (2.801_585 * difference.error / difference.elo).powi(2);
    assert!((found.matches_to_separate(2, 0).unwrap() as f64 - expected).abs() < 1.0 + expected * 1e-5);
    assert_eq!(found.matches_to_separate(1, 1), None);
}

#[test]
fn who_won_all_is_above_by_the_exact_bound() {
    for blocks in [1u64, 2, 4, 5, 8, 20, 100, 2_000] {
        let duel = |number: u64| {
            let (first, second, outcome) = match number % 2 {
                0 => (0, 1, DuelOutcome::First),
                _ => (1, 0, DuelOutcome::Second),
            };
            Duel { first, second, setting: 0, opening: number / 2, game: number, outcome, block: number / 2 }
        };
        let found = rate(&(0..2 * blocks).map(duel).collect::<Vec<_>>(), 2);
        let difference = found.difference(0, 1).unwrap();
        // Of blocks all of which were won, Clopper and Pearson's lower bound is the root of 5 %.
        let share = 0.05f64.powf(1.0 / blocks as f64);
        let bound = 400.0 * (share / (1.0 - share)).log10();
        assert!((difference.low.unwrap() - bound).abs() < 1.0, "{blocks}: {difference:?}, not {bound}");
        assert_eq!(difference.high, None);
        assert!((difference.superiority - (1.0 - 0.5f64.powi(blocks as i32 + 1))).abs() < 1e-3, "{difference:?}");
        let back = found.difference(1, 0).unwrap();
        assert!((back.high.unwrap() + bound).abs() < 1.0 && back.low.is_none(), "{back:?}");
        // Five blocks show at 5 % who is stronger.
        assert_eq!(found.matches_to_separate(0, 1), Some((2.0 * 0.05f64.log2().abs()).ceil() as u64));
        assert_eq!(difference.low.unwrap() > 0.0, blocks >= 5);
        // Two are half as far above their mean.
        let strength = found.strengths[0];
        assert!((strength.low.unwrap() - bound / 2.0).abs() < 1.0 && strength.high.is_none(), "{strength:?}");
    }
}

/// 600 simulations of one who mostly wins against one of two who draw with each other: intervals that are open above
/// begin below the estimate, and in few simulations above the truth.
#[test]
fn draws_among_others_do_not_move_an_end() {
    for (step, draw_rate) in [(250.0, 0.8), (300.0, 0.7), (500.0, 0.3)] {
        let world = World { elo: vec![step, 0.0, 0.0], first_seat: 0.0, draw_rate, uneven: false };
        let (mut open, mut missed) = (0, 0);
        for seed in 0..600 {
            let mut chance = Chance::new(seed);
            let pairs = (0..24).map(|block| if block < 8 { (0, 1, block) } else { (1, 2, block) });
            let duels: Vec<Duel> = pairs.flat_map(|(a, b, block)| world.block(&mut chance, a, b, block)).collect();
            let found = rate(&duels, 3).difference(0, 1).unwrap();
            if let (Some(low), None) = (found.low, found.high) {
                (open, missed) = (open + 1, missed + u32::from(low > step));
                assert!(low < found.elo, "{found:?}");
            }
        }
        println!("{step} Elo, draws {draw_rate}: {missed} of {open} missed");
        assert!(open >= 20 && missed <= 30, "{missed} of {open} in 600");
    }
}

/// Where every block brought one point to each side, nothing is known to differ, whoever else was met.
#[test]
fn equal_results_are_no_difference() {
    let block = |first: u32, second: u32, block: u64, results: [DuelOutcome; 2]| {
        let duel =
            |first, second, outcome, game| Duel { first, second, setting: 0, opening: block, game, outcome, block };
        [duel(first, second, results[0], 2 * block), duel(second, first, results[1], 2 * block + 1)]
    };
    // 0 and 1 win from the seat that the opening favours; 0 also won against 2, who met nobody else.
    let favoured =
        |number: u64| if number.is_multiple_of(2) { [DuelOutcome::First; 2] } else { [DuelOutcome::Second; 2] };
    let mut duels: Vec<Duel> = (0..200).flat_map(|number| block(0, 1, number, favoured(number))).collect();
    duels.extend((200..300).flat_map(|number| block(0, 2, number, [DuelOutcome::First, DuelOutcome::Second])));
    let found = rate(&duels, 3).difference(0, 1).unwrap();
    assert!(found.elo.abs() < 1.0 && found.low.unwrap() < -4.0 && found.high.unwrap() > 4.0, "{found:?}");
    let drawn: Vec<Duel> = (0..40).flat_map(|number| block(0, 1, number, [DuelOutcome::Draw; 2])).collect();
    let found = rate(&drawn, 2).difference(0, 1).unwrap();
    assert!(found.elo.abs() < 0.01 && found.low.unwrap() < -1.0 && found.high.unwrap() > 1.0, "{found:?}");
}

#[test]
fn whom_no_chain_of_results_connects_is_not_compared() {
    // Two who never met and never lost, and the one who lost to both, from either seat.
    let duel = |number: u64| {
        let winner = (number / 2 % 2) as u32;
        let (first, second, outcome) =
            if number.is_multiple_of(2) { (winner, 2, DuelOutcome::First) } else { (2, winner, DuelOutcome::Second) };
        Duel { first, second, setting: 0, opening: number / 2, game: number, outcome, block: number / 2 }
    };
    let found = rate(&(0..80).map(duel).collect::<Vec<_>>(), 3);
    let between = found.difference(0, 1).unwrap();
    assert!(!between.is_bounded() && found.matches_to_separate(0, 1).is_none(), "{between:?}");
    let above = found.difference(0, 2).unwrap();
    assert!(above.is_bounded() && above.low.unwrap() > 0.0 && above.high.is_none(), "{above:?}");
}

/// Ordo's published method, written out plainly, gives the same ratings within 1 Elo.
#[test]
fn ordos_method_agrees() {
    let world = world(12, 45.0);
    let duels = world.round_robin(&mut Chance::new(12), 30);
    let found = bradley_terry::fit(duels.clone(), 12, &RatingOptions::ordo()).unwrap();
    let (ratings, advantage) = crate::ordo::rate(&duels, 12);
    let apart = (0..12).map(|place| (found.strengths[place].elo - ratings[place]).abs()).fold(0.0, f64::max);
    let seat = (found.first_seat.unwrap().mean - advantage).abs();
    println!("greatest difference to Ordo's method: {apart:.2e} Elo; of the first seat's advantage: {seat:.2e}");
    assert!(apart < 1.0 && seat < 1.0);
}

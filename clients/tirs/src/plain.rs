//! Tests of exact values against plain references: negamax by the definition, and all positions of a board from the
//! last card on.

use crate::allowance::Allowance;
use crate::board::MAX_SIZE;
use crate::board::tests::{EXAMPLE, random, read};
use crate::cards::{Deal, Values};
use crate::solve::Solver;
use agon_client_api::chance::{below, rng};
use agon_client_api::tirs_croises::Move;

/// The cells that may be taken, by column and row from 0.
fn within(values: &Values, cursor: Option<Move>) -> Vec<(usize, usize)> {
    let cells = (0..MAX_SIZE).flat_map(|y| (0..MAX_SIZE).map(move |x| (x, y)));
    let in_line = |x, y| cursor.is_none_or(|at| usize::from(at.x) == x + 1 || usize::from(at.y) == y + 1);
    cells.filter(|&(x, y)| values[y][x] > 0 && in_line(x, y)).collect()
}

fn take(values: &Values, (x, y): (usize, usize)) -> (Values, Option<Move>, i32) {
    let (mut after, gain) = (*values, values[y][x].into());
    after[y][x] = 0;
    (after, Some(Move { x: x as u8 + 1, y: y as u8 + 1 }), gain)
}

/// The value of a position by the definition.
fn negamax(values: &Values, cursor: Option<Move>) -> i32 {
    let worth = |cell| {
        let (after, cursor, gain) = take(values, cell);
        gain - negamax(&after, cursor)
    };
    within(values, cursor).into_iter().map(worth).max().unwrap_or(0)
}

/// The value of a position by all sets of its cards, from the smallest on; at most 24 cards on 5 rows and columns.
fn by_all_sets(values: &Values, cursor: Option<Move>) -> i32 {
    let cursor = cursor.map(|at| (usize::from(at.x) - 1, usize::from(at.y) - 1)).unwrap();
    let cards: Vec<_> = within(values, None);
    let places: Vec<_> = cards.iter().copied().chain([cursor]).collect();
    let line = |&(x, y): &(usize, usize)| {
        (0..cards.len()).filter(|card| cards[*card].0 == x || cards[*card].1 == y).fold(0, |set, card| set | 1 << card)
    };
    let lines: Vec<usize> = places.iter().map(line).collect();
    let gains: Vec<i8> = cards.iter().map(|&(x, y)| values[y][x] as i8).collect();
    let mut worth = vec![0i8; places.len() << cards.len()];
    for set in 0..1 << cards.len() {
        for (place, line) in lines.iter().enumerate().filter(|(place, _)| set >> place & 1 == 0) {
            let (mut best, mut rest) = (i8::MIN, set & line);
            while rest != 0 {
                let card = rest.trailing_zeros() as usize;
                best = best.max(gains[card] - worth[(set ^ 1 << card) * places.len() + card]);
                rest &= rest - 1;
            }
            worth[set * places.len() + place] = if set & line == 0 { 0 } else { best };
        }
    }
    worth[worth.len() - 1].into()
}

fn solve<const W: usize>(values: &Values, cursor: Option<Move>, table_bytes: u64) -> i32 {
    let deal = Deal::<W>::new(values);
    let mut solver = Solver::new(table_bytes);
    solver.allow(Allowance::ALL);
    solver.solve(&deal, deal.position(values, cursor), 4).unwrap()
}

/// Takes cards at random until so many are left, or none is within reach.
fn play_down(size: usize, seed: u64, left: usize) -> (Values, Option<Move>) {
    let ((mut values, mut cursor), mut rng) = (random(size, seed), rng(seed));
    while within(&values, None).len() > left {
        let cells = within(&values, cursor);
        let Some(&cell) = cells.get(below(&mut rng, cells.len().max(1) as u64) as usize) else { break };
        (values, cursor, _) = take(&values, cell);
    }
    (values, cursor)
}

#[test]
fn the_example_is_worth_four_and_so_are_its_cards() {
    let (values, cursor) = read(EXAMPLE);
    assert_eq!(solve::<1>(&values, cursor, 32 << 20), 4);
    let expected =
        [((2, 5), 4), ((1, 1), 4), ((5, 1), 2), ((2, 2), 1), ((4, 1), 0), ((3, 1), -1), ((2, 3), -1), ((2, 4), -1)];
    for ((x, y), value) in expected {
        let (after, cursor, gain) = take(&values, (x - 1, y - 1));
        assert_eq!(gain - solve::<1>(&after, cursor, 32 << 20), value, "({x},{y})");
    }
}

/// With all cuts, with a table that is far too small, and in sets of one word or of several.
#[test]
fn small_positions_of_every_size_are_worth_what_negamax_says() {
    for size in 4..=20 {
        for seed in 0..12 {
            // On a large board the cards that are left by chance are hardly ever in line: a few lines are kept.
            let (mut values, cursor) = play_down(size.min(6), seed, 9);
            if size > 6 {
                values.iter_mut().for_each(|row| row.rotate_right(size - 6));
                values.rotate_right(size - 6);
            }
            let shift = |at: Move| Move { x: at.x + (size.max(6) - 6) as u8, y: at.y + (size.max(6) - 6) as u8 };
            let cursor = cursor.map(shift);
            let expected = negamax(&values, cursor);
            assert_eq!(solve::<7>(&values, cursor, 1 << 16), expected, "{size}, {seed}");
            if size <= 8 {
                assert_eq!(solve::<1>(&values, cursor, 1 << 16), expected, "{size}, {seed}");
                assert_eq!(solve::<1>(&values, cursor, 64), expected, "{size}, {seed}");
            }
        }
    }
}

#[test]
fn positions_without_a_cursor_are_worth_what_negamax_says() {
    for seed in 0..30 {
        let (values, _) = play_down(4, seed, 8);
        assert_eq!(solve::<1>(&values, None, 1 << 12), negamax(&values, None), "{seed}");
    }
}

#[test]
fn boards_of_4_and_parts_of_boards_of_5_are_worth_what_all_their_sets_say() {
    for seed in 0..20 {
        let (values, cursor) = random(4, seed);
        assert_eq!(solve::<1>(&values, cursor, 1 << 20), by_all_sets(&values, cursor), "4 x 4, {seed}");
        let (values, cursor) = play_down(5, seed, 18);
        assert_eq!(solve::<1>(&values, cursor, 1 << 20), by_all_sets(&values, cursor), "5 x 5, {seed}");
    }
}

/// Takes 400 MB and some seconds a board: `cargo test --release -p client-tirs -- --ignored two_hundred`.
#[test]
#[ignore = "takes half an hour"]
fn two_hundred_boards_of_5_are_worth_what_all_their_sets_say() {
    for seed in 0..200 {
        let (values, cursor) = random(5, seed);
        assert_eq!(solve::<1>(&values, cursor, 64 << 20), by_all_sets(&values, cursor), "{seed}");
        println!("{} boards are right", seed + 1);
    }
}

//! Tests that play whole matches through the rules of the server: what the course's players choose in its example, and how often
//! each wins.

use crate::board::tests::{EXAMPLE, at};
use crate::board::{Board, Cell, to_move};
use crate::greedy::{Strategy, depth2, level1, level1_among, naive};
use crate::search::{Allowance, Search};
use agon_client_api::Rules;
use agon_games::tirs_croises::{Move, TirsCroises, Turn};
use agon_games::{Opening, Options};
use std::sync::Arc;

/// Whoever chooses a card.
type Choose<'a> = &'a mut dyn FnMut(&mut Board) -> Option<Cell>;

/// A match by these options.
fn start(options: &[(&str, &str)], seats: usize, number: u64) -> TirsCroises {
    let mut given = Options::default();
    options.iter().for_each(|(key, value)| given.set(key, value));
    let setting = Arc::new(TirsCroises::prepare(&TirsCroises::FACTS.complete(&given).unwrap(), seats).unwrap());
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    TirsCroises::start(&setting, seats, &Opening { number, seed })
}

/// What a client sees of a match.
fn view(state: &TirsCroises, seat: usize) -> Board {
    let mut blob = agon_abi::Blob::new();
    state.turn(seat, &mut blob);
    let turn: Turn = agon_abi::read(blob.bytes()).unwrap();
    let (x, y) = (turn.cursor_x, turn.cursor_y);
    Board::from_values(&turn.values, (x > 0).then_some(Move { x, y }))
}

/// Plays to the end and returns the points of each seat.
fn play(mut state: TirsCroises, players: &mut [Choose]) -> Vec<i64> {
    while let Some(seat) = state.to_move().iter().next() {
        let mv = to_move(players[seat](&mut view(&state, seat)).unwrap());
        state.check(seat, mv).unwrap();
        state.play(&[(seat, mv)]);
    }
    state.scores().values
}

/// Shares of wins, draws and losses of the first of two players, each board from both seats, and the mean difference of points.
fn duel(size: &str, boards: u64, one: Choose, two: Choose) -> ([f64; 3], f64) {
    let (mut counts, mut sum) = ([0.0; 3], 0);
    for number in 0..boards {
        let first = play(start(&[("size", size)], 2, number), &mut [one, two]);
        let second = play(start(&[("size", size)], 2, number), &mut [two, one]);
        for difference in [first[0] - first[1], second[1] - second[0]] {
            counts[(1 - difference.signum()) as usize] += 1.0;
            sum += difference;
        }
    }
    let games = 2.0 * boards as f64;
    (counts.map(|count| count / games), sum as f64 / games)
}

/// Fails where a share is further than 4 standard errors from the expected one.
fn assert_shares(found: [f64; 3], expected: [f64; 3], games: f64) {
    for (found, expected) in found.into_iter().zip(expected) {
        let error = (expected * (1.0 - expected) / games).sqrt();
        assert!((found - expected).abs() < 4.0 * error, "{found:.3} instead of {expected:.3} ± {error:.3}");
    }
}

/// The search, anew in each turn, since a table serves one match only.
fn deep(nodes: u64) -> impl FnMut(&mut Board) -> Option<Cell> {
    let allowance = Allowance { nodes, time_us: u64::MAX, clock: || 0 };
    move |board| Search::new(1 << 20).best(board, allowance).map(|found| found.cell)
}

#[test]
fn each_player_chooses_as_in_the_example_of_the_course() {
    let expected: [(Strategy, [(u8, u8); 4]); 3] = [
        (naive, [(2, 5), (1, 5), (3, 5), (5, 1)]),
        (level1, [(2, 5), (1, 5), (1, 1), (5, 1)]),
        (depth2, [(5, 1), (1, 5), (1, 1), (5, 1)]),
    ];
    let mut state = start(&[("board", EXAMPLE)], 2, 0);
    for (ply, (x, y)) in [(2, 5), (1, 5), (1, 1), (5, 1)].into_iter().enumerate() {
        for (strategy, choices) in expected {
            let (x, y) = choices[ply];
            assert_eq!(strategy(&mut view(&state, ply % 2)), Some(at(x, y)), "ply {ply}");
        }
        state.play(&[(ply % 2, Move { x, y })]);
    }
    assert_eq!(state.scores().values, [16, 15]);
}

#[test]
fn the_shares_of_wins_are_those_that_were_measured() {
    let shares = |one: Strategy, two: Strategy| duel("5", 1_000, &mut |board| one(board), &mut |board| two(board));
    for (one, two, expected) in [
        (level1 as Strategy, naive as Strategy, [0.607, 0.067, 0.327]),
        (depth2, level1, [0.457, 0.058, 0.485]),
        (depth2, naive, [0.631, 0.054, 0.315]),
    ] {
        let found = shares(one, two);
        println!("{found:.3?}, expected {expected:?}");
        assert_shares(found.0, expected, 2_000.0);
    }
}

#[test]
fn the_search_wins() {
    for (size, boards, nodes) in [("4", 20, 100_000), ("8", 20, 2_000)] {
        let ([wins, _, losses], difference) = duel(size, boards, &mut deep(nodes), &mut |board| level1(board));
        assert!(wins > losses && difference > 0.0, "{size}: {wins} {losses} {difference}");
    }
}

/// Whatever the start, seats and size, every choice is legal: `play` checks each.
#[test]
fn all_choose_legally_from_every_start() {
    for (options, seats) in [(&[("start", "anywhere")][..], 2), (&[("size", "20"), ("start", "anywhere")], 2), (&[], 9)]
    {
        for strategy in [naive, level1, depth2] {
            let mut players: Vec<_> = (0..seats).map(|_| strategy).collect();
            let mut players: Vec<Choose> = players.iter_mut().map(|strategy| strategy as Choose).collect();
            play(start(options, seats, 3), &mut players);
        }
        if seats == 2 {
            play(start(options, seats, 3), &mut [&mut deep(1_000), &mut deep(2_000)]);
        }
    }
}

/// How often one player wins at a table of others, each board from one seat; a win shared by several counts in parts.
fn share_among(seats: usize, boards: u64, one: Choose, others: Strategy) -> f64 {
    let mut wins = 0.0;
    for number in 0..boards {
        let seat = number as usize % seats;
        let mut copies = vec![others; seats];
        let mut players: Vec<Choose> = copies.iter_mut().map(|strategy| strategy as Choose).collect();
        players[seat] = &mut *one;
        let points = play(start(&[], seats, number), &mut players);
        let best = points.iter().copied().max().unwrap();
        let winners = points.iter().filter(|points| **points == best).count();
        wins += if points[seat] == best { 1.0 / winners as f64 } else { 0.0 };
    }
    wins / boards as f64
}

#[test]
fn among_several_the_search_holds_its_own() {
    for seats in [3, 4, 9] {
        let fair = 1.0 / seats as f64;
        for others in [naive as Strategy, level1] {
            let share = share_among(seats, 2_000, &mut |board| level1_among(board, seats as u8 - 1), others);
            assert!(share > fair - 0.01, "{share:.3} of the matches of {seats}");
        }
    }
}

/// Prints how often one player wins among others, and how the search does with more positions:
/// `cargo test --release -p client-tirs -- --ignored --nocapture strengths`.
#[test]
#[ignore = "a measurement"]
fn strengths() {
    for seats in [3, 4, 9] {
        let mut among = |board: &mut Board| level1_among(board, seats as u8 - 1);
        let mut share = |others| share_among(seats, 4_000, &mut among, others);
        println!("{seats} seats: search wins {:.3} among naive, {:.3} among level1", share(naive), share(level1));
        let shares = [
            share_among(seats, 4_000, &mut |board| level1(board), naive),
            share_among(seats, 4_000, &mut |board| naive(board), level1),
        ];
        println!("  level1 {:.3} among naive, naive {:.3} among level1", shares[0], shares[1]);
    }
    for nodes in [1_000, 10_000, 100_000] {
        println!("search with {nodes} v level1: {:.3?}", duel("8", 50, &mut deep(nodes), &mut |board| level1(board)));
    }
}

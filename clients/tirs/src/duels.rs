//! Tests that play whole matches through the rules of the server: what the course's players choose in its example, and
//! how often each wins.

use crate::allowance::Allowance;
use crate::board::tests::{EXAMPLE, at};
use crate::board::{Board, Cell, to_move};
use crate::chosen::{Certainty, Choose, Chosen, MAX_PLAYERS, Occasion};
use crate::greedy::{Strategy, depth2, level1, naive};
use crate::search::{Allowed, Search};
use crate::several::{Others, Several};
use agon_client_api::Rules;
use agon_games::tirs_croises::{Move, TirsCroises, Turn};
use agon_games::{Opening, Options};
use std::sync::Arc;

/// Chooses a card, in a state and from a seat.
type Chooser<'a> = &'a mut dyn FnMut(&TirsCroises, usize) -> Option<Cell>;

/// A match by these options.
fn start(options: &[(&str, &str)], seats: usize, number: u64) -> TirsCroises {
    let mut given = Options::default();
    options.iter().for_each(|(key, value)| given.set(key, value));
    let setting = Arc::new(TirsCroises::prepare(&TirsCroises::FACTS.complete(&given).unwrap(), seats).unwrap());
    TirsCroises::start(&setting, seats, &Opening::numbered(number))
}

/// The turn that a client sees in a match.
fn view(state: &TirsCroises, seat: usize) -> Turn {
    let mut blob = agon_abi::Blob::new();
    state.turn(seat, &mut blob);
    agon_abi::read(blob.bytes()).unwrap()
}

/// The cursor of a turn.
fn cursor(turn: &Turn) -> Option<Move> {
    (turn.cursor_x > 0).then_some(Move { x: turn.cursor_x, y: turn.cursor_y })
}

/// A player of the course.
fn greedy(strategy: Strategy) -> impl FnMut(&TirsCroises, usize) -> Option<Cell> + Clone {
    move |state, seat| {
        let turn = view(state, seat);
        strategy(&mut Board::from_values(&turn.values, cursor(&turn)))
    }
}

/// The choice of a search.
fn ask(search: &mut dyn Choose, state: &TirsCroises, seat: usize) -> Chosen {
    let turn = view(state, seat);
    let (mut points, mut scores) = ([0; MAX_PLAYERS], state.scores().values);
    scores.rotate_left(seat);
    points.iter_mut().zip(scores).for_each(|(points, score)| *points = score as i32);
    search.choose(&Occasion { values: &turn.values, cursor: cursor(&turn), points, allowance: Allowance::ALL }).unwrap()
}

/// The search, anew in each turn, since it serves one match only.
fn deep<const W: usize>(nodes: u64) -> impl FnMut(&TirsCroises, usize) -> Option<Cell> {
    let allowed = Allowed { estimate: nodes, solve: nodes };
    move |state, seat| {
        let mut search = Search::<W>::new(&view(state, seat).values, 1 << 20, allowed);
        Some(ask(&mut search, state, seat).cell)
    }
}

/// The search for several, likewise.
fn among(others: Others, nodes: u64, seats: usize) -> impl FnMut(&TirsCroises, usize) -> Option<Cell> {
    move |state, seat| {
        let mut search = Several::<7>::new(&view(state, seat).values, seats, others, nodes);
        Some(ask(&mut search, state, seat).cell)
    }
}

/// Plays to the end and returns the points of each seat. Every choice must be legal.
fn play(mut state: TirsCroises, players: &mut [Chooser]) -> Vec<i64> {
    while let Some(seat) = state.to_move().iter().next() {
        let mv = to_move(players[seat](&state, seat).unwrap());
        state.check(seat, mv).unwrap();
        state.play(&[(seat, mv)]);
    }
    state.scores().values
}

/// Shares of wins, draws and losses of the first of two players, each board from both seats, and the mean difference of
/// points.
fn duel(size: &str, boards: u64, one: Chooser, two: Chooser) -> ([f64; 3], f64) {
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
            assert_eq!(greedy(strategy)(&state, ply % 2), Some(at(x, y)), "ply {ply}");
        }
        state.play(&[(ply % 2, Move { x, y })]);
    }
    assert_eq!(state.scores().values, [16, 15]);
}

#[test]
fn the_shares_of_wins_are_those_that_were_measured() {
    let shares = |one: Strategy, two: Strategy| duel("5", 1_000, &mut greedy(one), &mut greedy(two));
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
        let ([wins, _, losses], difference) = duel(size, boards, &mut deep::<1>(nodes), &mut greedy(level1));
        assert!(wins > losses && difference > 0.0, "{size}: {wins} {losses} {difference}");
    }
}

/// Whatever the start, seats, size and allowance, every choice is legal: `play` checks each.
#[test]
fn all_choose_legally_from_every_start() {
    for size in 4..=20 {
        for start_at in ["cursor", "anywhere"] {
            let size = size.to_string();
            let options = &[("size", size.as_str()), ("start", start_at)][..];
            for (number, strategy) in [naive, level1, depth2].into_iter().enumerate() {
                play(start(options, 2, number as u64), &mut [&mut deep::<7>(200), &mut greedy(strategy)]);
            }
            if size.len() == 1 && *size < *"9" {
                play(start(options, 2, 3), &mut [&mut deep::<1>(1), &mut deep::<1>(1_000)]);
            }
            for (seats, others) in [(3, Others::Selfish), (4, Others::Hostile), (9, Others::Selfish)] {
                let mut players: Vec<_> = (0..seats).map(|seat| among(others, 30 * seat as u64, seats)).collect();
                let mut players: Vec<Chooser> = players.iter_mut().map(|player| player as Chooser).collect();
                play(start(options, seats, 3), &mut players);
            }
        }
    }
}

/// On 5 x 5 every value is exact, and what the search has once, it gets, whatever the other does.
#[test]
fn on_5_rows_no_value_is_dropped() {
    for (number, other) in [(1, naive as Strategy), (2, level1), (3, depth2)] {
        let (mut state, mut other) = (start(&[("size", "5")], 2, number), greedy(other));
        let seat = number as usize % 2;
        let mut search = Search::<1>::new(&view(&state, 0).values, 128 << 20, crate::options::DEFAULT);
        let mut best = i64::MIN;
        let lead = |state: &TirsCroises| {
            let points = state.scores().values;
            points[seat] - points[1 - seat]
        };
        while let Some(to_move) = state.to_move().iter().next() {
            let cell = if to_move == seat {
                let chosen = ask(&mut search, &state, seat);
                assert_eq!(chosen.certainty, Certainty::Value);
                let outcome = lead(&state) + chosen.value as i64;
                assert!(outcome >= best, "{outcome} after {best}");
                best = outcome;
                chosen.cell
            } else {
                other(&state, to_move).unwrap()
            };
            state.play(&[(to_move, crate::board::to_move(cell))]);
        }
        assert!(lead(&state) >= best && best > i64::MIN);
    }
}

/// Neither a new search nor an old table changes what the same nodes find.
#[test]
fn the_same_nodes_find_the_same_moves() {
    let points = |_| play(start(&[], 2, 7), &mut [&mut deep::<1>(3_000), &mut deep::<7>(2_000)]);
    assert_eq!(points(0), points(1));
}

/// How often one player wins at a table of others, each board from one seat; a win shared by several counts in parts.
fn share_among(seats: usize, boards: u64, one: Chooser, others: Chooser) -> f64 {
    let mut wins = 0.0;
    for number in 0..boards {
        let seat = number as usize % seats;
        let mut choose =
            |state: &TirsCroises, to_move| if to_move == seat { one(state, to_move) } else { others(state, to_move) };
        let mut state = start(&[], seats, number);
        while let Some(to_move) = state.to_move().iter().next() {
            let mv = crate::board::to_move(choose(&state, to_move).unwrap());
            state.play(&[(to_move, mv)]);
        }
        let points = state.scores().values;
        let best = points.iter().copied().max().unwrap();
        let winners = points.iter().filter(|points| **points == best).count();
        wins += if points[seat] == best { 1.0 / winners as f64 } else { 0.0 };
    }
    wins / boards as f64
}

/// One position is not enough to search: then the card is taken that leaves the best lead after one reply.
#[test]
fn of_three_the_search_wins_more_than_its_share() {
    let share = share_among(3, 300, &mut among(Others::Selfish, 500, 3), &mut among(Others::Selfish, 1, 3));
    assert!(share > 0.36, "{share:.3} of the matches");
}

/// Prints how often one player wins among others, as docs/notebook/tirs.md has it:
/// `cargo test --release -p client-tirs -- --ignored --nocapture strengths`.
#[test]
#[ignore = "a measurement"]
fn strengths() {
    for (seats, boards) in [(3, 600), (4, 600), (9, 600)] {
        let share = |one: Chooser, others: Chooser| share_among(seats, boards, one, others);
        let one_reply = share(&mut among(Others::Selfish, 1, seats), &mut greedy(level1));
        println!("{seats} seats: one reply {one_reply:.3} among level1");
        for (others, nodes) in [(Others::Selfish, 500), (Others::Hostile, 500), (Others::Selfish, 2_000)] {
            let shares = [
                share(&mut among(others, nodes, seats), &mut greedy(level1)),
                share(&mut among(others, nodes, seats), &mut among(Others::Selfish, 1, seats)),
            ];
            println!("  {others:?} with {nodes}: {:.3} among level1, {:.3} among one reply", shares[0], shares[1]);
        }
    }
}

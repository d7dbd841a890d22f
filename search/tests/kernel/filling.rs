//! Rooms agree with brute force, and who wins by them wins the game when all of it is searched.

use crate::boards::{random_board, walk_randomly};
use agon_boards::{Diagonals, Placement, parse};
use agon_search::{Arena, Move, Position, best_filling, rooms, winner};
use proptest::prelude::*;
use std::collections::HashMap;

const MOST_FREE: usize = 12;
const ENOUGH: u32 = 100_000_000;

/// The most moves a side can make while the other stands still.
fn fill(arena: &Arena, position: &mut Position, known: &mut HashMap<u64, u32>) -> u32 {
    if let Some(known) = known.get(&position.hash()) {
        return *known;
    }
    let mut moves = Vec::new();
    position.moves(arena, &mut moves);
    let mut best = 0;
    for mv in moves {
        position.play(arena, mv);
        position.pass();
        best = best.max(1 + fill(arena, position, known));
        position.pass();
        position.undo(arena, mv);
    }
    known.insert(position.hash(), best);
    best
}

/// Whether the side to move wins, by searching everything.
fn wins(arena: &Arena, position: &mut Position, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(known) = known.get(&position.hash()) {
        return *known;
    }
    let mut moves: Vec<Move> = Vec::new();
    position.moves(arena, &mut moves);
    let won = moves.into_iter().any(|mv| {
        position.play(arena, mv);
        let lost = !wins(arena, position, known);
        position.undo(arena, mv);
        lost
    });
    known.insert(position.hash(), won);
    won
}

/// Returns how many positions were private, and in how many of them the rooms told the winner.
fn check(arena: &Arena, seed: u64) -> (u32, u32) {
    let (mut private, mut told) = (0, 0);
    let (mut known_fills, mut known_wins) = ([HashMap::new(), HashMap::new()], HashMap::new());
    walk_randomly(arena, seed, 1, |position| {
        if position.num_free() > MOST_FREE {
            return;
        }
        let Some(rooms) = rooms(arena, position, ENOUGH) else { return };
        private += 1;
        let side = position.side();
        for (own, known) in known_fills.iter_mut().enumerate() {
            let mut position = position.clone();
            if own != side {
                position.pass();
            }
            let exact = fill(arena, &mut position, known);
            assert_eq!(rooms[own].most, exact);
            assert!(rooms[own].least <= exact);
        }
        if let Some(won) = winner(&rooms, side) {
            told += 1;
            assert_eq!(wins(arena, &mut position.clone(), &mut known_wins), won);
            if let Some(mv) = best_filling(arena, position, ENOUGH, || false).filter(|_| won) {
                let mut next = position.clone();
                next.play(arena, mv);
                assert!(!wins(arena, &mut next, &mut known_wins), "{mv:?} throws the win away");
            }
        }
    });
    (private, told)
}

#[test]
fn rooms_are_exact_on_small_squares() {
    let (mut private, mut told) = (0, 0);
    for (spec, games) in [("square:5", 60), ("mini-4", 60), ("clover:5", 20), ("standard-6", 60)] {
        let arena = Arena::new(&parse(spec, Placement::Figures, Diagonals::Natural).unwrap(), games != 20);
        for seed in 0..games {
            let found = check(&arena, seed);
            (private, told) = (private + found.0, told + found.1);
        }
    }
    assert!(private > 300 && told * 10 > private * 8, "{told} of {private}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn rooms_are_exact_on_random_graphs(seed in any::<u64>()) {
        check(&Arena::new(&random_board(seed), seed.is_multiple_of(2)), seed);
    }
}

//! Rooms agree with brute force, and who wins by them, or by a proof, wins the game when all of it is searched.

use crate::boards::{random_board, walk_randomly};
use agon_boards::{Diagonals, Placement, parse};
use agon_search::{Arena, Evaluator, Heuristic, Move, Position, Prover, Weights, best_filling, decide, rooms, winner};
use proptest::prelude::*;
use std::collections::HashMap;

const MOST_FREE: usize = 12;
/// Where both sides may still come to something everything is searched, which takes longer.
const MOST_OPEN: usize = 8;
const ENOUGH: u32 = 100_000_000;

/// What was looked at.
#[derive(Default)]
struct Seen {
    /// Positions in which each side has regions of its own only.
    private: u32,
    /// In how many of them the rooms told the winner.
    told: u32,
    /// How many others were decided.
    open: u32,
}

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

fn check(arena: &Arena, seed: u64, seen: &mut Seen) {
    let (mut known_fills, mut known_wins) = ([HashMap::new(), HashMap::new()], HashMap::new());
    let evaluator = Evaluator::new(arena, Heuristic::Full(Weights::TUNED));
    // So little that most of what is found is forgotten.
    let mut prover = Prover::new(evaluator, 1 << 10);
    walk_randomly(arena, seed, 1, |position| {
        if position.num_free() > MOST_FREE {
            return;
        }
        let Some(rooms) = rooms(arena, position, ENOUGH) else {
            if position.num_free() <= MOST_OPEN {
                let won = wins(arena, &mut position.clone(), &mut known_wins);
                assert_eq!(prover.prove(arena, &mut position.clone(), u64::MAX).wins, Some(won));
                if let Some((winner, _)) = decide(arena, position, ENOUGH) {
                    seen.open += 1;
                    assert_eq!(won, winner == position.side());
                }
            }
            return;
        };
        seen.private += 1;
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
            seen.told += 1;
            assert_eq!(wins(arena, &mut position.clone(), &mut known_wins), won);
            if let Some(mv) = best_filling(arena, position, ENOUGH, || false).filter(|_| won) {
                let mut next = position.clone();
                next.play(arena, mv);
                assert!(!wins(arena, &mut next, &mut known_wins), "{mv:?} throws the win away");
            }
        }
    });
}

#[test]
fn rooms_are_exact_on_small_squares() {
    let mut seen = Seen::default();
    for (spec, games) in [("square:5", 60), ("mini-4", 60), ("clover:5", 20), ("standard-6", 60)] {
        let arena = Arena::new(&parse(spec, Placement::Figures, Diagonals::Natural).unwrap(), games != 20);
        for seed in 0..games {
            check(&arena, seed, &mut seen);
        }
    }
    let Seen { private, told, open } = seen;
    println!("{open} of the open positions decided");
    assert!(private > 300 && told * 10 > private * 8 && open > 50, "{told} of {private}, {open}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn rooms_are_exact_on_random_graphs(seed in any::<u64>()) {
        check(&Arena::new(&random_board(seed), seed.is_multiple_of(2)), seed, &mut Seen::default());
    }
}

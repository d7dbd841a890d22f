//! Rooms agree with brute force, and who wins by them, or by a proof, wins the game when all of it is searched.

use crate::boards::{random_board, walk_randomly};
use agon_boards::{Diagonals, Placement, parse};
use agon_search::{BoardTables, Evaluator, Heuristic, Move, Position, Prover, Regions, SearchLimits, Weights, winner};
use proptest::prelude::*;
use std::collections::HashMap;

/// Positions that are searched to the end of the game.
const MOST_FREE: usize = 12;
/// Where both sides may still come to something everything is searched, which takes longer.
const MOST_OPEN: usize = 8;
const ENOUGH: u64 = u64::MAX;
/// Regions that are filled again by brute force.
const MOST_CELLS: usize = 14;

/// The moves that were examined.
#[derive(Default)]
struct Seen {
    /// Positions in which each side has regions of its own only.
    private: u32,
    /// In how many of them the rooms told the winner.
    told: u32,
    /// In how many others it hung on queens between the sides.
    settled: u32,
    /// In how many somebody who could move was asked for a move.
    filled: u32,
    /// How many others were decided.
    open: u32,
}

/// The most moves a side can make while the other stands still.
fn fill(tables: &BoardTables, position: &mut Position, known: &mut HashMap<u64, u32>) -> u32 {
    if let Some(known) = known.get(&position.hash()) {
        return *known;
    }
    let mut moves = Vec::new();
    position.moves(tables, &mut moves);
    let mut best = 0;
    for mv in moves {
        position.play(tables, mv);
        position.pass();
        best = best.max(1 + fill(tables, position, known));
        position.pass();
        position.undo(tables, mv);
    }
    known.insert(position.hash(), best);
    best
}

/// Whether the side to move wins, by searching everything.
fn wins(tables: &BoardTables, position: &mut Position, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(known) = known.get(&position.hash()) {
        return *known;
    }
    let mut moves: Vec<Move> = Vec::new();
    position.moves(tables, &mut moves);
    let won = moves.into_iter().any(|mv| {
        position.play(tables, mv);
        let lost = !wins(tables, position, known);
        position.undo(tables, mv);
        lost
    });
    known.insert(position.hash(), won);
    won
}

/// Without a limit.
fn fill_at_leisure(regions: &mut Regions, tables: &BoardTables, position: &Position) -> Option<Move> {
    regions.fill(tables, position, SearchLimits::of_nodes(u64::MAX)).map(|filling| filling.mv)
}

fn check(tables: &BoardTables, seed: u64, seen: &mut Seen) {
    let (mut known_fills, mut known_wins) = ([HashMap::new(), HashMap::new()], HashMap::new());
    let evaluator = Evaluator::new(tables, Heuristic::Full(Weights::TUNED));
    // So little that most of what is found is forgotten.
    let mut prover = Prover::new(tables, evaluator, 1 << 10);
    let mut regions = Regions::new(tables);
    walk_randomly(tables, seed, 1, |position| {
        if position.num_free() > MOST_CELLS {
            return;
        }
        let Some(rooms) = regions.rooms(tables, position, ENOUGH) else {
            if position.num_free() <= MOST_OPEN {
                let won = wins(tables, &mut position.clone(), &mut known_wins);
                assert_eq!(prover.prove(tables, &mut position.clone(), u64::MAX).wins, Some(won));
                if let Some((winner, _)) = regions.decide(tables, position, ENOUGH) {
                    seen.open += 1;
                    assert_eq!(won, winner == position.side());
                }
            }
            return;
        };
        seen.private += 1;
        let side = position.side();
        let mut fill_of = |position: &Position, own: usize| {
            let mut position = position.clone();
            if own != position.side() {
                position.pass();
            }
            fill(tables, &mut position, &mut known_fills[own])
        };
        for (own, room) in rooms.iter().enumerate() {
            let exact = fill_of(position, own);
            assert_eq!(room.most, exact);
            assert!(room.least <= exact);
        }
        let mv = fill_at_leisure(&mut regions, tables, position);
        // Where the winner hangs on a queen between the sides, the move that wins may waste room of its own.
        let told = winner(&rooms, side);
        let is_told = told.is_some() || rooms.iter().all(|room| room.least == room.most);
        if let Some(mv) = mv.filter(|_| is_told && rooms[side].least == rooms[side].most && rooms[side].most > 0) {
            seen.filled += 1;
            let mut next = position.clone();
            next.play(tables, mv);
            assert_eq!(fill_of(&next, side) + 1, rooms[side].most, "{mv:?} wastes room");
        }
        if position.num_free() > MOST_FREE {
            return;
        }
        let won = wins(tables, &mut position.clone(), &mut known_wins);
        seen.told += u32::from(told.is_some());
        seen.settled += u32::from(told.is_none());
        assert!(told.is_none_or(|told| told == won));
        assert_eq!(regions.wins(tables, position, ENOUGH), Some(won));
        if let Some(mv) = mv.filter(|_| won) {
            let mut next = position.clone();
            next.play(tables, mv);
            assert!(!wins(tables, &mut next, &mut known_wins), "{mv:?} throws the win away");
        }
    });
}

#[test]
fn rooms_are_exact_on_small_squares() {
    let mut seen = Seen::default();
    for (spec, games) in [("square:5", 60), ("mini-4", 60), ("clover:5", 20), ("standard-6", 60)] {
        let tables = BoardTables::new(&parse(spec, Placement::Figures, Diagonals::Natural).unwrap(), games != 20);
        for seed in 0..games {
            check(&tables, seed, &mut seen);
        }
    }
    let Seen { private, told, settled, filled, open } = seen;
    println!("{open} of the open positions decided");
    assert!(
        private > 300 && told * 10 > private * 6 && settled > 0 && filled > 200 && open > 50,
        "{told} of {private}, {settled}, {filled}, {open}"
    );
}

/// Boards that random ones have met: a queen leaves a region of its own by an edge that leads one way; a side that
/// could fill its region wins by a move that wastes of it.
#[test]
fn boards_that_once_failed_are_right() {
    for seed in [7_882_338_173_572_919_695, 17_575_686_277_210_245_255] {
        check_random_board(seed);
    }
}

fn check_random_board(seed: u64) {
    check(&BoardTables::new(&random_board(seed), seed.is_multiple_of(2)), seed, &mut Seen::default());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn rooms_are_exact_on_random_graphs(seed in any::<u64>()) {
        check_random_board(seed);
    }
}

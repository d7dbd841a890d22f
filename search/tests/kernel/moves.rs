//! Moves are those of the rules, and what is taken back leaves everything as it was.

use crate::boards::{generator, random_board, shapes, walk_randomly};
use agon_boards::{Board, Diagonals, Placement, parse};
use agon_games::amazons::{Amazons, AmazonsMove, Prepared};
use agon_games::{Rules, below};
use agon_search::{BoardTables, Move, Position};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Plays every move and takes it back.
fn check_undo(tables: &BoardTables, position: &Position) {
    let mut moves = Vec::new();
    let mut next = position.clone();
    next.moves(tables, &mut moves);
    let distinct: BTreeSet<Move> = moves.iter().copied().collect();
    assert_eq!((distinct.len(), position.clone().count_moves(tables)), (moves.len(), moves.len() as u64));
    let mut by_halves = BTreeSet::new();
    for &queen in position.queens(position.side()) {
        let mut stops = Vec::new();
        next.each_slide(tables, queen, |to| stops.push(to));
        for to in stops {
            next.slide(tables, queen, to);
            next.each_arrow(tables, queen, to, |arrow| {
                by_halves.insert(Move { from: queen, to, arrow });
            });
            next.slide(tables, to, queen);
        }
    }
    assert_eq!(by_halves, distinct);
    let mut hashes = BTreeSet::new();
    for &mv in moves.iter().take(300) {
        assert!(position.allows(tables, mv));
        next.play(tables, mv);
        hashes.insert(next.hash());
        next.undo(tables, mv);
        assert_eq!(&next, position);
    }
    assert_eq!(hashes.len(), moves.len().min(300));
    let mut rng = generator(position.hash());
    for _ in 0..20 {
        let drawn = next.play_by_chance(tables, |bound| below(&mut rng, bound));
        assert_eq!(drawn.is_some(), !moves.is_empty());
        let Some(mv) = drawn else { break };
        assert!(distinct.contains(&mv), "{mv:?}");
        next.undo(tables, mv);
        assert_eq!(&next, position);
    }
}

#[test]
fn chance_prefers_no_slide_and_then_no_arrow() {
    let board = parse("mini-2", Placement::Figures, Diagonals::Natural).unwrap();
    let tables = BoardTables::new(&board, true);
    let start = Position::start(&tables);
    let mut moves = Vec::new();
    start.clone().moves(&tables, &mut moves);
    let slides: BTreeSet<(u16, u16)> = moves.iter().map(|mv| (mv.from, mv.to)).collect();
    let (mut rng, mut counts) = (generator(1), BTreeMap::<Move, f64>::new());
    let draws = 40_000;
    for _ in 0..draws {
        let mv = start.clone().play_by_chance(&tables, |bound| below(&mut rng, bound)).unwrap();
        *counts.entry(mv).or_default() += 1.0;
    }
    for mv in moves.iter().copied().collect::<BTreeSet<_>>() {
        let arrows = moves.iter().filter(|other| (other.from, other.to) == (mv.from, mv.to)).count();
        let chance = 1.0 / (slides.len() * arrows) as f64;
        let (mean, spread) = (chance * f64::from(draws), (chance * (1.0 - chance) * f64::from(draws)).sqrt());
        assert!((counts[&mv] - mean).abs() < 5.0 * spread, "{mv:?}: {} of {mean}", counts[&mv]);
    }
}

fn check_rules(board: &Board, vacated_is_free: bool) {
    let tables = BoardTables::new(board, vacated_is_free);
    let rules = Amazons::at_start(&Arc::new(Prepared::new(board.clone(), vacated_is_free)));
    let mut expected = BTreeSet::new();
    rules.legal(board.to_move(), &mut |mv| {
        expected.insert(Move::from(mv));
        ControlFlow::Continue(())
    });
    let mut moves = Vec::new();
    Position::start(&tables).moves(&tables, &mut moves);
    assert_eq!(moves.iter().copied().collect::<BTreeSet<_>>(), expected, "{}", board.title());
}

#[test]
fn moves_are_those_of_the_rules_and_are_taken_back() {
    for (seed, board) in (0..).zip(shapes()) {
        for vacated_is_free in [true, false] {
            check_rules(&board, vacated_is_free);
            let tables = BoardTables::new(&board, vacated_is_free);
            walk_randomly(&tables, seed, 1 + board.num_vertices() / 8, |position| check_undo(&tables, position));
        }
    }
}

#[test]
fn no_move_is_none() {
    assert_eq!(AmazonsMove::from(Move::NONE), AmazonsMove::NONE);
    assert_eq!(Move::from(AmazonsMove::NONE), Move::NONE);
}

proptest! {
    #[test]
    fn moves_on_random_graphs(seed in any::<u64>()) {
        let board = random_board(seed);
        for vacated_is_free in [true, false] {
            check_rules(&board, vacated_is_free);
            let tables = BoardTables::new(&board, vacated_is_free);
            walk_randomly(&tables, seed, 1, |position| check_undo(&tables, position));
        }
    }
}

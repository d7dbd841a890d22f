//! Line words against the plain walker, on grids and on random directed graphs.

use agon_boards::{Board, Diagonals, Direction, Draft, Lines, Occupancy, Placement, parse, walk};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

fn slow(board: &Board, taken: &[bool], from: usize) -> BTreeSet<usize> {
    Direction::ALL.into_iter().flat_map(|direction| walk(board, from, direction, |vertex| !taken[vertex])).collect()
}

fn listed(lines: &Lines, occupied: &Occupancy, from: usize) -> Vec<usize> {
    let mut reached = Vec::new();
    let _ = lines.each(occupied, from, |to| {
        reached.push(to);
        ControlFlow::Continue(())
    });
    reached
}

/// Everything that `Lines` answers, at every vertex, with these vertices taken.
fn compare(board: &Board, taken: &[bool]) {
    let lines = Lines::new(board);
    let mut occupied = lines.empty();
    (0..taken.len()).filter(|&vertex| taken[vertex]).for_each(|vertex| occupied.toggle(&lines, vertex));
    for from in 0..taken.len() {
        assert_eq!(occupied.has(&lines, from), taken[from]);
        let expected = slow(board, taken, from);
        let reached = listed(&lines, &occupied, from);
        assert_eq!(reached.len(), expected.len(), "each vertex once");
        assert_eq!(reached.into_iter().collect::<BTreeSet<_>>(), expected);
        assert_eq!(lines.count(&occupied, from), expected.len());
        assert_eq!(lines.can_leave(&occupied, from), !expected.is_empty());
        let numbered: BTreeSet<_> =
            (0..expected.len()).filter_map(|index| lines.nth(&occupied, from, index, None)).collect();
        assert_eq!(numbered, expected);
        assert_eq!(lines.nth(&occupied, from, expected.len(), None), None);
        for to in 0..taken.len() {
            assert_eq!(lines.slides(&occupied, from, to, None), expected.contains(&to), "{from} to {to}");
        }
        leave(board, &lines, taken, from);
    }
}

/// A piece leaves `from`, slides and slides again.
fn leave(board: &Board, lines: &Lines, taken: &[bool], from: usize) {
    let mut occupied = lines.empty();
    let mut free = taken.to_vec();
    free[from] = true;
    (0..free.len()).filter(|&vertex| free[vertex]).for_each(|vertex| occupied.toggle(lines, vertex));
    let with_piece = occupied.clone();
    occupied.toggle(lines, from);
    free[from] = false;
    let mut pairs = 0;
    for middle in slow(board, &free, from) {
        let ends = slow(board, &free, middle);
        pairs += ends.len() as u64;
        for to in 0..free.len() {
            assert_eq!(lines.slides(&with_piece, middle, to, Some(from)), ends.contains(&to));
        }
    }
    assert_eq!(lines.count_pairs(&occupied, from), pairs);
}

fn queens_at(mut draft: Draft, first: u32, second: u32) -> Board {
    draft.start.queens = [vec![first], vec![second]];
    draft.finish().unwrap()
}

#[test]
fn generated_boards() {
    for spec in ["square:7", "donut:9", "clover:10", "eight:8", "lagoon", "mini-ring", "mini-2"] {
        let board = parse(spec, Placement::Figures, Diagonals::Natural).unwrap();
        for step in [1, 3, 4, 1000] {
            let taken: Vec<_> = (0..board.num_vertices()).map(|v| v % step == step / 2).collect();
            compare(&board, &taken);
        }
    }
}

#[test]
fn a_line_that_fits_no_word() {
    for columns in [62, 63] {
        let board = queens_at(Draft::grid(columns, vec![true; columns * 2], Diagonals::Natural).unwrap(), 0, 1);
        let taken: Vec<_> = (0..columns * 2).map(|v| v == 3 || v == 70).collect();
        compare(&board, &taken);
    }
}

#[test]
fn the_largest_board() {
    let board = queens_at(Draft::grid(64, vec![true; 4096], Diagonals::Natural).unwrap(), 0, 4095);
    let lines = Lines::new(&board);
    assert_eq!(lines.count(&lines.empty(), 0), 3 * 63);
    assert!(Draft::graph(4097).is_err() && Draft::graph(0).is_err());
}

proptest! {
    #[test]
    fn random_directed_graphs(
        count in 2usize..14,
        edges in prop::collection::vec((0usize..14, 0usize..14, 0usize..8, prop::bool::weighted(0.3)), 0..60),
        taken in prop::collection::vec(prop::bool::weighted(0.2), 14),
    ) {
        let mut draft = Draft::graph(count).unwrap();
        for (from, to, direction, one_way) in edges {
            let direction = Direction::ALL[direction];
            // What the draft refuses is simply not there.
            if draft.connect(from % count, to % count, direction).is_ok() && !one_way {
                let _ = draft.connect(to % count, from % count, direction.opposite());
            }
        }
        compare(&queens_at(draft, 0, 1), &taken[..count]);
    }

    #[test]
    fn random_grids(
        columns in 1usize..9,
        rows in 2usize..9,
        holes in prop::collection::vec(prop::bool::weighted(0.15), 64),
        taken in prop::collection::vec(prop::bool::weighted(0.2), 64),
        cut in any::<bool>(),
    ) {
        let mut exists: Vec<_> = holes[..columns * rows].iter().map(|hole| !hole).collect();
        (exists[0], exists[1]) = (true, true);
        let diagonals = if cut { Diagonals::Cut } else { Diagonals::Natural };
        let board = queens_at(Draft::grid(columns, exists, diagonals).unwrap(), 0, 1);
        compare(&board, &taken[..columns * rows]);
    }
}

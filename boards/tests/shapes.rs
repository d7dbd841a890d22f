//! The generated shapes: numbers of edges, holes, symmetry, diagonals.

use agon_boards::{Board, Diagonals, Direction, Placement, Shape, parse};

fn board(shape: Shape, width: usize, diagonals: Diagonals) -> Board {
    parse(&format!("{}:{width}", shape.name()), Placement::Figures, diagonals).unwrap()
}

#[test]
fn numbers_of_edges() {
    let natural = |shape, width| board(shape, width, Diagonals::Natural).num_edges();
    for width in 5..=32 {
        assert_eq!(natural(Shape::Square, width), 4 * (width - 1) * (2 * width - 1));
    }
    for (width, edges) in [(6, 168), (9, 440), (12, 840), (15, 1368), (18, 2024)] {
        assert_eq!(natural(Shape::Donut, width), edges);
    }
    for (width, edges) in [(5, 80), (10, 476), (15, 1208), (20, 2276)] {
        assert_eq!(natural(Shape::Clover, width), edges);
    }
    for (width, edges) in [(8, 318), (12, 806), (16, 1518), (20, 2454)] {
        assert_eq!(natural(Shape::Eight, width), edges);
    }
}

#[test]
fn half_a_turn_changes_nothing() {
    for shape in Shape::ALL {
        for (width, diagonals) in shape.widths().flat_map(|w| [(w, Diagonals::Natural), (w, Diagonals::Cut)]) {
            let board = board(shape, width, diagonals);
            let last = board.num_vertices() - 1;
            assert!(!board.has_one_way(), "{}", board.title());
            for from in 0..=last {
                assert_eq!(board.is_hole(from), board.is_hole(last - from));
                assert_eq!(board.is_hole(from), board.neighbours(from).next().is_none());
                for (to, direction) in board.neighbours(from) {
                    assert_eq!(board.neighbour(last - from, direction.opposite()), Some(last - to));
                }
            }
            let turned: Vec<u32> = board.queens(0).iter().rev().map(|queen| last as u32 - queen).collect();
            assert_eq!(board.queens(1), turned);
        }
    }
}

#[test]
fn the_eight_has_one_bridge() {
    for diagonals in [Diagonals::Natural, Diagonals::Cut] {
        let board = board(Shape::Eight, 8, diagonals);
        assert_eq!(board.neighbour(27, Direction::SE), Some(36));
        assert_eq!(board.neighbour(36, Direction::NW), Some(27));
        let upper = |vertex: usize| vertex / 8 < 4;
        let left = |vertex: usize| vertex % 8 < 4;
        let across = (0..64).flat_map(|from| board.neighbours(from).map(move |(to, _)| (from, to)));
        let bridge = across.filter(|&(a, b)| upper(a) && left(a) && !upper(b) && !left(b)).count();
        assert_eq!(bridge, 1);
    }
}

#[test]
fn cut_diagonals_do_not_pass_holes() {
    // The hole is rows and columns 2 and 3; b4 to c5 would pass its corner at c4.
    let (natural, cut) = (board(Shape::Donut, 6, Diagonals::Natural), board(Shape::Donut, 6, Diagonals::Cut));
    let (from, to) = (natural.vertex("b4").unwrap(), natural.vertex("c5").unwrap());
    assert_eq!(natural.neighbour(from, Direction::NE), Some(to));
    assert_eq!(cut.neighbour(from, Direction::NE), None);
    assert_eq!(natural.num_edges() - cut.num_edges(), 4 * 2);
    let square = |diagonals| board(Shape::Square, 8, diagonals);
    assert_eq!(square(Diagonals::Natural), square(Diagonals::Cut));
}

#[test]
fn the_matrix_is_the_board() {
    let board = board(Shape::Square, 5, Diagonals::Natural);
    let matrix = board.matrix();
    let entry = |from, to| matrix.row(from).find(|(target, _)| *target == to).map(|(_, direction)| direction);
    assert_eq!(matrix.num_rows(), 25);
    assert_eq!(entry(6, 0), Some(8));
    assert_eq!(entry(0, 6), Some(4));
    assert_eq!(entry(0, 2), None);
    assert!((0..25).all(|row| matrix.row(row).is_sorted()), "columns ascend in each row");
}

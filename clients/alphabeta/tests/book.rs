//! The program that makes a book of openings: what it wrote it goes on with, and all of it is legal.

#[path = "../examples/book/tree.rs"]
mod tree;

use agon_boards::{Diagonals, Placement, parse};
use agon_client_api::Options;
use agon_search::{BoardTables, Book, BookFile, CERTAIN, Position, Symmetries};
use alphabeta::Settings;
use std::collections::BTreeSet;
use tree::Tree;

fn tables(spec: &str) -> BoardTables {
    BoardTables::new(&parse(spec, Placement::Figures, Diagonals::Natural).expect("a board"), true)
}

fn settings() -> Settings {
    Settings::read(&Options(""), 1 << 22, 1).expect("no options")
}

/// Follows the book from a position on; how many positions of it were seen.
fn follow(book: &Book, tables: &BoardTables, position: &Position, seen: &mut BTreeSet<u64>) {
    let moves = book.moves(tables, position);
    if moves.is_empty() || !seen.insert(position.hash()) {
        return;
    }
    assert!(moves.is_sorted_by_key(|known| std::cmp::Reverse(known.value)));
    for known in moves {
        let mut after = position.clone();
        after.play(tables, known.mv);
        follow(book, tables, &after, seen);
    }
}

#[test]
fn a_book_grows_is_written_and_grows_on() {
    let tables = tables("standard-8");
    let symmetries = Symmetries::of(&tables);
    let mut tree = Tree::new(&tables, &symmetries, settings(), 3, None);
    (0..40).for_each(|_| assert!(tree.grow()));
    let bytes = BookFile::write(vec![symmetries.board()], tree.rows());
    let file = BookFile::open(&bytes).expect("a book");
    let mut again = Tree::new(&tables, &symmetries, settings(), 3, Some(file));
    assert!(again.count() == tree.count() && tree.count() > 20, "{} {}", again.count(), tree.count());
    assert_eq!(BookFile::write(vec![symmetries.board()], again.rows()).len(), bytes.len());
    assert_eq!(again.main_line().1, tree.main_line().1);
    let book = Book::open(&bytes, &tables).expect("a book of this board");
    let mut seen = BTreeSet::new();
    follow(&book, &tables, &Position::start(&tables), &mut seen);
    // As many or more, since a position and its image are one to the book.
    assert!(seen.len() >= tree.count(), "{} {}", seen.len(), tree.count());
    let before = again.count();
    (0..10).for_each(|_| assert!(again.grow()));
    // The end of a game may need a position before the new one.
    assert!(again.count() >= before + 10);
}

#[test]
fn a_small_board_is_decided_and_no_more_is_asked() {
    let tables = tables("mini-3");
    let symmetries = Symmetries::of(&tables);
    let mut tree = Tree::new(&tables, &symmetries, settings(), 4, None);
    let grown = (0..50).filter(|_| tree.grow()).count();
    let ((value, _), _) = tree.main_line();
    assert!(grown < 50 && value >= CERTAIN, "{grown} {value}");
    assert!(!tree.grow());
}

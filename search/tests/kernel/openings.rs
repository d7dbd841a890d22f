//! Books of openings: what is written is read, what is damaged or of another board is refused, and what a position finds
//! is what was written for all that are like it.

use crate::boards::{generator, random_board, shapes, tunnels, walk_randomly};
use agon_boards::{Board, Diagonals, Placement, Start, parse};
use agon_games::below;
use agon_search::{BoardTables, Book, BookFile, Move, Position, Row, Symmetries};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn board(spec: &str) -> Board {
    parse(spec, Placement::Figures, Diagonals::Natural).unwrap()
}

fn vertex_moved(symmetries: &Symmetries, tables: &BoardTables, position: &Position, vertex: u32) -> u32 {
    let (place, vertex) = (symmetries.place(tables, position), vertex as u16);
    symmetries.to(place, Move { from: vertex, to: vertex, arrow: vertex }).from.into()
}

/// The position that is the place of another: the board with the same pieces moved, whoever is to move as side 0.
fn image(board: &Board, tables: &BoardTables, symmetries: &Symmetries, position: &Position) -> Board {
    let side = position.side();
    let moved = |vertex: u32| vertex_moved(symmetries, tables, position, vertex);
    let queens = [side, 1 - side].map(|side| position.queens(side).to_vec());
    let is_arrow = |vertex: &u32| {
        position.is_occupied(tables, *vertex as u16) && !queens.iter().any(|queens| queens.contains(&(*vertex as u16)))
    };
    let blocked = (0..board.num_vertices() as u32).filter(is_arrow).map(moved).collect();
    let queens = queens.each_ref().map(|queens| queens.iter().map(|queen| moved((*queen).into())).collect());
    board.with_start(Start { queens, blocked, to_move: 0 }).unwrap()
}

fn moves(tables: &BoardTables, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.clone().moves(tables, &mut moves);
    moves
}

/// Every position is played on as its image is, and has the key of it.
fn check_images(board: &Board, seed: u64, stride: usize) {
    let tables = BoardTables::new(board, seed.is_multiple_of(2));
    let symmetries = Symmetries::of(&tables);
    walk_randomly(&tables, seed, stride, |position| {
        let place = symmetries.place(&tables, position);
        let there = BoardTables::new(&image(board, &tables, &symmetries, position), seed.is_multiple_of(2));
        let start = Position::start(&there);
        assert_eq!(symmetries.place(&there, &start).key, place.key, "{}", board.title());
        let moved: BTreeSet<Move> = moves(&tables, position).iter().map(|mv| symmetries.to(place, *mv)).collect();
        assert_eq!(moved, moves(&there, &start).into_iter().collect(), "{}", board.title());
        assert!(moves(&tables, position).iter().all(|mv| symmetries.from(place, symmetries.to(place, *mv)) == *mv));
    });
}

#[test]
fn positions_are_played_on_as_their_images_are() {
    for (board, seed) in shapes().iter().filter(|board| board.num_vertices() <= 300).zip(0..) {
        check_images(board, seed, 7);
    }
    (0..100).for_each(|seed| check_images(&random_board(seed), seed, 3));
}

#[test]
fn boards_have_their_symmetries() {
    let count = |board: &Board| Symmetries::of(&BoardTables::new(board, true)).count();
    let boards = ["standard-10", "square:5", "donut:9", "clover:5", "eight:8", "mini-4"].map(board);
    assert_eq!(boards.each_ref().map(count), [8, 8, 8, 8, 4, 8]);
    assert_eq!(count(&tunnels()), 4);
    assert_eq!(count(&random_board(1)), 1);
}

#[test]
fn a_mirrored_game_has_the_same_keys() {
    let tables = BoardTables::new(&board("standard-10"), true);
    let symmetries = Symmetries::of(&tables);
    let mirrored = |vertex: u16| vertex / 10 * 10 + 9 - vertex % 10;
    let upside_down = |vertex: u16| 90 - vertex / 10 * 10 + vertex % 10;
    let mut rng = generator(3);
    let mut game = Position::start(&tables);
    let (mut left, mut other) = (game.clone(), game.clone());
    // The start upside down is the start with the other side to move.
    other.pass();
    while game.has_move(&tables) {
        let keys = [&game, &left, &other].map(|position| symmetries.place(&tables, position).key);
        assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
        let all = moves(&tables, &game);
        let mv = all[below(&mut rng, all.len() as u64) as usize];
        let by = |image: fn(u16) -> u16| Move { from: image(mv.from), to: image(mv.to), arrow: image(mv.arrow) };
        game.play(&tables, mv);
        left.play(&tables, by(mirrored));
        other.play(&tables, by(upside_down));
    }
}

/// A book of a random game's moves on a board.
fn book_of(tables: &BoardTables, seed: u64) -> (Vec<u8>, Vec<Position>) {
    let symmetries = Symmetries::of(tables);
    let (mut rows, mut positions) = (Vec::new(), Vec::new());
    walk_randomly(tables, seed, 1, |position| {
        let place = symmetries.place(tables, position);
        let row = |(lines, mv): (u32, &Move)| Row { key: place.key, value: 7, lines, mv: symmetries.to(place, *mv) };
        rows.extend((1..).zip(&moves(tables, position)).take(3).map(row));
        positions.push(position.clone());
    });
    (BookFile::write(vec![symmetries.board()], rows), positions)
}

#[test]
fn a_position_finds_its_moves_and_no_others() {
    for (spec, seed) in [("standard-10", 1), ("eight:8", 2), ("mini-ring", 3)] {
        let tables = BoardTables::new(&board(spec), true);
        let (bytes, positions) = book_of(&tables, seed);
        let book = Book::open(&bytes, &tables).unwrap();
        for position in &positions {
            let expected: Vec<Move> = moves(&tables, position).into_iter().take(3).collect();
            let found: Vec<Move> = book.moves(&tables, position).iter().map(|known| known.mv).collect();
            // The last position has no move.
            assert!(expected.iter().all(|mv| found.contains(mv)), "{spec}: {expected:?} {found:?}");
            let chosen = book.choose(&tables, position, seed);
            assert_eq!(chosen.is_some_and(|known| position.allows(&tables, known.mv)), !expected.is_empty());
        }
        walk_randomly(&tables, seed + 100, 5, |position| {
            let is_new = !positions.contains(position) && position != &Position::start(&tables);
            assert!(!is_new || spec.starts_with("mini") || book.moves(&tables, position).is_empty());
        });
    }
}

#[test]
fn the_best_move_is_played_or_one_about_as_good() {
    let tables = BoardTables::new(&board("standard-10"), true);
    let (symmetries, start) = (Symmetries::of(&tables), Position::start(&tables));
    let (place, all) = (symmetries.place(&tables, &start), moves(&tables, &start));
    let values = [350, 300, 251, 249, -900];
    let row = |(value, mv): (i32, &Move)| Row { key: place.key, value, lines: 1, mv: symmetries.to(place, *mv) };
    let bytes = BookFile::write(vec![symmetries.board()], values.into_iter().zip(&all).map(row).collect());
    let book = Book::open(&bytes, &tables).unwrap();
    let chosen: BTreeSet<i32> =
        (0..100).filter_map(|seed| book.choose(&tables, &start, seed)).map(|known| known.value).collect();
    assert_eq!(chosen, BTreeSet::from([350, 300, 251]));
}

#[test]
fn what_is_no_use_is_refused_with_what_to_do() {
    let tables = BoardTables::new(&board("standard-8"), true);
    let (bytes, _) = book_of(&tables, 1);
    let why = |bytes: &[u8], tables: &BoardTables| Book::open(bytes, tables).unwrap_err().to_string();
    let other = BoardTables::new(&board("square:10"), true);
    let large = [bytes.clone(), vec![0; 17 << 20]].concat();
    let version = [b"agon openings v2".as_slice(), &bytes[16..]].concat();
    for (bytes, tables, what) in [
        (b"nothing".as_slice(), &tables, "this is not a book of openings; help: "),
        (&[], &tables, "this is not a book of openings; help: "),
        (&version, &tables, "is of another version of agon; help: "),
        (&large, &tables, "and 16777216 are the most; help: "),
        (&bytes[..bytes.len() - 1], &tables, "bytes are not those; help: "),
        (&bytes, &other, "has none of this board; help: "),
        (&bytes, &BoardTables::new(&board("standard-8"), false), "has none of this board; help: "),
    ] {
        assert!(why(bytes, tables).contains(what), "{what}: {}", why(bytes, tables));
    }
    let give = |name, data: Option<&'static [u8]>| Book::given(&tables, name, |_| data).map(|book| book.is_some());
    assert_eq!(give(None, None), Ok(false));
    assert!(
        give(Some("a.book"), None).unwrap_err().starts_with("book = \"a.book\": no file of this name is given; help")
    );
    assert!(give(Some("a.book"), Some(b"x")).unwrap_err().starts_with("a.book: this is not a book of openings; help"));
    assert_eq!(give(None, Some(bytes.leak())), Ok(true));
}

#[test]
fn every_damaged_byte_is_refused() {
    let tables = BoardTables::new(&board("mini-4"), true);
    let (mut bytes, _) = book_of(&tables, 1);
    assert!(Book::open(&bytes, &tables).is_ok());
    for at in 0..bytes.len() {
        for flipped in [1, 0x80, 0xff] {
            bytes[at] ^= flipped;
            assert!(Book::open(&bytes, &tables).is_err(), "byte {at} ^ {flipped}");
            bytes[at] ^= flipped;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_written_is_read(
        boards in prop::collection::vec(any::<u64>(), 0..5),
        rows in prop::collection::vec((0..40u64, any::<i32>(), any::<u32>(), any::<[u16; 3]>()), 0..60),
    ) {
        let row = |(key, value, lines, [from, to, arrow]): (u64, i32, u32, [u16; 3])| Row { key, value, lines, mv: Move { from, to, arrow } };
        let mut rows: Vec<Row> = rows.into_iter().map(row).collect();
        let bytes = BookFile::write(boards.clone(), rows.clone());
        let file = BookFile::open(&bytes).unwrap();
        rows.sort_by_key(|row| row.key);
        prop_assert_eq!(file.rows().collect::<Vec<_>>(), rows.clone());
        prop_assert_eq!(file.boards().collect::<BTreeSet<_>>(), boards.into_iter().collect());
        for key in 0..41 {
            let of: Vec<Row> = rows.iter().copied().filter(|row| row.key == key).collect();
            prop_assert_eq!(file.of(key).collect::<Vec<_>>(), of);
        }
    }

    /// A file with a right check over anything at all yields no illegal move.
    #[test]
    fn foreign_moves_are_left_out(vertices in prop::collection::vec(any::<[u16; 3]>(), 1..20)) {
        let tables = BoardTables::new(&board("mini-4"), true);
        let (symmetries, start) = (Symmetries::of(&tables), Position::start(&tables));
        let key = symmetries.place(&tables, &start).key;
        let row = |[from, to, arrow]: [u16; 3]| {
            let [from, to, arrow] = [from, to, arrow].map(|vertex| if vertex % 3 == 0 { vertex } else { vertex % 16 });
            Row { key, value: 0, lines: 1, mv: Move { from, to, arrow } }
        };
        let bytes = BookFile::write(vec![symmetries.board()], vertices.into_iter().map(row).collect());
        let book = Book::open(&bytes, &tables).unwrap();
        let all = moves(&tables, &start);
        prop_assert!(book.moves(&tables, &start).iter().all(|known| all.contains(&known.mv)));
    }
}

//! Tirs Croisés as a user meets it: the example of the course, boards, options, refusals, and random matches against
//! plain rules.

use agon_abi::{Blob, bytes_of, read};
use agon_games::tirs_croises::{ANYWHERE, CURSOR, Event, Move, Setup, TirsCroises, Turn};
use agon_games::{
    Absent, AnyGame, AnyState, BadOption, Game, Language, MoveBytes, Opening, Options, PreparedSetting, Seat, Stroke,
    rng_from,
};
use proptest::prelude::*;
use std::ops::ControlFlow;

/// The board of the course's example, with the cursor on (2,1).
const EXAMPLE: &str = "7#456/15857/45691/43262/99873";

fn try_prepare(pairs: &[(&str, &str)], seats: usize) -> Result<Box<dyn PreparedSetting>, BadOption> {
    let mut options = Options::default();
    pairs.iter().for_each(|(key, value)| options.set(key, value));
    Game::<TirsCroises>::ENTRY.prepare(&options, seats)
}

fn start(pairs: &[(&str, &str)], seats: usize, number: u64) -> Box<dyn AnyState> {
    try_prepare(pairs, seats).unwrap().start(&Opening::numbered(number))
}

fn setup_of(state: &dyn AnyState) -> Setup {
    let mut blob = Blob::new();
    state.setup(0, &mut blob);
    read(blob.bytes()).unwrap()
}

fn turn_of(state: &dyn AnyState, seat: Seat) -> Turn {
    let mut blob = Blob::new();
    state.turn(seat, &mut blob);
    read(blob.bytes()).unwrap()
}

fn cell(x: u8, y: u8) -> MoveBytes {
    MoveBytes::new(bytes_of(&Move { x, y }))
}

fn legal(state: &dyn AnyState) -> Vec<(u8, u8)> {
    let mut cells = Vec::new();
    for seat in state.to_move().iter() {
        state.legal(seat, &mut |mv| {
            let Move { x, y } = read(mv.as_slice()).unwrap();
            cells.push((x, y));
            ControlFlow::Continue(())
        });
    }
    cells
}

fn mover(state: &dyn AnyState) -> Seat {
    state.to_move().iter().next().unwrap()
}

#[test]
fn the_example_of_the_course_is_played_as_there() {
    let mut state = start(&[("board", EXAMPLE)], 2, 0);
    assert_eq!(legal(&*state), [(1, 1), (3, 1), (4, 1), (5, 1), (2, 2), (2, 3), (2, 4), (2, 5)]);
    for (ply, (x, y, gain)) in [(2, 5, 9), (1, 5, 9), (1, 1, 7), (5, 1, 6)].into_iter().enumerate() {
        let (seat, before) = (mover(&*state), state.scores().values);
        assert_eq!(seat, ply % 2);
        state.check(seat, &cell(x, y)).unwrap();
        state.play(&[(seat, cell(x, y))]);
        assert_eq!(state.scores().values[seat] - before[seat], gain);
    }
    assert_eq!(state.scores().values, [16, 15]);
    let turn = turn_of(&*state, 0);
    assert_eq!((turn.cursor_x, turn.cursor_y, turn.scores[..3].to_vec()), (5, 1, vec![16, 15, 0]));
    assert_eq!(turn.values[0][..6], [0, 0, 4, 5, 0, 0]);
    assert_eq!((turn.num_legal, turn.num_events), (6, 1));
    assert_eq!(turn.events[0], Event { seat: 1, x: 5, y: 1, gain: 6 });
    assert_eq!(legal(&*state), [(3, 1), (4, 1), (5, 2), (5, 3), (5, 4), (5, 5)]);
}

#[test]
fn a_match_is_over_when_the_mover_has_nothing_to_take() {
    let mut state = start(&[("board", "#111/1111/1111/1111")], 2, 0);
    // The first row and the first column, and a way back into the empty corner of both.
    for (x, y) in [(2, 1), (3, 1), (4, 1), (4, 2), (1, 2), (1, 3), (4, 3), (4, 4), (1, 4)] {
        let seat = mover(&*state);
        state.check(seat, &cell(x, y)).unwrap();
        state.play(&[(seat, cell(x, y))]);
    }
    assert_eq!(legal(&*state), [(2, 4), (3, 4)]);
    for (x, y) in [(2, 4), (2, 2), (3, 2), (3, 3), (2, 3)] {
        let seat = mover(&*state);
        state.play(&[(seat, cell(x, y))]);
    }
    assert!(state.to_move().is_empty(), "(3,4) is left, and out of reach");
    assert_eq!(state.scores().values, [7, 7]);
    assert_eq!(state.check(0, &cell(3, 4)).unwrap_err().rule, "not-to-move");
    let scene = state.scene(None, Language::French);
    assert!(scene.spoken.starts_with("la partie est finie ; place 1 :    7"), "{}", scene.spoken);
}

#[test]
fn anywhere_the_first_player_takes_any_card() {
    let mut state = start(&[("start", "anywhere"), ("size", "5")], 3, 4);
    let (setup, turn) = (setup_of(&*state), turn_of(&*state, 0));
    assert_eq!((setup.start, setup.cursor_x, setup.cursor_y, turn.cursor_x, turn.cursor_y), (ANYWHERE, 0, 0, 0, 0));
    assert!(setup.values[..5].iter().all(|row| row[..5].iter().all(|value| (1..=9).contains(value))));
    let cells = legal(&*state);
    assert_eq!((cells.len(), turn.num_legal, cells[0], cells[1], cells[5]), (25, 25, (1, 1), (2, 1), (1, 2)));
    state.play(&[(0, cell(4, 2))]);
    assert_eq!(legal(&*state), [(1, 2), (2, 2), (3, 2), (5, 2), (4, 1), (4, 3), (4, 4), (4, 5)]);
    assert_eq!(state.scores().values[0], i64::from(setup.values[1][3]));
}

#[test]
fn wrong_moves_are_refused_by_rule() {
    let mut state = start(&[("board", EXAMPLE)], 2, 0);
    let rule = |state: &dyn AnyState, seat, x, y| state.check(seat, &cell(x, y)).map_err(|illegal| illegal.rule);
    assert_eq!(rule(&*state, 0, 2, 5), Ok(()));
    assert_eq!(rule(&*state, 1, 2, 5), Err("not-to-move"));
    for (x, y) in [(0, 1), (2, 0), (6, 1), (2, 6), (255, 255), (0, 0)] {
        assert_eq!(rule(&*state, 0, x, y), Err("no-such-cell"));
    }
    assert_eq!(rule(&*state, 0, 2, 1), Err("cursor-cell"));
    assert_eq!(rule(&*state, 0, 1, 2), Err("not-in-line"));
    state.play(&[(0, cell(1, 1))]);
    assert_eq!(rule(&*state, 1, 2, 1), Err("cell-empty"), "the old cursor is an empty cell");
    let illegal = state.check(1, &cell(3, 3)).unwrap_err();
    assert_eq!(illegal.why, "(3,3) is neither in column 1 nor in row 1, where the cursor is");
    assert_eq!(illegal.french, "(3,3) n'est ni dans la colonne 1 ni dans la ligne 1 du curseur");
}

#[test]
fn an_absent_seat_takes_the_first_cell_of_the_list() {
    let mut state = start(&[("board", EXAMPLE)], 2, 0);
    assert_eq!(state.absent(0), Absent::Plays(cell(1, 1)));
    state.play(&[(0, cell(3, 1))]);
    state.play(&[(1, cell(3, 5))]);
    assert_eq!(state.absent(0), Absent::Plays(cell(1, 5)));
}

#[test]
fn options_are_what_they_say() {
    let setup = setup_of(&*start(&[], 2, 7));
    assert_eq!((setup.size, setup.players, setup.start), (8, 2, CURSOR));
    let cursor = setup.values[usize::from(setup.cursor_y) - 1][usize::from(setup.cursor_x) - 1];
    assert_eq!((cursor, setup.values.as_flattened().iter().filter(|value| **value > 0).count()), (0, 63));
    let setup = setup_of(&*start(&[("size", "20")], 9, 7));
    assert_eq!((setup.size, setup.players), (20, 9));
    assert_eq!(setup.values.as_flattened().iter().filter(|value| **value > 0).count(), 399);
    let spaced = "\n 7 # 4 5 6 \n\n15857\r\n45691 / 43262\n99873";
    assert_eq!(setup_of(&*start(&[("board", spaced)], 2, 0)), setup_of(&*start(&[("board", EXAMPLE)], 2, 1)));
    for size in ["5", "8", "08"] {
        assert!(try_prepare(&[("board", EXAMPLE), ("size", size)], 2).is_ok(), "{size}: its own size, or the default");
    }

    let refused = |pairs: &[(&str, &str)], seats| try_prepare(pairs, seats).err().unwrap().key;
    for size in ["3", "21", "-8", "eight", ""] {
        assert_eq!(refused(&[("size", size)], 2), "size");
    }
    assert_eq!(refused(&[("size", "6"), ("board", EXAMPLE)], 2), "size");
    assert_eq!(refused(&[("start", "middle")], 2), "start");
    assert_eq!(refused(&[], 1), "seats");
    assert_eq!(refused(&[], 10), "seats");
}

#[test]
fn a_wrong_board_is_told_by_line_and_column() {
    let place = |text: &str, kind: &str| {
        let bad = try_prepare(&[("board", text), ("start", kind)], 2).err().unwrap();
        assert_eq!(bad.key, "board");
        (bad.place.unwrap(), bad.why)
    };
    let cases = [
        ("1234\n12x4\n", (2, 3), "'x' is neither a digit"),
        ("1204\n", (1, 3), "'0' is neither a digit"),
        ("12#4\n1#34\n", (2, 2), "a second cursor"),
        ("12#4\n 123\n1234\n1234\n", (2, 2), "this row has 3 squares; it needs 4"),
        ("12#4\n12345\n", (2, 5), "a square too many: this row may have 4"),
        ("12#4/5678/1234/5678/1", (1, 21), "a row too many"),
        ("12#4\n5678\n1234\n", (3, 5), "the board ends after 3 rows; it needs 4"),
        ("12#45\n56781\n12345\n12345", (4, 6), "the board ends after 4 rows; it needs 5"),
        ("1234\n5678\n1234\n5678\n", (4, 5), "the board has no cursor"),
        ("#12", (1, 1), "this row has 3 squares; it needs 4"),
        ("", (1, 1), "the board ends after 0 rows; it needs 4"),
        ("123456789123456789123", (1, 21), "a square too many: this row may have 20"),
        ("no-such-file.txt", (1, 1), "'n' is neither a digit"),
    ];
    for (text, at, why) in cases {
        let found = place(text, "cursor");
        assert!(found.0 == at && found.1.starts_with(why), "{text:?}: {found:?}");
    }
    assert_eq!(place("1234/12#4", "anywhere").0, (1, 8));
    assert!(try_prepare(&[("board", "1234/1234/1234/1234"), ("start", "anywhere")], 2).is_ok());
}

#[test]
fn moves_are_read_with_brackets_and_commas() {
    let state = start(&[], 2, 0);
    for text in ["2 5", "(2,5)", " ( 2 , 5 ) ", "2,5", "2;5", "2\t5"] {
        assert_eq!(state.read(text), Some(cell(2, 5)), "{text}");
    }
    for text in ["", "2", "2 5 1", "b5", "2.5", "-2 5", "300 1", "2 5 x"] {
        assert_eq!(state.read(text), None, "{text}");
    }
    assert_eq!(state.write(&cell(2, 5)), "2 5");
}

/// The boards of recorded matches must come back in every later version.
#[test]
fn a_seed_draws_the_same_board_for_ever() {
    let setup = setup_of(&*start(&[("size", "4")], 2, 1));
    let rows: Vec<String> =
        setup.values[..4].iter().map(|row| row[..4].iter().map(u8::to_string).collect::<String>()).collect();
    assert_eq!((rows.join("/"), setup.cursor_x, setup.cursor_y), ("4389/8278/4582/4720".to_owned(), 4, 4));
    assert_eq!(start(&[("size", "4")], 2, 1).hash(), 662_432_335_511_537_239);
}

#[test]
fn values_and_cursors_are_drawn_evenly() {
    let (mut values, mut columns, mut rows) = ([0u32; 10], [0u32; 5], [0u32; 5]);
    for number in 0..4_000 {
        let setup = setup_of(&*start(&[("size", "4")], 2, number));
        setup.values[..4].iter().flat_map(|row| &row[..4]).for_each(|value| values[usize::from(*value)] += 1);
        columns[usize::from(setup.cursor_x)] += 1;
        rows[usize::from(setup.cursor_y)] += 1;
    }
    assert_eq!((values[0], columns[0], rows[0]), (4_000, 0, 0));
    assert!(values[1..].iter().all(|count| count.abs_diff(60_000 / 9) < 350), "{values:?}");
    assert!(columns[1..].iter().chain(&rows[1..]).all(|count| count.abs_diff(1_000) < 120), "{columns:?} {rows:?}");
}

#[test]
fn the_picture_shows_the_board_as_the_course_does() {
    let mut state = start(&[("board", EXAMPLE)], 2, 0);
    state.play(&[(0, cell(2, 5))]);
    let scene = state.scene(None, Language::English);
    assert_eq!(scene.path, [Stroke::Shot(vec![1, 21])], "from the square of the cursor to the card");
    let text = scene.to_text();
    let expected = "\
        1 7  .  4  5  6\n\
        2 1  5  8  5  7\n\
        3 4  5  6  9  1\n\
        4 4  3  2  6  2\n\
        5 9 [.] 8  7  3\n  \
          1  2  3  4  5\n\
        seat 2: column 2 or row 5\n\
        last cards\n  seat 1: 9 in column 2, row 5\n\
        points\n  seat 1:    9\n  seat 2:    0\n";
    assert_eq!(text, expected);
}

#[test]
fn the_pages_of_rules_show_a_board_that_can_be_played_and_every_option() {
    for page in [include_str!("../../docs/rules/tirs-croises.md"), include_str!("../../docs/rules/tirs-croises.fr.md")]
    {
        let board = page.split("```board\n").nth(1).unwrap().split("```").next().unwrap();
        assert_eq!(setup_of(&*start(&[("board", board)], 2, 0)), setup_of(&*start(&[("board", EXAMPLE)], 2, 0)));
        for option in Game::<TirsCroises>::ENTRY.facts().options {
            let row = page.lines().find(|line| line.starts_with(&format!("| `{}` |", option.key))).unwrap();
            assert!(row.ends_with(&format!("| `{}` |", option.default)), "{row}");
        }
    }
}

proptest! {
    /// A match by any choice of moves, beside rules written as plainly as can be.
    #[test]
    fn random_matches_follow_the_plain_rules(number: u64, size in 4usize..=7, seats in 2usize..=9, anywhere: bool) {
        let kind = if anywhere { "anywhere" } else { "cursor" };
        let mut state = start(&[("size", &size.to_string()), ("start", kind)], seats, number);
        let setup = setup_of(&*state);
        let mut board = setup.values;
        let mut cursor = (setup.cursor_x, setup.cursor_y);
        let (mut points, mut told) = ([0u16; 9], vec![Vec::new(); seats]);
        let mut rng = rng_from(&[number as u8; 32]);
        for ply in 0.. {
            let free = |x: u8, y: u8| cursor == (0, 0) || x == cursor.0 || y == cursor.1;
            let mut cells: Vec<(u8, u8)> = (1..=size as u8)
                .flat_map(|y| (1..=size as u8).map(move |x| (x, y)))
                .filter(|&(x, y)| board[usize::from(y) - 1][usize::from(x) - 1] > 0 && free(x, y))
                .collect();
            let mut listed = legal(&*state);
            prop_assert!(cursor == (0, 0) || listed.is_sorted_by_key(|&(x, y)| (y != cursor.1, x, y)));
            listed.sort_unstable();
            cells.sort_unstable();
            prop_assert_eq!(&listed, &cells);
            if cells.is_empty() {
                break;
            }
            let seat = ply % seats;
            prop_assert_eq!(mover(&*state), seat);
            let turn = turn_of(&*state, seat);
            prop_assert_eq!((turn.cursor_x, turn.cursor_y, turn.values, turn.scores), (cursor.0, cursor.1, board, points));
            prop_assert_eq!(usize::from(turn.num_legal), cells.len());
            prop_assert_eq!(&turn.events[..usize::from(turn.num_events)], &told[seat][..]);
            let mv = state.sample(seat, &mut rng);
            let Move { x, y } = read(mv.as_slice()).unwrap();
            let gain = std::mem::take(&mut board[usize::from(y) - 1][usize::from(x) - 1]);
            told[seat].clear();
            told.iter_mut().enumerate().filter(|(other, _)| *other != seat)
                .for_each(|(_, heard)| heard.push(Event { seat: seat as u8, x, y, gain }));
            (cursor, points[seat]) = ((x, y), points[seat] + u16::from(gain));
            state.play(&[(seat, mv)]);
        }
        prop_assert!(state.to_move().is_empty());
        prop_assert_eq!(state.scores().values, points[..seats].iter().map(|p| i64::from(*p)).collect::<Vec<_>>());
    }

    /// Whatever a file has in it is a board or refused with a place.
    #[test]
    fn any_text_is_a_board_or_refused(text in "([1-9#/ \n]{0,60}|\\PC{0,40})", anywhere: bool) {
        let kind = if anywhere { "anywhere" } else { "cursor" };
        if let Err(bad) = try_prepare(&[("board", &text), ("start", kind)], 2) {
            prop_assert!(bad.key == "board" && bad.place.is_some());
        }
    }
}

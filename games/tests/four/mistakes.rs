//! Which mistakes in a new game the laws notice, and which only the game's own tests can: laws know no lines and no
//! discs.
//!
//! | mistake | noticed by |
//! |---|---|
//! | full column accepted, column listed twice | `exactly_the_legal_moves_are_accepted` |
//! | biased sample | `samples_are_legal_and_uniform` |
//! | secret shown | `redeals_look_the_same` |
//! | hidden without redeal | `redeals_differ` |
//! | winner 2 and loser 1, draw 7 to 1 | `scores_are_worth_what_is_said` |
//! | seat 0 always wins | `every_seat_can_win` |
//! | a secret shown to one seat though nothing is hidden | `every_seat_is_shown_the_same` |
//! | hash without the board | `the_hash_tells_states_apart` |
//! | turn without the board | `turns_tell_states_apart` |
//! | option ignored | `every_option_changes_matches` |
//! | option not told to the seats, or not in what a match is replayed from | `every_option_is_told` |
//! | a diagonal ignored, a move dropping two discs | the game's own tests |

use super::LAWS;
use super::four::{AnyFour, Four, Mistake};
use agon_games::{AnyGame, AnyState, Game, MoveBytes, Opening, Options};

/// A game with a mistake.
macro_rules! with {
    (blind $mistake:ident) => {
        &Game::<AnyFour<true, { Mistake::$mistake as u8 }>>::ENTRY
    };
    ($mistake:ident) => {
        &Game::<AnyFour<false, { Mistake::$mistake as u8 }>>::ENTRY
    };
}

/// The name of the mistake's test, the mistake, the law that notices it, and what it says.
macro_rules! noticed {
    ($($name:ident: $($mistake:ident)+, $law:literal, $words:literal;)*) => { $(
        #[test]
        fn $name() {
            let (_, law) = LAWS.iter().find(|(name, _)| *name == $law).unwrap();
            let why = law.check(with!($($mistake)+)).unwrap_err();
            assert!(why.contains($words), "{why}");
        }
    )* };
}

noticed! {
    full_column_accepted: AcceptsFullColumn, "exactly_the_legal_moves_are_accepted", "accepted but not listed";
    column_listed_twice: ListsColumnTwice, "exactly_the_legal_moves_are_accepted", "listed twice";
    biased_sample: SamplesLeft, "samples_are_legal_and_uniform", "not uniform";
    secret_shown: blind ShowsSecret, "redeals_look_the_same", "sees what it must not";
    hidden_without_redeal: blind NeverRedeals, "redeals_differ", "1 states in 16 redeals";
    winner_two_and_loser_one: LosesWithOne, "scores_are_worth_what_is_said", "are not of Outcome";
    draw_seven_to_one: DrawsSevenToOne, "scores_are_worth_what_is_said", "[7, 1]";
    seat_0_always_wins: FirstSeatWins, "every_seat_can_win", "seats [1] never win";
    more_shown_to_one_seat: ShowsOneSeatMore, "every_seat_is_shown_the_same", "differ between seats";
    hash_without_the_board: HashesNoBoard, "the_hash_tells_states_apart", "that differ have the hash";
    turn_without_the_board: TurnsWithoutBoard, "turns_tell_states_apart", "is told the same";
    option_ignored: IgnoresSize, "every_option_changes_matches", "size=5 changes nothing";
    option_not_told_to_the_seats: SetsUpNoSize, "every_option_is_told", "neither setup nor turn tells it";
    option_not_told_to_a_replay: ResolvesNoSize, "every_option_is_told", "leaves what is resolved and drawn";
}

/// The first law that a game breaks.
fn broken_law(game: &dyn AnyGame) -> Option<&'static str> {
    LAWS.iter().find(|(_, law)| law.check(game).is_err()).map(|(name, _)| *name)
}

/// The state after moves into these columns.
fn after(game: &dyn AnyGame, columns: &[u32]) -> Box<dyn AnyState> {
    let mut state = game.prepare(&Options::default(), 2).unwrap().start(&Opening::ANY);
    for (turn, column) in columns.iter().enumerate() {
        state.play(&[(turn % 2, MoveBytes::new(&column.to_le_bytes()))]);
    }
    state
}

/// A line of seat 0 that falls to the right.
const FALLING: [u32; 11] = [3, 2, 2, 1, 1, 0, 1, 0, 0, 6, 0];

fn falling_line_wins(game: &dyn AnyGame) -> bool {
    after(game, &FALLING).scores().values == [1, 0]
}

fn one_disc_falls(game: &dyn AnyGame) -> bool {
    let cells = after(game, &[3]).scene(None, agon_games::Language::English).cells;
    cells.iter().filter(|cell| cell.piece != agon_games::Piece::Empty).count() == 1
}

#[test]
fn a_forgotten_diagonal_is_for_the_games_own_tests() {
    assert!(falling_line_wins(&Game::<Four>::ENTRY));
    assert!(!falling_line_wins(with!(ForgetsDiagonal)));
    assert_eq!(broken_law(with!(ForgetsDiagonal)), None, "the table above is out of date");
}

#[test]
fn two_discs_at_once_are_for_the_games_own_tests() {
    assert!(one_disc_falls(&Game::<Four>::ENTRY));
    assert!(!one_disc_falls(with!(DropsTwo)));
    assert_eq!(broken_law(with!(DropsTwo)), None, "the table above is out of date");
}

//! The laws that every game keeps, held over the list of games, over games that are not in it, and against one that
//! breaks one. `AGON_LAWS=NAME` holds them over that game alone.

mod choices;
mod facts;
mod fair;
#[path = "four/four.rs"]
mod four;
mod hidden;
mod leaky;
#[path = "four/mistakes.rs"]
mod mistakes;
mod moves;
#[path = "sixth/nim.rs"]
mod nim;
mod states;
mod told;
mod turns;
mod walk;
mod worth;

use agon_games::amazons::Amazons;
use agon_games::tirs_croises::TirsCroises;
use agon_games::{AnyGame, GAMES, Game, Options};
use walk::{Law, Verdict, at_random, exhaustively};

/// Games that are not in the list.
const UNLISTED: &[&dyn AnyGame] =
    &[&Game::<nim::Nim>::ENTRY, &Game::<four::Four>::ENTRY, &Game::<four::BlindFour>::ENTRY];

/// All games, or the one that `AGON_LAWS` names.
fn asked() -> impl Iterator<Item = &'static dyn AnyGame> {
    let all = || GAMES.iter().chain(UNLISTED).copied();
    let name = std::env::var("AGON_LAWS").ok();
    let is_asked = move |game: &&dyn AnyGame| name.as_ref().is_none_or(|name| game.facts().name == name);
    assert!(all().any(|game| is_asked(&game)), "AGON_LAWS names no game; it is spelled as in Facts: connect_four");
    all().filter(is_asked)
}

/// The range of a law.
enum Over {
    Games(fn(&dyn AnyGame) -> Verdict),
    Positions(Law),
}

impl Over {
    /// Whether the game keeps the law.
    fn check(&self, game: &dyn AnyGame) -> Verdict {
        match self {
            Over::Games(law) => law(game),
            Over::Positions(law) => at_random(game, *law).and_then(|()| exhaustively(game, *law)),
        }
    }
}

/// All laws by name, and one test a law.
macro_rules! laws {
    ($($over:ident: $($module:ident::$law:ident)*;)*) => {
        const LAWS: &[(&str, Over)] = &[$($((stringify!($law), Over::$over($module::$law)),)*)*];
        $($(
            #[test]
            fn $law() {
                let law = Over::$over($module::$law);
                asked().for_each(|game| law.check(game).unwrap());
            }
        )*)*
    };
}

laws! {
    Positions:
        moves::exactly_the_legal_moves_are_accepted
        moves::samples_are_legal_and_uniform
        moves::notation_is_read_back
        moves::absent_moves_are_legal
        moves::whoever_is_out_has_lost
        states::views_are_well_formed
        states::states_are_consistent
        states::copies_are_independent
        hidden::redeals_look_the_same
        told::every_seat_is_shown_the_same
        worth::scores_are_worth_what_is_said;
    Games:
        states::replays_are_equal
        states::what_is_drawn_is_told
        states::the_seed_matters_if_the_game_says_so
        states::matches_end
        fair::blocks_cancel_what_a_seat_is_worth
        turns::sets_of_orders_cancel_what_a_predecessor_is_worth
        hidden::redeals_can_be_played
        hidden::redeals_differ
        facts::names_are_well_formed
        facts::the_header_names_every_field
        facts::options_are_checked
        choices::every_option_changes_matches
        choices::every_option_is_told
        told::the_option_for_it_varies_openings
        told::what_is_a_seats_own_differs
        told::turns_tell_states_apart
        told::the_hash_tells_states_apart
        worth::what_a_match_is_worth_makes_sense
        worth::draws_happen_if_the_game_says_so
        worth::every_seat_can_win;
}

#[test]
fn words_of_the_command_line_are_options_of_their_game() {
    for facts in GAMES.iter().map(|game| game.facts()) {
        for (key, value) in facts.shorthand.iter().flat_map(|short| short.keys) {
            assert!(facts.options.iter().any(|option| option.key == *key), "{} has no option {key}", facts.name);
            assert!(value.chars().all(|c| c.is_ascii_uppercase()), "{value} is what a value is called");
        }
    }
}

#[test]
fn names_are_unique() {
    let mut names: Vec<_> = GAMES.iter().map(|game| game.facts().name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), GAMES.len());
}

#[test]
fn without_all_its_rotations_a_block_is_not_fair() {
    let mut options = Options::default();
    options.set("board", "mini-2");
    let setting = Game::<Amazons>::ENTRY.prepare(&options, 2).unwrap();
    let (mean, error) = fair::score_of_first(&*setting, 1);
    assert!((mean - 0.5).abs() > 4.0 * error, "{mean} +- {error}");
}

#[test]
fn rotations_of_one_cyclic_order_are_not_fair_in_turns() {
    let setting = Game::<TirsCroises>::ENTRY.prepare(&Options::default(), 3).unwrap();
    let (mean, error) = turns::lead_of_first(&*setting, &[vec![0, 1, 2]]);
    assert!(mean.abs() > 4.0 * error, "{mean} +- {error}");
}

#[test]
fn a_game_that_leaks_one_card_breaks_the_law() {
    let broken = at_random(&Game::<leaky::Leaky>::ENTRY, hidden::redeals_look_the_same).unwrap_err();
    assert!(broken.contains("sees what it must not"), "{broken}");
}

//! The law of options: each one changes how a match goes, or what it is worth.

use super::walk::{Verdict, hold, legal, play_out};
use agon_games::{AnyGame, AnyState, Opening, Options, Rng, Scores, rng_from, seed_of};

/// Matches compared.
const MATCHES: u64 = 8;

/// The example of each option makes matches that differ from those without the option, in legal moves or scores.
pub fn every_option_changes_matches(game: &dyn AnyGame) -> Verdict {
    let facts = game.facts();
    for option in facts.options {
        let with = Options::from_pairs(option.example);
        let changed = with.get(option.key).is_some_and(|value| value != option.default);
        hold(changed, || format!("{}: the example of {} leaves it as it is", facts.name, option.key))?;
        let mut without = Options::default();
        with.iter().filter(|(key, _)| *key != option.key).for_each(|(key, value)| without.set(key, value));
        let seats = (facts.seats.0..=facts.seats.1)
            .find(|seats| game.prepare(&with, *seats).is_ok() && game.prepare(&without, *seats).is_ok());
        let seats = seats.ok_or_else(|| format!("{}: nobody can play the example of {}", facts.name, option.key))?;
        let differ = matches(game, &with, seats) != matches(game, &without, seats);
        hold(differ, || format!("{}: {} changes nothing", facts.name, option.example))?;
    }
    Ok(())
}

/// The legal moves of all turns of a match, one after the other, and how it ended.
type Course = (Vec<Vec<u8>>, Scores);

fn matches(game: &dyn AnyGame, options: &Options, seats: usize) -> Vec<Course> {
    let setting = game.prepare(options, seats).unwrap();
    let play = |number| {
        let (mut state, mut rng) = (setting.start(&Opening::numbered(number)), rng_from(&seed_of(number + 1000)));
        let mut moves = vec![];
        let mut list = |state: &dyn AnyState, _, _: &mut Rng| {
            for seat in state.to_move().iter() {
                moves.extend(legal(state, seat).iter().map(|mv| mv.as_slice().to_vec()));
            }
            Ok(())
        };
        play_out(&mut *state, &mut rng, &mut list).unwrap();
        (moves, state.scores())
    };
    (0..MATCHES).map(play).collect()
}

//! The laws of options: each one changes how a match goes, or what it is worth, and is told to whoever plays or replays
//! it.

use super::walk::{Verdict, hold, legal, play_out};
use agon_abi::Blob;
use agon_games::{AnyGame, AnyState, Opening, OptionFact, Options, PreparedSetting, Rng, Scores, rng_from, seed_of};

/// Matches compared.
const MATCHES: u64 = 8;

/// The example of each option makes matches that differ from those without the option, in legal moves or scores.
pub fn every_option_changes_matches(game: &dyn AnyGame) -> Verdict {
    let name = game.facts().name;
    for option in game.facts().options {
        let changed = Options::from_pairs(option.example).get(option.key).is_some_and(|value| value != option.default);
        hold(changed, || format!("{name}: the example of {} leaves it as it is", option.key))?;
        let [with, without] = with_and_without(game, option)?;
        let differ = (0..MATCHES).any(|number| course(&*with, number).differs_from(&course(&*without, number)));
        hold(differ, || format!("{name}: {} changes nothing", option.example))?;
    }
    Ok(())
}

/// Every effect of an option is told: as fields, from which a match is replayed, and to the seats, in setup or turn, no
/// later than their moves differ.
pub fn every_option_is_told(game: &dyn AnyGame) -> Verdict {
    for option in game.facts().options {
        let settings = with_and_without(game, option)?;
        let say = |what: &str| format!("{}: {} {what}", game.facts().name, option.example);
        let [with, without] = settings.each_ref().map(|setting| {
            let drawn = (0..MATCHES).map(|number| setting.drawn(&Opening::numbered(number)));
            (setting.resolved(), drawn.collect::<Vec<_>>())
        });
        hold(with != without, || say("leaves what is resolved and drawn as it is"))?;
        let is_told = |number| {
            let [with, without] = settings.each_ref().map(|setting| course(&**setting, number));
            with.differs_from(&without) && with.is_told_from(&without)
        };
        hold((0..MATCHES).any(is_told), || say("changes matches, but neither setup nor turn tells it"))?;
    }
    Ok(())
}

/// A setting by the example of the option, and one by the same without it.
fn with_and_without(game: &dyn AnyGame, option: &OptionFact) -> Result<[Box<dyn PreparedSetting>; 2], String> {
    let with = Options::from_pairs(option.example);
    let mut without = Options::default();
    with.iter().filter(|(key, _)| *key != option.key).for_each(|(key, value)| without.set(key, value));
    let (fewest, most) = game.facts().seats;
    let both = |seats| Some([game.prepare(&with, seats).ok()?, game.prepare(&without, seats).ok()?]);
    let found = (fewest..=most).find_map(both);
    found.ok_or_else(|| format!("{}: nobody can play the example of {}", game.facts().name, option.key))
}

/// How a match went: what was shown and which moves were legal, turn by turn, and how it ended.
struct Course {
    shown: Vec<Blob>,
    moves: Vec<Vec<Vec<u8>>>,
    scores: Scores,
}

impl Course {
    fn differs_from(&self, other: &Course) -> bool {
        self.moves != other.moves || self.scores != other.scores
    }

    /// Whether something else was shown no later than other moves were legal.
    fn is_told_from(&self, other: &Course) -> bool {
        let alike = self.moves.iter().zip(&other.moves).take_while(|(one, other)| one == other).count();
        self.shown.iter().zip(&other.shown).take(alike + 1).any(|(one, other)| one != other)
    }
}

fn course(setting: &dyn PreparedSetting, number: u64) -> Course {
    let (mut state, mut rng) = (setting.start(&Opening::numbered(number)), rng_from(&seed_of(number + 1000)));
    let (mut shown, mut moves) = (vec![], vec![]);
    let mut list = |state: &dyn AnyState, turn, _: &mut Rng| {
        let mut blob = Blob::new();
        (0..setting.seats()).filter(|_| turn == 0).for_each(|seat| state.setup(seat, &mut blob));
        state.to_move().iter().for_each(|seat| state.turn(seat, &mut blob));
        shown.push(blob);
        let each = state.to_move().iter().flat_map(|seat| legal(state, seat));
        moves.push(each.map(|mv| mv.as_slice().to_vec()).collect());
        Ok(())
    };
    play_out(&mut *state, &mut rng, &mut list).unwrap();
    Course { shown, moves, scores: state.scores() }
}

//! Laws of what seats are told: in a game that hides nothing all are shown the same and enough to follow the match, and
//! the hash tells states apart that differ.

use super::walk::{Answers, Position, Verdict, hold, joint_moves, legal, play_out, random_answers, settings};
use agon_abi::Blob;
use agon_games::{
    AnyGame, AnyState, Language, Opening, Options, PreparedSetting, Rng, Seat, Tells, Varied, rng_from, seed_of,
};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// States of each setting and opening.
const STATES: usize = 2_000;

/// Where nothing is hidden, the picture is the same for all seats, and setup and turn too unless something of them is a
/// seat's own.
pub fn every_seat_is_shown_the_same(at: &Position, _: &mut Rng) -> Verdict {
    let facts = at.game.facts();
    if facts.hidden {
        return Ok(());
    }
    let first = at.state.scene(Some(0), Language::English);
    for seat in 1..at.seats {
        let same = at.state.scene(Some(seat), Language::English) == first;
        hold(same, || format!("nothing is hidden, but seat {seat} sees another picture than seat 0"))?;
    }
    hold(!facts.own.is_empty() || are_shown_the_same(at.state, at.seats), || {
        "nothing is hidden, and no seat has something of its own, but setup or turn differ between seats".to_owned()
    })
}

fn are_shown_the_same(state: &dyn AnyState, seats: usize) -> bool {
    (1..seats).all(|seat| setup(state, seat) == setup(state, 0) && turn(state, seat) == turn(state, 0))
}

fn setup(state: &dyn AnyState, seat: Seat) -> Blob {
    let mut blob = Blob::new();
    state.setup(seat, &mut blob);
    blob
}

fn turn(state: &dyn AnyState, seat: Seat) -> Blob {
    let mut blob = Blob::new();
    state.turn(seat, &mut blob);
    blob
}

/// The option that a game names for it lets matches begin differently; it is not named for a setting where it does not.
pub fn the_option_for_it_varies_openings(game: &dyn AnyGame) -> Verdict {
    let facts = game.facts();
    let Some((key, value)) = facts.varied else { return Ok(()) };
    let seats = facts.seats.0;
    let default = facts.complete(&Options::default()).map_err(|bad| bad.to_string())?;
    let starts = |options: &Options| -> usize {
        let mut options = options.clone();
        options.set(key, value);
        let Ok(setting) = game.prepare(&options, seats) else { return 0 };
        (0..20).map(|number| setting.start(&Opening::numbered(number)).hash()).collect::<HashSet<_>>().len()
    };
    let count = starts(&default);
    hold(count > 5, || format!("{}: {count} starts of 20 with {key}={value}", facts.name))?;
    for options in facts.small_options().iter().chain([&default]) {
        let (count, is_named) = (starts(options), Varied::of(game, &[options], seats).is_some());
        let is_right = is_named == (count > 1 && options.get(key) != Some(value));
        hold(is_right, || {
            format!("{}: {key}={value} is named: {is_named}, but starts are {count}: {options:?}", facts.name)
        })?;
    }
    Ok(())
}

/// A game that says that a seat is shown something of its own does so.
pub fn what_is_a_seats_own_differs(game: &dyn AnyGame) -> Verdict {
    let facts = game.facts();
    if facts.own.is_empty() {
        return Ok(());
    }
    hold(!facts.hidden, || format!("{}: what is hidden is not said in Facts.own", facts.name))?;
    let mut rng = rng_from(&seed_of(8));
    for (_, setting) in settings(game) {
        let (mut state, mut differ) = (setting.start(&Opening::numbered(2)), false);
        play_out(&mut *state, &mut rng, &mut |state, _, _| {
            differ |= !are_shown_the_same(state, setting.seats());
            Ok(())
        })?;
        if differ {
            return Ok(());
        }
    }
    Err(format!("{}: {:?} is a seat's own, but all are shown the same", facts.name, facts.own))
}

/// Where nothing is hidden, whoever is asked knows the state: states that differ by their hash are told otherwise.
pub fn turns_tell_states_apart(game: &dyn AnyGame) -> Verdict {
    if game.facts().hidden {
        return Ok(());
    }
    let tells = game.facts().tells;
    for (name, setting) in settings(game) {
        let mut known = HashMap::new();
        explore(&*setting, &mut |state, heard| {
            for seat in state.to_move().iter() {
                let before = if tells == Tells::Events { heard[seat] } else { digest(setup(state, seat).bytes()) };
                let told = digest((seat, before, turn(state, seat).bytes()));
                let (one, other) = (*known.entry(told).or_insert(state.hash()), state.hash());
                hold(one == other, || {
                    format!("{name}: seat {seat} is told the same in the states {one:016x} and {other:016x}")
                })?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// States of one setting with the same hash have the same pieces, seats to move, legal moves and scores.
pub fn the_hash_tells_states_apart(game: &dyn AnyGame) -> Verdict {
    for (name, setting) in settings(game) {
        let mut known = HashMap::new();
        explore(&*setting, &mut |state, _| {
            let (hash, seen) = (state.hash(), what_matters(state));
            let same = *known.entry(hash).or_insert(seen) == seen;
            hold(same, || format!("{name}: two states that differ have the hash {hash:016x}"))
        })?;
    }
    Ok(())
}

fn what_matters(state: &dyn AnyState) -> u64 {
    let cells = state.scene(None, Language::English).cells;
    let pieces: Vec<_> = cells.iter().map(|cell| (cell.at, format!("{:?}", cell.piece))).collect();
    let moves: Vec<_> = state.to_move().iter().map(|seat| (seat, sorted_moves(state, seat))).collect();
    let scores = state.scores();
    digest((pieces, moves, scores.values, scores.tie_break))
}

fn sorted_moves(state: &dyn AnyState, seat: Seat) -> Vec<Vec<u8>> {
    let mut moves: Vec<_> = legal(state, seat).iter().map(|mv| mv.as_slice().to_vec()).collect();
    moves.sort_unstable();
    moves
}

fn digest(what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// Shows `visit` states of three openings, those below one another first, each with a digest of all that every seat was
/// told and did.
fn explore(setting: &dyn PreparedSetting, visit: &mut dyn FnMut(&dyn AnyState, &[u64]) -> Verdict) -> Verdict {
    let mut rng = rng_from(&seed_of(9));
    for number in 0..3 {
        let start = setting.start(&Opening::numbered(number));
        let heard: Vec<u64> = (0..setting.seats()).map(|seat| digest(setup(&*start, seat).bytes())).collect();
        let mut open = vec![(start, heard)];
        for _ in 0..STATES {
            let Some((state, heard)) = open.pop() else { break };
            visit(&*state, &heard)?;
            for answers in some_answers(&*state, &mut rng) {
                let heard = hear(&*state, &heard, &answers);
                let mut next = state.clone_box();
                next.play(&answers);
                open.push((next, heard));
            }
        }
    }
    Ok(())
}

/// All answers where they are few, else three at random.
fn some_answers(state: &dyn AnyState, rng: &mut Rng) -> Vec<Answers> {
    let ways = state.to_move().iter().map(|seat| legal(state, seat).len()).fold(1, usize::saturating_mul);
    if ways <= 40 { joint_moves(state) } else { (0..3).map(|_| random_answers(state, rng)).collect() }
}

/// The knowledge of the seats after their answers.
fn hear(state: &dyn AnyState, heard: &[u64], answers: &Answers) -> Vec<u64> {
    let mut heard = heard.to_vec();
    for (seat, mv) in answers {
        heard[*seat] = digest((heard[*seat], turn(state, *seat).bytes(), mv.as_slice()));
    }
    heard
}

//! Ways through a game: a match by random moves, and every state of a small game, each state handed to a law.

use agon_games::{AnyGame, AnyState, MoveBytes, Opening, Options, PreparedSetting, Rng, Seat, rng_from, seed_of};
use std::ops::ControlFlow;

/// The finding of a law: nothing, or the thing that broke it.
pub type Verdict = Result<(), String>;

/// The moves of one turn.
pub type Answers = Vec<(Seat, MoveBytes)>;

/// More turns than any match has.
const TOO_LONG: usize = 20_000;

/// A state on the way, and what it belongs to.
pub struct Position<'a> {
    pub game: &'a dyn AnyGame,
    pub seats: usize,
    /// The start of its match.
    pub start: &'a dyn AnyState,
    pub state: &'a dyn AnyState,
    /// Turns played.
    pub turn: usize,
}

/// A law that each position keeps.
pub type Law = fn(&Position, &mut Rng) -> Verdict;

/// Fails with what `what` says, unless the condition holds.
pub fn hold(condition: bool, what: impl FnOnce() -> String) -> Verdict {
    if condition { Ok(()) } else { Err(what()) }
}

/// The default options and the small ones, each with few, some and many seats.
pub fn settings(game: &dyn AnyGame) -> Vec<(String, Box<dyn PreparedSetting>)> {
    let facts = game.facts();
    let mut all = vec![];
    for options in std::iter::once(Options::default()).chain(facts.small_options()) {
        let counts = seat_counts(game, &options);
        let mut chosen = [counts[0], counts[counts.len() / 2], counts[counts.len() - 1]].to_vec();
        chosen.dedup();
        for seats in chosen {
            let name = format!("{} with {seats} seats, {:?}", facts.name, options.iter().collect::<Vec<_>>());
            all.push((name, game.prepare(&options, seats).unwrap()));
        }
    }
    all
}

/// The numbers of seats that options allow, which may be fewer than the game has.
fn seat_counts(game: &dyn AnyGame, options: &Options) -> Vec<usize> {
    let (fewest, most) = game.facts().seats;
    let counts: Vec<_> = (fewest..=most).filter(|seats| game.prepare(options, *seats).is_ok()).collect();
    assert!(!counts.is_empty(), "{}: no number of seats can play {options:?}", game.facts().name);
    counts
}

/// All legal moves.
pub fn legal(state: &dyn AnyState, seat: Seat) -> Vec<MoveBytes> {
    let mut moves = vec![];
    state.legal(seat, &mut |mv| {
        moves.push(mv);
        ControlFlow::Continue(())
    });
    moves
}

/// A random move for each seat that is to move.
pub fn random_answers(state: &dyn AnyState, rng: &mut Rng) -> Answers {
    state.to_move().iter().map(|seat| (seat, state.sample(seat, rng))).collect()
}

/// Plays on to the end, and shows each state before its turn to `visit`; the last one, too.
pub fn play_out(
    state: &mut dyn AnyState,
    rng: &mut Rng,
    visit: &mut dyn FnMut(&dyn AnyState, usize, &mut Rng) -> Verdict,
) -> Verdict {
    for turn in 0..TOO_LONG {
        visit(state, turn, rng)?;
        if state.to_move().is_empty() {
            return Ok(());
        }
        let answers = random_answers(state, rng);
        state.play(&answers);
    }
    Err(format!("the match is not over after {TOO_LONG} turns"))
}

/// Holds the law in every position of random matches.
pub fn at_random(game: &dyn AnyGame, law: Law) -> Verdict {
    for (name, setting) in settings(game) {
        for number in 0..4 {
            let mut state = setting.start(&Opening::numbered(number));
            let start = state.clone_box();
            let mut visit = |state: &dyn AnyState, turn: usize, rng: &mut Rng| {
                law(&Position { game, seats: setting.seats(), start: &*start, state, turn }, rng)
                    .map_err(|what| format!("{name}, seed {number}, turn {turn}: {what}"))
            };
            play_out(&mut *state, &mut rng_from(&seed_of(number + 1000)), &mut visit)?;
        }
    }
    Ok(())
}

/// Holds the law in every position of the small games, up to a number of positions each.
pub fn exhaustively(game: &dyn AnyGame, law: Law) -> Verdict {
    for options in game.facts().small_options() {
        let seats = seat_counts(game, &options)[0];
        let setting = game.prepare(&options, seats).map_err(|bad| bad.to_string())?;
        let mut left = 20_000;
        let mut rng = rng_from(&seed_of(1));
        let start = setting.start(&Opening::numbered(0));
        let mut open = vec![(start.clone_box(), 0)];
        while let Some((state, turn)) = open.pop() {
            law(&Position { game, seats, start: &*start, state: &*state, turn }, &mut rng)
                .map_err(|what| format!("{} {options:?}, turn {turn}: {what}", game.facts().name))?;
            left -= 1;
            if left == 0 {
                break;
            }
            for answers in joint_moves(&*state) {
                let mut next = state.clone_box();
                next.play(&answers);
                open.push((next, turn + 1));
            }
        }
    }
    Ok(())
}

/// Every way in which the seats to move can answer.
pub fn joint_moves(state: &dyn AnyState) -> Vec<Answers> {
    if state.to_move().is_empty() {
        return vec![];
    }
    state.to_move().iter().fold(vec![vec![]], |ways, seat| {
        let moves = legal(state, seat);
        let with = |way: &Answers| moves.iter().map(|mv| [way.as_slice(), &[(seat, *mv)]].concat()).collect::<Vec<_>>();
        ways.iter().flat_map(with).collect()
    })
}

//! A match of any game: bytes of moves that a client may send, and texts that a person may type. The first three bytes
//! are the game, its small options and the seed. What is accepted is played; where nothing is, a legal move goes on.

use agon_games::{AnyState, GAMES, Language, MoveBytes, Opening, Options, PreparedSetting, Rng, Seat, rng_from};
use std::sync::LazyLock;

/// The most plies of a match here.
const PLIES: usize = 60;

/// Each game with each of its small options, worked out once.
static SETTINGS: LazyLock<Vec<Box<dyn PreparedSetting>>> = LazyLock::new(|| {
    let of_game = |game: &&'static dyn agon_games::AnyGame| {
        let facts = game.facts();
        let all = facts.small_options().into_iter().chain([Options::default()]);
        let seats = [facts.seats.0, facts.seats.1];
        all.flat_map(move |options| seats.map(|seats| (options.clone(), seats))).collect::<Vec<_>>()
    };
    let prepared = |game: &'static dyn agon_games::AnyGame| {
        of_game(&game).into_iter().filter_map(|(options, seats)| game.prepare(&options, seats).ok()).collect::<Vec<_>>()
    };
    GAMES.iter().flat_map(|game| prepared(*game)).collect()
});

pub fn run(bytes: &[u8]) {
    let [setting, seed, rest @ ..] = bytes else { return };
    let setting = &SETTINGS[usize::from(*setting) % SETTINGS.len()];
    let mut state = setting.start(&Opening { number: u64::from(*seed), seed: [*seed; 32] });
    let (mut rng, mut rest) = (rng_from(&[*seed; 32]), rest);
    for _ in 0..PLIES {
        let movers: Vec<Seat> = state.to_move().iter().collect();
        if movers.is_empty() || rest.is_empty() {
            break;
        }
        let answers: Vec<_> = movers.iter().map(|&seat| (seat, choose(&*state, seat, &mut rest, &mut rng))).collect();
        state.play(&answers);
        let _ = (state.hash(), state.scores());
    }
    let _ = state.scene(None, Language::French);
}

/// The move in the next bytes, if the rules accept it, else a legal move. The first byte holds their number, and
/// whether they are text.
fn choose(state: &dyn AnyState, seat: Seat, rest: &mut &[u8], rng: &mut Rng) -> MoveBytes {
    let Some((&first, after)) = rest.split_first() else { return state.sample(seat, rng) };
    let (taken, left) = after.split_at(usize::from(first & 31).min(after.len()));
    *rest = left;
    let said = if first & 128 == 0 {
        Some(MoveBytes::new(taken))
    } else {
        std::str::from_utf8(taken).ok().and_then(|text| state.read(text))
    };
    match said {
        Some(mv) if state.check(seat, &mv).is_ok() => {
            assert_eq!(state.read(&state.write(&mv)), Some(mv), "a legal move reads as it was written");
            mv
        }
        _ => state.sample(seat, rng),
    }
}

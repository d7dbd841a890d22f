//! Random play of any game, to see how fast its rules are.

use crate::{Opening, Options, Rules, rng_from};
use std::sync::Arc;

/// Plays `matches` random matches with the default options and `seats` seats, and says how many.
pub(crate) fn play_randomly<R: Rules>(seats: usize, matches: u64) -> u64 {
    let Some(setting) = R::FACTS.complete(&Options::default()).ok().and_then(|all| R::prepare(&all, seats).ok()) else {
        return 0;
    };
    let setting = Arc::new(setting);
    let mut rng = rng_from(&[1; 32]);
    for number in 0..matches {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&number.to_le_bytes());
        let mut state = R::start(&setting, seats, &Opening { number, seed });
        while !state.to_move().is_empty() {
            let answers: Vec<_> = state.to_move().iter().map(|seat| (seat, state.sample(seat, &mut rng))).collect();
            state.play(&answers);
        }
    }
    matches
}

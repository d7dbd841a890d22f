//! Plays a match again from its record, without its clients.

use crate::{Step, StoredMatch, opening};
use agon_games::{AnyGame, AnyState};

/// Passes each turn to `each`: the state before it and its steps. Returns the last state.
///
/// # Errors
/// These rules cannot play the record, for this reason; `each` has seen the turns before.
pub fn replay(
    stored: &StoredMatch,
    game: &dyn AnyGame,
    each: &mut dyn FnMut(&dyn AnyState, &[Step]),
) -> Result<Box<dyn AnyState>, String> {
    replay_from(start(stored, game)?, &stored.played.steps, each)
}

/// The state after this number of turns; 0 = the start.
///
/// # Errors
/// The match has fewer turns, or fails as in `replay`.
pub fn state_after(stored: &StoredMatch, game: &dyn AnyGame, turns: u32) -> Result<Box<dyn AnyState>, String> {
    let (id, last) = (&stored.played.id, stored.played.plies());
    if turns > last {
        return Err(format!("match {id} has no turn {turns}; help: 0 (the start) to {last}"));
    }
    let until = stored.played.steps.partition_point(|step| step.ply < turns);
    replay_from(start(stored, game)?, &stored.played.steps[..until], &mut |_, _| {})
}

fn start(stored: &StoredMatch, game: &dyn AnyGame) -> Result<Box<dyn AnyState>, String> {
    let options = stored.ladder.options(stored.setting).ok_or("its setting is not in the record")?;
    let setting = game.prepare(&options, stored.ladder.seats).map_err(|bad| bad.to_string())?;
    Ok(setting.start(&opening(stored.ladder.seed, stored.opening)))
}

/// Replays from a state, which is the start of the match.
pub fn replay_from(
    mut state: Box<dyn AnyState>,
    steps: &[Step],
    each: &mut dyn FnMut(&dyn AnyState, &[Step]),
) -> Result<Box<dyn AnyState>, String> {
    for steps in steps.chunk_by(|a, b| a.ply == b.ply) {
        let turn = steps[0].ply + 1;
        // Rules may rely on checked moves, and the record may be older than the rules.
        let movers = state.to_move();
        let fits = steps.iter().all(|step| movers.has(step.seat) && state.check(step.seat, &step.mv).is_ok());
        if !fits || steps.len() != movers.count() {
            return Err(format!("these rules refuse turn {turn}"));
        }
        each(&*state, steps);
        let moves: Vec<_> = steps.iter().map(|step| (step.seat, step.mv)).collect();
        state.play(&moves);
        if state.hash() != steps[0].hash {
            return Err(format!("these rules come to another state after turn {turn}"));
        }
    }
    Ok(state)
}

//! A ladder played for its speed, with nothing kept.

use crate::error::RunError;
use crate::prepared::prepare;
use crate::workers::{self, BlockOutcome, Next};
use agon_arena::referee::Excuses;
use agon_config::Ladder;
use agon_games::AnyGame;
use agon_model::Paths;
use agon_record::Store;
use std::sync::atomic::AtomicBool;

/// Plays a whole ladder and keeps nothing of it, to see how fast it goes; says how many matches were played.
///
/// # Errors
/// As for `run`; a void block is one, too.
pub fn rehearse(ladder: &Ladder, games: &[&dyn AnyGame], places: &Paths) -> Result<u64, RunError> {
    let cores = workers::share_cores(ladder.jobs, ladder.limits.threads).map_err(RunError::Config)?;
    let store = Store::open(&places.out)?;
    let prepared = prepare(ladder, games, places, &store, &mut |_| {})?;
    let row = prepared.new_row();
    let schedule = prepared.schedule(row.seed, &[], row.balances_turns());
    let (mut blocks, mut matches) = (schedule.blocks(), 0);
    let mut done = |outcomes: Vec<BlockOutcome>| {
        outcomes.into_iter().try_for_each(|outcome| match outcome {
            BlockOutcome::Played(played) => {
                matches += played.matches.len() as u64;
                Ok(())
            }
            BlockOutcome::Void(_, cause) | BlockOutcome::Broken(cause) => Err(RunError::Internal(cause)),
        })
    };
    let mut next = || Ok(blocks.next().map_or(Next::None, Next::Block));
    prepared.play(places, (&row, &Excuses::default()), &cores, &AtomicBool::new(false), &mut next, &mut done)?;
    Ok(matches)
}

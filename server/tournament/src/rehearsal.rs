//! Plays a ladder to measure its speed, and keeps nothing.

use crate::prepared::{PlayContext, prepare, speed_of};
use crate::schedule::KeptDrawing;
use agon_arena::referee::Excuses;
use agon_crew::cores::take_cores;
use agon_crew::{BlockOutcome, Coordinator, Next};
use agon_games::AnyGame;
use agon_model::{Block, Ladder, Paths};
use agon_record::{RunError, SqliteRecord};
use std::sync::atomic::AtomicBool;

/// Plays a whole ladder without keeping anything, to measure its speed; returns the number of matches.
///
/// # Errors
/// The same as for `run`; a void block is an error as well.
pub fn rehearse(ladder: &Ladder, games: &[&dyn AnyGame], paths: &Paths) -> Result<u64, RunError> {
    let cores = take_cores(ladder.jobs, ladder.limits.threads).map_err(RunError::Config)?;
    let speed = &speed_of(ladder, &cores.jobs)?;
    let record = SqliteRecord::open(&paths.out)?;
    let prepared = prepare(ladder, games, paths, &record, &mut |_| {})?;
    let row = prepared.new_row();
    let schedule = prepared.schedule((row.seed, &[]), &mut KeptDrawing::default())?;
    let mut rehearsal = Rehearsal { blocks: schedule.blocks(), matches: 0 };
    let (excuses, stop) = (Excuses::default(), AtomicBool::new(false));
    let (row, excuses, stop) = (&row, &excuses, &stop);
    let playing =
        PlayContext { paths, row, excuses, ids: None, cores: &cores.jobs, speed, stop, exchange: None, live: None };
    prepared.play(playing, &mut rehearsal)?;
    Ok(rehearsal.matches)
}

/// The remaining blocks, and the number of matches played.
struct Rehearsal<B> {
    blocks: B,
    matches: u64,
}

impl<B: Iterator<Item = Block>> Coordinator for Rehearsal<B> {
    type Error = RunError;

    fn next(&mut self) -> Result<Next, RunError> {
        Ok(self.blocks.next().map_or(Next::None, Next::Block))
    }

    fn done(&mut self, outcomes: Vec<BlockOutcome>) -> Result<(), RunError> {
        outcomes.into_iter().try_for_each(|outcome| match outcome {
            BlockOutcome::Played(played, _) => {
                self.matches += played.matches.len() as u64;
                Ok(())
            }
            BlockOutcome::Void(_, cause) => Err(RunError::Internal(cause)),
            BlockOutcome::Broken(error) => Err(error),
        })
    }
}

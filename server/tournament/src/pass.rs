//! One pass through the schedule of a ladder: it skips, leaves out or plays each block in its turn, and keeps the
//! result. The controller decides about suspensions and the end.

use crate::changes::{ChangeContext, Changes};
use crate::controller::{Came, Controller, EarlyEnd, Permission};
use crate::event::RunEvent;
use crate::participants::Participants;
use crate::rounds::NextStage;
use crate::source::Source;
use agon_crew::{BlockOutcome, Coordinator, Next};
use agon_model::{Block, EntrantId, Excuse, Ladder, PlayedBlock, Suspension, SuspensionKind, named_if_slow};
use agon_record::{EncodedBlock, Record, RunError};
use std::time::Instant;

/// How a pass through the schedule ended.
pub struct PassEnd {
    /// The reason for an early end, if any.
    pub early: Option<EarlyEnd>,
    /// The number of matches left out.
    pub skipped: u64,
    /// The number of void matches.
    pub voids: u64,
}

/// The decision about a block when its turn comes.
enum Fate {
    /// A judgement before it depends on blocks under way.
    Waits,
    /// No more blocks are played.
    TooLate,
    /// It was played before.
    Known(Came),
    /// A suspended client would play it, or its stage is closed.
    LeftOut,
    Plays,
}

/// A pass through the schedule.
pub struct Pass<'a> {
    participants: Participants<'a>,
    source: Source<'a>,
    controller: Controller<'a>,
    changes: Changes,
    /// Digest of the schedule.
    digest: String,
    bench_after: u32,
    /// The block that waits for a judgement.
    held: Option<Block>,
    /// The number of blocks given out and not done.
    under_way: usize,
    /// The number of recorded blocks that the pass has not met yet: at 0 it need not ask the record.
    unseen: u64,
    skipped: u64,
    voids: u64,
    record: &'a mut dyn Record,
    tell: &'a mut dyn FnMut(RunEvent),
}

impl Coordinator for Pass<'_> {
    type Error = RunError;

    fn next(&mut self) -> Result<Next, RunError> {
        while !self.looks_outdated()? && !self.controller.is_over() {
            let Some(block) = self.held.take().or_else(|| self.source.next_block()) else {
                match self.draw()? {
                    Some(next) => return Ok(next),
                    None => continue,
                }
            };
            match self.fate(&block)? {
                Fate::Known(came) => self.controller.close(&block, came),
                Fate::LeftOut => self.leave_out(&block),
                Fate::Plays => return Ok(Next::Block(self.hand_out(block))),
                Fate::Waits => {
                    self.held = Some(block);
                    return Ok(Next::NotYet);
                }
                Fate::TooLate => break,
            }
        }
        Ok(Next::None)
    }

    /// Keeps the results of some blocks, and the played ones in one transaction.
    fn done(&mut self, outcomes: Vec<BlockOutcome>) -> Result<(), RunError> {
        self.keep_excuses()?;
        if outcomes.is_empty() {
            (self.tell)(RunEvent::Waiting);
            return Ok(());
        }
        let encoded = outcomes.iter().filter_map(|outcome| match outcome {
            BlockOutcome::Played(_, encoded) => encoded.as_ref(),
            _ => None,
        });
        let encoded: Vec<&EncodedBlock> = encoded.collect();
        let what = || "the record, to keep results".to_owned();
        self.participants.retry.until_done(|| named_if_slow(what, || self.record.keep_blocks(&encoded)))?;
        outcomes.into_iter().try_for_each(|outcome| self.close(outcome))
    }
}

impl<'a> Pass<'a> {
    /// Begins at the start of the schedule.
    pub fn new(
        participants: Participants<'a>,
        ladder: &Ladder,
        changes: Changes,
        controller: Controller<'a>,
        record: &'a mut dyn Record,
        tell: &'a mut dyn FnMut(RunEvent),
    ) -> Result<Pass<'a>, RunError> {
        Ok(Pass {
            source: Source::of(ladder, &participants, record)?,
            controller,
            changes,
            digest: participants.schedule.digest(),
            bench_after: ladder.bench_after,
            held: None,
            under_way: 0,
            unseen: record.count_blocks(participants.row.id)?,
            skipped: 0,
            voids: 0,
            participants,
            record,
            tell,
        })
    }

    /// Returns how the pass ended; `None` if the schedule should be passed through again with other clients.
    pub fn end(mut self) -> Result<Option<PassEnd>, RunError> {
        self.keep_excuses()?;
        let Pass { participants, source, controller, changes, record, tell, skipped, voids, .. } = &mut self;
        if controller.early_end().is_none() {
            let mut context = ChangeContext { participants, record: &**record, controller, tell };
            // A tournament drawn from results is over when its last stage is.
            if changes.look_last(&mut context, matches!(source, Source::Fixed(_)))? {
                return Ok(None);
            }
        }
        Ok(Some(PassEnd { early: controller.early_end(), skipped: *skipped, voids: *voids }))
    }

    /// When the first block was given out, in this pass or an earlier one.
    pub fn began(&self) -> Option<Instant> {
        self.controller.began()
    }

    /// Whether changed files or suspensions require another pass through the schedule.
    fn looks_outdated(&mut self) -> Result<bool, RunError> {
        let Pass { participants, controller, changes, record, tell, .. } = self;
        changes.look(&mut ChangeContext { participants, record: &**record, controller, tell })
    }

    /// Decides about a block whose turn has come.
    fn fate(&mut self, block: &Block) -> Result<Fate, RunError> {
        match self.controller.may_begin(block.number) {
            Permission::NotYet => return Ok(Fate::Waits),
            permission => {
                self.keep_suspensions()?;
                if permission == Permission::Refused {
                    return Ok(Fate::TooLate);
                }
            }
        }
        if let Some(came) = self.recall(block)? {
            return Ok(Fate::Known(came));
        }
        let is_left_out = self.controller.has_suspended(block) || self.source.is_closed();
        Ok(if is_left_out { Fate::LeftOut } else { Fate::Plays })
    }

    fn hand_out(&mut self, block: Block) -> Block {
        self.controller.begin(&block);
        self.under_way += 1;
        block
    }

    fn leave_out(&mut self, block: &Block) {
        self.skipped += block.rotations as u64;
        self.controller.close(block, Came::default());
        (self.tell)(RunEvent::Skipped(block.rotations as u64));
    }

    /// The recorded result of a block, as far as it is judged; `None` if it was not played.
    fn recall(&mut self, block: &Block) -> Result<Option<Came>, RunError> {
        let ladder = self.participants.row.id;
        if self.unseen == 0 {
            return Ok(None);
        }
        if !self.controller.judges() {
            let is_played = self.record.has_block(ladder, &block.id)?;
            self.unseen -= u64::from(is_played);
            return Ok(is_played.then(Came::default));
        }
        // A player that is no longer in the ladder has the highest possible index.
        let index = |player: EntrantId| self.participants.index(player).unwrap_or(usize::MAX);
        let Some(matches) = self.record.block_outcomes(ladder, &block.id, &index)? else { return Ok(None) };
        self.unseen -= 1;
        Ok(Some(Came { pardoned: self.controller.suspensions().pardoned_in(&matches), matches }))
    }

    /// Draws the next stage, if all results that it depends on are there; `None` = there are blocks again.
    fn draw(&mut self) -> Result<Option<Next>, RunError> {
        let Source::Drawn(rounds) = &mut self.source else { return Ok(Some(Next::None)) };
        if self.under_way > 0 {
            return Ok(Some(Next::NotYet));
        }
        let is_out = |entrant: usize, number: u64| self.controller.suspensions().is_out(entrant, number);
        if !rounds.close(&self.participants, self.record, &is_out)? {
            (self.tell)(RunEvent::Note(
                "what follows is drawn when the void blocks are played: start the ladder again",
            ));
            return Ok(Some(Next::None));
        }
        match rounds.draw(&self.participants, self.record, &is_out)? {
            NextStage::Known => Ok(None),
            NextStage::New(text, matches) => {
                (self.tell)(RunEvent::Drawn(&text, matches.saturating_sub(self.skipped)));
                Ok(None)
            }
            NextStage::Over => Ok(Some(Next::None)),
        }
    }

    /// Records the clients that the controller has suspended.
    fn keep_suspensions(&mut self) -> Result<(), RunError> {
        for (failing, since) in self.controller.take_failing() {
            let (count, fault, id) = (self.bench_after, failing.fault.name(), &failing.id);
            let why = format!("{count} failures in a row, the last one {fault}: agon show {id}");
            let schedule = self.digest.clone();
            let suspension = Suspension { kind: SuspensionKind::Benched, by_hand: false, why, since, schedule };
            let (ladder, entrant) = (self.participants.row.id, self.participants.ids[failing.entrant]);
            self.participants.retry.until_done(|| self.record.suspend(ladder, entrant, &suspension))?;
            let label = &self.participants.entrants[failing.entrant].label;
            (self.tell)(RunEvent::Benched(&format!("{label} is benched from block {since} on: {}", suspension.why)));
        }
        Ok(())
    }

    /// Records excuses at once, so that they count after any interruption.
    fn keep_excuses(&mut self) -> Result<(), RunError> {
        let number = |(entrant, excuse): (usize, Excuse)| (self.participants.ids[entrant], excuse);
        let excuses: Vec<(EntrantId, Excuse)> = self.participants.excuses.take_news().into_iter().map(number).collect();
        if !excuses.is_empty() {
            self.participants.retry.until_done(|| self.record.keep_excuses(self.participants.row.id, &excuses))?;
        }
        Ok(())
    }

    /// Counts the result of a block; played blocks are kept already.
    fn close(&mut self, outcome: BlockOutcome) -> Result<(), RunError> {
        self.under_way -= 1;
        match outcome {
            BlockOutcome::Played(played, _) => self.close_played(&played),
            BlockOutcome::Void(block, cause) => self.close_void(&block, &cause)?,
            BlockOutcome::Broken(error) => return Err(error),
        }
        Ok(())
    }

    fn close_played(&mut self, played: &PlayedBlock) {
        self.controller.close_played(played);
        (self.tell)(RunEvent::Played(played, self.participants.entrants));
    }

    fn close_void(&mut self, block: &Block, cause: &str) -> Result<(), RunError> {
        self.voids += block.rotations as u64;
        self.controller.close(block, Came::default());
        let (row, retry) = (self.participants.row, self.participants.retry);
        retry.until_done(|| self.record.keep_void(row.id, &block.id, cause))?;
        (self.tell)(RunEvent::Void(cause));
        Ok(())
    }
}

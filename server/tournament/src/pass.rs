//! One way through the schedule of a ladder: which block is next, what is kept of it, who is set aside on the way, and
//! whether the clients are still those that it began with.

use super::enough::{Enough, Seen, SeenSeat, seen};
use super::participants::Participants;
use super::rounds::{NextStage, Rounds};
use super::stops::Stops;
use super::suspensions::Suspensions;
use super::watch::Watch;
use super::{RunError, RunEvent};
use crate::schedule::{Failing, FailureStreaks};
use crate::workers::{BlockOutcome, Next};
use agon_config::Ladder;
use agon_model::Appearance;
use agon_model::{Block, Excuse, Suspension, SuspensionKind};
use agon_record::{KeptMatch, MatchSeat, Store};
use std::time::{Duration, Instant};

/// How often files are looked at, and what was changed by hand.
const PATIENCE: Duration = Duration::from_secs(1);

/// How a pass through the schedule ended.
pub struct PassEnd {
    /// Whether somebody stopped it.
    pub stopped: bool,
    /// Whether the rule for stopping had seen enough.
    pub enough: bool,
    /// The key of `[stop]` that has ended the ladder, with its value.
    pub stopped_by: Option<String>,
    /// How many matches were left out.
    pub skipped: u64,
    /// How many matches were void.
    pub voids: u64,
}

/// Where blocks come from.
enum Source<'a> {
    /// A schedule that is known from the beginning.
    Fixed(Box<dyn Iterator<Item = Block> + 'a>),
    /// Pairings that follow from results.
    Drawn(Box<Rounds>),
}

/// A way through the schedule.
pub struct Pass<'a> {
    participants: Participants<'a>,
    source: Source<'a>,
    /// Blocks handed out and not done.
    under_way: usize,
    /// The block that waits until its stretch may begin.
    held: Option<Block>,
    failure_streaks: FailureStreaks,
    digest: String,
    disable_after: u32,
    suspensions: Suspensions,
    watch: Option<Watch>,
    looked: Instant,
    /// Blocks that were in the record when the pass began and were not met yet: without any, the record need not be
    /// asked.
    unseen: u64,
    outdated: bool,
    skipped: u64,
    enough: Option<Enough<'a>>,
    stops: Stops,
    voids: u64,
    store: &'a mut Store,
    tell: &'a mut dyn FnMut(RunEvent),
}

impl Source<'_> {
    fn next_block(&mut self) -> Option<Block> {
        match self {
            Source::Fixed(blocks) => blocks.next(),
            Source::Drawn(rounds) => rounds.next_block(),
        }
    }

    /// Whether what is not played of these blocks stays so.
    fn is_closed(&self) -> bool {
        matches!(self, Source::Drawn(rounds) if rounds.is_closed())
    }
}

impl<'a> Pass<'a> {
    /// From the beginning, with those set aside whom the record has.
    pub fn new(
        participants: Participants<'a>,
        ladder: &Ladder,
        watch: Option<Watch>,
        (enough, stops): (Option<Enough<'a>>, Stops),
        store: &'a mut Store,
        tell: &'a mut dyn FnMut(RunEvent),
    ) -> Result<Pass<'a>, RunError> {
        let source = match ladder.system.is_drawn() {
            true => Source::Drawn(Box::new(Rounds::new(ladder, store.stages(participants.row.id)?))),
            false => Source::Fixed(Box::new(participants.schedule.blocks())),
        };
        let digest = participants.schedule.digest();
        Ok(Pass {
            participants,
            source,
            under_way: 0,
            held: None,
            failure_streaks: FailureStreaks::new(ladder.disable_after),
            disable_after: ladder.disable_after,
            suspensions: Suspensions::read(store, &participants, &digest)?,
            digest,
            watch,
            looked: Instant::now(),
            unseen: store.count_blocks(participants.row.id)?,
            outdated: false,
            skipped: 0,
            enough,
            stops,
            voids: 0,
            store,
            tell,
        })
    }

    /// How the pass ended; `None` where the schedule should be gone through again, with others.
    pub fn end(&mut self, stopped: bool) -> Result<Option<PassEnd>, RunError> {
        let (enough, stopped_by) = (self.has_enough(), self.stops.reached().map(str::to_owned));
        if !stopped && !enough && stopped_by.is_none() && self.is_outdated()? {
            return Ok(None);
        }
        Ok(Some(PassEnd { stopped, enough, stopped_by, skipped: self.skipped, voids: self.voids }))
    }

    fn has_enough(&self) -> bool {
        self.enough.as_ref().is_some_and(Enough::is_reached)
    }

    /// When the first block was handed out, in this pass or in one before.
    pub fn began(&self) -> Option<Instant> {
        self.stops.began()
    }

    /// The next block that is to be played.
    pub fn next(&mut self) -> Result<Next, RunError> {
        self.look()?;
        self.stops.look();
        while !self.outdated && !self.has_enough() && self.stops.reached().is_none() {
            let Some(block) = self.held.take().or_else(|| self.source.next_block()) else {
                match self.draw()? {
                    Some(next) => return Ok(next),
                    None => continue,
                }
            };
            if !self.is_judged(block.number)? {
                self.held = Some(block);
                return Ok(Next::NotYet);
            }
            if self.stops.reached().is_some() {
                break;
            }
            if self.is_played(&block)? {
                self.see_again(&block)?;
                continue;
            }
            if self.has_aside(&block) || self.source.is_closed() {
                self.skipped += block.rotations as u64;
                self.see(&block, Vec::new());
                (self.tell)(RunEvent::Skipped(block.rotations as u64));
                continue;
            }
            self.failure_streaks.hand_out(block.number);
            self.stops.hand_out(block.number);
            self.under_way += 1;
            return Ok(Next::Block(block));
        }
        Ok(Next::None)
    }

    /// Judges failures and precision where that is due before a block; false = not yet, blocks that count are under
    /// way.
    fn is_judged(&mut self, number: u64) -> Result<bool, RunError> {
        let place = self.failure_streaks.is_checkpoint(number);
        if (place && !self.failure_streaks.is_ready(number)) || !self.stops.is_ready(number) {
            return Ok(false);
        }
        if place {
            for failing in self.failure_streaks.judge(number) {
                self.context(&failing, number)?;
            }
        }
        self.stops.judge(number, &|entrant| self.suspensions.is_out(entrant, number));
        Ok(true)
    }

    fn see(&mut self, block: &Block, matches: Vec<Seen>) {
        self.stops.close(block, &matches);
        if let Some(enough) = &mut self.enough {
            enough.see(block, matches);
        }
    }

    /// Shows a block that was played before to what may stop the ladder.
    fn see_again(&mut self, block: &Block) -> Result<(), RunError> {
        if self.enough.is_none() && !self.stops.judges() {
            return Ok(());
        }
        let seat = |MatchSeat { player, rank, is_fault, is_crash }: &MatchSeat| {
            let entrant = self.participants.index(*player).unwrap_or(usize::MAX);
            SeenSeat { entrant, rank: *rank, is_fault: *is_fault, is_crash: *is_crash }
        };
        let kept = self.store.kept_matches(self.participants.row.id, &block.id)?.into_iter();
        let seen =
            |kept: KeptMatch| Seen { seats: kept.seats.iter().map(seat).collect(), start: kept.start, game: kept.game };
        let matches = kept.map(seen).collect();
        self.see(block, matches);
        Ok(())
    }

    /// Goes on to what is drawn next, when all that it follows from is played; `None` = there are blocks again.
    fn draw(&mut self) -> Result<Option<Next>, RunError> {
        let Source::Drawn(rounds) = &mut self.source else { return Ok(Some(Next::None)) };
        if self.under_way > 0 {
            return Ok(Some(Next::NotYet));
        }
        let is_out = |entrant: usize, number: u64| self.suspensions.is_out(entrant, number);
        if !rounds.close(&self.participants, self.store, &is_out)? {
            (self.tell)(RunEvent::Note(
                "what follows is drawn when the void blocks are played: start the ladder again",
            ));
            return Ok(Some(Next::None));
        }
        match rounds.draw(&self.participants, self.store, &is_out)? {
            NextStage::Known => Ok(None),
            NextStage::New(text, matches) => {
                (self.tell)(RunEvent::Drawn(&text, matches.saturating_sub(self.skipped)));
                Ok(None)
            }
            NextStage::Over => Ok(Some(Next::None)),
        }
    }

    /// Whether somebody who is set aside would play a block.
    fn has_aside(&self, block: &Block) -> bool {
        block.lineup.iter().any(|entrant| self.suspensions.is_out(*entrant, block.number))
    }

    /// Whether a block is in the record; if so, its failures are counted.
    fn is_played(&mut self, block: &Block) -> Result<bool, RunError> {
        let ladder = self.participants.row.id;
        if self.unseen == 0 {
            return Ok(false);
        }
        if !self.failure_streaks.judges() {
            let is_played = self.store.has_block(ladder, &block.id)?;
            self.unseen -= u64::from(is_played);
            return Ok(is_played);
        }
        let Some((row, mut trials)) = self.store.trials(ladder, &block.id)? else { return Ok(false) };
        self.unseen -= 1;
        trials.retain_mut(|trial| {
            let entrant = self.participants.ids.iter().position(|id| *id == trial.entrant as i64);
            trial.entrant = entrant.unwrap_or(usize::MAX);
            entrant
                .is_some_and(|entrant| self.suspensions.pardoned.get(&entrant).is_none_or(|pardoned| row > *pardoned))
        });
        self.failure_streaks.close(block.number, trials);
        Ok(true)
    }

    /// Sets aside who failed too often; one who already is stays as it is.
    fn context(&mut self, failing: &Failing, since: u64) -> Result<(), RunError> {
        if self.suspensions.out.contains_key(&failing.entrant) {
            return Ok(());
        }
        self.suspensions.out.insert(failing.entrant, since);
        let (count, fault, id) = (self.disable_after, &failing.fault, &failing.id);
        let why = format!("{count} failures in a row, the last one {fault}: agon show {id}");
        let aside =
            Suspension { kind: SuspensionKind::Benched, by_hand: false, why, since, schedule: self.digest.clone() };
        let (ladder, entrant) = (self.participants.row.id, self.participants.ids[failing.entrant]);
        self.participants.retry.until_done(|| self.store.put_aside(ladder, entrant, &aside))?;
        let label = &self.participants.entrants[failing.entrant].label;
        (self.tell)(RunEvent::Note(&format!("{label} is benched from block {since} on: {}", aside.why)));
        Ok(())
    }

    /// Looks now and then whether files have changed, and whether somebody was set aside or let back by hand.
    fn look(&mut self) -> Result<(), RunError> {
        if self.looked.elapsed() < PATIENCE || self.outdated {
            return Ok(());
        }
        self.looked = Instant::now();
        self.outdated = self.has_change()?;
        Ok(())
    }

    fn has_change(&mut self) -> Result<bool, RunError> {
        let now = Suspensions::read(self.store, &self.participants, &self.digest)?;
        let is_back = |entrant: &usize| !now.out.contains_key(entrant);
        if now.pardoned != self.suspensions.pardoned || self.suspensions.out.keys().any(is_back) {
            return Ok(true);
        }
        for (entrant, since) in now.out {
            self.suspensions.out.entry(entrant).or_insert(since);
        }
        if self.watch.as_ref().is_some_and(Watch::is_closed) {
            (self.tell)(RunEvent::Note("the closing time is reached: the clients are looked at for the last time"));
            return Ok(true);
        }
        if self.watch.as_mut().is_some_and(Watch::is_outdated) {
            (self.tell)(RunEvent::Note("files have changed: the clients are looked at again"));
            return Ok(true);
        }
        Ok(false)
    }

    /// Whether the schedule should be gone through again, with others. A change that is under way is waited for.
    fn is_outdated(&mut self) -> Result<bool, RunError> {
        let mut outdated = self.outdated || self.has_change()?;
        while !outdated && self.watch.as_ref().is_some_and(Watch::is_unsettled) {
            std::thread::sleep(PATIENCE);
            outdated = self.has_change()?;
        }
        Ok(outdated)
    }

    /// Keeps what came of some blocks; those that were played in one transaction.
    pub fn done(&mut self, outcomes: Vec<BlockOutcome>) -> Result<(), RunError> {
        self.keep_excuses()?;
        if outcomes.is_empty() {
            (self.tell)(RunEvent::Waiting);
            return Ok(());
        }
        let (participants, store) = (self.participants, &mut *self.store);
        participants.retry.until_done(|| {
            let played = outcomes.iter().filter_map(|outcome| match outcome {
                BlockOutcome::Played(played) => Some(played),
                _ => None,
            });
            store.keep_blocks(participants.row.id, played, participants.ids)
        })?;
        outcomes.into_iter().try_for_each(|outcome| self.count(outcome))
    }

    /// Keeps for what clients were excused: at once, so that it counts after any interruption.
    pub fn keep_excuses(&mut self) -> Result<(), RunError> {
        let number = |(entrant, excuse): (usize, Excuse)| (self.participants.ids[entrant], excuse);
        let excuses: Vec<(i64, Excuse)> = self.participants.excuses.take_news().into_iter().map(number).collect();
        if !excuses.is_empty() {
            self.participants.retry.until_done(|| self.store.keep_excuses(self.participants.row.id, &excuses))?;
        }
        Ok(())
    }

    fn count(&mut self, outcome: BlockOutcome) -> Result<(), RunError> {
        self.under_way -= 1;
        match outcome {
            BlockOutcome::Played(played) => {
                self.failure_streaks.close(played.block.number, Appearance::all_of(&played));
                self.see(&played.block, seen(&played));
                (self.tell)(RunEvent::Played(&played, self.participants.entrants));
            }
            BlockOutcome::Void(block, cause) => {
                self.failure_streaks.close(block.number, Vec::new());
                self.voids += block.rotations as u64;
                self.see(&block, Vec::new());
                self.participants
                    .retry
                    .until_done(|| self.store.keep_void(self.participants.row.id, &block.id, &cause))?;
                (self.tell)(RunEvent::Void(&cause));
            }
            BlockOutcome::Broken(cause) => return Err(RunError::Internal(cause)),
        }
        Ok(())
    }
}

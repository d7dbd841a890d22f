//! The run of a ladder on one screen: admit, agree with the record, schedule, play, keep. The only place that connects
//! the stages.

use crate::changes::Changes;
use crate::compatibility::check_compatible;
use crate::controller::{Controller, Stopped};
use crate::enough::{Enough, StopRule};
use crate::event::{Beginning, Ended, RunEvent};
use crate::participants::Participants;
use crate::pass::{Pass, PassEnd};
use crate::prepared::{Playing, Posting, Prepared, prepare, speed_of};
use crate::retry::Retry;
use crate::rounds::{self, Count};
use crate::schedule::{FailureStreaks, Schedule};
use crate::stops::Stops;
use crate::suspensions::Suspensions;
use crate::watch::Watch;
use agon_arena::referee::Excuses;
use agon_config::Ladder;
use agon_crew::LiveBoards;
use agon_crew::RunError;
use agon_crew::cores::{TakenCores, take_cores};
use agon_crew::remote::BoardTally;
use agon_crew::workers::Patience;
use agon_games::AnyGame;
use agon_model::{MachineSpeed, Paths, counted};
use agon_record::board::{Board, OpenBoard};
use agon_record::{Kept, LadderRow, OpenRecord, Record};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How workers of other machines come to a ladder.
pub struct Remote<'a> {
    /// Opens their board.
    pub open: &'a OpenBoard<'a>,
    /// How long they may be silent.
    pub lease: Duration,
    /// What is counted of them.
    pub tally: &'a BoardTally,
}

/// How a ladder is run.
pub struct Running<'a> {
    /// Opens the record that it is played into.
    pub record: &'a OpenRecord<'a>,
    /// What becomes of what the record has of it.
    pub beginning: Beginning,
    /// Ends it when it is set, with the blocks under way.
    pub stop: &'a AtomicBool,
    /// Ends it when it has seen enough.
    pub rule: Option<&'a mut dyn StopRule>,
    /// How workers of other machines come to it, where there may be any.
    pub remote: Option<Remote<'a>>,
    /// Where those who look on see the matches under way.
    pub live: Option<&'a LiveBoards>,
}

/// Plays a ladder, from where it stopped if it was begun before, to its end, until `[stop]` of its file ends it, a stop
/// is asked for, or a rule has seen enough.
///
/// # Errors
/// The user's, or our own; what was kept stays.
pub fn run(
    ladder: &Ladder,
    games: &[&dyn AnyGame],
    paths: &Paths,
    running: Running,
    tell: &mut dyn FnMut(RunEvent),
) -> Result<Ended, RunError> {
    let Running { record, mut beginning, stop, rule, remote, live } = running;
    let cores = match ladder.jobs {
        Some(0) if remote.is_some() => TakenCores::default(),
        jobs => take_cores(jobs, ladder.limits.threads).map_err(RunError::Config)?,
    };
    let speed = speed_of(ladder, &cores.jobs)?;
    let patience = Patience::default();
    let retry = Retry { patience: &patience, stop };
    let record = retry.until_done(record)?;
    let board = remote.as_ref().map(|remote| retry.until_done(remote.open)).transpose()?;
    let board = board.zip(remote);
    let rule = rule.map(|rule| -> &mut dyn StopRule { rule });
    let (cores, speed) = (&cores.jobs, &speed);
    if speed.relative > 0.0 {
        let relative = speed.relative;
        tell(RunEvent::Note(&format!("this machine is {relative:.2} times as fast as the reference; times follow it")));
    }
    let mut run =
        Run { games, paths, cores, speed, stop, retry, record, board, live, rule, tell, goes_on: false, began: None };
    let mut now = ladder.clone();
    loop {
        if let Some(ended) = run.pass_through(&now, beginning)? {
            return Ok(ended);
        }
        // Files have changed, or blocks were taken out: once more from the beginning, with whoever is there now; what was played is passed over.
        beginning = Beginning::GoOn;
        now.clients = now.sources.look();
        now.warnings.clear();
    }
}

/// What stays the same when a ladder is gone through once more.
struct Run<'a> {
    games: &'a [&'a dyn AnyGame],
    paths: &'a Paths,
    cores: &'a [Vec<usize>],
    speed: &'a MachineSpeed,
    stop: &'a AtomicBool,
    retry: Retry<'a>,
    record: Box<dyn Record>,
    board: Option<(Box<dyn Board>, Remote<'a>)>,
    live: Option<&'a LiveBoards>,
    rule: Option<&'a mut dyn StopRule>,
    tell: &'a mut dyn FnMut(RunEvent),
    /// Whether it was gone through before.
    goes_on: bool,
    /// When the first match began that `[stop]` counts from.
    began: Option<Instant>,
}

impl Run<'_> {
    /// Once through the schedule, with those who take part now; `None` where it is gone through again.
    fn pass_through(&mut self, ladder: &Ladder, beginning: Beginning) -> Result<Option<Ended>, RunError> {
        let watch = Watch::new(ladder);
        let mut prepared = self.prepare(ladder)?;
        let (row, kept) = self.enter(&mut prepared, beginning)?;
        self.take_out(row.id)?;
        let schedule = prepared.schedule(row.seed, &kept.copies, row.balances_turns());
        self.warn_of_turn_order(&prepared, &schedule);
        let excuses = read_excuses(&*self.record, row.id, &kept.ids)?;
        let retry = self.retry;
        let participants = Participants {
            row: &row,
            entrants: &prepared.entrants,
            ids: &kept.ids,
            schedule: &schedule,
            excuses: &excuses,
            retry,
        };
        self.announce(&prepared, ladder, &participants)?;
        self.play(&prepared, ladder, participants, watch)
    }

    /// Everything before the first match that may have to wait for the machine, its warnings told once.
    fn prepare<'l>(&mut self, ladder: &'l Ladder) -> Result<Prepared<'l>, RunError>
    where
        Self: 'l,
    {
        let mut warnings = Once::default();
        let Run { games, paths, retry, record, tell, .. } = self;
        let mut tell = |event: RunEvent| warnings.pass(event, *tell);
        retry.until_done(|| prepare(ladder, games, paths, &**record, &mut tell))
    }

    /// Begins the ladder in the record, or goes on with it, with those who take part now.
    fn enter(&mut self, prepared: &mut Prepared, beginning: Beginning) -> Result<(LadderRow, Kept), RunError> {
        let Run { record, tell, retry, .. } = self;
        let row = retry.until_done(|| check_compatible(prepared, &mut **record, beginning, *tell))?;
        let kept = retry.until_done(|| record.keep_entrants(row.id, &mut prepared.entrants))?;
        if let Some(closing) = prepared.frozen {
            retry.until_done(|| record.freeze(row.id, closing.seconds()))?;
        }
        Ok((row, kept))
    }

    /// Told once: it stays so when files come or go.
    fn warn_of_turn_order(&mut self, prepared: &Prepared, schedule: &Schedule) {
        let is_first = !std::mem::replace(&mut self.goes_on, true);
        if let Some(order) = prepared.turn_order(schedule).filter(|order| is_first && !order.is_balanced()) {
            (self.tell)(RunEvent::Warning(order.to_string()));
        }
    }

    /// Says how much there is to play, and what of the disk it takes.
    fn announce(&mut self, prepared: &Prepared, ladder: &Ladder, participants: &Participants) -> Result<(), RunError> {
        let Count { known, to_come, done } = rounds::count(ladder, participants, &*self.record)?;
        let matches = known + to_come;
        let Participants { row, entrants, .. } = participants;
        (self.tell)(RunEvent::Ready { matches, done, jobs: self.cores.len(), ladder: row, entrants });
        (self.tell)(RunEvent::DiskEstimate(prepared.disk_estimate(&*self.record, matches.saturating_sub(done))?));
        Ok(())
    }

    /// Plays what is to be played; `None` where files have changed, or blocks were taken out of the record.
    fn play(
        &mut self,
        prepared: &Prepared,
        ladder: &Ladder,
        participants: Participants,
        watch: Option<Watch>,
    ) -> Result<Option<Ended>, RunError> {
        let digest = participants.schedule.digest();
        let controller = Controller::new(
            self.stop,
            Stops::new(ladder, participants.entrants.len(), participants.schedule, self.began),
            self.rule.as_mut().map(|rule| Enough::new(&mut **rule)),
            FailureStreaks::new(ladder.disable_after),
            Suspensions::read(&*self.record, &participants, &digest)?,
        );
        let changes = Changes::new(watch, digest);
        let mut pass = Pass::new(participants, ladder, changes, controller, &mut *self.record, &mut *self.tell)?;
        let Participants { row, excuses, ids, .. } = participants;
        let Run { paths, cores, speed, stop, live, .. } = *self;
        let posting = self.board.as_mut().map(|(board, remote)| {
            let Remote { lease, tally, .. } = *remote;
            Posting { board: &mut **board, lease, tally }
        });
        prepared.play(Playing { paths, row, excuses, ids: Some(ids), cores, speed, stop, posting, live }, &mut pass)?;
        self.began = pass.began();
        let end = pass.end()?;
        if end.as_ref().is_some_and(|end| !end.stopped.by_signal) && self.take_out(row.id)? {
            return Ok(None);
        }
        end.map(|end| self.sum_up(ladder, &participants, end)).transpose()
    }

    /// Takes out of the record what workers played who differed from two others; whether there was anything.
    fn take_out(&mut self, ladder: i64) -> Result<bool, RunError> {
        let Some((board, _)) = &mut self.board else { return Ok(false) };
        let blocks = self.retry.until_done(|| board.take_out(ladder))?;
        if blocks > 0 {
            let blocks = counted(blocks, "block", "blocks");
            let text = format!("{blocks} of workers that differed from two others will be played again by others");
            (self.tell)(RunEvent::Warning(text));
        }
        Ok(blocks > 0)
    }

    /// How the run ended, by the record.
    fn sum_up(&self, ladder: &Ladder, participants: &Participants, end: PassEnd) -> Result<Ended, RunError> {
        let Count { known, to_come, done } = rounds::count(ladder, participants, &*self.record)?;
        let PassEnd { stopped: Stopped { by_signal: stopped, enough, by_key }, skipped, voids } = end;
        // What was not drawn at the end will not be, or waits for blocks that are void.
        let left = known.saturating_sub(skipped) + if stopped { to_come } else { 0 };
        let matches = if by_key.is_some() && !stopped { done + voids } else { left };
        let scheduled = participants.schedule.scheduled_match_count().max(known + to_come);
        let games = ladder.stop.games.filter(|_| known < scheduled).map(|games| format!("games = {games}"));
        let stopped_by = by_key.or(games);
        let (ladder, idle) = (participants.row.clone(), self.began.is_none());
        Ok(Ended { done, ladder, matches, scheduled, stopped, idle, enough, stopped_by })
    }
}

/// Warnings that were told, since what waits for the machine is prepared again.
#[derive(Default)]
struct Once(BTreeSet<String>);

impl Once {
    fn pass(&mut self, event: RunEvent, tell: &mut dyn FnMut(RunEvent)) {
        if let RunEvent::Warning(text) = &event
            && !self.0.insert(text.clone())
        {
            return;
        }
        tell(event);
    }
}

/// For what those who take part were excused in this ladder before.
fn read_excuses(store: &dyn Record, ladder: i64, ids: &[i64]) -> Result<Excuses, RunError> {
    let members = store.members(ladder)?;
    let given = members.iter().filter_map(|member| Some((ids.iter().position(|id| *id == member.id)?, &member.voids)));
    Ok(Excuses::new(
        given.flat_map(|(entrant, voids)| voids.iter().map(move |(&excuse, &count)| ((entrant, excuse), count))),
    ))
}

//! The run of a ladder on one screen: admit, agree with the record, schedule, play, keep. Only this file connects the
//! stages.

use crate::benched::judge_again;
use crate::changes::Changes;
use crate::compatibility::check_compatible;
use crate::controller::{Controller, EarlyEnd};
use crate::enough::{Enough, StopRule};
use crate::event::{Beginning, Ended, RunEvent};
use crate::participants::Participants;
use crate::pass::{Pass, PassEnd};
use crate::prepared::{PlayContext, PreparedLadder, prepare, speed_of};
use crate::retry::Retry;
use crate::rounds::{self, Count};
use crate::schedule::{FailureStreaks, KeptDrawing, Schedule};
use crate::stops::{StopKey, Stops};
use crate::suspensions::Suspensions;
use crate::watch::Watch;
use agon_arena::referee::Excuses;
use agon_crew::cores::{TakenCores, take_cores};
use agon_crew::remote::WorkerExchange;
use agon_crew::threads::Patience;
use agon_files::patterns::find_files;
use agon_games::AnyGame;
use agon_model::{
    Closing, EntrantId, Isolation, Ladder, LadderId, LadderRow, LiveBoards, MachineSpeed, Paths, counted,
};
use agon_player::held_layers::warn_of_missing_layers;
use agon_record::exchange::{Exchange, OpenExchange};
use agon_record::{KeptEntrants, OpenRecord, Record, RunError};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The settings of a run.
pub struct RunSettings<'a> {
    /// Opens the record into which the ladder is played.
    pub record: &'a OpenRecord<'a>,
    /// The fate of old results in the record.
    pub beginning: Beginning,
    /// The flag that ends it, with the blocks under way.
    pub stop: &'a AtomicBool,
    /// The rule that ends it early.
    pub rule: Option<&'a mut dyn StopRule>,
    /// The way of other machines' workers to it, if there may be any.
    pub exchange: Option<WorkerExchange<'a, &'a OpenExchange<'a>>>,
    /// Where watchers see the matches under way.
    pub live: Option<&'a LiveBoards>,
}

/// Whether the layers that this machine lacks were reported: a command may run many ladders.
static WARNED: std::sync::Once = std::sync::Once::new();

/// Plays a ladder to its end, from where it stopped if it was begun before. It ends early by `[stop]` of its file, by a
/// stop, or by its rule.
///
/// # Errors
/// The user or the server is at fault; kept results stay.
pub fn run(
    ladder: &Ladder,
    games: &[&dyn AnyGame],
    paths: &Paths,
    settings: RunSettings,
    tell: &mut dyn FnMut(RunEvent),
) -> Result<Ended, RunError> {
    let RunSettings { record, beginning, stop, rule, exchange, live } = settings;
    let cores = match ladder.jobs {
        Some(0) if exchange.is_some() => TakenCores::default(),
        jobs => take_cores(jobs, ladder.limits.threads).map_err(RunError::Config)?,
    };
    if !cores.jobs.is_empty() && ladder.isolation != Isolation::None {
        WARNED.call_once(|| warn_of_layers(ladder, paths, tell));
    }
    let speed = speed_of(ladder, &cores.jobs)?;
    let patience = Patience::default();
    let retry = Retry { patience: &patience, stop };
    let record = retry.until_done(record)?;
    let exchange = exchange.map(|exchange| exchange.open(|open| retry.until_done(open))).transpose()?;
    note_speed(&speed, tell);
    let run = Run {
        games,
        paths,
        cores: &cores.jobs,
        speed: &speed,
        stop,
        retry,
        record,
        exchange,
        live,
        rule: rule.map(|rule| -> &mut dyn StopRule { rule }),
        tell,
        goes_on: false,
        seed_was_shown: false,
        drawing: KeptDrawing::default(),
        began: None,
    };
    run.play_through(ladder.clone(), beginning)
}

fn warn_of_layers(ladder: &Ladder, paths: &Paths, tell: &mut dyn FnMut(RunEvent)) {
    warn_of_missing_layers(&paths.host, &ladder.sandbox, &mut |what| tell(RunEvent::Warning(what.to_owned())));
}

fn note_speed(&MachineSpeed { relative, .. }: &MachineSpeed, tell: &mut dyn FnMut(RunEvent)) {
    if relative > 0.0 {
        tell(RunEvent::Note(&format!("this machine is {relative:.2} times as fast as the reference; times follow it")));
    }
}

/// The data that stays the same in another pass.
struct Run<'a> {
    games: &'a [&'a dyn AnyGame],
    paths: &'a Paths,
    cores: &'a [Vec<usize>],
    speed: &'a MachineSpeed,
    stop: &'a AtomicBool,
    retry: Retry<'a>,
    record: Box<dyn Record>,
    exchange: Option<WorkerExchange<'a, Box<dyn Exchange>>>,
    live: Option<&'a LiveBoards>,
    rule: Option<&'a mut dyn StopRule>,
    tell: &'a mut dyn FnMut(RunEvent),
    /// Whether there was an earlier pass.
    goes_on: bool,
    /// Whether the ladder had ended before this run, so that everybody could read its seed.
    seed_was_shown: bool,
    /// The line-ups of a partial round robin.
    drawing: KeptDrawing,
    /// The start of the first match for `[stop]`.
    began: Option<Instant>,
}

impl Run<'_> {
    /// Passes through the schedule until its end. If files change, or blocks are taken out, another pass begins with the
    /// present clients; it skips played blocks.
    fn play_through(mut self, mut ladder: Ladder, mut beginning: Beginning) -> Result<Ended, RunError> {
        loop {
            if let Some(ended) = self.pass_through(&ladder, beginning)? {
                return Ok(ended);
            }
            beginning = Beginning::GoOn;
            ladder.clients = find_files(&ladder.sources);
            ladder.warnings.clear();
        }
    }

    /// Passes through the schedule once with the present participants; `None` if another pass follows.
    fn pass_through(&mut self, ladder: &Ladder, beginning: Beginning) -> Result<Option<Ended>, RunError> {
        let watch = Watch::new(ladder);
        let mut prepared = self.prepare(ladder)?;
        let (row, kept) = self.enter(&mut prepared, beginning)?;
        self.take_out(row.id)?;
        let schedule = prepared.schedule((row.seed, &kept.copies), &mut self.drawing)?;
        self.warn_of_turn_order(&prepared, &schedule);
        let retry = self.retry;
        let excuses = retry.until_done(|| read_excuses(&*self.record, row.id, &kept.ids))?;
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

    /// Does everything before the first match that may have to wait for the machine, and reports its warnings once.
    fn prepare<'l>(&mut self, ladder: &'l Ladder) -> Result<PreparedLadder<'l>, RunError>
    where
        Self: 'l,
    {
        let mut warnings = Once::default();
        let Run { games, paths, retry, record, tell, .. } = self;
        let mut tell = |event: RunEvent| warnings.pass(event, *tell);
        retry.until_done(|| prepare(ladder, games, paths, &**record, &mut tell))
    }

    /// Begins the ladder in the record, or goes on with it, with the present participants.
    fn enter(
        &mut self,
        prepared: &mut PreparedLadder,
        beginning: Beginning,
    ) -> Result<(LadderRow, KeptEntrants), RunError> {
        let Run { record, tell, retry, seed_was_shown, .. } = self;
        let row = retry.until_done(|| check_compatible(prepared, &mut **record, beginning, *tell))?;
        let kept = retry.until_done(|| record.keep_entrants(row.id, &mut prepared.entrants))?;
        *seed_was_shown |= retry.until_done(|| record.has_ended(row.id))?;
        retry.until_done(|| record.mark_ended(row.id, false))?;
        if let Some(closing) = prepared.frozen {
            retry.until_done(|| record.freeze(row.id, closing.seconds()))?;
        }
        Ok((row, kept))
    }

    /// Warns once, because the fact remains when files come or go.
    fn warn_of_turn_order(&mut self, prepared: &PreparedLadder, schedule: &Schedule) {
        let is_first = !std::mem::replace(&mut self.goes_on, true);
        if let Some(order) = prepared.turn_order(schedule).filter(|order| is_first && !order.is_balanced()) {
            (self.tell)(RunEvent::Warning(order.to_string()));
        }
    }

    /// Reports the number of matches to play, and the disk space for them.
    fn announce(
        &mut self,
        prepared: &PreparedLadder,
        ladder: &Ladder,
        participants: &Participants,
    ) -> Result<(), RunError> {
        let Count { known, to_come, done } = rounds::count(ladder, participants, &*self.record)?;
        let matches = known + to_come;
        let Participants { row, entrants, .. } = participants;
        (self.tell)(RunEvent::Ready { matches, done, jobs: self.cores.len(), ladder: row, entrants });
        if std::mem::take(&mut self.seed_was_shown) && matches > done && prepared.game.facts().hidden {
            let text = "this ladder had ended, and tables showed its seed: anybody can compute the deals to come; \
                        help: begin again with --fresh and another seed";
            (self.tell)(RunEvent::Warning(text.to_owned()));
        }
        (self.tell)(RunEvent::DiskEstimate(prepared.disk_estimate(&*self.record, matches.saturating_sub(done))?));
        Ok(())
    }

    /// Plays the remaining blocks; `None` if files have changed, or blocks were taken out of the record.
    fn play(
        &mut self,
        prepared: &PreparedLadder,
        ladder: &Ladder,
        participants: Participants,
        watch: Option<Watch>,
    ) -> Result<Option<Ended>, RunError> {
        let digest = participants.schedule.digest();
        for line in judge_again(&*self.record, &participants, ladder, self.stop)? {
            (self.tell)(RunEvent::Note(&line));
        }
        let controller = Controller::new(
            self.stop,
            Stops::new(ladder, participants.entrants.len(), participants.schedule, self.began),
            self.rule.as_mut().map(|rule| Enough::new(&mut **rule)),
            FailureStreaks::new(ladder.bench_after),
            Suspensions::read(&*self.record, &participants, &digest)?,
        );
        let changes = Changes::new(watch, digest);
        let mut pass = Pass::new(participants, ladder, changes, controller, &mut *self.record, &mut *self.tell)?;
        let Participants { row, excuses, ids, .. } = participants;
        let Run { paths, cores, speed, stop, live, .. } = *self;
        let exchange = self.exchange.as_mut().map(WorkerExchange::lend);
        prepared
            .play(PlayContext { paths, row, excuses, ids: Some(ids), cores, speed, stop, exchange, live }, &mut pass)?;
        self.began = pass.began();
        let end = pass.end()?;
        if end.as_ref().is_some_and(|end| end.early != Some(EarlyEnd::Signal)) && self.take_out(row.id)? {
            return Ok(None);
        }
        end.map(|end| self.sum_up(ladder, &participants, end)).transpose()
    }

    /// Takes out of the record the blocks of workers that differed from two others; returns whether there were any.
    fn take_out(&mut self, ladder: LadderId) -> Result<bool, RunError> {
        let Some(WorkerExchange { exchange, .. }) = &mut self.exchange else { return Ok(false) };
        let blocks = self.retry.until_done(|| exchange.take_out(ladder))?;
        if blocks > 0 {
            let blocks = counted(blocks, "block", "blocks");
            let text = format!("{blocks} of workers that differed from two others will be played again by others");
            (self.tell)(RunEvent::Warning(text));
        }
        Ok(blocks > 0)
    }

    /// Sums up the run by the record.
    fn sum_up(&mut self, ladder: &Ladder, participants: &Participants, end: PassEnd) -> Result<Ended, RunError> {
        let Count { known, to_come, done } = rounds::count(ladder, participants, &*self.record)?;
        let PassEnd { early, skipped, voids } = end;
        // Meetings not drawn at the end will not be, or wait for void blocks.
        let left = known.saturating_sub(skipped) + if early == Some(EarlyEnd::Signal) { to_come } else { 0 };
        let matches = if matches!(early, Some(EarlyEnd::Key(_))) { done + voids } else { left };
        let scheduled = participants.schedule.scheduled_match_count().max(known + to_come);
        let games = ladder.stop.games.filter(|_| known < scheduled);
        let early = early.or(games.map(|games| EarlyEnd::Key(StopKey::Games(games))));
        let is_pause = matches!(early, Some(EarlyEnd::Key(StopKey::Time(_))));
        // Until the closing time more files may come.
        let is_closed = ladder.closing.is_none_or(Closing::is_past);
        if (early == Some(EarlyEnd::Enough) || done >= matches) && !is_pause && is_closed {
            // The results are kept already, whatever becomes of this.
            if let Err(error) = self.retry.until_done(|| self.record.mark_ended(participants.row.id, true)) {
                let text =
                    format!("the record does not note that the ladder has ended, so pages hide its seed: {error}");
                (self.tell)(RunEvent::Warning(text));
            }
        }
        let (ladder, idle) = (participants.row.clone(), self.began.is_none());
        Ok(Ended { done, ladder, matches, scheduled, idle, early })
    }
}

/// The warnings reported so far, because a run that waits for the machine prepares again.
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

/// Reads the earlier excuses and matches of the participants in this ladder.
fn read_excuses(record: &dyn Record, ladder: LadderId, ids: &[EntrantId]) -> Result<Excuses, RunError> {
    let _moment = record.read_moment()?;
    let members = record.members(ladder)?;
    let places: Vec<_> = members.iter().map(|member| ids.iter().position(|id| *id == member.id)).collect();
    let mut matches = BTreeMap::new();
    record.each_outcome(ladder, &mut |outcome| {
        for place in outcome.seats.iter().filter_map(|seat| *places.get(seat.entrant)?) {
            *matches.entry(place).or_default() += 1;
        }
    })?;
    let given = places.iter().zip(&members).filter_map(|(place, member)| Some(((*place)?, &member.voids)));
    Ok(Excuses::new(
        matches,
        given.flat_map(|(entrant, voids)| voids.iter().map(move |(&excuse, &count)| ((entrant, excuse), count))),
    ))
}

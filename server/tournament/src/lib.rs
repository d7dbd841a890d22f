//! The whole flow on one screen: admit, agree with the record, schedule, play, keep. The only place that connects the stages.

use crate::schedule::{Common, Lineups, Schedule};
use crate::workers::{BlockOutcome, Next, Patience, WorkerContext};
use agon_abi::Expected;
use agon_arena::admission::Copied;
use agon_arena::encoding::Terms;
use agon_arena::journal::{self, Heading, Journal, Keep, LogError};
use agon_arena::player_pool::PoolSetup;
use agon_arena::referee::Excuses;
use agon_config::{self as config, Closing, Ladder, LogPolicy};
use agon_games::{AnyGame, AnySetting};
use agon_model::*;
use agon_model::{client_seed, opening};
use agon_record::{LadderRow, Lock, Store, StoreError};
use compatibility::check_compatible;
use enough::Enough;
use entrants::{admit_all, find_lineups};
use pass::{Participants, Pass};
use patient_writer::PatientWriter;
use rounds::Count;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use stops::Stops;
use watch::Watch;

mod ad_hoc;
mod closing;
mod compatibility;
mod difference;
mod disk_estimate;
mod enough;
mod entrants;
pub mod pairing;
mod pass;
mod patient_writer;
mod plan;
mod requests;
mod rounds;
pub mod schedule;
mod stops;
mod suspensions;
mod turn_order;
mod watch;
pub mod workers;

pub use ad_hoc::{AdHocMatch, Asked};
pub use difference::{Difference, compare};
pub use disk_estimate::{DiskEstimate, free_space};
pub use enough::{Seen, SeenSeat, StopRule};
pub use plan::{Plan, plan};
pub use requests::requests;

/// Why a ladder does not run, or not on.
#[derive(Debug)]
pub enum RunError {
    /// What was asked for cannot be: the user can mend it.
    Config(String),
    /// Too few usable clients.
    NoClient(String),
    /// Our own trouble: a disk, a process, a record.
    Internal(String),
    /// The machine lacks something (room, memory, processes) that may be there again.
    Shortage(String),
}

impl From<StoreError> for RunError {
    fn from(error: StoreError) -> RunError {
        let text = error.to_string();
        if error.is_shortage() { RunError::Shortage(text) } else { RunError::Internal(text) }
    }
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (RunError::Config(text) | RunError::NoClient(text) | RunError::Internal(text) | RunError::Shortage(text)) =
            self;
        f.write_str(text)
    }
}

/// What happens while a ladder runs, for whoever shows it.
pub enum RunEvent<'a> {
    /// Something worth telling before the start.
    Warning(String),
    /// Everything is ready: matches in all, and matches already in the record.
    Ready {
        /// In the whole schedule.
        matches: u64,
        /// Played before.
        done: u64,
        /// At once.
        jobs: usize,
        /// As the record has it.
        ladder: &'a LadderRow,
        /// Who takes part.
        entrants: &'a [Entrant],
    },
    /// What the ladder will take of the disk.
    DiskEstimate(DiskEstimate),
    /// What the record had of the ladder is now kept under this name.
    SetAside(String),
    /// A block was played and kept.
    Played(&'a PlayedBlock, &'a [Entrant]),
    /// Matches are under way, and none has ended for a moment.
    Waiting,
    /// A block was void as often as it may be.
    Void(&'a str),
    /// Something that happened to a client and is worth telling.
    Note(&'a str),
    /// Meetings were drawn: a sentence, and how many matches there will be in all, as far as is known.
    Drawn(&'a str, u64),
    /// So many matches of the schedule are left out: a client of theirs is set aside.
    Skipped(u64),
}

/// Which way to begin where the record already has this ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// Go on; changed settings are refused.
    GoOn,
    /// Set what is there aside and begin anew.
    Fresh,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The ladder as the record has it.
    pub ladder: LadderRow,
    /// Matches of the schedule in the record, and those that were to be played.
    pub done: u64,
    /// See `done`.
    pub matches: u64,
    /// Matches that the schedule would have if nothing had stopped it.
    pub whole: u64,
    /// Whether it was stopped before the end.
    pub stopped: bool,
    /// Whether the rule for stopping had seen enough.
    pub enough: bool,
    /// The key of `[stop]` that ended it before its schedule was over, with its value.
    pub stopped_by: Option<String>,
}

/// A ladder ready to be played: nothing has been kept of it yet but the copies of its clients' files.
pub struct Prepared<'a> {
    ladder: &'a Ladder,
    game: &'a dyn AnyGame,
    settings: Vec<Box<dyn AnySetting>>,
    entrants: Vec<Entrant>,
    files: Vec<Copied>,
    /// The closing time, if it is reached.
    frozen: Option<Closing>,
    lineups: Lineups,
}

/// Plays a ladder, from where it stopped if it was begun before, to its end, until `[stop]` of its file ends it, `stop` is set, or
/// `rule` has seen enough.
///
/// # Errors
/// The user's, or our own; what was kept stays.
pub fn run(
    ladder: &Ladder,
    games: &[&dyn AnyGame],
    places: &Paths,
    beginning: Beginning,
    stop: &AtomicBool,
    mut rule: Option<&mut dyn StopRule>,
    tell: &mut dyn FnMut(RunEvent),
) -> Result<Ended, RunError> {
    let cores = workers::share_cores(ladder.jobs, ladder.limits.threads).map_err(RunError::Config)?;
    let _lock = Lock::take(&places.out, &ladder.name)?;
    let patience = Patience::default();
    let patient_writer = PatientWriter { patience: &patience, stop };
    let mut store = patient_writer.keep(|| Store::open(&places.out))?;
    let mut began = None;
    let mut is_first = true;
    let mut now = ladder.clone();
    let mut beginning = beginning;
    loop {
        let watch = Watch::new(&now);
        let mut warnings = Once::default();
        let mut prepared =
            patient_writer.keep(|| prepare(&now, games, places, &store, &mut |event| warnings.pass(event, tell)))?;
        let row = patient_writer.keep(|| check_compatible(&prepared, &mut store, beginning, tell))?;
        let kept = patient_writer.keep(|| store.keep_entrants(row.id, &mut prepared.entrants))?;
        prepared.frozen.map_or(Ok(()), |closing| patient_writer.keep(|| store.freeze(row.id, closing.seconds())))?;
        let schedule = prepared.schedule(row.seed, &kept.copies, row.balances_turns());
        // It stays so when files come or go.
        if let Some(order) = prepared.turn_order(&schedule).filter(|order| is_first && !order.is_balanced()) {
            tell(RunEvent::Warning(order.to_string()));
        }
        is_first = false;
        let excuses = read_excuses(&store, row.id, &kept.ids)?;
        let participants = Participants {
            row: &row,
            entrants: &prepared.entrants,
            ids: &kept.ids,
            schedule: &schedule,
            excuses: &excuses,
            patient_writer,
        };
        let Count { known, to_come, done } = rounds::count(&now, &participants, &store)?;
        let matches = known + to_come;
        tell(RunEvent::Ready { matches, done, jobs: cores.len(), ladder: &row, entrants: &prepared.entrants });
        tell(RunEvent::DiskEstimate(prepared.disk_estimate(&store, matches.saturating_sub(done))?));
        let enough = rule.as_mut().map(|rule| Enough::new(&mut **rule));
        let stops = Stops::new(&now, prepared.entrants.len(), &schedule, began);
        let pass = RefCell::new(Pass::new(participants, &now, watch, (enough, stops), &mut store, tell)?);
        let mut next = || pass.borrow_mut().next();
        prepared.play(places, (&row, &excuses), &cores, stop, &mut next, &mut |outcomes| {
            pass.borrow_mut().done(outcomes)
        })?;
        let mut pass = pass.into_inner();
        pass.keep_excuses()?;
        let (skipped, voids) = (pass.skipped(), pass.voids());
        began = pass.began();
        let (stopped, enough) = (stop.load(Ordering::Relaxed), pass.has_enough());
        let early = pass.stopped_by().map(str::to_owned);
        if stopped || enough || early.is_some() || !pass.is_outdated()? {
            drop(pass);
            let Count { known, to_come, done } = rounds::count(&now, &participants, &store)?;
            // What was not drawn at the end will not be, or waits for blocks that are void.
            let left = known.saturating_sub(skipped) + if stopped { to_come } else { 0 };
            let matches = if early.is_some() && !stopped { done + voids } else { left };
            let whole = schedule.whole_match_count().max(known + to_come);
            let stopped_by = early.or_else(|| Some(format!("games = {}", now.stop.games.filter(|_| known < whole)?)));
            return Ok(Ended { done, ladder: row, matches, whole, stopped, enough, stopped_by });
        }
        // Once more from the beginning, with whoever is there now; what was played is passed over.
        beginning = Beginning::GoOn;
        now.clients = now.sources.look();
        now.warnings.clear();
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

/// For what those who take part were excused in this ladder before.
fn read_excuses(store: &Store, ladder: i64, ids: &[i64]) -> Result<Excuses, RunError> {
    let members = store.members(ladder)?;
    let given = members.iter().filter_map(|member| Some((ids.iter().position(|id| *id == member.id)?, &member.voids)));
    Ok(Excuses::new(
        given.flat_map(|(entrant, voids)| voids.iter().map(move |(&excuse, &count)| ((entrant, excuse), count))),
    ))
}

/// Gives what is to be played next.
type NextBlock<'a> = dyn FnMut() -> Result<Next, RunError> + 'a;

fn prepare<'a>(
    ladder: &'a Ladder,
    games: &[&'a dyn AnyGame],
    places: &Paths,
    store: &Store,
    tell: &mut dyn FnMut(RunEvent),
) -> Result<Prepared<'a>, RunError> {
    for warning in &ladder.warnings {
        tell(RunEvent::Warning(warning.clone()));
    }
    let game = find_game(games, &ladder.game)?;
    let settings = ladder
        .settings
        .iter()
        .map(|setting| game.prepare(&setting.options, ladder.seats))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|bad| RunError::Config(bad.to_string()))?;
    let (entrants, files, frozen) = admit_all(ladder, game.facts(), places, store, tell)?;
    let lineups = find_lineups(ladder, &entrants)?;
    Ok(Prepared { ladder, game, settings, entrants, files, frozen, lineups })
}

/// The game with this name.
///
/// # Errors
/// There is none.
pub fn find_game<'a>(games: &[&'a dyn AnyGame], name: &str) -> Result<&'a dyn AnyGame, RunError> {
    games.iter().copied().find(|game| game.facts().name == name).ok_or_else(|| {
        let names: Vec<_> = games.iter().map(|game| game.facts().name).collect();
        RunError::Config(format!("there is no game \"{name}\"; there are: {}", names.join(", ")))
    })
}

/// From the system, and small enough to be written in ladder.toml.
fn draw_seed() -> u64 {
    rand::random::<u64>() >> 1
}

impl Prepared<'_> {
    /// Who takes part.
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    /// What the record is told of this ladder when it begins.
    fn new_row(&self) -> LadderRow {
        let ladder = self.ladder;
        let settings = ladder.settings.iter().map(|setting| {
            let options = setting.options.iter().map(|(key, value)| (key.to_owned(), value.to_owned()));
            (setting.name.clone(), options.collect())
        });
        LadderRow {
            id: 0,
            name: ladder.name.clone(),
            game: ladder.game.clone(),
            seats: ladder.seats,
            seed: ladder.seed.unwrap_or_else(draw_seed),
            seed_drawn: ladder.seed.is_none(),
            comparable: ladder.comparable(self.game.facts()),
            settings: settings.collect(),
        }
    }

    /// `turns`: whether blocks change who moves after whom.
    fn schedule(&self, seed: u64, copies: &[u32], turns: bool) -> Schedule {
        let facts = self.game.facts();
        let comparable = self.ladder.comparable(facts);
        // Each block has its own setting in its id; the others do not matter to it, nor does why its clients meet.
        let others = |key: &str| {
            key.starts_with("options.") || key.starts_with(config::PAIRING) || (key == config::TURN_ORDER && !turns)
        };
        // Nor do ids change where nobody set how long moves may take.
        let is_usual = |key: &str| key == config::WALL_TIME && self.ladder.time.wall_factor == WALL_FACTOR;
        let shared: Vec<_> = comparable.into_iter().filter(|(key, _)| !others(key) && !is_usual(key)).collect();
        let settings: Vec<(String, usize)> = (self.ladder.settings.iter().zip(&self.settings))
            .map(|(setting, prepared)| {
                let options = setting.options.iter().map(|(key, value)| format!("{key} = {value}\n"));
                (options.collect(), prepared.rotations())
            })
            .collect();
        let game = format!("{} rules {}", facts.name, facts.rules_version);
        let common = Common { game: &game, comparable: &shared, seed };
        let entrants = (self.entrants.as_slice(), copies);
        let schedule = Schedule::new(&common, entrants, &settings, self.lineups.clone(), self.ladder.openings);
        let schedule = if turns { schedule.in_turns(self.ladder.seats) } else { schedule };
        schedule.until(self.ladder.stop.games)
    }

    /// Plays the blocks that `next` gives and hands what comes of each to `done`.
    fn play(
        &self,
        places: &Paths,
        (row, excuses): (&LadderRow, &Excuses),
        cores: &[Vec<usize>],
        stop: &AtomicBool,
        next: &mut NextBlock,
        done: &mut dyn FnMut(Vec<BlockOutcome>) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        let facts = self.game.facts();
        let keep = match self.ladder.logs {
            LogPolicy::All => Keep::Always,
            LogPolicy::Faults => Keep::OnFault,
            LogPolicy::None => Keep::Never,
        };
        let journals = |block: &Block, pairing: &Pairing| -> Result<Box<dyn Journal>, LogError> {
            let setting = &*self.settings[block.setting];
            let seed = |seat| client_seed(block, pairing.rotation, seat);
            let seat = |(seat, &entrant): (usize, &usize)| (&self.entrants[entrant], seed(seat));
            let heading = Heading {
                facts,
                ladder: &row.name,
                comparable: &row.comparable,
                seed: row.seed,
                opening: block.opening,
                setting: &row.settings[block.setting],
                // What nobody will read is not worked out.
                begin: (keep != Keep::Never).then(|| Begin::of(setting, &opening(row.seed, block.opening))),
                seats: pairing.seats.iter().enumerate().map(seat).collect(),
                id: &pairing.id,
            };
            journal::open(&places.out, keep, &heading)
        };
        let expected = Expected::new(facts.name, facts.setup, facts.turn, facts.mv);
        let time = TimeControl { wall_factor: row.wall_factor(), ..self.ladder.time.clone() };
        let context = WorkerContext {
            terms: Terms { facts, time: &time, limits: &self.ladder.limits },
            settings: &self.settings,
            pool_setup: PoolSetup {
                isolation: self.ladder.isolation,
                entrants: &self.entrants,
                files: &self.files,
                expected: &expected,
                host: &places.host,
                time: &time,
                limits: &self.ladder.limits,
                sandbox: &self.ladder.sandbox,
            },
            seed: row.seed,
            retry: self.ladder.retry,
            excuses,
            journals: &journals,
        };
        workers::play_all(&context, cores, stop, next, done)
    }
}

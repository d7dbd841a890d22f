//! A ladder that is ready to be played: its game, settings, entrants and files, its row in the record, and its
//! schedule.

use crate::entrants::{admit_all, find_lineups, refuse_unable};
use crate::event::RunEvent;
use crate::schedule::{Common, KeptDrawing, Lineups, Schedule, usual_rounds};
use agon_abi::Expected;
use agon_arena::encoding::MatchTerms;
use agon_arena::journal::{self, Journal, LogError};
use agon_arena::player_pool::PoolSetup;
use agon_arena::referee::Excuses;
use agon_crew::remote::{Audits, Check, ExchangeCrew, Joint, Judges, Logs, RemoteTerms, WorkerExchange};
use agon_crew::threads::{self, BlockContext};
use agon_crew::{Coordinator, Crew, conduct, machine_speed};
use agon_games::{AnyGame, Facts, PreparedSetting};
use agon_model::match_log::Heading;
use agon_model::{
    Begin, Block, Closing, Copied, Entrant, EntrantId, Ladder, LadderId, LadderRow, LadderTerms, LiveBoards, LogPolicy,
    MachineSpeed, Pairing, Paths, PlayedBlock, RulesVersion, SandboxPolicy, Stop, TimeControl, TimeScale, client_seed,
    find_game, opening,
};
use agon_player::speech::Speech;
use agon_record::exchange::{Exchange, LARGEST_FILE, PostedTerms};
use agon_record::{EncodedBlock, Record, RunError};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The fewest blocks offered to workers when nobody else plays.
const FEWEST_OFFERED: usize = 2;

/// The name of the rules on which workers and ladders must agree: `GAME rules 3`.
pub fn rules_name(facts: &Facts) -> String {
    RulesVersion::of(facts).to_string()
}

/// A ladder that is ready to be played. Only the copies of its clients' files have been kept yet.
pub struct PreparedLadder<'a> {
    pub(crate) ladder: &'a Ladder,
    pub(crate) game: &'a dyn AnyGame,
    pub(crate) settings: Vec<Box<dyn PreparedSetting>>,
    pub(crate) entrants: Vec<Entrant>,
    pub(crate) files: Vec<Copied>,
    /// The closing time, if it is reached.
    pub(crate) frozen: Option<Closing>,
    pub(crate) lineups: Lineups,
}

/// The means to play, in addition to the ladder.
pub struct PlayContext<'a> {
    /// The paths of logs and host.
    pub paths: &'a Paths,
    /// The ladder in the record.
    pub row: &'a LadderRow,
    pub excuses: &'a Excuses,
    /// The entrants' numbers in the record; `None` = nothing is kept.
    pub ids: Option<&'a [EntrantId]>,
    /// The cores of each worker.
    pub cores: &'a [Vec<usize>],
    /// The speed of this machine, if times follow it.
    pub speed: &'a MachineSpeed,
    /// The flag that ends it.
    pub stop: &'a AtomicBool,
    /// The place where workers of other machines find blocks, if they may.
    pub exchange: Option<WorkerExchange<'a, &'a mut dyn Exchange>>,
    /// Where watchers see the matches under way.
    pub live: Option<&'a LiveBoards>,
}

/// Measures the speed of this machine on these cores, if the ladder needs it.
///
/// # Errors
/// The speed cannot be measured.
pub fn speed_of(ladder: &Ladder, cores: &[Vec<usize>]) -> Result<MachineSpeed, RunError> {
    if ladder.time.scale == TimeScale::Off || cores.is_empty() {
        return Ok(MachineSpeed::default());
    }
    machine_speed(ladder.speed, cores)
        .map_err(|error| RunError::Shortage(format!("the speed of this machine: {error}")))
}

/// Admits the clients that want to take part, and works the settings out.
///
/// # Errors
/// The user or the server is at fault.
pub fn prepare<'a>(
    ladder: &'a Ladder,
    games: &[&'a dyn AnyGame],
    paths: &Paths,
    record: &dyn Record,
    tell: &mut dyn FnMut(RunEvent),
) -> Result<PreparedLadder<'a>, RunError> {
    for warning in &ladder.warnings {
        tell(RunEvent::Warning(warning.clone()));
    }
    check_opened(&ladder.sandbox, &paths.out)?;
    let game = find_game(games, &ladder.game)?;
    let settings = ladder
        .settings
        .iter()
        .map(|setting| game.prepare(&setting.options, ladder.seats))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|bad| RunError::Config(bad.to_string()))?;
    let (entrants, files, frozen) = admit_all(ladder, game.facts(), paths, record, tell)?;
    refuse_unable(ladder, &entrants)?;
    let lineups = find_lineups(ladder, &entrants)?;
    if let Some(advice) = advise_partial(ladder, &lineups) {
        tell(RunEvent::Warning(advice));
    }
    Ok(PreparedLadder { ladder, game, settings, entrants, files, frozen, lineups })
}

/// Refuses folders that would open the record to clients: where that is may be known only now.
fn check_opened(policy: &SandboxPolicy, out: &Path) -> Result<(), RunError> {
    let mut folders = policy.folders().peekable();
    if folders.peek().is_none() {
        return Ok(());
    }
    let made = std::fs::create_dir_all(out).and_then(|()| out.canonicalize());
    let out = made.map_err(|error| RunError::Config(format!("{}: {error}", out.display())))?;
    match folders.find(|folder| out.starts_with(folder) || folder.starts_with(&out)) {
        None => Ok(()),
        Some(folder) => {
            let help = "help: name the folder of the libraries or of the runtime alone";
            Err(RunError::Config(format!("[run] cannot open {}: it is or has the record; {help}", folder.display())))
        }
    }
}

/// With more line-ups than this, one round robin is long.
const MANY_LINEUPS: u64 = 10_000;

/// Advises a partial round robin, and its size, if a full one is very long.
fn advise_partial(ladder: &Ladder, lineups: &Lineups) -> Option<String> {
    let Lineups::Sets { of, seats } = lineups else { return None };
    if lineups.count() <= MANY_LINEUPS || ladder.stop != Stop::default() {
        return None;
    }
    let rounds = usual_rounds(of.len(), *seats);
    let drawn = Lineups::Partial { of: of.clone(), seats: *seats, rounds }.count();
    Some(format!(
        "every set of {} clients at {seats} seats makes {} line-ups; pairing = \"partial-round-robin\" with rounds = \
         {rounds} draws {drawn}, in which everybody plays equally often and meets everybody about as often",
        of.len(),
        lineups.count()
    ))
}

/// Draws a seed from the system, small enough to be written in ladder.toml.
pub fn draw_seed() -> u64 {
    rand::random::<u64>() >> 1
}

impl PreparedLadder<'_> {
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    /// The row for a new ladder in the record.
    pub fn new_row(&self) -> LadderRow {
        let ladder = self.ladder;
        let settings = ladder.settings.iter().map(|setting| {
            let options = setting.options.iter().map(|(key, value)| (key.to_owned(), value.to_owned()));
            (setting.name.clone(), options.collect())
        });
        LadderRow {
            id: LadderId(0),
            name: ladder.name.clone(),
            game: ladder.game.clone(),
            seats: ladder.seats,
            seed: ladder.seed.unwrap_or_else(draw_seed),
            seed_drawn: ladder.seed.is_none(),
            terms: LadderTerms::new(ladder, self.game.facts()),
            settings: settings.collect(),
        }
    }

    /// Makes the schedule.
    ///
    /// # Errors
    /// The drawing of a partial round robin has too few different line-ups.
    pub fn schedule(&self, (seed, copies): (u64, &[u32]), kept: &mut KeptDrawing) -> Result<Schedule, RunError> {
        let facts = self.game.facts();
        let terms = LadderTerms::new(self.ladder, facts).of_blocks();
        let settings: Vec<(String, usize)> = (self.ladder.settings.iter().zip(&self.settings))
            .map(|(setting, prepared)| {
                let options = setting.options.iter().map(|(key, value)| format!("{key} = {value}\n"));
                (options.collect(), prepared.rotations())
            })
            .collect();
        let common = Common { game: &rules_name(facts), terms: &terms, seed };
        let entrants = (self.entrants.as_slice(), copies);
        let lineups = self.lineups.clone().drawn_by(&self.drawing_seed(seed), kept).map_err(RunError::Config)?;
        let schedule = Schedule::new(&common, entrants, &settings, lineups, self.ladder.openings);
        let seats = self.ladder.seats;
        let schedule = if facts.has_turn_order(seats) { schedule.in_turns(seats) } else { schedule };
        Ok(schedule.until(self.ladder.stop.matches))
    }

    /// The seed of a partial round robin: from names, not files, so that new versions take the places of old ones.
    fn drawing_seed(&self, seed: u64) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_derive_key("agon partial round robin 1");
        hasher.update(&seed.to_le_bytes());
        for entrant in self.lineups.entrants() {
            hasher.update(self.entrants[entrant].team().as_bytes()).update(&[0]);
        }
        *hasher.finalize().as_bytes()
    }

    /// Plays the blocks of a coordinator.
    pub fn play(
        &self,
        context: PlayContext,
        coordinator: &mut dyn Coordinator<Error = RunError>,
    ) -> Result<(), RunError> {
        let PlayContext { paths, row, excuses, ids, cores, stop, exchange, live, .. } = context;
        let facts = self.game.facts();
        let journals = |block: &Block, pairing: &Pairing| self.open_journal(&paths.out, row, block, pairing);
        let encode = |played: &PlayedBlock| ids.map(|ids| EncodedBlock::new(row.id, played, ids));
        let expected = Expected::new(facts.name, facts.setup, facts.turn, facts.mv);
        let (time, own_times) = self.times(cores, context.speed)?;
        let block_context = BlockContext {
            terms: MatchTerms { facts, time: &time, limits: &self.ladder.limits, adjudication: row.terms.adjudication },
            settings: &self.settings,
            pool_setup: self.pool_setup(paths, &expected, (&time, &own_times)),
            seed: row.seed,
            retry: self.ladder.retry,
            excuses,
            journals: &journals,
            encode: &encode,
            live,
        };
        let (Some(exchange), Some(ids)) = (exchange, ids) else {
            return threads::with_threads(&block_context, cores, stop, |crew| conduct(crew, coordinator));
        };
        let mut others = self.exchange_crew(exchange, (row, ids), &block_context, !cores.is_empty(), stop)?;
        let result = if cores.is_empty() {
            conduct(&mut others, coordinator)
        } else {
            let play = |threads: &mut dyn Crew| conduct(&mut Joint::new(threads, &mut others), coordinator);
            threads::with_threads(&block_context, cores, stop, play)
        };
        if let Err(error) = others.close() {
            tracing::warn!("{error}; workers learn of the end when they ask again");
        }
        result
    }

    /// The times of this machine: the ladder's, and those of entrants that have their own.
    fn times(
        &self,
        cores: &[Vec<usize>],
        speed: &MachineSpeed,
    ) -> Result<(TimeControl, Vec<Option<TimeControl>>), RunError> {
        let given = &self.ladder.time;
        if cores.is_empty() {
            return Ok((given.clone(), vec![None; self.entrants.len()]));
        }
        let own_times = speed.own_times(&self.entrants, given).map_err(RunError::Config)?;
        Ok((speed.scale(given).map_err(RunError::Config)?, own_times))
    }

    fn pool_setup<'a>(
        &'a self,
        paths: &'a Paths,
        expected: &'a Expected,
        (time, own_times): (&'a TimeControl, &'a [Option<TimeControl>]),
    ) -> PoolSetup<'a> {
        PoolSetup {
            isolation: self.ladder.isolation,
            entrants: &self.entrants,
            files: &self.files,
            expected,
            speech: Speech::of(self.game.facts()),
            host: &paths.host,
            time,
            own_times,
            limits: &self.ladder.limits,
            sandbox: &self.ladder.sandbox,
        }
    }

    /// Posts the ladder on the exchange, whose workers then play as a crew.
    fn exchange_crew<'a, 'b: 'a>(
        &'a self,
        WorkerExchange { exchange, lease, tally }: WorkerExchange<'a, &'a mut (dyn Exchange + 'b)>,
        (row, ids): (&'a LadderRow, &'a [EntrantId]),
        context: &BlockContext<'a>,
        plays_here: bool,
        stop: &'a AtomicBool,
    ) -> Result<ExchangeCrew<'a>, RunError> {
        let terms = RemoteTerms::new(self.ladder, row, (&self.entrants, ids), context.excuses);
        self.post((exchange, lease), &terms, row.id, plays_here)?;
        let check = Check {
            settings: &self.settings,
            seed: row.seed,
            ids,
            isolation: self.ladder.isolation,
            sandbox: &self.ladder.sandbox,
            output: self.ladder.limits.output,
            adjudication: row.terms.adjudication,
        };
        let logs = Logs { open: context.journals, policy: self.ladder.logs };
        let audits = Audits::new(f64::from(self.ladder.audits) / 1000.0, rand::random::<f64>);
        let fewest = if plays_here { 0 } else { FEWEST_OFFERED };
        Ok(ExchangeCrew::new(exchange, Judges { check, audits, logs, tally }, (row.id, fewest), stop))
    }

    /// Puts the data for workers on the exchange: terms, and the clients' files. It reports files too large to be sent
    /// if this machine plays as well.
    fn post(
        &self,
        (exchange, lease): (&mut dyn Exchange, Duration),
        terms: &RemoteTerms,
        ladder: LadderId,
        plays_here: bool,
    ) -> Result<(), RunError> {
        let content = serde_json::to_string(terms).map_err(|error| RunError::Internal(error.to_string()))?;
        let game = rules_name(self.game.facts());
        exchange.post(ladder, &PostedTerms { game, threads: self.ladder.limits.threads, content, lease })?;
        let plays = self.files.iter().zip(&self.entrants).filter(|(_, entrant)| entrant.refused.is_none());
        for path in plays.flat_map(|(copied, _)| copied.files.all()) {
            // Copies are named after their contents.
            let hash = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
            if !exchange.has_file(&hash)? {
                let size = std::fs::metadata(path).map_or(0, |found| found.len());
                if plays_here && size > LARGEST_FILE as u64 {
                    tracing::warn!(
                        "{}: a file of more than {} MiB is not sent: no worker can play this ladder, this machine does",
                        path.display(),
                        LARGEST_FILE >> 20
                    );
                    continue;
                }
                let read = std::fs::read(path);
                let bytes = read.map_err(|error| RunError::Internal(format!("{}: {error}", path.display())))?;
                exchange.keep_file(&hash, &bytes)?;
            }
        }
        Ok(())
    }

    /// Opens the log of a match.
    fn open_journal(
        &self,
        out: &Path,
        row: &LadderRow,
        block: &Block,
        pairing: &Pairing,
    ) -> Result<Box<dyn Journal>, LogError> {
        let setting = &*self.settings[block.setting];
        let seed = |seat| client_seed(block, pairing.rotation, seat);
        let seat = |(seat, &entrant): (usize, &usize)| (&self.entrants[entrant], seed(seat));
        let heading = Heading {
            facts: self.game.facts(),
            ladder: &row.name,
            terms: &row.terms,
            seed: row.seed,
            opening: block.opening,
            setting: &row.settings[block.setting],
            // Data that nobody will read is not worked out.
            begin: (self.ladder.logs != LogPolicy::None).then(|| Begin::of(setting, &opening(row.seed, block.opening))),
            seats: pairing.seats.iter().enumerate().map(seat).collect(),
            id: &pairing.id,
        };
        journal::open(out, self.ladder.logs, &heading)
    }
}

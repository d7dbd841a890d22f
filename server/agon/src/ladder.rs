//! `agon ladder` and `agon match`: read the words, run the ladder, show the table and how to go on.

use crate::metrics::{LadderMetrics, MetricsArgs};
use crate::notify::{Notify, Occasion};
use crate::others::{OthersArgs, check_jobs};
use crate::playable::{nobody_left, refuse_sources};
use crate::progress::Progress;
use crate::standby::{self, Standby};
use crate::{inspect, plan, short, telling};
use agon_authoring::add;
use agon_command::output::say;
use agon_command::place::{PlaceArgs, RecordPlace};
use agon_command::signals::unwatched;
use agon_command::status;
use agon_command::status::{INTERRUPTED, VOID};
use agon_command::terms::{TermsArgs, count, jobs_or_none, speed};
use agon_command::{Failure, find_paths, ladder_file};
use agon_config::{self as config, MatchWords};
use agon_console::play::browser::boards::VisitorBoards;
use agon_crew::remote::{BoardTally, WorkerBoard};
use agon_games::AnyGame;
use agon_live::feed::{Feed, Teller};
use agon_live::serve::LiveArgs;
use agon_model::{Ladder, MATCH, counted, shell};
use agon_record::board::OpenBoard;
use agon_record::{Archive, Filter, RunError};
use agon_report::{Adjudications, Standings, gather};
use agon_tournament::{self as run, Beginning, Ended, RunEvent, RunSettings, StopRule};
use clap::Args;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The arguments of `agon ladder`.
#[derive(Args, Debug)]
pub struct LadderArgs {
    /// The ladder file.
    #[arg(default_value = "ladder.toml")]
    file: PathBuf,
    /// Shows the schedule and an estimate of its time, and plays nothing.
    #[arg(long)]
    dry_run: bool,
    /// Sets this ladder's results in the record aside, and begins again.
    #[arg(long)]
    fresh: bool,
    /// The speed of this machine: 2 means twice as fast as the reference machine. Only [time] scale = "reference" uses
    /// it. Default: agon measures it.
    #[arg(long, value_name = "FACTOR", value_parser = speed)]
    speed: Option<f64>,
    /// How many matches run at the same time, instead of [run] jobs. Write 0 to let only other machines play; this
    /// needs a record on PostgreSQL (--record or --open).
    #[arg(short, long, value_name = "N", value_parser = jobs_or_none)]
    jobs: Option<usize>,
    /// Prints the table as JSON.
    #[arg(long, conflicts_with = "dry_run")]
    json: bool,
    /// Prints only the table, and no progress.
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    others: OthersArgs,
    /// Runs a shell command when agon suspends (benches) a client, when trouble occurs, and at the end. It gets AGON_EVENT
    /// (benched, trouble, ended), AGON_LADDER and AGON_MESSAGE.
    #[arg(long, value_name = "COMMAND")]
    notify: Option<String>,
    #[command(flatten)]
    live: LiveArgs,
    #[command(flatten)]
    metrics: MetricsArgs,
}

/// The arguments of `agon match`.
#[derive(Args, Debug)]
pub struct MatchArgs {
    /// A client for each seat: a file, or the NAME of a client in clients/ or of a bundled one. Bundled:
    /// random, greedy, mcts, alphabeta and others. Options follow as NAME:key=value,key=value. A client may appear twice.
    #[arg(required = true)]
    pub(super) clients: Vec<String>,
    /// Words of the game's own, with their values.
    #[arg(skip)]
    pub(super) short: short::Given,
    /// The number of matches, rounded up so that each client plays on each seat equally often. Default: each client
    /// plays once on each seat.
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true, value_parser = count)]
    games: Option<u64>,
    /// The number of openings, instead of matches. On each opening, each client plays on each seat equally often.
    #[arg(long, value_name = "N", conflicts_with = "games")]
    openings: Option<u64>,
    #[command(flatten)]
    others: OthersArgs,
    #[command(flatten)]
    pub(super) terms: TermsArgs,
}

/// The time that blocks under way have after SIGTERM.
const TERM_PATIENCE: Duration = Duration::from_secs(10);

/// Runs a ladder, or goes on with it.
pub fn ladder(args: &LadderArgs, games: &'static [&'static dyn AnyGame]) -> Result<u8, Failure> {
    let mut ladder = ladder_file::read(&args.file, games)?;
    ladder.jobs = args.jobs.or(ladder.jobs);
    ladder.speed = args.speed;
    let place = args.place.of(&ladder.out, ladder.record.as_deref())?;
    let place = if args.dry_run { place } else { args.others.place(place)? };
    ladder.out = place.out().to_owned();
    check_jobs(ladder.jobs, &place)?;
    if let Some(closing) = ladder.closing.filter(|closing| closing.is_past() && !args.quiet) {
        say(&format!("note: the closing time, {closing}, is past: files that came later do not play"));
    }
    if args.dry_run {
        return plan::show(&ladder, &*place.open()?, games);
    }
    let command = format!("agon ladder {}", shell::file(&args.file.to_string_lossy()));
    let advice = Advice { stopped: format!("Go on with: {command}"), void: format!("Play them again with: {command}") };
    let about = (ladder.name.clone(), ladder.points);
    let live = args.live.start(&args.file, &place, about, games, VisitorBoards::default(), add::replace)?;
    let options = RunOptions {
        beginning: if args.fresh { Beginning::Fresh } else { Beginning::GoOn },
        quiet: args.quiet,
        again: &advice.stopped,
        place: &place,
        lease: args.others.lease(),
        notify: args.notify.as_deref(),
        feed: live.as_ref().map(|live| &live.feed),
        metrics: args.metrics,
    };
    let ended = run_until_stopped(&ladder, games, &options, None)?;
    let record = place.open_again()?;
    let standings = standings(&*record, games, &ended, &ladder)?;
    print!("{}", if args.json { standings.json() } else { standings.text() });
    let mut status = close(&ladder, &place, &ended, &advice);
    if let Some(why) = nobody_left(&*record, &ended)?.filter(|_| status == status::DONE) {
        say(&why);
        status = status::NO_CLIENT;
    }
    args.others.send_home(&place, !ended.stopped)?;
    // A person who has stopped the run has seen enough.
    if let Some(live) = live.filter(|_| !ended.stopped) {
        live.finish()?;
    }
    Ok(status)
}

fn standings(
    record: &dyn Archive,
    games: &[&dyn AnyGame],
    ended: &Ended,
    ladder: &Ladder,
) -> Result<Standings, Failure> {
    let standings = gather(record, games, &ended.ladder, ladder.points, false)?;
    Ok(standings.with_adjudications(Adjudications::of(record, &ended.ladder)?))
}

/// Plays matches between the clients named.
pub fn matches(args: &MatchArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let terms = &args.terms;
    let mut words = MatchWords { games: args.games, openings: args.openings, ..terms.words(&args.clients) };
    words.options.extend(short::options(args, games)?);
    let mut ladder = config::for_match(&words, Path::new("."), games)?;
    refuse_sources(&ladder)?;
    ladder.jobs = terms.jobs;
    let advice = Advice {
        stopped: "agon match begins anew each time; agon standings shows what was played".to_owned(),
        void: "The same agon match plays all of them anew".to_owned(),
    };
    let place = args.others.place(RecordPlace::named(terms.record.as_ref(), &ladder.out)?)?;
    check_jobs(ladder.jobs, &place)?;
    let options = RunOptions {
        beginning: Beginning::Fresh,
        quiet: terms.quiet,
        again: &advice.stopped,
        place: &place,
        lease: args.others.lease(),
        notify: None,
        feed: None,
        metrics: MetricsArgs::default(),
    };
    let ended = run_until_stopped(&ladder, games, &options, None)?;
    let record = place.open_again()?;
    let standings = standings(&*record, games, &ended, &ladder)?;
    if terms.json {
        print!("{}", standings.json());
    } else {
        let newest = Filter { limit: Some(20), ..Filter::default() };
        print!("{}\n{}", inspect::list(&*record, &ended.ladder, &newest, false)?, standings.text());
    }
    args.others.send_home(&place, !ended.stopped)?;
    Ok(close(&ladder, &place, &ended, &advice))
}

/// The beginning of a run, the place of its record, and its spectators.
pub struct RunOptions<'a> {
    /// The fate of results that the record already has of the ladder.
    pub beginning: Beginning,
    /// Whether to print no progress.
    pub quiet: bool,
    /// The command that goes on after a stop.
    pub again: &'a str,
    /// The place of the record.
    pub place: &'a RecordPlace,
    /// The time for which a worker of another machine may be silent.
    pub lease: Duration,
    /// The command of `--notify`.
    pub notify: Option<&'a str>,
    /// The feed of the live pages.
    pub feed: Option<&'a Arc<Feed>>,
    /// The address for Prometheus.
    pub metrics: MetricsArgs,
}

/// Runs a ladder until its end, a signal, or until `rule` has seen enough.
pub fn run_until_stopped(
    ladder: &Ladder,
    games: &[&dyn AnyGame],
    options: &RunOptions<'_>,
    rule: Option<&mut dyn StopRule>,
) -> Result<Ended, Failure> {
    let mut notify = Notify::new(options.notify);
    let result = run_telling(ladder, games, options, rule, &mut notify);
    match &result {
        Ok(Ended { done, matches, stopped, .. }) => {
            let how = if *stopped { "was stopped" } else { "has ended" };
            notify.tell(
                Occasion::Ended,
                &ladder.name,
                &format!("{how}: {done} of {} played", counted(*matches, "match", "matches")),
            );
        }
        Err(failure) => notify.tell(Occasion::Trouble, &ladder.name, &failure.message),
    }
    notify.finish();
    result
}

fn run_telling(
    ladder: &Ladder,
    games: &[&dyn AnyGame],
    options: &RunOptions<'_>,
    mut rule: Option<&mut dyn StopRule>,
    notify: &mut Notify,
) -> Result<Ended, Failure> {
    let &RunOptions { mut beginning, quiet, again, place, lease, feed, metrics, .. } = options;
    let paths = find_paths(&ladder.out)?;
    let stop = Arc::new(AtomicBool::new(false));
    let waits = Arc::new(AtomicBool::new(false));
    let standby = Standby { place, ladder: &ladder.name, stop: Arc::clone(&stop), waits };
    watch_signals(&standby, again, feed)?;
    let tally = place.is_elsewhere().then(|| Arc::new(BoardTally::default()));
    let (numbers, registry) = LadderMetrics::new(&ladder.name, tally.clone());
    let _metrics = metrics.start(registry)?;
    let stops_early = rule.is_some();
    let progress = Progress::new(quiet).with_standings(place.clone(), ladder.points).with_workers(tally.clone());
    let mut progress = progress.with_early_stop(stops_early);
    let mut teller = feed.map(|feed| Teller::new(feed));
    let mut tell = |event: RunEvent| {
        if is_known(&event, &ladder.name, stops_early) {
            return;
        }
        match &event {
            RunEvent::Benched(text) => notify.tell(Occasion::Benched, &ladder.name, text),
            RunEvent::Void(cause) => notify.tell(Occasion::Trouble, &ladder.name, cause),
            _ => {}
        }
        teller.iter_mut().for_each(|teller| telling::tell(teller, &event));
        numbers.tell(&event);
        progress.tell(event);
    };
    let record = || standby.open();
    let board = || place.open_board();
    let live = feed.map(|feed| &feed.live);
    let result = loop {
        let rule = rule.as_deref_mut().map(|rule| rule as &mut dyn StopRule);
        let board = tally.as_deref().map(|tally| WorkerBoard { board: &board as &OpenBoard<'_>, lease, tally });
        let settings = RunSettings { record: &record, beginning, stop: &stop, rule, board, live };
        match run::run(ladder, games, &paths, settings, &mut tell) {
            // The run was ended before it stood by.
            Err(RunError::Shortage(_)) if stop.load(Ordering::Relaxed) && standby.waits() => standby::leave(),
            // What a rule has seen is of a record that another process goes on with.
            Err(RunError::TakenOver(why)) if !stops_early => say(&format!("{why}; this one stands by")),
            result => break result,
        }
        beginning = Beginning::GoOn;
    };
    progress.end();
    Ok(result?)
}

/// Whether an event says nothing new of this run.
fn is_known(event: &RunEvent, ladder: &str, stops_early: bool) -> bool {
    match event {
        // Every `agon match` sets the one before aside.
        RunEvent::SetAside(_) => ladder == MATCH,
        // With a rule for stopping, the number of matches is not known before.
        RunEvent::DiskEstimate(room) => stops_early || ladder == MATCH && !room.is_short(),
        _ => false,
    }
}

/// The first Ctrl-C lets the blocks under way finish, the second drops them; SIGTERM, and SIGHUP when the terminal is
/// closed, is a first with a limit. Hosts die with us. A coordinator that stands by ends at once, with success.
fn watch_signals(standby: &Standby<'_>, again: &str, feed: Option<&Arc<Feed>>) -> Result<(), Failure> {
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(unwatched)?;
    let (stop, waits) = (Arc::clone(&standby.stop), Arc::clone(&standby.waits));
    let (again, feed) = (again.to_owned(), feed.cloned());
    let watch = move || {
        for signal in &mut signals {
            // Then somebody else waits for it: only the page goes on.
            if feed.as_ref().is_some_and(|feed| feed.is_left()) {
                continue;
            }
            if waits.load(Ordering::Relaxed) {
                standby::leave();
            }
            if stop.swap(true, Ordering::Relaxed) {
                say(&format!("dropped the blocks under way; what was played is kept. {again}"));
                std::process::exit(i32::from(INTERRUPTED));
            }
            say("finishing the blocks under way (Ctrl-C again to drop them) …");
            if signal != SIGINT {
                let again = again.clone();
                let give_up = move || {
                    std::thread::sleep(TERM_PATIENCE);
                    say(&format!("dropped the blocks under way after {} s. {again}", TERM_PATIENCE.as_secs()));
                    std::process::exit(i32::from(INTERRUPTED));
                };
                // Where no thread starts, only the limit is missing.
                let _ = std::thread::Builder::new().spawn(give_up);
            }
        }
    };
    std::thread::Builder::new().spawn(watch).map(drop).map_err(unwatched)
}

/// The advice about matches that were not played, a sentence each.
struct Advice {
    /// The advice after a stop.
    stopped: String,
    /// The advice about void matches.
    void: String,
}

fn close(ladder: &Ladder, place: &RecordPlace, ended: &Ended, advice: &Advice) -> u8 {
    let Ended { done, matches, scheduled, stopped, ladder: row, stopped_by, .. } = ended;
    if *stopped && done < matches {
        say(&format!("saved {done} of {}. {}", counted(*matches, "match", "matches"), advice.stopped));
        return INTERRUPTED;
    }
    if let Some(key) = stopped_by.as_ref().filter(|_| ladder.name != MATCH) {
        // The next run may play as long again; `games` and `error` would stop it at once.
        let on = if key.starts_with("time") { format!(". {}", advice.stopped) } else { String::new() };
        let all = counted(*scheduled, "match", "matches");
        say(&format!("stopped by {key} in [stop], {done} of {all} played{on}"));
    }
    if done < matches {
        let void = matches - done;
        let all = counted(*matches, "match", "matches");
        say(&format!("void and not counted: {void} of {all}. {}", advice.void));
        return VOID;
    }
    if row.seed_drawn {
        say(&format!("the seed was drawn: {}", row.seed));
    }
    say(&match place.name() {
        Some(record) => format!("record: {record}; logs: {}", ladder.out.display()),
        None => format!("record and logs: {}", ladder.out.display()),
    });
    status::DONE
}

/// The exit status of a run that stops by itself when it has seen enough, and how to go on with one that was
/// interrupted.
pub fn close_early_stop(ended: &Ended, again: &str) -> u8 {
    if ended.stopped && !ended.enough {
        say(&format!("saved {}. {again}", counted(ended.done, "match", "matches")));
        return INTERRUPTED;
    }
    status::DONE
}

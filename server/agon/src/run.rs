//! The run of a ladder for `ladder`, `match`, `sprt` and `demo`: signals, progress, spectators, and words at its end.

use crate::metrics::{LadderMetrics, MetricsArgs};
use crate::notify::{Notify, Occasion};
use crate::progress::Progress;
use crate::standby::{self, Standby};
use agon_command::output::say;
use agon_command::record_location::RecordLocation;
use agon_command::signals;
use agon_command::signals::unwatched;
use agon_command::status::{INTERRUPTED, VOID};
use agon_command::{Failure, find_paths, status};
use agon_crew::remote::{ExchangeTally, WorkerExchange};
use agon_games::AnyGame;
use agon_live::feed::{Feed, Teller};
use agon_model::{Ladder, MATCH, counted};
use agon_record::exchange::OpenExchange;
use agon_record::{Archive, RecordError, RunError};
use agon_report::{Adjudications, Standings, gather};
use agon_tournament::{self as run, Beginning, EarlyEnd, Ended, RunEvent, RunSettings, StopKey, StopRule};
use signal_hook::consts::SIGINT;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The time that blocks under way have after SIGTERM.
const TERM_PATIENCE: Duration = Duration::from_secs(10);

/// The beginning of a run, the location of its record, and its spectators.
pub struct RunOptions<'a> {
    /// The fate of results that the record already has of the ladder.
    pub beginning: Beginning,
    /// Whether to print no progress.
    pub quiet: bool,
    /// The command that goes on after a stop.
    pub again: &'a str,
    /// The location of the record.
    pub location: &'a RecordLocation,
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
        Ok(ended) => {
            let Ended { done, matches, .. } = ended;
            let how = if ended.is_interrupted() { "was stopped" } else { "has ended" };
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

#[expect(clippy::too_many_lines)]
fn run_telling(
    ladder: &Ladder,
    games: &[&dyn AnyGame],
    options: &RunOptions<'_>,
    mut rule: Option<&mut dyn StopRule>,
    notify: &mut Notify,
) -> Result<Ended, Failure> {
    let &RunOptions { mut beginning, quiet, again, location, lease, feed, metrics, .. } = options;
    let paths = find_paths(&ladder.out)?;
    let stop = Arc::new(AtomicBool::new(false));
    let waits = Arc::new(AtomicBool::new(false));
    let standby = Standby { location, ladder: &ladder.name, stop: Arc::clone(&stop), waits };
    watch_signals(&standby, again, feed)?;
    let tally = location.is_elsewhere().then(|| Arc::new(ExchangeTally::default()));
    let (numbers, registry) = LadderMetrics::new(&ladder.name, tally.clone());
    let _metrics = metrics.start(registry)?;
    let stops_early = rule.is_some();
    let mut progress = Progress::of_ladder(quiet, (location.clone(), ladder.points), tally.clone(), stops_early);
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
        teller.iter_mut().for_each(|teller| tell_pages(teller, &event));
        numbers.tell(&event);
        progress.tell(event);
    };
    let record = || standby.open();
    let exchange = || location.open_exchange();
    let live = feed.map(|feed| &feed.live);
    let result = loop {
        let rule = rule.as_deref_mut().map(|rule| rule as &mut dyn StopRule);
        let exchange =
            tally.as_deref().map(|tally| WorkerExchange { exchange: &exchange as &OpenExchange<'_>, lease, tally });
        let settings = RunSettings { record: &record, beginning, stop: &stop, rule, exchange, live };
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

/// Passes an event of a run on to its live pages.
fn tell_pages(teller: &mut Teller<'_>, event: &RunEvent) {
    match event {
        RunEvent::Ready { matches, done, jobs, ladder, .. } => teller.ready(*matches, *done, *jobs, ladder.id),
        RunEvent::Played(played, entrants) => teller.played(played, entrants),
        RunEvent::Skipped(matches) => teller.skipped(*matches),
        RunEvent::Paired(text, matches) => teller.paired(text, *matches),
        RunEvent::Warning(text) => teller.note(&format!("warning: {text}")),
        RunEvent::Note(text) | RunEvent::Benched(text) => teller.note(text),
        RunEvent::Void(cause) => teller.note(&format!("void, not counted: {cause}")),
        RunEvent::DiskEstimate(_) | RunEvent::Archived(_) | RunEvent::Waiting => teller.show(),
    }
}

/// Whether an event says nothing new of this run.
fn is_known(event: &RunEvent, ladder: &str, stops_early: bool) -> bool {
    match event {
        // Every `agon match` archives the one before.
        RunEvent::Archived(_) => ladder == MATCH,
        // With a rule for stopping, the number of matches is not known before.
        RunEvent::DiskEstimate(room) => stops_early || ladder == MATCH && !room.is_short(),
        _ => false,
    }
}

/// The first Ctrl-C lets the blocks under way finish, the second drops them; SIGTERM, and SIGHUP when the terminal is
/// closed, is a first with a limit. Hosts die with us. A coordinator that stands by ends at once, with success.
fn watch_signals(standby: &Standby<'_>, again: &str, feed: Option<&Arc<Feed>>) -> Result<(), Failure> {
    let mut signals = signals::watch().map_err(unwatched)?;
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

/// The table of a ladder that was run.
pub fn standings(
    record: &dyn Archive,
    games: &[&dyn AnyGame],
    ended: &Ended,
    ladder: &Ladder,
) -> Result<Standings, Failure> {
    let mut standings = gather(record, games, &ended.ladder, ladder.points, false)?;
    standings.adjudications = Adjudications::of(record, &ended.ladder)?;
    Ok(standings)
}

/// Why a run played nothing, or cannot go on: too few clients are left.
pub fn nobody_left(record: &dyn Archive, ended: &Ended) -> Result<Option<String>, RecordError> {
    let members = record.members(ended.ladder.id)?;
    let can_play = members
        .iter()
        .filter(|member| member.present && member.suspension.is_none() && member.entrant.refused.is_none());
    let (left, seats) = (can_play.count(), ended.ladder.seats);
    let has_matches = ended.done < ended.scheduled;
    if ended.is_interrupted() || left >= seats || left > 0 && !(ended.idle && has_matches) {
        return Ok(None);
    }
    let left = counted(left as u64, "client", "clients");
    Ok(Some(format!(
        "no match can be played: {left} left, and a match needs {seats}; help: agon clients lists who is suspended and \
         why, and agon clients --let-back NAME lets one play again"
    )))
}

/// The advice about matches that were not played, a sentence each.
pub struct EndAdvice {
    /// The advice after a stop.
    pub stopped: String,
    /// The advice about void matches.
    pub void: String,
}

/// Reports what was played and what to do next. Returns the exit status.
pub fn close(ladder: &Ladder, location: &RecordLocation, ended: &Ended, advice: &EndAdvice) -> u8 {
    let Ended { done, matches, scheduled, early, .. } = ended;
    if ended.is_interrupted() && done < matches {
        say(&format!("saved {done} of {}. {}", counted(*matches, "match", "matches"), advice.stopped));
        return INTERRUPTED;
    }
    if let Some(EarlyEnd::Key(key)) = early.filter(|_| ladder.name != MATCH) {
        // The other keys would stop the next run at once.
        let on = if matches!(key, StopKey::Time(_)) { format!(". {}", advice.stopped) } else { String::new() };
        let all = counted(*scheduled, "match", "matches");
        say(&format!("stopped by {key} in [stop], {done} of {all} played{on}"));
    }
    if done < matches {
        let void = matches - done;
        let all = counted(*matches, "match", "matches");
        say(&format!("void and not counted: {void} of {all}. {}", advice.void));
        return VOID;
    }
    say(&match location.name() {
        Some(record) => format!("record: {record}; logs: {}", ladder.out.display()),
        None => format!("record and logs: {}", ladder.out.display()),
    });
    status::DONE
}

/// The exit status of a run that stops by itself when it has seen enough, and how to go on with one that was
/// interrupted.
pub fn close_early_stop(ended: &Ended, again: &str) -> u8 {
    if ended.is_interrupted() {
        say(&format!("saved {}. {again}", counted(ended.done, "match", "matches")));
        return INTERRUPTED;
    }
    status::DONE
}

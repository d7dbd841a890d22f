//! `agon worker list`: who plays for a record on PostgreSQL, and with which results.

use agon_command::record_location::{LocationArgs, Named, named};
use agon_command::which::find_ladder;
use agon_command::{Failure, ladder_file, status};
use agon_record::database::Roster;
use agon_record::exchange::WorkerRow;
use agon_report::{LISTED_LEFT, WorkerResults, Workers};
use clap::Args;
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Which record a command about workers opens.
#[derive(Args, Debug)]
pub struct WhichRecord {
    /// A ladder file, instead of --record. Without both, agon uses the record in agon-out that a command with --open made.
    #[arg(value_name = "LADDER FILE", conflicts_with = "record")]
    file: Option<PathBuf>,
    /// The record on PostgreSQL: postgres://USER:PASSWORD@HOST/DATABASE, @FILE (a file with such an address), or the output
    /// folder of a command with --open. Default: agon-out.
    #[arg(long, value_name = "PLACE", value_parser = named)]
    record: Option<Named>,
}

impl WhichRecord {
    /// The record, and the name of the ladder if a file names one.
    pub fn open(&self) -> Result<(Box<dyn Roster>, Option<String>), Failure> {
        let about = self.file.as_deref().map(ladder_file::read_location).transpose()?;
        let location = LocationArgs::from(self.record.clone());
        let location = about.as_ref().map_or_else(|| location.locate(), |about| location.about(about))?;
        Ok((location.open_for_workers()?, about.map(|about| about.name)))
    }
}

/// The arguments of `agon worker list`.
#[derive(Args, Debug)]
pub struct ListArgs {
    #[command(flatten)]
    which: WhichRecord,
    /// Compares the clients' scores on each worker and on each kind of processor with their scores elsewhere.
    #[arg(long, conflicts_with = "watch")]
    compare: bool,
    /// Lists all workers that ever came, even those that left long ago.
    #[arg(short, long)]
    all: bool,
    /// Lists them again every two seconds until Ctrl-C, with their speed in blocks a second (a block: one opening, played from every seat).
    #[arg(short, long, conflicts_with = "json")]
    watch: bool,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// The time between two lists of workers.
const AGAIN: Duration = Duration::from_secs(2);
/// Clears a terminal's screen.
const CLEAR: &str = "\x1b[H\x1b[2J";

/// Lists the workers of a record.
pub fn list(args: &ListArgs) -> Result<u8, Failure> {
    let (record, name) = args.which.open()?;
    if args.watch {
        return watch(&*record, args.all);
    }
    let results = args.compare.then(|| compare(&*record, name.as_deref())).transpose()?;
    let workers = recent(&*record, args.all)?;
    if args.json {
        print!("{}", workers.document(results.as_ref()).json());
    } else {
        print!("{}", workers.text());
        results.iter().for_each(|results| print!("\n{}", results.text()));
    }
    Ok(status::DONE)
}

/// Lists the workers of this record as a command leaves them.
pub fn show(record: &dyn Roster) -> Result<u8, Failure> {
    print!("{}", recent(record, false)?.text());
    Ok(status::DONE)
}

/// The workers to list.
fn recent(record: &dyn Roster, all: bool) -> Result<Workers, Failure> {
    let (rows, more) = record.recent_workers(if all { u64::MAX } else { LISTED_LEFT })?;
    Ok(Workers { rows, more })
}

/// The results of the workers of the ladder with this name, or else of the newest.
fn compare(record: &dyn Roster, name: Option<&str>) -> Result<WorkerResults, Failure> {
    let ladder = find_ladder(record, name)?;
    Ok(WorkerResults::compare(record, &ladder, &record.played_by(ladder.id)?)?)
}

/// Lists the workers again and again, until a signal ends it or nobody reads it any more.
fn watch(record: &dyn Roster, all: bool) -> Result<u8, Failure> {
    let mut before: Option<(Instant, BTreeMap<i64, u64>)> = None;
    loop {
        let workers = recent(record, all)?;
        let now = Instant::now();
        let played = |had: &BTreeMap<i64, u64>| {
            let since = |row: &WorkerRow| row.blocks.saturating_sub(*had.get(&row.id).unwrap_or(&row.blocks));
            workers.rows.iter().map(since).sum::<u64>()
        };
        let rate = before.map(|(then, had)| played(&had) as f64 / (now - then).as_secs_f64());
        let rate = rate.map_or(String::new(), |rate| format!("{rate:.1} blocks a second in all\n"));
        let clear = if std::io::stdout().is_terminal() { CLEAR } else { "" };
        let mut out = std::io::stdout();
        if write!(out, "{clear}{}{rate}", workers.text()).and_then(|()| out.flush()).is_err() {
            return Ok(status::DONE);
        }
        before = Some((now, workers.rows.iter().map(|row| (row.id, row.blocks)).collect()));
        std::thread::sleep(AGAIN);
    }
}

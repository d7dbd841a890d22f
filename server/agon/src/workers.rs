//! `agon workers`: who plays for a record on PostgreSQL; invites, drains and bans.

use agon_command::output::say;
use agon_command::place::PlaceArgs;
use agon_command::which::find_ladder;
use agon_command::{Failure, ladder_file, status};
use agon_model::counted;
use agon_model::shell;
use agon_postgres::{Invitation, PostgresRecord};
use agon_report::{WorkerResults, Workers};
use clap::Args;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Of `agon workers`.
#[derive(Args, Debug)]
pub struct WorkersArgs {
    /// The ladder file whose record counts; without it, that of --record.
    #[arg(conflicts_with = "record")]
    file: Option<PathBuf>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Lets a worker come under this name, and prints the line to paste on its machine. Whoever has the line plays as
    /// that worker; a new invitation of the same name makes the old one void.
    #[arg(long, value_name = "NAME")]
    invite: Option<String>,
    /// Tells the workers of this name to end when their blocks are played.
    #[arg(long, value_name = "NAME", conflicts_with = "invite")]
    drain: Option<String>,
    /// Answers no worker of this name any more, and gives its blocks to others; what it played stays.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["invite", "drain"])]
    ban: Option<String>,
    /// Takes everything that workers of this name played out of the record, so that others play it again, and tells
    /// them to end. The ladder must be stopped; it goes on afterwards.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["invite", "drain", "ban"])]
    void: Option<String>,
    /// Forgets what was refused of workers of this name, or that they were banned: they may come again.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["invite", "drain", "ban", "void"])]
    pardon: Option<String>,
    /// Compares what clients got with each worker, and on each kind of processor, with what they got with all others.
    #[arg(long, conflicts_with = "watch")]
    compare: bool,
    /// Lists them again every two seconds, with how much is played in all, until Ctrl-C.
    #[arg(short, long, conflicts_with = "json")]
    watch: bool,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// How often workers are listed anew.
const AGAIN: Duration = Duration::from_secs(2);
/// Clears a terminal's screen.
const CLEAR: &str = "\x1b[H\x1b[2J";

/// Does what is asked, and lists the workers.
pub fn workers(args: &WorkersArgs) -> Result<u8, Failure> {
    let about = args.file.as_deref().map(ladder_file::read_about).transpose()?;
    let place = about.as_ref().map_or_else(|| Ok(args.place.place()), |about| args.place.about(about))?;
    let name = about.map(|about| about.name);
    let record = place.open_for_workers()?;
    if let Some(name) = &args.invite {
        let Invitation { url, is_local } = record.invite_worker(name)?;
        println!("agon worker {} {}", shell::word(&url), shell::option("--name", name));
        if is_local {
            say("this address leads here from this machine only: give --record with the name that others know it by");
        }
        return Ok(status::DONE);
    }
    if let Some(name) = &args.drain
        && record.drain_worker(name)? == 0
    {
        return Err(Failure::new(
            status::USAGE,
            format!("no worker {name} is there that plays; agon workers lists all"),
        ));
    }
    if let Some(name) = &args.ban {
        let banned = record.ban_worker(name)?;
        say(&format!("{name} is banned, {banned} of its workers were known; --invite {name} lets it come again"));
    }
    if let Some(name) = &args.void {
        void(&record, name)?;
    }
    if let Some(name) = &args.pardon
        && record.pardon_worker(name)? == 0
    {
        return Err(Failure::new(
            status::USAGE,
            format!("nothing stands against a worker {name}; agon workers lists all"),
        ));
    }
    if args.watch {
        return watch(&record);
    }
    let results = args.compare.then(|| compare(&record, name.as_deref())).transpose()?;
    let workers = Workers(record.workers()?);
    if args.json {
        print!("{}", workers.json(results.as_ref()));
    } else {
        print!("{}", workers.text());
        results.iter().for_each(|results| print!("\n{}", results.text()));
    }
    Ok(status::DONE)
}

/// What the workers of the ladder with this name came to; of the newest, if none is named.
fn compare(record: &PostgresRecord, name: Option<&str>) -> Result<WorkerResults, Failure> {
    let ladder = find_ladder(record, name)?;
    Ok(WorkerResults::compare(record, &ladder, &record.played_by(ladder.id)?)?)
}

/// Lists the workers again and again, until a signal ends it or nobody reads it any more.
fn watch(record: &PostgresRecord) -> Result<u8, Failure> {
    let mut before: Option<(Instant, u64)> = None;
    loop {
        let rows = record.workers()?;
        let (now, blocks) = (Instant::now(), rows.iter().map(|row| row.blocks).sum::<u64>());
        let rate = before.map(|(then, least)| blocks.saturating_sub(least) as f64 / (now - then).as_secs_f64());
        let rate = rate.map_or(String::new(), |rate| format!("{rate:.1} blocks a second in all\n"));
        let clear = if std::io::stdout().is_terminal() { CLEAR } else { "" };
        let mut out = std::io::stdout();
        if write!(out, "{clear}{}{rate}", Workers(rows).text()).and_then(|()| out.flush()).is_err() {
            return Ok(status::DONE);
        }
        before = Some((now, blocks));
        std::thread::sleep(AGAIN);
    }
}

fn void(record: &PostgresRecord, name: &str) -> Result<(), Failure> {
    let Some(taken) = record.void_worker(name)? else {
        return Err(Failure::new(status::USAGE, format!("no worker {name} is known; agon workers lists all")));
    };
    if taken.is_empty() {
        say(&format!("nothing that {name} played is in the record"));
    }
    for (ladder, blocks) in taken {
        say(&format!(
            "{} of ladder {ladder} that {name} played out of the record; agon ladder again has them played by others",
            counted(blocks, "block is", "blocks are")
        ));
    }
    Ok(())
}

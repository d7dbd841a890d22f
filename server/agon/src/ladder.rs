//! `agon ladder`: read the words, run the ladder, show the table and how to go on.

use crate::metrics::MetricsArgs;
use crate::plan;
use crate::remote_args::{OthersArgs, check_jobs};
use crate::run::{EndAdvice, RunOptions, close, nobody_left, run_until_stopped, standings};
use agon_authoring::add;
use agon_command::numbers::{jobs_or_none, speed};
use agon_command::output::say;
use agon_command::place::{PlaceArgs, WRITABLE};
use agon_command::{Failure, ladder_file, status};
use agon_console::play::browser::boards::VisitorBoards;
use agon_games::AnyGame;
use agon_live::serve::LiveArgs;
use agon_model::shell;
use agon_tournament::Beginning;
use clap::Args;
use std::path::PathBuf;

/// The arguments of `agon ladder`.
#[derive(Args, Debug)]
#[command(mut_arg("record", |record| record.help(WRITABLE)))]
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
    /// The speed of this machine: 2 means twice as fast as the reference machine. It counts only if the ladder file has
    /// scale = "reference" below [time]. Default: agon measures it.
    #[arg(long, value_name = "FACTOR", value_parser = speed)]
    speed: Option<f64>,
    /// How many matches run at the same time. Default: jobs in the ladder file, or as many as the cores allow. Write 0
    /// to let only other machines play; this needs a record on PostgreSQL (--record or --open).
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
    /// Runs a shell command when agon suspends (benches) a client, when trouble occurs, and at the end. Its environment
    /// has AGON_EVENT (benched, trouble or ended), AGON_LADDER and AGON_MESSAGE.
    #[arg(long, value_name = "COMMAND")]
    notify: Option<String>,
    #[command(flatten)]
    live: LiveArgs,
    #[command(flatten)]
    metrics: MetricsArgs,
}

/// Runs a ladder, or goes on with it.
#[expect(clippy::too_many_lines)]
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
    let advice =
        EndAdvice { stopped: format!("Go on with: {command}"), void: format!("Play them again with: {command}") };
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
    args.others.send_home(&place, !ended.is_interrupted())?;
    // A person who has stopped the run has seen enough.
    if let Some(live) = live.filter(|_| !ended.is_interrupted()) {
        live.finish()?;
    }
    Ok(status)
}

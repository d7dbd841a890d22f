//! `agon worker run`: this machine plays for a ladder whose record is elsewhere.

use crate::doctor;
use crate::metrics;
use crate::metrics::MetricsArgs;
use agon_command::machines::database;
use agon_command::numbers::{jobs, speed};
use agon_command::output::say;
use agon_command::signals;
use agon_command::signals::unwatched;
use agon_command::status;
use agon_command::status::INTERRUPTED;
use agon_command::{Failure, find_paths, record_location};
use agon_crew::cores::{TakenCores, share_cores, take_cores};
use agon_crew::remote::{Importance, JoinOptions, SessionTally, WorkerTally, identity, join};
use agon_crew::{build, machine_speed};
use agon_games::AnyGame;
use agon_model::{SandboxPolicy, counted};
use agon_player::held_layers::warn_of_missing_layers;
use agon_record::exchange::Greeting;
use agon_tournament::rules_name;
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The arguments of `agon worker run`.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// The address in the invitation: https://HOST/worker#KEY or postgres://USER:PASSWORD@HOST/DATABASE; or @FILE (a file
    /// with such an address).
    #[arg(value_name = "URL", value_parser = record_location::workers_address)]
    record: String,
    /// How many matches run at the same time. Default: the number of cores.
    #[arg(short, long, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,
    /// The name of the worker. Default: the name of this machine.
    #[arg(long)]
    name: Option<String>,
    /// The speed of this machine: 2 means twice as fast as the reference machine. It counts only in ladders whose file has
    /// scale = "reference" below [time]. Default: agon measures it.
    #[arg(long, value_name = "FACTOR", value_parser = speed)]
    speed: Option<f64>,
    /// After SIGTERM or Ctrl-C, the worker may still finish running matches for this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    grace: u64,
    /// Ends after this many seconds without work.
    #[arg(long, value_name = "SECONDS")]
    idle: Option<u64>,
    /// The folder for clients' files and for results that the server has not confirmed. Default: ~/.cache/agon.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Also plays for ladders that require less than the full sandbox, such as sandbox = "off"
    ///
    /// Their clients can then do more on this machine, at worst all that your account may do.
    #[arg(long)]
    allow_weaker_sandbox: bool,
    /// Prints only problems.
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    metrics: MetricsArgs,
}

/// The time that a worker lives beyond its grace.
const LAST: Duration = Duration::from_secs(2);

/// Joins, plays, and goes.
pub fn run(args: &RunArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let cache = args.cache.clone().or_else(default_cache).ok_or_else(|| {
        let help = "help: say where files are kept: --cache DIR";
        Failure::usage(format!("this user has no home folder; {help}"))
    })?;
    // Files for clients are named by whole paths.
    std::fs::create_dir_all(&cache)
        .and_then(|()| cache.canonicalize())
        .map_err(|error| Failure::trouble(format!("{}: {error}; help: choose another --cache", cache.display())))
        .and_then(|cache| play(args, games, cache))
}

#[expect(clippy::too_many_lines)]
fn play(args: &RunArgs, games: &[&dyn AnyGame], cache: PathBuf) -> Result<u8, Failure> {
    let paths = find_paths(&cache)?;
    let layers = doctor::held_layers(&cache)?;
    warn_of_missing_layers(&paths.host, &SandboxPolicy::default(), &mut |what| say(&format!("warning: {what}")));
    let wrong = Failure::usage;
    let all = share_cores(None, 1).map_err(wrong)?;
    let taken: TakenCores = take_cores(args.jobs, 1).map_err(wrong)?;
    let speed = machine_speed(args.speed, &taken.jobs)
        .map_err(|error| Failure::trouble(format!("the speed of this machine: {error}")))?;
    let stop = Arc::new(AtomicBool::new(false));
    let grace = Duration::from_secs(args.grace);
    watch_signals(&stop, grace).map_err(unwatched)?;
    let identity = identity(&cache).map_err(|error| {
        let help = "help: make the folder writable, or choose another --cache";
        Failure::trouble(format!("{}: {error}; {help}", cache.display()))
    })?;
    let (cores, jobs) = (all.len() as u32, taken.jobs.len() as u32);
    let name = args.name.clone().unwrap_or_else(machine);
    let games_played = games.iter().map(|game| rules_name(game.facts())).collect();
    let greeting =
        Greeting { name, build: build().to_owned(), games: games_played, cores, jobs, layers, speed, identity };
    let tally = Arc::new(WorkerTally::default());
    let _metrics = args.metrics.start(metrics::worker_registry(&greeting.name, Arc::clone(&tally)))?;
    let address = blake3::hash(args.record.as_bytes()).to_hex();
    let options = JoinOptions {
        greeting,
        games,
        paths: &paths,
        spool: cache.join("spool").join(&address.as_str()[..16]),
        cores: taken.jobs.concat(),
        grace,
        idle: args.idle.map(Duration::from_secs),
        stop: &stop,
        tally: &tally,
        allows_weaker: args.allow_weaker_sandbox,
    };
    let mut link = database("agon worker run")?.link(&args.record).map_err(Failure::usage)?;
    let quiet = args.quiet;
    let mut tell = |told: Importance, text: &str| {
        if !quiet || told == Importance::Trouble {
            say(&agon_model::visible::escape(text, 600));
        }
    };
    let stay = join(&mut *link, &options, &mut tell)?;
    sum_up(&stay, &mut tell);
    let was_stopped = stop.load(Ordering::Relaxed) && !stay.drained;
    Ok(if was_stopped { INTERRUPTED } else { status::DONE })
}

fn sum_up(&SessionTally { blocks, refused, .. }: &SessionTally, tell: &mut dyn FnMut(Importance, &str)) {
    let played = format!("{} played and delivered", counted(blocks, "block was", "blocks were"));
    if refused > 0 {
        let refused = counted(refused, "was", "were");
        tell(Importance::Trouble, &format!("{played}; {refused} refused: agon worker list says why"));
    } else {
        tell(Importance::Progress, &played);
    }
}

/// The folder in which programs keep what they can make again.
fn default_cache() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache"))).map(|folder| folder.join("agon"))
}

/// The name of this machine, as far as a worker can have it.
fn machine() -> String {
    let told = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let fits = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let name: String = told.chars().filter(fits).skip_while(|c| !c.is_ascii_alphanumeric()).take(63).collect();
    if name.is_empty() { "worker".to_owned() } else { name }
}

/// The first signal lets the blocks under way finish within the grace; the second, or its end, drops them. Hosts die
/// with us, and others play what was dropped.
fn watch_signals(stop: &Arc<AtomicBool>, grace: Duration) -> std::io::Result<()> {
    let mut signals = signals::watch()?;
    let stop = Arc::clone(stop);
    let watch = move || {
        for _ in &mut signals {
            if stop.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(INTERRUPTED));
            }
            let seconds = grace.as_secs();
            say(&format!("finishing the blocks under way, for at most {seconds} s (again to drop them) …"));
            let give_up = move || {
                std::thread::sleep(grace + LAST);
                std::process::exit(i32::from(INTERRUPTED));
            };
            // Where no thread starts, only the limit is missing.
            let _ = std::thread::Builder::new().spawn(give_up);
        }
    };
    std::thread::Builder::new().spawn(watch).map(drop)
}

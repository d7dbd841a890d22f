//! `agon worker`: this machine plays for a ladder whose record is elsewhere.

use super::progress::say;
use super::status::{self, INTERRUPTED};
use super::terms::jobs;
use super::{Failure, doctor, find_places, place};
use agon_games::AnyGame;
use agon_postgres::PostgresLink;
use agon_record::board::Greeting;
use agon_tournament::workers::share_cores;
use agon_tournament::{Joining, Stay, join, rules_name};
use clap::Args;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Of `agon worker`.
#[derive(Args, Debug)]
pub struct WorkerArgs {
    /// The record, as `agon workers --invite` told it: postgres://USER:PASSWORD@HOST/DATABASE, or @FILE with that in
    /// it.
    #[arg(value_name = "URL", value_parser = place::url)]
    record: String,
    /// Matches at once; as many as there are cores if not given.
    #[arg(short, long, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,
    /// What it is called; the name of this machine if not given.
    #[arg(long)]
    name: Option<String>,
    /// How long blocks under way may take after SIGTERM or Ctrl-C, seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    grace: u64,
    /// Ends when nothing came to play for so long, seconds.
    #[arg(long, value_name = "SECONDS")]
    idle: Option<u64>,
    /// Where clients' files and what is not acknowledged are kept; ~/.cache/agon if not given.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Says nothing but warnings.
    #[arg(short, long)]
    quiet: bool,
}

/// How much longer than its grace a worker lives.
const LAST: Duration = Duration::from_secs(2);

/// Joins, plays, and goes.
pub fn worker(args: &WorkerArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let cache = args.cache.clone().or_else(default_cache).ok_or_else(|| {
        let help = "help: say where files are kept: --cache DIR";
        Failure::new(status::USAGE, format!("this user has no home folder; {help}"))
    })?;
    // What the clients read is named by whole paths.
    std::fs::create_dir_all(&cache)
        .and_then(|()| cache.canonicalize())
        .map_err(|error| {
            Failure::new(status::TROUBLE, format!("{}: {error}; help: choose another --cache", cache.display()))
        })
        .and_then(|cache| play(args, games, cache))
}

fn play(args: &WorkerArgs, games: &[&dyn AnyGame], cache: PathBuf) -> Result<u8, Failure> {
    let places = find_places(&cache)?;
    let layers = doctor::held_layers(&cache)?;
    let sharing = |jobs| share_cores(jobs, 1).map_err(|why| Failure::new(status::USAGE, why));
    let (all, cores) = (sharing(None)?, sharing(args.jobs)?);
    let cores: Vec<usize> = cores.into_iter().flatten().collect();
    let stop = Arc::new(AtomicBool::new(false));
    let grace = Duration::from_secs(args.grace);
    watch_signals(&stop, grace).map_err(|error| Failure::new(1, format!("signals cannot be watched: {error}")))?;
    let greeting = Greeting {
        name: args.name.clone().unwrap_or_else(machine),
        build: env!("CARGO_PKG_VERSION").to_owned(),
        games: games.iter().map(|game| rules_name(game.facts())).collect(),
        cores: all.len() as u32,
        jobs: cores.len() as u32,
        layers,
    };
    let address = blake3::hash(args.record.as_bytes()).to_hex();
    let joining = Joining {
        greeting,
        games,
        places: &places,
        spool: cache.join("spool").join(&address.as_str()[..16]),
        cores,
        grace,
        idle: args.idle.map(Duration::from_secs),
        stop: &stop,
    };
    let mut link = PostgresLink::new(&args.record).map_err(|why| Failure::new(status::USAGE, why))?;
    let quiet = args.quiet;
    let mut tell = |text: &str| {
        if !quiet {
            say(&agon_model::visible::escape(text, 600));
        }
    };
    let Stay { blocks, refused, drained } = join(&mut link, &joining, &mut tell)?;
    let more = if refused > 0 { format!("; {refused} were refused: agon workers says why") } else { String::new() };
    tell(&format!("{blocks} blocks were played and delivered{more}"));
    let was_stopped = stop.load(Ordering::Relaxed) && !drained;
    Ok(if was_stopped { INTERRUPTED } else { status::DONE })
}

/// Where programs keep what they can make again.
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
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
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

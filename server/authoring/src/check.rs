//! `agon check FILE`: tests a client step by step, from the file to whole matches, and says what to fix. It ends at the
//! first step that fails; nothing is recorded.

mod looked;
mod mover;
mod scripts;
mod seen;
mod steps;
mod trials;
mod valgrind;

pub use scripts::{copy_name, is_named_so, unnamed_interpreter};

use crate::rerun::debug_words;
use crate::stack::{self, RecordedFault};
use agon_abi::Layers;
use agon_arena::admission::{self, NotCopied};
use agon_command::ladder_file::OpenedFolders;
use agon_command::output::say;
use agon_command::scratch::Scratch;
use agon_command::{Failure, find_paths, status};
use agon_config::{MatchWords, in_place, names_in_place};
use agon_files::Regular;
use agon_games::{AnyGame, Facts, Options};
use agon_model::visible::json_document;
use agon_model::{SandboxPolicy, find_game, nearest, shell};
use agon_player::program::is_program;
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use steps::{CheckReport, StepName, StepOutcome};
use trials::{Trial, Trials};

/// The arguments of `agon check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Compiled clients (.so), scripts, executables, or names of clients in clients/.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game to test. Default: the one that the client declares. A script or executable declares no game; agon then
    /// takes the game of the ladder file.
    #[arg(short, long)]
    game: Option<String>,
    /// An option of the game; you may repeat it. agon then plays every match with these options. Without -o, it tries
    /// several settings.
    #[arg(short, long = "option", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// The number of matches that agon plays.
    #[arg(short = 'n', long = "matches", value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    number: u64,
    /// After this many seconds, no new match begins.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    patience: u64,
    /// The time for each move, such as 100ms. Default: 1s, unless --tc is given.
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// The time in the notation of cutechess: 10+0.1 gives 10 s for all moves, and adds 0.1 s after each move. st=1 is 1 s
    /// for each move.
    #[arg(long, value_name = "TC", conflicts_with = "time")]
    tc: Option<String>,
    /// The most memory that a client may use, such as 1GiB. Default: 512MiB.
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,
    /// Also looks for memory errors with valgrind. Landlock and seccomp are off, and the client has your rights: only
    /// for clients that you trust.
    #[arg(long)]
    valgrind: bool,
    /// Prints the results as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    opened: OpenedFolders,
}

/// Checks each file; 4 if one can play no match, 5 if one loses by a fault, 1 if this machine let one play no match.
pub fn check(args: &CheckArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let (mut all, sandbox) = (Vec::new(), args.opened.policy()?);
    for file in &args.files {
        let checked = check_file(args, file, &sandbox, games)?;
        if !args.json {
            println!("{}{}", if all.is_empty() { "" } else { "\n" }, checked.text().trim_end());
        }
        all.push(checked);
    }
    let failed: Vec<StepName> = all.iter().filter_map(CheckReport::failed).collect();
    let is_unplayed = all.iter().any(|checked| checked.is_unplayed);
    let has_passed = failed.is_empty() && !is_unplayed;
    if args.json {
        let document = serde_json::json!({ "schema": "agon.check/1", "passed": has_passed, "clients": all });
        print!("{}", json_document(&document));
    } else if has_passed {
        let game = all.first().and_then(|checked| find_game(games, checked.game.as_deref()?).ok());
        say(&next(&args.files, game.and_then(|game| opponent(game.facts()))));
    }
    Ok(match failed.iter().min() {
        None if is_unplayed => status::TROUBLE,
        None => status::DONE,
        Some(step) if *step <= StepName::Contract => status::REFUSED,
        Some(_) => status::DIFFERS,
    })
}

/// The bundled client to beat first; none where each plays alone.
fn opponent(facts: &Facts) -> Option<&'static str> {
    facts.starter.filter(|_| facts.seats.0 > 1).and_then(|starter| starter.opponents.first().copied())
}

/// The next step for clients that can play.
fn next(files: &[PathBuf], opponent: Option<&str>) -> String {
    let names = |file: &PathBuf| file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let is_in_place = |file: &PathBuf| is_name(file) || file.parent().is_some_and(|folder| folder.ends_with("clients"));
    if files.iter().all(is_in_place) {
        let names: Vec<String> = files.iter().filter_map(names).collect();
        // A file whose name looks like an option is named by its path.
        let own = if names[0].starts_with('-') {
            shell::word(&format!("clients/{}.so", names[0]))
        } else {
            shell::word(&names[0])
        };
        return match opponent.filter(|opponent| *opponent != names[0]) {
            Some(opponent) => format!("next: agon match {own} {opponent} -n 10 plays matches"),
            None => format!("next: agon match {own} {own} plays it against itself; name another client instead"),
        };
    }
    let files: Vec<String> = files.iter().map(|file| shell::file(&file.to_string_lossy())).collect();
    format!("next: agon add {} puts it into clients/, and agon match plays it", files.join(" "))
}

/// Everything that can be seen of one file.
fn check_file(
    args: &CheckArgs,
    file: &Path,
    sandbox: &SandboxPolicy,
    games: &[&dyn AnyGame],
) -> Result<CheckReport, Failure> {
    let mut checked = CheckReport { file: file.display().to_string(), ..CheckReport::default() };
    let scratch = Scratch::until_signal()?;
    let copy_name = copy_name(file);
    let copy = scratch.path().join(&copy_name);
    let path = if is_name(file) { in_place(&file.to_string_lossy(), Path::new("")).into() } else { file.to_owned() };
    let size = match copy_file(&path, &copy)? {
        Ok(size) => size,
        Err(outcome) => {
            checked.add(StepName::File, outcome);
            return Ok(checked);
        }
    };
    if let Some(why) = unnamed_interpreter(file, &copy) {
        checked.add(StepName::File, StepOutcome::failed(&why));
        return Ok(checked);
    }
    // A program does not declare its game, but its ladder does.
    let of_ladder = || is_program(&copy).then(|| args.opened.game()).flatten();
    let game = args.game.clone().or_else(of_ladder);
    let facts = looked::look(&mut checked, &copy, size, (game.as_deref(), sandbox), games)?;
    if let Some(facts) = facts {
        let (usual, words) = (args.options.join(" "), words(args));
        let small = if usual.is_empty() { small(facts, games) } else { Vec::new() };
        let trials = Trials { folder: scratch.path(), client: copy_name, facts, games, usual, small, words, sandbox };
        play(args, &mut checked, &trials)?;
    }
    Ok(checked)
}

/// Whether it is the name of a client rather than the path of a file.
fn is_name(file: &Path) -> bool {
    file.components().count() == 1 && file.extension().is_none() && !file.exists()
}

/// The copy that is looked at, and how large it is; a compiler may write the file meanwhile.
fn copy_file(file: &Path, copy: &Path) -> Result<Result<u64, StepOutcome>, Failure> {
    const BUILD: &str =
        "correct the path, or build it first: make, or cc -O2 -g -fPIC -shared -I include -o client.so client.c";
    let mut opened = match Regular::open(file, agon_files::LARGEST) {
        Ok(opened) => opened,
        Err(_) if file.symlink_metadata().is_err() => {
            let help = if is_named_so(file) { "correct the path" } else { BUILD };
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let near = near(file, &stem).map_or(String::new(), |meant| format!("did you mean {meant}? If not, "));
            return Ok(Err(StepOutcome::failed(&format!("there is no file {}; help: {near}{help}", file.display()))));
        }
        // The message says what to do.
        Err(why) => return Ok(Err(StepOutcome::failed(&why.to_string()))),
    };
    match admission::copy_to(&mut opened, copy, 0o755) {
        Ok(_) => Ok(Ok(copy.metadata().map_or(0, |seen| seen.len()))),
        Err(NotCopied::Source(why)) => Ok(Err(StepOutcome::failed(&why.to_string()))),
        Err(NotCopied::Ours { what, .. }) => Err(Failure::trouble(what)),
    }
}

/// The client that was probably meant where a file is missing: one that is known by its name, or else one that lies
/// there or here, by its path.
fn near(file: &Path, stem: &str) -> Option<String> {
    let here = Path::new(".");
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(here);
    if folder != Path::new("clients") {
        return near_in(folder, stem);
    }
    let known = names_in_place(Path::new(""));
    let meant = nearest(stem, known.iter().map(String::as_str)).map(str::to_owned);
    meant.or_else(|| near_in(here, stem))
}

fn near_in(folder: &Path, stem: &str) -> Option<String> {
    let listed = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_client = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "so") || is_program(path);
    let clients: Vec<PathBuf> = listed.filter(is_client).collect();
    let stems: Vec<String> = clients.iter().filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    let meant = nearest(stem, stems.iter().map(String::as_str))?;
    let path = clients.iter().find(|path| path.file_stem().is_some_and(|own| own == meant))?;
    Some(path.display().to_string())
}

/// The small settings of a game that can be played by as few as it takes.
fn small(facts: &'static Facts, games: &[&dyn AnyGame]) -> Vec<String> {
    let Some(game) = games.iter().find(|game| game.facts().name == facts.name) else { return Vec::new() };
    let fits = |options: &&&str| game.prepare(&Options::from_pairs(options), facts.seats.0.max(1)).is_ok();
    facts.small.iter().filter(fits).map(|options| (*options).to_owned()).collect()
}

fn words(args: &CheckArgs) -> MatchWords {
    MatchWords {
        per_move: args.time.clone(),
        tc: args.tc.clone(),
        memory: args.memory.clone(),
        ..MatchWords::default()
    }
}

/// The stack of the client on a seat where it hung or crashed in a match.
fn where_it_was(trial: &Trial, seat: usize, folder: &Path) -> Result<Vec<String>, Failure> {
    let files = trial.ad_hoc.files(seat).filter(|files| !is_program(&files.library));
    let Some(files) = files else { return Ok(Vec::new()) };
    let requests = agon_tournament::requests(&trial.played, &trial.ad_hoc, seat).map_err(Failure::trouble)?;
    let Some(recorded) = RecordedFault::of(&trial.played, seat) else { return Ok(Vec::new()) };
    let words = debug_words(files, Layers::ALL, &requests, folder.join("stack.requests"))?;
    let host = find_paths(folder)?.host;
    let lines = stack::find(&host, &files.library, &words, &recorded, "agon check --valgrind FILE").into_iter();
    Ok(std::iter::once("where it was, by gdb:".to_owned()).chain(lines.map(|line| format!("  {line}"))).collect())
}

/// Plays the matches, and adds what they show.
fn play(args: &CheckArgs, checked: &mut CheckReport, trials: &Trials<'_>) -> Result<(), Failure> {
    let (began, patience) = (Instant::now(), Duration::from_secs(args.patience));
    let mut played: Vec<Trial> = Vec::new();
    let mut said = Instant::now();
    while (played.len() as u64) < args.number && (played.is_empty() || began.elapsed() < patience) {
        let trial = trials.play(played.len())?;
        let goes_on = seen::goes_on(&trial);
        played.push(trial);
        if !goes_on {
            break;
        }
        if said.elapsed() > Duration::from_secs(2) {
            said = Instant::now();
            say(&format!("{} of {} matches …", played.len(), args.number));
        }
    }
    seen::tell(checked, &played, args.number);
    if checked.failed().is_some() {
        return tell_failure(args, checked, trials, &played);
    }
    if checked.is_unplayed {
        return Ok(());
    }
    if let Some((trial, seat)) = seen::in_finalize(&played) {
        checked.details.extend(where_it_was(trial, seat, trials.folder)?);
    }
    seen::tell_same_again(checked, trials, &played)?;
    let longest = played.iter().max_by_key(|trial| trial.played.steps.len());
    match longest.filter(|_| args.valgrind) {
        Some(trial) => run_valgrind(checked, trial, trial.seats.first().copied().unwrap_or(0), trials),
        None => {
            checked.add(StepName::Valgrind, StepOutcome::Skipped { what: "not asked for: --valgrind".to_owned() });
            Ok(())
        }
    }
}

/// Where it was in the match that it lost, and what valgrind says of that one.
fn tell_failure(
    args: &CheckArgs,
    checked: &mut CheckReport,
    trials: &Trials<'_>,
    played: &[Trial],
) -> Result<(), Failure> {
    let lost = played.last().and_then(|last| Some((last, seen::faults(last).next()?)));
    let Some((trial, (seat, fault))) = lost else { return Ok(()) };
    if fault.kind.has_place() {
        let stack = where_it_was(trial, seat, trials.folder)?;
        let at = checked.details.len().min(1);
        checked.details.splice(at..at, stack);
    }
    if !args.valgrind {
        return Ok(());
    }
    if valgrind::can_tell_of(fault.kind) {
        return run_valgrind(checked, trial, seat, trials);
    }
    let what = format!("not run: of {} it tells nothing", fault.kind.name());
    checked.add(StepName::Valgrind, StepOutcome::Skipped { what });
    Ok(())
}

fn run_valgrind(checked: &mut CheckReport, trial: &Trial, seat: usize, trials: &Trials<'_>) -> Result<(), Failure> {
    let host = find_paths(trials.folder)?.host;
    let (outcome, lines) = valgrind::look(trial, seat, &host, trials.folder)?;
    checked.add(StepName::Valgrind, outcome);
    if !lines.is_empty() {
        checked.details.push("what valgrind said:".to_owned());
    }
    checked.details.extend(lines);
    Ok(())
}

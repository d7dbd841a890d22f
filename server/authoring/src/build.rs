//! `agon build`: turns the submissions of a class, from a learning platform or in folders, into clients in their
//! places. Each is built in a sandbox, in a folder of its own without a network, and the compiler's messages are kept.

mod author;
mod authors;
mod made_client;
mod make;
mod place;
mod project;
mod remove;
mod spent;
mod submission;
mod toolchain;
mod unpack;

pub use self::author::client_name;
use self::authors::{Authors, forget_refusal};
use self::make::{BuildEnvironment, MadeClient};
use self::place::{BuildFolder, FIRST_USER};
use self::project::{PROGRAM, Project};
use self::submission::Submission;
use self::toolchain::Toolchains;
pub use self::unpack::{ArchiveKind, LeftOut, UnpackLimits, unpack};
use crate::placed::PlacedClient;
use crate::{add, header};
use agon_command::ladder_file::OpenedFolders;
use agon_command::signals::ENDING;
use agon_command::{Failure, find_paths, status};
use agon_files::LARGEST;
use agon_files::Regular;
use agon_games::AnyGame;
use agon_model::units::duration;
use agon_model::visible::{Medium, escape, visible};
use agon_player::program::is_program;
use clap::Args;
use rustix::process::geteuid;
use serde::Serialize;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// The arguments of `agon build`.
#[derive(Args, Debug)]
pub struct BuildArgs {
    /// Archives (.zip, .tar, .tar.gz) or folders. An archive may hold one client or a whole class, as learning
    /// platforms export it.
    #[arg(required = true, value_name = "PLACE")]
    places: Vec<PathBuf>,
    /// The folder for the clients.
    #[arg(long, value_name = "DIR", default_value = "clients")]
    out: PathBuf,
    /// The folder for the compilers' messages, a file for each submission.
    #[arg(long, value_name = "DIR", default_value = "builds")]
    messages: PathBuf,
    /// The time limit of each build.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    time: Duration,
    /// The only game that the clients may play.
    #[arg(short, long)]
    game: Option<String>,
    /// Replaces files of the same name.
    #[arg(long)]
    replace: bool,
    /// Prints the result as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    opened: OpenedFolders,
}

fn parse_time(text: &str) -> Result<Duration, String> {
    duration(text).map(Duration::from_micros)
}

/// The fate of one submission.
#[derive(Serialize, Default)]
struct BuildOutcome {
    /// The author, by the name of the client.
    client: String,
    /// The tool that built it: `make`, `cc`, `c++`, `cargo`, `go` or `zig`. A submission that needs no build is a
    /// `library` without sources, or a `program`.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'static str>,
    /// The path of the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
    /// The line about the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<String>,
    /// Why there is none, and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    /// The path of the compiler's messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    messages: Option<PathBuf>,
    /// Why the client is not called as its author is.
    #[serde(skip_serializing_if = "Option::is_none")]
    renamed: Option<String>,
    /// The parts of the submission that were left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
}

impl BuildOutcome {
    fn placed<'a>(&'a self, args: &'a BuildArgs) -> PlacedClient<'a> {
        PlacedClient { name: &self.client, folder: &args.out, replace: args.replace }
    }
}

/// Builds the submissions and puts them in place; the status is 4 if one could not be.
pub fn build(args: &BuildArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    if let Some(missing) = args.places.iter().find(|place| !place.exists()) {
        let what = format!("{} is not there; help: name the folder or archive of submissions", missing.display());
        return Err(Failure::usage(what));
    }
    let folder = BuildFolder::new()?;
    let environment = prepare(args, &folder, games)?;
    let mut submissions = submission::find(&args.places, &environment.scratch.join("sources"), &environment.stop);
    if environment.stop.load(Relaxed) {
        eprintln!("interrupted before anything was built; the same command builds all of it");
        return Ok(status::INTERRUPTED);
    }
    let mut authors = Authors::read(&args.out)?;
    authors.name(&mut submissions);
    fs::create_dir_all(&args.messages).map_err(trouble(&args.messages))?;
    environment.give(&environment.scratch).map_err(trouble(&environment.scratch))?;
    let mut outcomes = Vec::new();
    for submission in submissions {
        let (author, time) = (submission.author.clone(), submission.time());
        let renamed = authors.renamed(&submission.name);
        let outcome = BuildOutcome { renamed, ..build_one(submission, &environment, args, games)? };
        if environment.stop.load(Relaxed) {
            eprintln!("interrupted; what was built stays, and the same command builds all of it anew");
            return Ok(status::INTERRUPTED);
        }
        outcome.placed(args).settle(outcome.file.as_deref(), outcome.refused.as_deref())?;
        outcome.placed(args).date(outcome.file.as_deref(), time);
        if let Some(author) = &author
            && authors.keep(&outcome.client, author)?
        {
            forget_refusal(author, &args.out)?;
        }
        if !args.json {
            print!("{}", outcome_text(&outcome));
        }
        outcomes.push(outcome);
    }
    Ok(sum_up(&outcomes, &authors, args.json))
}

fn trouble(what: &Path) -> impl Fn(std::io::Error) -> Failure {
    move |error| Failure::trouble(format!("{}: {error}", what.display()))
}

/// Writes the headers, finds the compilers, and watches for signals.
fn prepare(args: &BuildArgs, folder: &BuildFolder, games: &[&dyn AnyGame]) -> Result<BuildEnvironment, Failure> {
    let (sandbox, stop) = (args.opened.policy()?, Arc::new(AtomicBool::new(false)));
    for signal in ENDING {
        signal_hook::flag::register(signal, Arc::clone(&stop)).map_err(trouble(Path::new("signals")))?;
    }
    if let Some(why) = folder.why_unusual() {
        eprintln!("{why}; it builds elsewhere: files may differ by the paths that compilers write into them");
    }
    let (host, scratch) = (find_paths(&args.out)?.host, folder.path().to_owned());
    let include = scratch.join("include");
    header::write_headers(&games.iter().map(|game| game.facts()).collect::<Vec<_>>(), &include)?;
    // Nobody has so high a number; in it, builds that run at the same time are apart.
    let user = geteuid().is_root().then(|| FIRST_USER + std::process::id());
    let toolchains = Toolchains::find(user.is_some());
    Ok(BuildEnvironment { host, scratch, include, toolchains, sandbox, time: args.time, user, stop })
}

fn sum_up(outcomes: &[BuildOutcome], authors: &Authors, json: bool) -> u8 {
    let refused = outcomes.iter().filter(|outcome| outcome.refused.is_some()).count();
    let (built, all) = (outcomes.len() - refused, outcomes.len());
    if json {
        authors.note().iter().for_each(|note| eprintln!("{}", escape(note, 10_000)));
        println!("{}", serde_json::json!({"schema": "agon.build/1", "clients": outcomes}));
    } else {
        authors.note().iter().for_each(|note| println!("{}", escape(note, 10_000)));
        println!("{built} of {all} built; help: agon check FILE tries one, agon ladder plays");
    }
    if refused > 0 { status::REFUSED } else { status::DONE }
}

/// The reason why a submission is not built.
enum Unbuilt {
    Refused(String),
    /// This ends the command.
    Failed(Failure),
}

impl From<String> for Unbuilt {
    fn from(why: String) -> Unbuilt {
        Unbuilt::Refused(why)
    }
}

impl From<Failure> for Unbuilt {
    fn from(failure: Failure) -> Unbuilt {
        Unbuilt::Failed(failure)
    }
}

fn build_one(
    submission: Submission,
    environment: &BuildEnvironment,
    args: &BuildArgs,
    games: &[&dyn AnyGame],
) -> Result<BuildOutcome, Failure> {
    let Submission { name, folder, left_out, .. } = submission;
    let mut outcome = BuildOutcome { client: name, left_out, ..BuildOutcome::default() };
    match place_one(folder, &mut outcome, environment, args, games) {
        Ok(()) => {}
        Err(Unbuilt::Refused(why)) => outcome.refused = Some(why),
        Err(Unbuilt::Failed(failure)) => return Err(failure),
    }
    Ok(outcome)
}

/// Builds a submission and puts its client in place; `outcome` gets every step that succeeds.
fn place_one(
    folder: Result<PathBuf, String>,
    outcome: &mut BuildOutcome,
    environment: &BuildEnvironment,
    args: &BuildArgs,
    games: &[&dyn AnyGame],
) -> Result<(), Unbuilt> {
    let folder = environment.bring(folder?)?;
    let project = Project::of(&folder, &outcome.client, &environment.scratch, &environment.toolchains)?;
    outcome.by = Some(project.by());
    let client = make_client(&project, outcome, environment, &args.messages)?;
    // The build may have put a link there, and has ended: nothing changes it any more.
    let opened = Regular::beneath(&folder, &client, LARGEST)
        .map_err(|why| format!("its client, {}: {why}", project::file_name(&client)))?;
    let place = args.out.join(format!("{}.{}", outcome.client, ending(&client)));
    if let Some(other) = outcome.placed(args).other_than(&place).filter(|_| !args.replace) {
        return Err(format!("{} is there already; help: --replace puts this one there", other.display()).into());
    }
    let (game, replace) = (args.game.as_deref(), args.replace);
    let seen = add::put_at((&client, Ok(opened)), &place, (game, replace), &environment.sandbox, games)?;
    outcome.seen = Some(seen.map_err(|why| {
        // Messages about any client say GAME.
        let game = args.game.clone().or_else(|| project::game_of(&folder, games));
        game.map_or(why.clone(), |game| why.replace("GAME_", &format!("{game}_")))
    })?);
    outcome.file = Some(place);
    Ok(())
}

/// The client's file in a project, which is built from its sources if it has any.
fn make_client(
    project: &Project,
    outcome: &mut BuildOutcome,
    environment: &BuildEnvironment,
    messages: &Path,
) -> Result<PathBuf, Unbuilt> {
    let (folder, command, script) = match project {
        Project::Ready { file, .. } => return Ok(file.clone()),
        Project::Sources { folder, command, script, .. } => (folder, command, script),
    };
    let MadeClient { text, library } = environment.make(folder, command, &outcome.client)?;
    let file = messages.join(format!("{}.txt", outcome.client));
    fs::write(&file, &*visible(&text, Medium::Screen)).map_err(trouble(&file))?;
    outcome.messages = Some(file.clone());
    match (library, script) {
        (Ok(library), _) => Ok(library),
        (Err(_), Some(script)) => {
            outcome.by = Some(PROGRAM);
            Ok(script.clone())
        }
        (Err(why), None) => Err(format!("{why}; help: {} has all it said, for its author", file.display()).into()),
    }
}

/// The ending of the file that is put in place: a script keeps its own.
fn ending(client: &Path) -> &str {
    let own = client.extension().and_then(OsStr::to_str).filter(|own| *own != "json");
    if is_program(client) { own.unwrap_or("bin") } else { "so" }
}

fn outcome_text(outcome: &BuildOutcome) -> String {
    let name = escape(&outcome.client, 60);
    let mut out = match (&outcome.file, &outcome.refused) {
        (Some(file), _) => {
            let (by, seen) = (outcome.by.unwrap_or_default(), outcome.seen.as_deref().unwrap_or_default());
            format!("built    {} ({by}): {seen}\n", file.display())
        }
        (None, why) => format!("refused  {name}: {}\n", escape(why.as_deref().unwrap_or_default(), 1_000)),
    };
    if let Some(file) = outcome.file.as_deref().filter(|file| is_program(file)) {
        let file = escape(&file.display().to_string(), 200);
        out += &format!("         help: write in ladder.toml clients = [\"{file}\", ...] and [run] programs = true\n");
    }
    if let Some(renamed) = &outcome.renamed {
        out += &format!("         {}\n", escape(renamed, 200));
    }
    for left_out in &outcome.left_out {
        out += &format!("         left out: {}\n", escape(left_out, 200));
    }
    out
}

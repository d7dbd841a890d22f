//! `agon add`: the program that puts compiled clients in place. Each is copied first and the copy looked at in the
//! sandbox; it appears whole or not at all, so that a running ladder never sees half a file, and what was looked at is
//! what plays. A trial match then shows what a look does not.

use crate::placed::PlacedClient;
use crate::trial;
use agon_abi::Cause;
use agon_arena::admission::{self, LookBounds, NotCopied, PATIENCE};
use agon_command::confirm::confirmed;
use agon_command::ladder_file::OpenedFolders;
use agon_command::{Failure, find_paths, status};
use agon_config::{bundled, in_place};
use agon_files::patterns::label_files;
use agon_files::{Regular, Unreadable, refused};
use agon_games::AnyGame;
use agon_model::visible::{Medium, escape, visible};
use agon_model::{Look, Paths, SandboxPolicy, nearest};
use agon_player::program::is_program;
use clap::Args;
use std::ffi::OsStr;
use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// The arguments of `agon add`.
#[derive(Args, Debug)]
pub struct AddArgs {
    /// Compiled clients; agon drops a leading `lib` from their names. Name a bundled client without a path: agon add
    /// random. Without FILES, agon lists the bundled clients.
    files: Vec<PathBuf>,
    /// The folder for the clients.
    #[arg(long, value_name = "DIR", default_value = "clients")]
    out: PathBuf,
    /// Replaces files of the same name without asking. Without --replace, agon asks at a terminal, and refuses elsewhere.
    #[arg(long)]
    replace: bool,
    /// Adds the clients without a trial match.
    #[arg(long)]
    no_trial: bool,
    #[command(flatten)]
    opened: OpenedFolders,
}

/// The fate of one file.
enum AddOutcome {
    /// The file is the adapter, which is left out.
    LeftOut,
    /// The file was refused, for this reason.
    Refused(String),
    /// The file was copied, with what was seen of it.
    Added(Added),
}

/// A file that was put in place.
struct Added {
    copy: PathBuf,
    look: Look,
    /// Whether it has no descriptor, so that the adapter plays for it.
    is_classic: bool,
}

/// A file of the command line.
struct Source<'a> {
    file: &'a Path,
    /// The name of its copy.
    name: String,
}

/// The way in which each file is put in place.
struct AddOptions<'a> {
    to: &'a Path,
    paths: Paths,
    games: &'a [&'a dyn AnyGame],
    /// The only game that it may play, if there is one.
    game: Option<&'a str>,
    replace: bool,
    /// The folders that it may read while it is examined.
    sandbox: &'a SandboxPolicy,
}

/// Copies each file, looks at the copy, and says what it is; 4 if one was refused.
pub fn add(args: &AddArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    if args.files.is_empty() {
        let to = escape(&args.out.to_string_lossy(), LONGEST_PATH);
        println!("agon add NAME copies one of these clients into {to}/; agon add FILE.so copies yours.");
        bundled().iter().for_each(|name| println!("  {name}"));
        return Ok(status::DONE);
    }
    let (sandbox, paths) = (args.opened.policy()?, find_paths(&args.out)?);
    let options = AddOptions { to: &args.out, paths, games, game: None, replace: args.replace, sandbox: &sandbox };
    let files: Vec<PathBuf> = args.files.iter().map(|word| find_file(word)).collect();
    let sources = name_copies(&files)?;
    let mut refused = 0;
    for source in &sources {
        let shown = escape(&source.file.to_string_lossy(), LONGEST_PATH);
        match put_in_place(source, Regular::open(source.file, agon_files::LARGEST), &options)? {
            AddOutcome::LeftOut => {
                println!("left out {shown}: not a client; agon itself uses it, for clients of the course before agon");
            }
            AddOutcome::Refused(message) => {
                refused += 1;
                let message = absent(source.file).unwrap_or(message);
                if source.file.symlink_metadata().is_ok() {
                    let name = source.name.rsplit_once('.').map_or(source.name.as_str(), |(name, _)| name);
                    PlacedClient { name, folder: &args.out, replace: false }.settle(None, Some(&message))?;
                }
                println!("refused  {shown}: {}", escape(&message, LONGEST_MESSAGE));
            }
            AddOutcome::Added(added) => {
                tell_added(&added);
                if !args.no_trial {
                    tell_trial(&added, &sandbox, games)?;
                }
            }
        }
    }
    Ok(if refused > 0 { status::REFUSED } else { status::DONE })
}

/// Puts a file where that of a team is, after the same look; what was seen of it, or why it was refused.
pub fn replace(
    file: &Path,
    place: &Path,
    game: Option<&str>,
    sandbox: &SandboxPolicy,
    games: &[&dyn AnyGame],
) -> Result<Result<String, String>, Failure> {
    put_at((file, Regular::open(file, agon_files::LARGEST)), place, (game, true), sandbox, games)
}

/// The same for a file as it was opened; where another file is there and may not be replaced, that is why it is
/// refused.
pub fn put_at(
    (file, opened): (&Path, Result<Regular, Unreadable>),
    place: &Path,
    (game, replace): (Option<&str>, bool),
    sandbox: &SandboxPolicy,
    games: &[&dyn AnyGame],
) -> Result<Result<String, String>, Failure> {
    let (to, name) = (place.parent().unwrap_or(Path::new(".")), place.file_name().unwrap_or_default());
    let options = AddOptions { to, paths: find_paths(to)?, games, game, replace, sandbox };
    Ok(match put_in_place(&Source { file, name: name.to_string_lossy().into_owned() }, opened, &options)? {
        AddOutcome::LeftOut => Err("it is the adapter for classic clients, which agon has itself".to_owned()),
        AddOutcome::Refused(why) => Err(why),
        AddOutcome::Added(added) => Ok(added_line(&added)),
    })
}

/// The line about a file that was put in place.
fn added_line(Added { copy, look, is_classic }: &Added) -> String {
    if is_program(copy) {
        return look.as_program();
    }
    let name = look.name.as_ref().map(|name| format!("; it calls itself \"{}\"", escape(name, 60)));
    let classic = if *is_classic { ", of the original course" } else { "" };
    format!("a client of {}{classic}{}", look.game.as_deref().unwrap_or_default(), name.unwrap_or_default())
}

/// The message about a name that is neither that of a file nor of a bundled client.
fn absent(word: &Path) -> Option<String> {
    let name = word.to_str().filter(|name| !word.exists() && !name.contains(['/', '.']))?;
    let bundled = bundled();
    let help = match nearest(name, bundled.iter().map(String::as_str)) {
        Some(near) => format!("did you mean {near}?"),
        None => "agon add lists the bundled ones".to_owned(),
    };
    Some(format!("no such file or bundled client; help: {help}"))
}

/// A file, or that of the client of this name where there is no such file.
fn find_file(word: &Path) -> PathBuf {
    let named = word.to_str().filter(|name| !word.exists() && !name.contains(['/', '.']));
    let shipped = named.map(|name| PathBuf::from(in_place(name, Path::new(""))));
    shipped.filter(|file| file.is_file()).unwrap_or_else(|| word.to_owned())
}

/// Names each file's copy after the file, without `lib`. Those that would have one name are named after the folders in
/// which they differ, as in a ladder.
fn name_copies(files: &[PathBuf]) -> Result<Vec<Source<'_>>, Failure> {
    let mut sources: Vec<Source<'_>> = Vec::new();
    for (file, label) in files.iter().zip(label_files(files)) {
        let ending = if is_program(file) { file.extension().unwrap_or(OsStr::new("bin")) } else { OsStr::new("so") };
        let name = format!("{}.{}", label.strip_prefix("lib").unwrap_or(&label), ending.to_string_lossy());
        if let Some(before) = sources.iter().find(|source| source.name == name) {
            let (one, other) = (before.file.display(), file.display());
            let help = "add them one by one, to folders of their own (--out DIR), or rename one";
            return Err(Failure::usage(format!("{one} and {other} would both be called {name}; help: {help}")));
        }
        sources.push(Source { file, name });
    }
    Ok(sources)
}

/// The longest path and the longest reason on a line: a file's name may hold line breaks, and so forge lines.
const LONGEST_PATH: usize = 1_000;
const LONGEST_MESSAGE: usize = 2_000;

fn tell_added(added: &Added) {
    let Added { copy, look, is_classic } = added;
    let name = look.name.as_ref().map(|name| format!("calls itself \"{}\"", escape(name, 60)));
    let name = name.unwrap_or("tells its name in a match".to_owned());
    let shown = escape(&copy.to_string_lossy(), LONGEST_PATH);
    if is_program(copy) {
        println!("added    {shown} ({})", escape(&look.as_program().to_string(), LONGEST_PATH));
        println!("         help: it plays in ladders that have [run] programs = true and name it in clients");
        return;
    }
    let game = look.game.as_deref().unwrap_or_default();
    println!("added    {shown} ({}, {name})", escape(game, 60));
    if let Some(notice) = look.notice() {
        println!("         {notice}");
    }
    if *is_classic {
        println!("         it tells no game, so it is taken for a client of the original course, of {game}");
        println!(
            "         help: if it was written for agon, the last line of its source is missing: AGON_CLIENT({game})"
        );
    }
}

/// Plays the trial and says what came of it.
fn tell_trial(added: &Added, sandbox: &SandboxPolicy, games: &[&dyn AnyGame]) -> Result<(), Failure> {
    let game = added.look.game.as_deref().unwrap_or_default();
    let Some(game) = games.iter().map(|game| game.facts()).find(|facts| facts.name == game) else { return Ok(()) };
    println!("         {}", visible(&trial::play(&added.copy, game, sandbox, games)?, Medium::Screen));
    Ok(())
}

/// Whether a copy may be put there: nothing, or the same, is there, or a person agrees.
fn may_replace(copy: &Path, hash: &str, options: &AddOptions<'_>) -> Result<bool, Failure> {
    let there = Regular::open(copy, agon_files::LARGEST).and_then(|mut file| agon_files::hash(&mut file));
    match there {
        _ if options.replace || copy.symlink_metadata().is_err() => Ok(true),
        Ok(there) if there == hash => Ok(true),
        _ if !std::io::stdin().is_terminal() => Ok(false),
        _ => confirmed(false, &format!("{} is another file; replace it?", copy.display())),
    }
}

/// Puts one file in place, by way of a name that no pattern finds.
fn put_in_place(
    source: &Source<'_>,
    opened: Result<Regular, Unreadable>,
    options: &AddOptions<'_>,
) -> Result<AddOutcome, Failure> {
    let (Source { file, name }, folder) = (source, options.to);
    let trouble = |error: std::io::Error| Failure::trouble(format!("{}: {error}", file.display()));
    let mut opened = match opened {
        Ok(opened) => opened,
        Err(why) => return Ok(AddOutcome::Refused(why.to_string())),
    };
    fs::create_dir_all(folder).map_err(trouble)?;
    let (copy, partial) = (folder.join(name), folder.join(format!(".{name}.{}.tmp", std::process::id())));
    let hash = match admission::copy_to(&mut opened, &partial, 0o777) {
        Ok(hash) => hash,
        Err(NotCopied::Source(why)) => return Ok(AddOutcome::Refused(why.to_string())),
        Err(NotCopied::Ours { what, .. }) => return Err(Failure::trouble(what)),
    };
    let placed = examine(&partial, &hash, options).and_then(|outcome| match outcome {
        AddOutcome::Added(_) if !may_replace(&copy, &hash, options)? => {
            let why = format!("{} exists and differs from this file; help: --replace replaces it", copy.display());
            Ok(AddOutcome::Refused(why))
        }
        AddOutcome::Added(added) => {
            fs::rename(&partial, &copy).map_err(trouble)?;
            let _ = fs::remove_file(refused::note_of(&copy));
            Ok(AddOutcome::Added(Added { copy: copy.clone(), ..added }))
        }
        other => Ok(other),
    });
    if !matches!(placed, Ok(AddOutcome::Added(_))) {
        let _ = fs::remove_file(&partial);
    }
    placed
}

/// Looks at a copy, which is behind the adapter where it needs that.
fn examine(copy: &Path, hash: &str, options: &AddOptions<'_>) -> Result<AddOutcome, Failure> {
    let paths = &options.paths;
    let bounds = LookBounds { patience: PATIENCE, memory: admission::MEMORY };
    let see = |file: &Path| {
        let file = file.canonicalize()?;
        admission::look(paths, &file, options.sandbox, bounds)
    };
    let trouble = |error: std::io::Error| Failure::trouble(format!("{}: {error}", copy.display()));
    if let Some(adapter) = &paths.adapter {
        let adapter = Regular::open(adapter, agon_files::LARGEST).and_then(|mut file| agon_files::hash(&mut file));
        if adapter.map_err(|why| Failure::trouble(format!("the adapter: {why}")))? == hash {
            return Ok(AddOutcome::LeftOut);
        }
    }
    let mut look = see(copy).map_err(trouble)?;
    let adapter = paths.adapter.as_ref().filter(|_| look.needs_adapter());
    if let Some(adapter) = adapter {
        look = see(adapter).map_err(trouble)?;
    }
    let other = look.game.as_deref().filter(|game| options.game.is_some_and(|only| only != *game));
    let other = other.map(|game| format!("it plays {game}, and here {} is played", options.game.unwrap_or_default()));
    Ok(match refusal(&look, options.game, options.games).or(other) {
        Some(message) => AddOutcome::Refused(message),
        None => AddOutcome::Added(Added { copy: copy.to_owned(), look, is_classic: adapter.is_some() }),
    })
}

fn refusal(look: &Look, wanted: Option<&str>, games: &[&dyn AnyGame]) -> Option<String> {
    let (cause, message) = look.why_refused(wanted)?;
    if !matches!(cause, Cause::NoMacro | Cause::NoDescriptor) {
        return Some(message);
    }
    let names: Vec<_> = games.iter().map(|game| game.facts().name).collect();
    Some(format!("{message} (this agon plays {})", names.join(", ")))
}

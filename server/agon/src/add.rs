//! `agon add`: the program that puts compiled clients in place. Each is copied first and the copy looked at in the
//! sandbox; it appears whole or not at all, so that a running ladder never sees half a file, and what was looked at is
//! what plays.

use super::{Failure, find_places};
use agon_arena::admission::{self, Bounds, Look, NotCopied, PATIENCE};
use agon_config::Regular;
use agon_games::AnyGame;
use agon_model::visible::escape;
use agon_model::{Paths, SandboxMode, SandboxPolicy};
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};

/// Of `agon add`.
#[derive(Args, Debug)]
pub struct AddArgs {
    /// Compiled clients; a leading `lib` is dropped from the names of their copies.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where they are put.
    #[arg(long, value_name = "DIR", default_value = "clients")]
    to: PathBuf,
}

/// What came of a file.
enum Outcome {
    /// It is the adapter.
    LeftOut,
    /// Why.
    Refused(String),
    /// Where its copy is, and what was seen.
    Added(PathBuf, Look),
}

/// Copies each file, looks at the copy, and says what it is; 4 if one was refused.
pub fn add(args: &AddArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let places = find_places(&args.to)?;
    let mut refused = 0;
    for file in &args.files {
        let shown = file.display();
        match put(file, &args.to, &places, games)? {
            Outcome::LeftOut => {
                println!("left out {shown}: the adapter plays from its own place, for files that need it");
            }
            Outcome::Refused(message) => {
                refused += 1;
                println!("refused  {shown}: {message}");
            }
            Outcome::Added(copy, look) => {
                let name = look.name.map(|name| format!("calls itself \"{}\"", escape(&name, 60)));
                let name = name.unwrap_or("tells its name in a match".to_owned());
                println!("added    {} ({}, {name})", copy.display(), look.game.unwrap_or_default());
            }
        }
    }
    Ok(if refused > 0 { 4 } else { 0 })
}

/// Puts one file in place, under a name without `lib`, by way of a name that no pattern finds.
fn put(file: &Path, folder: &Path, places: &Paths, games: &[&dyn AnyGame]) -> Result<Outcome, Failure> {
    let trouble = |error: std::io::Error| Failure::new(1, format!("{}: {error}", file.display()));
    let mut source = match Regular::open(file, admission::LARGEST) {
        Ok(source) => source,
        Err(why) => return Ok(Outcome::Refused(why.to_string())),
    };
    fs::create_dir_all(folder).map_err(trouble)?;
    let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let name = name.strip_prefix("lib").unwrap_or(&name);
    let (copy, partial) = (folder.join(name), folder.join(format!(".{name}.{}.tmp", std::process::id())));
    let hash = match admission::copy_to(&mut source, &partial, 0o777) {
        Ok(hash) => hash,
        Err(NotCopied::Source(why)) => return Ok(Outcome::Refused(why.to_string())),
        Err(NotCopied::Ours { what, .. }) => return Err(Failure::new(1, what)),
    };
    let placed = judge(&partial, &hash, places, games).and_then(|outcome| match outcome {
        Outcome::Added(_, look) => {
            fs::rename(&partial, &copy).map(|()| Outcome::Added(copy.clone(), look)).map_err(trouble)
        }
        other => Ok(other),
    });
    if !matches!(placed, Ok(Outcome::Added(..))) {
        let _ = fs::remove_file(&partial);
    }
    placed
}

/// Looks at a copy, which is behind the adapter where it needs that.
fn judge(copy: &Path, hash: &str, places: &Paths, games: &[&dyn AnyGame]) -> Result<Outcome, Failure> {
    let sandbox = SandboxPolicy { mode: SandboxMode::Auto, without: Vec::new() };
    let bounds = Bounds { patience: PATIENCE, memory: admission::MEMORY };
    let see = |file: &Path| {
        let file = file.canonicalize()?;
        admission::look(places, &file, &sandbox, bounds)
    };
    let trouble = |error: std::io::Error| Failure::new(1, format!("{}: {error}", copy.display()));
    if let Some(adapter) = &places.adapter {
        let adapter = Regular::open(adapter, admission::LARGEST).and_then(|mut file| admission::hash(&mut file));
        if adapter.map_err(|why| Failure::new(1, format!("the adapter: {why}")))? == hash {
            return Ok(Outcome::LeftOut);
        }
    }
    let mut look = see(copy).map_err(trouble)?;
    if let Some(adapter) = places.adapter.as_ref().filter(|_| look.needs_adapter()) {
        look = see(adapter).map_err(trouble)?;
    }
    Ok(match refusal(&look, games) {
        Some(message) => Outcome::Refused(message),
        None => Outcome::Added(copy.to_owned(), look),
    })
}

fn refusal(look: &Look, games: &[&dyn AnyGame]) -> Option<String> {
    let (_, message) = look.refused.as_ref()?;
    let names: Vec<_> = games.iter().map(|game| game.facts().name).collect();
    Some(format!("{message} (this agon plays {})", names.join(", ")))
}

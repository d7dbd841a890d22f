//! `agon add`: the program that puts compiled clients in place. Each is looked at in the sandbox first; the copy appears whole
//! or not at all, so that a running ladder never sees half a file.

use super::{Failure, find_places};
use crate::admission::{self, Look};
use crate::record::{Places, SandboxMode, SandboxPolicy};
use agon_games::AnyGame;
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

/// Looks at each file, copies it, and says what it is; 4 if one was refused.
pub fn add(args: &AddArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let places = find_places(&args.to)?;
    let sandbox = SandboxPolicy { mode: SandboxMode::Auto, without: Vec::new() };
    let mut refused = 0;
    for file in &args.files {
        let shown = file.display();
        let trouble = |error: std::io::Error| Failure::new(1, format!("{shown}: {error}"));
        let absolute = file.canonicalize().map_err(trouble)?;
        if is_adapter(&absolute, &places).map_err(trouble)? {
            println!("left out {shown}: the adapter plays from its own place, for files that need it");
            continue;
        }
        let mut look = admission::look(&places, &absolute, &sandbox, admission::PATIENCE).map_err(trouble)?;
        if let Some(adapter) = places.adapter.as_ref().filter(|_| look.needs_adapter()) {
            look = admission::look(&places, adapter, &sandbox, admission::PATIENCE).map_err(trouble)?;
        }
        match refusal(&look, games) {
            Some(message) => {
                refused += 1;
                println!("refused  {shown}: {message}");
            }
            None => {
                let copy = place(&absolute, &args.to).map_err(trouble)?;
                let name = look.name.map(|name| format!("calls itself \"{}\"", name.escape_debug()));
                let game = look.game.unwrap_or_default();
                println!(
                    "added    {} ({game}, {})",
                    copy.display(),
                    name.unwrap_or("tells its name in a match".to_owned())
                );
            }
        }
    }
    Ok(if refused > 0 { 4 } else { 0 })
}

/// Whether a file has the bytes of the adapter, which is no client by itself.
fn is_adapter(file: &Path, places: &Places) -> std::io::Result<bool> {
    match &places.adapter {
        Some(adapter) if fs::metadata(adapter)?.len() == fs::metadata(file)?.len() => {
            Ok(fs::read(adapter)? == fs::read(file)?)
        }
        _ => Ok(false),
    }
}

fn refusal(look: &Look, games: &[&dyn AnyGame]) -> Option<String> {
    let (_, message) = look.refused.as_ref()?;
    let names: Vec<_> = games.iter().map(|game| game.facts().name).collect();
    Some(format!("{message} (this agon plays {})", names.join(", ")))
}

/// Copies under a name without `lib`, by way of a name that no pattern finds.
fn place(file: &Path, folder: &Path) -> std::io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let name = name.strip_prefix("lib").unwrap_or(&name);
    let (copy, partial) = (folder.join(name), folder.join(format!(".{name}.{}.tmp", std::process::id())));
    let copied = fs::copy(file, &partial).and_then(|_| fs::rename(&partial, &copy));
    if copied.is_err() {
        let _ = fs::remove_file(&partial);
    }
    copied.map(|()| copy)
}

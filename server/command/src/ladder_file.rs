//! Ladder files: read from disk, with what to do where there is none.

use crate::output::say;
use crate::{Failure, status};
use agon_config as config;
use agon_files::read_text;
use agon_games::AnyGame;
use agon_model::{Ladder, LadderLocation, SandboxPolicy, nearest};
use clap::Args;
use std::path::{Path, PathBuf};

/// The ladder that a file describes.
pub fn read(file: &Path, games: &[&dyn AnyGame]) -> Result<Ladder, Failure> {
    Ok(config::read(&text_of(file)?, &file.display().to_string(), folder_of(file), games)?)
}

/// Reads the parts of a ladder file that an existing record needs: its clients may be missing by now.
pub fn read_location(file: &Path) -> Result<LadderLocation, Failure> {
    Ok(config::read_location(&text_of(file)?, &file.display().to_string(), folder_of(file))?)
}

/// The folders that a ladder opens to its clients, for commands that examine clients before it plays them.
#[derive(Args, Clone, Debug, Default)]
pub struct OpenedFolders {
    /// The ladder file that says which folders clients may read. Default: ./ladder.toml.
    #[arg(long = "ladder-file", value_name = "FILE")]
    file: Option<PathBuf>,
}

impl OpenedFolders {
    /// The game of that ladder, if it can be read.
    pub fn game(&self) -> Option<String> {
        let file = self.file.as_deref().unwrap_or(Path::new("ladder.toml"));
        file.exists().then(|| read_location(file).ok()?.game).flatten()
    }

    /// The full sandbox with these folders.
    ///
    /// # Errors
    /// The named file has errors. Those of a file that nobody named are a note, and it opens nothing.
    pub fn policy(&self) -> Result<SandboxPolicy, Failure> {
        let here = Path::new("ladder.toml");
        match &self.file {
            Some(file) => read_opened(file),
            None if !here.exists() => Ok(SandboxPolicy::default()),
            None => Ok(read_opened(here).unwrap_or_else(|failure| {
                say(&format!("note: ladder.toml has errors, so it opens no folder to clients: {}", failure.message));
                SandboxPolicy::default()
            })),
        }
    }
}

/// The folders that this ladder file opens to clients, in an otherwise full sandbox.
///
/// # Errors
/// The file cannot be read, or has errors.
pub fn read_opened(file: &Path) -> Result<SandboxPolicy, Failure> {
    Ok(config::read_opened(&text_of(file)?, &file.display().to_string(), folder_of(file))?)
}

/// Reads the `ladder.toml` of this folder, if there is one.
pub(crate) fn about_here() -> Option<LadderLocation> {
    let file = Path::new("ladder.toml");
    if !file.exists() {
        return None;
    }
    match read_location(file) {
        Ok(about) => Some(about),
        Err(failure) => {
            say(&format!("note: ladder.toml has errors, so its points and grades do not count: {}", failure.message));
            None
        }
    }
}

fn text_of(file: &Path) -> Result<String, Failure> {
    read_text(file).map_err(|error| {
        let near = nearest_beside(file).map_or(String::new(), |name| format!("did you mean {name}? If not, "));
        let help = "name the ladder file, or write one, of two lines: [ladder] and game = \"NAME\"";
        let what = if file.exists() { format!("{}: {error}", file.display()) } else { absent(file) };
        Failure::new(status::CONFIGURATION, format!("{what}; help: {near}{help}"))
    })
}

fn absent(file: &Path) -> String {
    format!("there is no file {}", file.display())
}

/// The file in the same folder that was probably meant.
fn nearest_beside(file: &Path) -> Option<String> {
    let entries = std::fs::read_dir(folder_of(file)).ok()?;
    let names: Vec<String> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let ladders = names.iter().map(String::as_str).filter(|name| name.ends_with(".toml"));
    let meant = nearest(&file.file_name()?.to_string_lossy(), ladders)?;
    Some(file.with_file_name(meant).display().to_string())
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

//! Ladder files: read from disk, with what to do where there is none.

use crate::Failure;
use agon_config::{self as config, About, Ladder};
use agon_games::AnyGame;
use std::path::Path;

/// The ladder that a file describes.
pub fn read(file: &Path, games: &[&dyn AnyGame]) -> Result<Ladder, Failure> {
    Ok(config::read(&text_of(file)?, &file.display().to_string(), folder_of(file), games)?)
}

/// What it says of a record that is there: clients may be gone since.
pub fn read_about(file: &Path) -> Result<About, Failure> {
    Ok(config::read_about(&text_of(file)?, &file.display().to_string(), folder_of(file))?)
}

fn text_of(file: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(file).map_err(|error| {
        let help = "name the ladder file: agon ladder FILE; the project's root has a commented sample";
        Failure::new(3, format!("{}: {error}; help: {help}", file.display()))
    })
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

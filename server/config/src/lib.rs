//! The description of a ladder: read once from ladder.toml or from the command line, checked whole, passed down.

use agon_files::patterns::find_files;
use agon_games::AnyGame;
use agon_model::{Ladder, LadderLocation, SandboxPolicy};
use std::path::Path;

mod adjudication;
mod builder;
mod clients;
mod command_line;
mod document;
mod grades;
pub mod installation;
mod keys;
mod opened;
mod pairing;
mod problem;
mod resolve;
mod settings;
mod stop;
mod unmatched;
mod value;

pub use command_line::{MatchWords, bundled, client_file, for_match, in_place, names_in_place};
pub use problem::ConfigError;
pub use unmatched::passed_over;

/// Reads a ladder and checks it.
///
/// `origin` names the text in messages and, without its ending, the ladder that has no name of its own. Paths in the
/// text start in `folder`. Files of options are read, files of clients only looked for.
///
/// # Errors
/// Everything that is wrong, each with line and column.
pub fn read(text: &str, origin: &str, folder: &Path, games: &[&dyn AnyGame]) -> Result<Ladder, ConfigError> {
    let mut findings = problem::Findings::default();
    let ladder = document::parse(text, &mut findings).and_then(|(builder, place)| {
        let (_, references) = builder.grades.resolve(text, &mut findings);
        let ladder = resolve::resolve(&builder, &place, &default_name(origin, folder), folder, games, &mut findings)?;
        clients::check_labels(&references, &builder.named, &ladder.clients, &mut findings);
        Some(ladder)
    });
    match ladder {
        Some(ladder) if findings.problems.is_empty() => Ok(ladder),
        _ => Err(ConfigError::new(origin, text, findings)),
    }
}

/// Reads the parts of a ladder file that an existing record needs, without the game's options and the clients' files.
///
/// # Errors
/// Everything that is wrong with the text, each with line, column and what to do.
pub fn read_location(text: &str, origin: &str, folder: &Path) -> Result<LadderLocation, ConfigError> {
    let mut findings = problem::Findings::default();
    let parsed = document::parse(text, &mut findings).map(|(builder, place)| {
        let (grades, _) = builder.grades.resolve(text, &mut findings);
        (builder, grades, place)
    });
    match parsed {
        Some((builder, grades, place)) if findings.problems.is_empty() => {
            let name = builder.name.clone().unwrap_or_else(|| default_name(origin, folder));
            let (out, record) = (folder.join(&builder.out), builder.record(folder));
            // Whether files are there is no question of the record.
            let sources = clients::find(&builder, folder, &place, &mut problem::Findings::default());
            let game = builder.game.as_ref().map(|game| game.value.clone());
            let builder::LadderBuilder { points, closing, programs, .. } = builder;
            Ok(LadderLocation { name, out, record, points, grades, game, sources, closing, programs })
        }
        _ => Err(ConfigError::new(origin, text, findings)),
    }
}

/// The folders that a ladder file opens to clients, in an otherwise full sandbox.
///
/// # Errors
/// Everything that is wrong with the text, each with line, column and what to do.
pub fn read_opened(text: &str, origin: &str, folder: &Path) -> Result<SandboxPolicy, ConfigError> {
    let mut findings = problem::Findings::default();
    let policy = document::parse(text, &mut findings).map(|(builder, place)| {
        let files = find_files(&clients::find(&builder, folder, &place, &mut problem::Findings::default()));
        opened::resolve(&builder, (folder, &files), SandboxPolicy::default(), &mut findings)
    });
    match policy {
        Some(policy) if findings.problems.is_empty() => Ok(policy),
        _ => Err(ConfigError::new(origin, text, findings)),
    }
}

/// Table and name of every key, but those of `[options]`, which are the game's.
pub fn keys() -> impl Iterator<Item = (&'static str, &'static str)> {
    keys::KEYS.iter().map(|key| (key.table, key.key)).chain(keys::CLIENT_KEYS.iter().map(|key| (key.table, key.key)))
}

/// The stem of the file, or of its folder where the file has the usual name.
fn default_name(origin: &str, folder: &Path) -> String {
    let stem = Path::new(origin).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = || Some(folder.canonicalize().ok()?.file_name()?.to_string_lossy().into_owned());
    if stem == "ladder" { folder().unwrap_or(stem) } else { stem }
}

//! The game of a command line that names clients and no game: the one that they say they play.

use crate::{Failure, find_places, status};
use agon_arena::admission::{self, Bounds, PATIENCE};
use agon_config::client_file;
use agon_games::AnyGame;
use agon_model::{SandboxMode, SandboxPolicy};
use std::collections::BTreeMap;
use std::path::Path;

/// The game that these clients play, words as `NAME:key=value`; `None` where none of them says one that there is. Each is
/// looked at in this sandbox.
///
/// # Errors
/// They play several games: who plays which.
pub fn game_of(clients: &[String], mode: SandboxMode, games: &[&dyn AnyGame]) -> Result<Option<String>, Failure> {
    let mut players = BTreeMap::new();
    for word in clients {
        let file = client_file(word, Path::new("."));
        if let Some(game) = said(&file, mode).filter(|said| games.iter().any(|game| game.facts().name == said)) {
            players.entry(game).or_insert(word);
        }
    }
    if players.len() > 1 {
        let each: Vec<_> = players.iter().map(|(game, client)| format!("{client} plays {game}")).collect();
        let help = "name clients of one game, or say by --game which is meant";
        return Err(Failure::new(status::USAGE, format!("{}: they cannot meet; help: {help}", each.join(", "))));
    }
    Ok(players.into_keys().next())
}

/// The game that a file names. A fault of the file is reported when it is to play.
fn said(file: &Path, mode: SandboxMode) -> Option<String> {
    let places = find_places(file.parent()?).ok()?;
    let sandbox = SandboxPolicy { mode, ..SandboxPolicy::default() };
    let bounds = Bounds { patience: PATIENCE, memory: admission::MEMORY };
    admission::look(&places, &file.canonicalize().ok()?, &sandbox, bounds).ok()?.game
}

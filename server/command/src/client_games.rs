//! The game of a command line that names clients and no game: the one that they say they play.

use crate::{Failure, find_paths};
use agon_config::client_file;
use agon_games::AnyGame;
use agon_model::{Paths, SandboxMode};
use std::collections::BTreeMap;
use std::path::Path;

/// The game that a file names in a sandbox.
pub type ClaimedGame<'a> = &'a dyn Fn(&Paths, &Path, SandboxMode) -> Option<String>;

/// The game that these clients play, words as `NAME:key=value`; `None` where none of them says one that there is. Each is
/// looked at in this sandbox.
///
/// # Errors
/// They play several games: who plays which.
pub fn game_of(
    clients: &[String],
    mode: SandboxMode,
    games: &[&dyn AnyGame],
    said: ClaimedGame<'_>,
) -> Result<Option<String>, Failure> {
    let mut players = BTreeMap::new();
    for word in clients {
        let file = client_file(word, Path::new("."));
        let game = file.parent().and_then(|folder| said(&find_paths(folder).ok()?, &file, mode));
        if let Some(game) = game.filter(|said| games.iter().any(|game| game.facts().name == said)) {
            players.entry(game).or_insert(word);
        }
    }
    if players.len() > 1 {
        let each: Vec<_> = players.iter().map(|(game, client)| format!("{client} plays {game}")).collect();
        let help = "name clients of one game, or say by --game which is meant";
        return Err(Failure::usage(format!("{}: they cannot meet; help: {help}", each.join(", "))));
    }
    Ok(players.into_keys().next())
}

//! The game of a name.

use crate::nearest;
use agon_games::AnyGame;
use std::fmt;

/// No game has the name; the text says which there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoGame(String);

impl fmt::Display for NoGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The game with this name.
///
/// # Errors
/// There is none.
pub fn find_game<'a>(games: &[&'a dyn AnyGame], name: &str) -> Result<&'a dyn AnyGame, NoGame> {
    games.iter().copied().find(|game| game.facts().name == name).ok_or_else(|| {
        let names: Vec<_> = games.iter().map(|game| game.facts().name).collect();
        let meant = nearest(name, names.iter().copied()).map(|meant| format!("; did you mean {meant}?"));
        let meant = meant.unwrap_or_default();
        NoGame(format!("there is no game \"{name}\"; there are: {}{meant}", names.join(", ")))
    })
}

//! Commands that the games bring along: listed and run, without knowing which they are.

use super::{BenchArgs, Failure};
use agon_games::{AnyGame, Tool};

/// A line a command, for `agon --help`.
pub fn summary(games: &[&dyn AnyGame]) -> String {
    let mut text = "Commands of the games:\n".to_owned();
    for tool in all(games) {
        text += &format!("  {:<12} {}\n", tool.name, tool.about);
    }
    text
}

fn all<'a>(games: &'a [&dyn AnyGame]) -> impl Iterator<Item = &'a Tool> {
    games.iter().flat_map(|game| game.facts().tools)
}

/// Runs the command that the first word names.
pub fn run(words: &[String], games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let (name, rest) = words.split_first().ok_or_else(|| Failure::new(2, "no command; help: agon --help"))?;
    let Some(tool) = all(games).find(|tool| tool.name == name) else {
        return Err(Failure::new(2, format!("there is no command \"{name}\"; help: agon --help lists them")));
    };
    if rest.iter().any(|word| word == "--help" || word == "-h") {
        println!("{}\n\n{}", tool.about, tool.usage);
        return Ok(0);
    }
    let read = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let text = (tool.run)(rest, &read).map_err(|message| Failure::new(3, message))?;
    print!("{text}");
    Ok(0)
}

/// Measures what agon itself costs.
pub fn bench(_args: &BenchArgs, _games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    Err(Failure::new(2, "bench"))
}

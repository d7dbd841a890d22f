//! Short words of a game's own for `agon match`, such as `-t d`: declared from the games' facts, and understood by the game.

use super::{Failure, MatchArgs, progress::say};
use crate::run::find_game;
use agon_games::{AnyGame, ShortWord};
use clap::{Arg, ArgMatches, Command};

/// The command line with the short words of every game. A letter that two games have stands there once.
pub fn declare(command: Command, games: &[&dyn AnyGame]) -> Command {
    command.mut_subcommand("match", |mut command| {
        for (game, word) in words(games) {
            let help = format!("{game}: {}", word.help);
            command =
                command.arg(Arg::new(word.long).short(word.letter).long(word.long).value_name(word.long).help(help));
        }
        command
    })
}

/// Those that were given, with their values.
pub fn given(matches: &ArgMatches, games: &[&dyn AnyGame]) -> Vec<(char, String)> {
    let Some(matches) = matches.subcommand_matches("match") else { return Vec::new() };
    let value = |word: &ShortWord| Some((word.letter, matches.get_one::<String>(word.long)?.clone()));
    words(games).filter_map(|(_, word)| value(word)).collect()
}

fn words<'a>(games: &'a [&dyn AnyGame]) -> impl Iterator<Item = (&'static str, &'static ShortWord)> + 'a {
    let mut seen = Vec::new();
    let all = games.iter().map(|game| game.facts());
    all.flat_map(|facts| facts.shorthand.iter().flat_map(|short| short.words).map(|word| (facts.name, word))).filter(
        move |(_, word)| {
            !seen.contains(&word.letter) && {
                seen.push(word.letter);
                true
            }
        },
    )
}

/// The option `key=value` that they mean, which is said aloud: nobody should play on another board than was meant.
pub fn option(args: &MatchArgs, games: &[&dyn AnyGame]) -> Result<Option<String>, Failure> {
    let Some(first) = args.short.first() else { return Ok(None) };
    let game = match &args.game {
        Some(name) => find_game(games, name)?,
        None => *games.first().ok_or_else(|| Failure::new(1, "there is no game"))?,
    };
    let facts = game.facts();
    let has = |letter| facts.shorthand.is_some_and(|short| short.words.iter().any(|word| word.letter == letter));
    let Some(short) = facts.shorthand.filter(|_| args.short.iter().all(|(letter, _)| has(*letter))) else {
        let letters: Vec<_> =
            args.short.iter().filter(|word| !has(word.0)).map(|word| format!("-{}", word.0)).collect();
        let letters = letters.join(" and ");
        return Err(Failure::new(2, format!("{} has no {letters}; help: agon match --help", facts.name)));
    };
    let given: Vec<_> = args.short.iter().map(|(letter, value)| (*letter, value.as_str())).collect();
    let meant = (short.expand)(&given).map_err(|bad| Failure::new(3, bad))?;
    let start = format!("{}=", meant.key);
    if args.options.iter().any(|option| option.starts_with(&start)) || (args.board.is_some() && meant.key == "board") {
        let message = format!("-{} and the option {} say the same twice; help: leave one out", first.0, meant.key);
        return Err(Failure::new(2, message));
    }
    let typed: Vec<_> = given.iter().map(|(letter, value)| format!("-{letter} {value}")).collect();
    say(&format!("{}: {} ({})", meant.key, meant.value, typed.join(" ")));
    Ok(Some(start + &meant.value))
}

//! Words of a game's own for `agon match`, such as `-t d` or `--from POSITION`: declared from the games' facts, and
//! understood by the game.

use crate::r#match::MatchArgs;
use agon_command::output::say;
use agon_command::{Failure, status};
use agon_games::{AnyGame, Facts, OptionFact, ShortWord, Shorthand};
use agon_model::find_game;
use clap::{Arg, ArgMatches, Command};
use std::collections::BTreeSet;

/// The words that were given, with their values.
#[derive(Debug, Default)]
pub struct Given {
    letters: Vec<(char, String)>,
    keys: Vec<(&'static str, String)>,
}

/// The command line with the words of every game, and the first game where it is the default. A word that two games
/// have stands there once.
pub fn declare(command: Command, games: &[&dyn AnyGame]) -> Command {
    let first = games.first().map_or("", |game| game.facts().name);
    let with_default = |argument: Arg, default: String| {
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        argument.help(format!("{}. Default: {default}", help.trim_end_matches('.')))
    };
    let command =
        command.mut_subcommand("demo", |demo| demo.mut_arg("game", |game| with_default(game, first.to_owned())));
    let command = command.mut_subcommand("play", |play| {
        play.mut_arg("game", |game| {
            let help = game.get_help().map(ToString::to_string).unwrap_or_default();
            game.help(format!("{help}, or {first} without clients"))
        })
    });
    let command = command.mut_subcommand("new", |new| {
        new.mut_arg("words", |words| with_default(words, format!("c, {first} and mybot")))
    });
    command.mut_subcommand("match", |mut command| {
        for (game, word) in words(games) {
            let help = format!("{game} only: {}", word.help);
            command =
                command.arg(Arg::new(word.long).short(word.letter).long(word.long).value_name(word.value).help(help));
        }
        for (game, value, option) in keys(games) {
            let help = format!("{game} only: {}", option.help);
            command = command.arg(Arg::new(option.key).long(option.key).value_name(value).help(help));
        }
        command
    })
}

/// The options that were given.
pub fn given(matches: &ArgMatches, games: &[&dyn AnyGame]) -> Given {
    let Some(matches) = matches.subcommand_matches("match") else { return Given::default() };
    let value = |name: &str| matches.get_one::<String>(name).cloned();
    Given {
        letters: words(games).filter_map(|(_, word)| Some((word.letter, value(word.long)?))).collect(),
        keys: keys(games).filter_map(|(_, _, option)| Some((option.key, value(option.key)?))).collect(),
    }
}

/// The words of all games, each with the name of a game that has it.
fn words<'a>(games: &'a [&dyn AnyGame]) -> impl Iterator<Item = (&'static str, &'static ShortWord)> + 'a {
    let mut seen = BTreeSet::new();
    let all = shorthands(games).flat_map(|(facts, short)| short.words.iter().map(|word| (facts.name, word)));
    all.filter(move |(_, word)| seen.insert(word.letter))
}

/// The same of options that are words themselves: the game, what a value is called, the option.
fn keys<'a>(games: &'a [&dyn AnyGame]) -> impl Iterator<Item = (&'static str, &'static str, &'static OptionFact)> + 'a {
    let mut seen = BTreeSet::new();
    let option = |facts: &'static Facts, key: &str| facts.options.iter().find(|option| option.key == key);
    let of_game = move |(facts, short): (&'static Facts, &'static Shorthand)| {
        short.keys.iter().filter_map(move |(key, value)| Some((facts.name, *value, option(facts, key)?)))
    };
    shorthands(games).flat_map(of_game).filter(move |(_, _, option)| seen.insert(option.key))
}

fn shorthands<'a>(games: &'a [&dyn AnyGame]) -> impl Iterator<Item = (&'static Facts, &'static Shorthand)> + 'a {
    games.iter().filter_map(|game| Some((game.facts(), game.facts().shorthand.as_ref()?)))
}

/// The options `key=value` that they mean.
pub fn options(args: &MatchArgs, games: &[&dyn AnyGame]) -> Result<Vec<String>, Failure> {
    let Given { letters, keys } = &args.short;
    if letters.is_empty() && keys.is_empty() {
        return Ok(Vec::new());
    }
    let game = match &args.terms.game {
        Some(name) => find_game(games, name)?,
        None => *games.first().ok_or_else(|| Failure::trouble("there is no game"))?,
    };
    let facts = game.facts();
    check(facts, &args.short)?;
    let mut options = Vec::new();
    if let Some(short) = facts.shorthand.filter(|_| !letters.is_empty()) {
        options.push(expand(args, &short)?);
    }
    for (key, value) in keys {
        refuse_twice(args, key, &format!("--{key}"))?;
        options.push(format!("{key}={value}"));
    }
    Ok(options)
}

/// Refuses words that only other games have.
fn check(facts: &Facts, given: &Given) -> Result<(), Failure> {
    let (words, keys) = facts.shorthand.map_or((&[][..], &[][..]), |short| (short.words, short.keys));
    let letters = given.letters.iter().map(|(letter, _)| *letter);
    let letters = letters.filter(|letter| words.iter().all(|word| word.letter != *letter));
    let others = given.keys.iter().map(|(key, _)| *key).filter(|key| keys.iter().all(|(known, _)| known != key));
    let unknown: Vec<_> =
        letters.map(|letter| format!("-{letter}")).chain(others.map(|key| format!("--{key}"))).collect();
    if unknown.is_empty() {
        Ok(())
    } else {
        let what = format!("{} has no {}; help: agon match --help", facts.name, unknown.join(" and "));
        Err(Failure::usage(what))
    }
}

/// Expands the letters and prints their meaning: nobody should play on another board than was meant.
fn expand(args: &MatchArgs, short: &Shorthand) -> Result<String, Failure> {
    let given: Vec<_> = args.short.letters.iter().map(|(letter, value)| (*letter, value.as_str())).collect();
    let meant = (short.expand)(&given).map_err(|bad| Failure::new(status::CONFIGURATION, bad))?;
    let typed: Vec<_> = given.iter().map(|(letter, value)| format!("-{letter} {value}")).collect();
    let letters: Vec<_> = given.iter().map(|(letter, _)| format!("-{letter}")).collect();
    refuse_twice(args, meant.key, &letters.join(" "))?;
    say(&format!("{}: {} ({})", meant.key, meant.value, typed.join(" ")));
    Ok(format!("{}={}", meant.key, meant.value))
}

fn refuse_twice(args: &MatchArgs, key: &str, word: &str) -> Result<(), Failure> {
    if args.terms.start.has(key) {
        let message = format!("{word} and the option {key} say the same twice; help: leave one out");
        return Err(Failure::usage(message));
    }
    Ok(())
}

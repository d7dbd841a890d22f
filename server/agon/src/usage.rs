//! Answers a wrong command line: the word that no command takes, the one that was probably meant, and where all are
//! listed.

use agon_model::nearest;
use agon_model::visible::escape;
use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::OsString;

/// The message for an error of the command line with these words.
pub fn tell(error: &clap::Error, words: &[OsString], agon: &Command) -> String {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    let told = match error.kind() {
        ErrorKind::UnknownArgument => context(ContextKind::InvalidArg).and_then(|word| tell_unknown(word, words, agon)),
        ErrorKind::InvalidSubcommand => {
            context(ContextKind::InvalidSubcommand).map(|word| tell_unknown_of_family(word, words, agon))
        }
        ErrorKind::MissingRequiredArgument => tell_missing(error, words, agon),
        _ => None,
    };
    // The message quotes words of the command line, which may be names of files.
    told.unwrap_or_else(|| in_words(error.render().to_string().trim_end()))
}

/// The message about a value, with words for what the parser of numbers says.
fn in_words(message: &str) -> String {
    let message = message
        .replace("invalid digit found in string", "write a whole number from 0")
        .replace("invalid float literal", "write a number")
        .replace("cannot parse float from empty string", "write a number")
        .replace("cannot parse integer from empty string", "write a whole number from 0")
        .replace("number too large to fit in target type", "the number is too large");
    // The library's guess is far off as often as not.
    let is_guess = |line: &&str| line.trim_start().starts_with("tip: a similar value exists");
    let message =
        message.lines().filter(|line| !is_guess(line)).collect::<Vec<_>>().join("\n").replace("\n\n\n", "\n\n");
    let Some((head, rest)) = message.split_once(" is not in ") else { return message };
    let (range, rest) = rest.split_once('\n').map_or((rest, ""), |(range, rest)| (range, rest));
    let (head, _) = head.rsplit_once(": ").unwrap_or((head, ""));
    match range.split_once("..=") {
        Some((from, to)) => format!("{head}: write a whole number from {from} to {to}\n{rest}").trim_end().to_owned(),
        None => message.clone(),
    }
}

/// The message about words that a command needs.
fn tell_missing(error: &clap::Error, words: &[OsString], agon: &Command) -> Option<String> {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else { return None };
    let (name, command) = command_of(words, agon);
    let mut command = command.clone().bin_name(format!("agon {name}"));
    command.build();
    let meaning = |missing: &String| {
        let arg = command.get_arguments().find(|arg| arg.to_string() == *missing)?;
        let help = arg.get_help()?.to_string();
        Some(format!("{missing}: {}", help.split_inclusive(". ").next()?.trim_end().trim_end_matches('.')))
    };
    let told: Vec<String> = missing.iter().map(|one| meaning(one).unwrap_or_else(|| one.clone())).collect();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    Some(format!("error: agon {name} needs {}; help: {usage}; agon {name} --help lists all", told.join(", and ")))
}

/// The message for a command that does not exist; `more` are commands of the games.
pub fn tell_unknown_command<'a>(words: &[String], agon: &'a Command, more: impl Iterator<Item = &'a str>) -> String {
    let name = words.first().map_or("", String::as_str);
    let help = match meant_command(words, agon, more) {
        Some(meant) => format!("did you mean agon {meant}?"),
        None => "agon --help lists them by task".to_owned(),
    };
    format!("there is no command \"{}\"; help: {help}", escape(name, 60))
}

/// The command that was probably meant.
fn meant_command<'a>(words: &[String], agon: &'a Command, more: impl Iterator<Item = &'a str>) -> Option<String> {
    let name = words.first()?.to_lowercase();
    let near = nearest(&name, agon.get_subcommands().map(Command::get_name).chain(more))?;
    // In a word of three letters, one wrong letter makes any other word.
    (near.len() > 3 || near.len() > name.len()).then(|| near.to_owned())
}

/// The message about a word that is not a command of its family.
fn tell_unknown_of_family(word: &str, words: &[OsString], agon: &Command) -> String {
    let (family, command) = command_of(words, agon);
    let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    let is_address = word.contains("://") || word.starts_with('@');
    // An address has a password in it.
    let shown = if is_address { "an address".to_owned() } else { format!("\"{}\"", escape(word, 60)) };
    let help = match nearest(word, names.iter().copied()) {
        _ if is_address && family == "worker" => "agon worker run URL plays for it".to_owned(),
        Some(near) => format!("did you mean agon {family} {near}?"),
        None => format!("agon {family} has {}", names.join(", ")),
    };
    format!("error: {shown} is not a command of agon {family}; help: {help}")
}

/// The message about a word that a command does not take.
fn tell_unknown(word: &str, words: &[OsString], agon: &Command) -> Option<String> {
    let (name, command) = command_of(words, agon);
    if name.is_empty() {
        return None;
    }
    let all = format!("agon {name} --help lists all");
    if !word.starts_with('-') {
        let usage = command.clone().bin_name(format!("agon {name}")).render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ");
        return Some(format!("error: \"{word}\" is one word too many; help: {usage}; {all}"));
    }
    let before = words.iter().take_while(|other| *other != word).last()?.to_string_lossy();
    if word.parse::<f64>().is_ok() && before.starts_with('-') {
        return Some(format!("error: {before} takes no number below 0, and {word} is not an option; help: {all}"));
    }
    let longs = command.get_arguments().filter_map(clap::Arg::get_long);
    let meant = word.strip_prefix("--").and_then(|word| nearest(word, longs));
    let meant = meant.map_or(String::new(), |meant| format!("did you mean --{meant}? "));
    Some(format!("error: agon {name} has no option {word}; help: {meant}{all}"))
}

/// The command that the words name, through its family, and its words; agon itself where they name none.
fn command_of<'a>(words: &[OsString], agon: &'a Command) -> (String, &'a Command) {
    let (mut names, mut command) = (Vec::new(), agon);
    for word in words.iter().skip(1) {
        let Some(found) = word.to_str().and_then(|word| command.find_subcommand(word)) else {
            // Options of agon itself, and their values, may stand before the command.
            if names.is_empty() { continue } else { break }
        };
        names.push(found.get_name());
        command = found;
    }
    (names.join(" "), command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agon() -> Command {
        crate::command_line(agon_games::GAMES)
    }

    #[test]
    fn numbers_are_asked_for_in_words() {
        let shown = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let error = agon().try_get_matches_from(words.clone()).unwrap_err();
            tell(&error, &words, &agon()).lines().next().unwrap_or_default().to_owned()
        };
        for (line, told) in [
            ("agon play --level 9", "error: invalid value '9' for '--level <N>': write a whole number from 1 to 3"),
            ("agon elo --counts a,b", "error: invalid value 'a' for '--counts <N,N,…>': write a whole number from 0"),
            ("agon matches --limit x", "error: invalid value 'x' for '--limit <N>': write a whole number from 0"),
            ("agon sprt a b --alpha x", "error: invalid value 'x' for '--alpha <P>': write a number"),
        ] {
            assert_eq!(shown(line), told);
        }
    }

    #[test]
    fn mistyped_commands_lead_to_the_one_that_is_meant() {
        let agon = agon();
        for (typed, meant) in [
            ("workers --record x", Some("worker")),
            ("Standing", Some("standings")),
            ("laddder", Some("ladder")),
            ("bords", Some("boards")),
            ("xyzzy", None),
        ] {
            let words: Vec<String> = typed.split(' ').map(str::to_owned).collect();
            assert_eq!(meant_command(&words, &agon, ["boards"].into_iter()).as_deref(), meant, "{typed}");
        }
    }
}

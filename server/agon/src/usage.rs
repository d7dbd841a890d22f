//! What a wrong command line is told: which word no command takes, the one that was probably meant, and where all are
//! listed.

use crate::vocabulary::command_of;
use agon_config::nearest;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::OsString;

/// What the same is called in another command.
const ELSEWHERE: [(&str, &[&str], &str); 3] = [
    ("sprt", &["-n", "--games"], "--most"),
    ("tune", &["-n", "--games"], "--steps"),
    ("ladder", &["--games"], "openings in the ladder file"),
];

/// The message for an error of the command line with these words.
pub fn tell(error: &clap::Error, words: &[OsString], agon: &clap::Command) -> String {
    let unknown = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(word))) => tell_unknown(word, words, agon),
        _ => None,
    };
    // It quotes words of the command line, which may be names of files.
    unknown.unwrap_or_else(|| error.render().to_string().trim_end().to_owned())
}

/// What is said of a word that a command does not take.
fn tell_unknown(word: &str, words: &[OsString], agon: &clap::Command) -> Option<String> {
    let name = command_of(words)?;
    let command = agon.find_subcommand(&name)?;
    let all = format!("agon {name} --help lists all");
    if !word.starts_with('-') {
        let usage = command.clone().bin_name(format!("agon {name}")).render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ");
        return Some(format!("error: \"{word}\" is one word too many; help: {usage}; {all}"));
    }
    let before = words.iter().take_while(|other| *other != word).last()?.to_string_lossy();
    if word.parse::<f64>().is_ok() && before.starts_with('-') {
        return Some(format!("error: {before} takes no number below 0, and {word} is no option; help: {all}"));
    }
    let meant = meant(&name, word, command).map_or(String::new(), |meant| format!("did you mean {meant}? "));
    Some(format!("error: agon {name} has no option {word}; help: {meant}{all}"))
}

/// The option that was probably meant.
fn meant(name: &str, word: &str, command: &clap::Command) -> Option<String> {
    let mut elsewhere = ELSEWHERE.iter().filter(|(own, words, _)| *own == name && words.contains(&word));
    if let Some((_, _, meant)) = elsewhere.next() {
        return Some((*meant).to_owned());
    }
    let longs: Vec<&str> = command.get_arguments().filter_map(clap::Arg::get_long).collect();
    Some(format!("--{}", nearest(word.strip_prefix("--")?, longs.iter().copied())?))
}

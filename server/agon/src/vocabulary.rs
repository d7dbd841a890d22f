//! Older words of the command line: taken for those that stand for them now, with a note. One word means one thing in
//! all commands: `--record` where results are kept, `--out` what is written, `-n` how many matches are played.

use agon_command::output::say;
use clap::CommandFactory;
use std::ffi::OsString;

/// Commands, what they had, and what is written now.
type OldWord = (&'static [&'static str], &'static str, &'static str);

const OLD: &[OldWord] = &[
    (&["ladder"], "-n", "--dry-run"),
    (&["match", "sprt", "matches", "show", "replay", "rerun", "standings"], "--out", "--record"),
    (&["clients", "import", "backup", "clean", "forget"], "--out", "--record"),
    (&["play", "analyse"], "--out", "--copies"),
    (&["doctor"], "--out", "--folder"),
    (&["add", "header"], "--to", "--out"),
];

/// The command line in the words of now; each older one is told.
pub fn renew(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    translate(&mut words).iter().for_each(|note| say(note));
    words
}

/// Puts the words of now in the place of older ones; a note each. What follows `--` are names.
fn translate(words: &mut [OsString]) -> Vec<String> {
    let Some(at) = find_command(words) else { return Vec::new() };
    let command = words[at].to_string_lossy().into_owned();
    let mut notes = Vec::new();
    for word in words.iter_mut().skip(at + 1).take_while(|word| *word != "--") {
        let found = word.to_str().and_then(|word| newer(&command, word));
        if let Some((old, new, renewed)) = found {
            notes.push(format!("note: {old} of agon {command} is called {new} now"));
            *word = renewed.into();
        }
    }
    notes
}

/// The command of a command line.
pub fn command_of(words: &[OsString]) -> Option<String> {
    Some(words.get(find_command(words)?)?.to_string_lossy().into_owned())
}

/// Where the command stands: behind options of agon itself and their values.
fn find_command(words: &[OsString]) -> Option<usize> {
    let agon = super::Cli::command();
    let takes_value = |word: &str| {
        let mut own = agon.get_arguments().filter(|arg| arg.get_action().takes_values());
        own.any(|arg| arg.get_long().is_some_and(|long| word.strip_prefix("--") == Some(long)))
    };
    let mut at = 1;
    loop {
        let word = words.get(at)?.to_string_lossy();
        if !word.starts_with('-') {
            return Some(at);
        }
        at += if takes_value(&word) { 2 } else { 1 };
    }
}

/// The older word, its newer one, and that with the value that may hang on it.
fn newer(command: &str, word: &str) -> Option<(&'static str, &'static str, String)> {
    let mut own = OLD.iter().filter(|(commands, ..)| commands.contains(&command));
    own.find_map(|(_, old, new)| {
        let value = word.strip_prefix(old).filter(|value| value.is_empty() || value.starts_with('='))?;
        Some((*old, *new, format!("{new}{value}")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renewed(line: &str) -> (String, usize) {
        let mut words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let notes = translate(&mut words);
        (words.join(std::ffi::OsStr::new(" ")).to_string_lossy().into_owned(), notes.len())
    }

    #[test]
    fn older_words_are_taken_and_told() {
        for (old, new) in [
            ("agon ladder -n", "agon ladder --dry-run"),
            ("agon -v match a b --out=x -n 4", "agon -v match a b --record=x -n 4"),
            ("agon --log-json log match a b --out x", "agon --log-json log match a b --record x"),
            ("agon --log-json=log -vv ladder -n", "agon --log-json=log -vv ladder --dry-run"),
            ("agon standings --out x", "agon standings --record x"),
            ("agon add a.so --to there", "agon add a.so --out there"),
        ] {
            assert_eq!(renewed(old), (new.to_owned(), 1));
            assert_eq!(renewed(new).1, 0);
        }
    }

    #[test]
    fn other_words_are_left_alone() {
        for line in [
            "agon",
            "agon --help",
            "agon --log-json",
            "agon --log-json match --out x",
            "agon export jsonl --out x",
            "agon show --outer",
            "agon add -- --to",
        ] {
            assert_eq!(renewed(line), (line.to_owned(), 0));
        }
    }

    /// A word of now is one that its commands have, and an older one is none of theirs.
    #[test]
    fn commands_have_the_words_of_now() {
        let all = crate::Cli::command();
        for (commands, old, new) in OLD {
            for name in *commands {
                let command = all.find_subcommand(name).unwrap();
                let has = |word: &str| {
                    let mut own = command.get_arguments();
                    own.any(|arg| {
                        arg.get_long().is_some_and(|long| format!("--{long}") == word)
                            || arg.get_short().is_some_and(|short| format!("-{short}") == word)
                    })
                };
                assert!(has(new) && !has(old), "{name} {old} {new}");
            }
        }
    }
}

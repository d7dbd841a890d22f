//! The texts of `agon` and `agon --help`: what to type first, and all commands by task.

use crate::tools;
use agon_games::AnyGame;
use clap::Command;
use std::fmt::Write;

/// The text that `agon` alone prints.
pub const FIRST: &str = "agon lets game-playing programs play each other. Begin with one of these:

  agon demo            plays two clients that come with agon, and shows the match as a page
  agon new c mybot     makes a folder with your first client in C; also cpp, rust, zig, go, python
  agon play --level 1  lets you play against agon
  agon ladder          plays the tournament that you describe in ./ladder.toml (agon help ladder)

agon --help lists all commands by task; agon help lists the pages to read.
";

/// The commands of each task, in the order in which people need them.
const TASKS: [(&str, &[&str]); 9] = [
    ("Write a client", &["new", "check", "explain", "rerun", "sprt", "tune", "elo", "header"]),
    ("Play", &["demo", "play", "match"]),
    ("Run a ladder", &["build", "add", "ladder", "clients", "teams"]),
    ("Look at results", &["standings", "matches", "show", "replay", "analyse"]),
    ("Publish", &["report", "serve"]),
    ("Keep the record", &["record"]),
    ("Prepare machines", &["doctor", "worker"]),
    ("Read", &["rules", "help"]),
    ("Other", &["bench", "completions", "man"]),
];

/// The command line whose help lists the commands by task, those of the games last.
pub fn group(command: Command, games: &[&dyn AnyGame]) -> Command {
    let mut list = String::new();
    for (task, names) in TASKS {
        let _ = writeln!(list, "{task}:");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let _ = writeln!(list, "  {name:<18} {}", about.map(ToString::to_string).unwrap_or_default());
        }
        list.push('\n');
    }
    // Braces would be places of the template.
    list = (list + &tools::summary(games)).replace(['{', '}'], "");
    let names: Vec<&str> = games.iter().map(|game| game.facts().name).collect();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}\nOptions:\n{{options}}\n\n\
         Games: {}\n\
         agon COMMAND --help explains a command; agon help lists the pages to read.\n\
         If agon-lab, agon-machines or agon-png is missing, a command that needs it prints how to get it.\n",
        names.join(", ")
    );
    command.help_template(template)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::GAMES;
    use std::collections::BTreeSet;

    fn agon() -> Command {
        crate::command_line(GAMES)
    }

    #[test]
    fn every_command_belongs_to_one_task() {
        let listed: Vec<&str> = TASKS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let set: BTreeSet<&str> = listed.iter().copied().collect();
        assert_eq!(listed.len(), set.len());
        let agon = agon();
        assert_eq!(agon.get_subcommands().map(Command::get_name).collect::<BTreeSet<_>>(), set);
    }

    /// All texts of help: of the command, its options, and the commands of its family.
    fn texts(command: &Command) -> Vec<String> {
        let own = [command.get_about(), command.get_long_about()];
        let args = command.get_arguments().flat_map(|arg| [arg.get_help(), arg.get_long_help()]);
        let own = own.into_iter().chain(args).flatten().map(ToString::to_string);
        own.chain(command.get_subcommands().flat_map(texts)).collect()
    }

    #[test]
    fn no_sentence_of_help_is_longer_than_25_words() {
        let mut long = Vec::new();
        for text in texts(&agon()) {
            let sentences = text.split(". ").flat_map(|part| part.split("\n\n"));
            let is_long = |sentence: &&str| sentence.split_whitespace().count() > 25;
            long.extend(sentences.filter(is_long).map(str::to_owned));
        }
        assert!(long.is_empty(), "{} sentences are too long:\n{}", long.len(), long.join("\n"));
    }

    #[test]
    fn a_command_is_told_in_one_short_line() {
        let help = agon().render_help().to_string();
        for line in help.lines().take_while(|line| !line.starts_with("Tools of")) {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}

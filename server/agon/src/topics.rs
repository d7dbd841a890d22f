//! `agon help [TOPIC]`: pages of the documentation that are compiled into agon, whole or a section of them.

mod links;

pub(crate) use links::for_terminal;

use crate::tools;
use agon_authoring::explain;
use agon_command::lang::Lang;
use agon_command::{Failure, status};
use agon_games::{AnyGame, Language};
use agon_model::nearest;
use agon_model::visible::escape;
use clap::{Args, Command};

/// The arguments of `agon help`.
#[derive(Args, Debug)]
pub struct HelpArgs {
    /// A topic or a command. If both have this name, agon prints the topic. Default: a list of all topics.
    #[arg(value_name = "TOPIC")]
    words: Vec<String>,
    /// The language of the page. Ten guides are there in French; agon help --lang fr lists them.
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value = "en")]
    lang: Lang,
}

/// A page, or the section of it whose heading begins so.
struct Topic {
    name: &'static str,
    about: &'static str,
    page: &'static str,
    section: &'static str,
    /// The page in French, or nothing.
    french: &'static str,
}

const LADDER: &str = include_str!("../../../docs/reference/ladder.md");
const GLOSSARY: &str = include_str!("../../../docs/reference/glossary.md");
const PROGRAMS: &str = include_str!("../../../docs/guides/programs.md");
const RATINGS: &str = include_str!("../../../docs/reference/ratings.md");

const fn page(name: &'static str, about: &'static str, page: &'static str) -> Topic {
    Topic { name, about, page, section: "", french: "" }
}

const fn section(name: &'static str, about: &'static str, page: &'static str, section: &'static str) -> Topic {
    Topic { name, about, page, section, french: "" }
}

const fn in_both(name: &'static str, about: &'static str, page: &'static str, french: &'static str) -> Topic {
    Topic { name, about, page, section: "", french }
}

/// All topics, in the order in which they are listed.
const TOPICS: &[Topic] = &[
    in_both(
        "install",
        "from source, or by archive, wheel or Debian package; removal",
        include_str!("../../../docs/guides/install.md"),
        include_str!("../../../docs/guides/install.fr.md"),
    ),
    in_both(
        "student",
        "a first client, from nothing to a submission",
        include_str!("../../../docs/guides/student.md"),
        include_str!("../../../docs/guides/student.fr.md"),
    ),
    page(
        "author",
        "a program that plays, and whether a change is better",
        include_str!("../../../docs/guides/author.md"),
    ),
    page("player", "a first evening: watch, play, hold a tournament", include_str!("../../../docs/guides/player.md")),
    page("etudiant", "un premier client, en français", include_str!("../../../docs/guides/student.fr.md")),
    page("enseignant", "un tournoi de cours, en français", include_str!("../../../docs/guides/teaching.fr.md")),
    in_both(
        "kit",
        "the board that agon's C kit keeps for your client",
        include_str!("../../../docs/guides/kit.md"),
        include_str!("../../../docs/guides/kit.fr.md"),
    ),
    in_both(
        "programs",
        "clients in Python, Go and other languages",
        PROGRAMS,
        include_str!("../../../docs/guides/programs.fr.md"),
    ),
    page("contract", "what a client exports, gets and returns", include_str!("../../../docs/reference/abi.md")),
    in_both(
        "improving",
        "how to find out what makes a client better",
        include_str!("../../../docs/guides/improving.md"),
        include_str!("../../../docs/guides/improving.fr.md"),
    ),
    page(
        "messages",
        "every fault, refusal and notice, and what to do",
        include_str!("../../../docs/reference/messages.md"),
    ),
    in_both(
        "classic",
        "clients written for a course before agon, without the line AGON_CLIENT",
        include_str!("../../../docs/guides/classic.md"),
        include_str!("../../../docs/guides/classic.fr.md"),
    ),
    page("openings", "books of openings for clients", include_str!("../../../docs/guides/openings.md")),
    page("maps", "boards of your own", include_str!("../../../docs/guides/maps.md")),
    page("ladder", "every key of a ladder file", LADDER),
    section("pairing", "who meets whom: round robin, Swiss and others", LADDER, "### `pairing`"),
    section("time", "time controls: the keys of [time]", LADDER, "## `[time]`"),
    section("limits", "what a client may use: the keys of [limits]", LADDER, "## `[limits]`"),
    section("points", "what results are worth: the keys of [points]", LADDER, "## `[points]`"),
    section("grades", "grades for points: the keys of [grades]", LADDER, "## `[grades]`"),
    page("ratings", "ratings, intervals, and whether a change is better", RATINGS),
    in_both(
        "teaching",
        "a class: submissions, ladder, grades",
        include_str!("../../../docs/guides/teaching.md"),
        include_str!("../../../docs/guides/teaching.fr.md"),
    ),
    in_both(
        "nights",
        "a ladder that runs by itself",
        include_str!("../../../docs/guides/nights.md"),
        include_str!("../../../docs/guides/nights.fr.md"),
    ),
    in_both(
        "machines",
        "other machines that play for a ladder",
        include_str!("../../../docs/guides/machines.md"),
        include_str!("../../../docs/guides/machines.fr.md"),
    ),
    in_both(
        "web",
        "pages: reports, live view, playing in a browser",
        include_str!("../../../docs/guides/web.md"),
        include_str!("../../../docs/guides/web.fr.md"),
    ),
    page(
        "record",
        "what is kept, and where; export, backup, forgetting",
        include_str!("../../../docs/reference/record.md"),
    ),
    page("verify", "how to check matches without agon", include_str!("../../../docs/reference/verify.md")),
    page("sandbox", "what a client may do, layer by layer", include_str!("../../../docs/reference/sandbox.md")),
    page("protocol", "messages to a host, and the log of a match", include_str!("../../../docs/reference/protocol.md")),
    page(
        "exit-status",
        "what a script learns from the end of a command",
        include_str!("../../../docs/reference/exit-status.md"),
    ),
    page("glossary", "the words of agon, each with its meaning", GLOSSARY),
];

/// Other words for topics.
const ALSO: [(&str, &str); 15] = [
    ("abi", "contract"),
    ("boards", "maps"),
    ("board", "maps"),
    ("python", "programs"),
    ("go", "programs"),
    ("elo", "ratings"),
    ("swiss", "pairing"),
    ("clock", "time"),
    ("tc", "time"),
    ("ladder.toml", "ladder"),
    ("status", "exit-status"),
    ("teacher", "teaching"),
    ("tournament", "teaching"),
    ("student.fr", "etudiant"),
    ("teaching.fr", "enseignant"),
];

impl Topic {
    fn text(&self) -> &'static str {
        if self.section.is_empty() {
            return self.page;
        }
        let Some(begin) = self.page.find(self.section) else { return self.page };
        let text = &self.page[begin..];
        let level = self.section.bytes().take_while(|byte| *byte == b'#').count();
        let is_heading = |at: usize| {
            let marks = text[at + 1..].bytes().take_while(|byte| *byte == b'#').count();
            (1..=level).contains(&marks)
        };
        let end = text.match_indices("\n#").map(|(at, _)| at).find(|at| is_heading(*at));
        end.map_or(text, |end| &text[..=end])
    }
}

/// Prints a topic, the help of a command, or what there is.
pub fn help(args: &HelpArgs, agon: &Command, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let words: Vec<String> = args.words.iter().map(|word| word.to_lowercase()).collect();
    let is_french = args.lang.language() == Language::French;
    let Some(word) = words.first() else {
        list(is_french);
        return Ok(status::DONE);
    };
    let is_alone = words.len() == 1;
    let name = ALSO.iter().find(|(other, _)| other == word).map_or(word.as_str(), |(_, name)| name);
    let tool = tools::usage(word, games);
    let is_command = agon.find_subcommand(word).is_some() || tool.is_some();
    let topic = TOPICS.iter().find(|topic| topic.name == name);
    if is_french {
        return print_french(word, topic.filter(|_| is_alone));
    }
    match topic {
        Some(topic) if is_alone => {
            print!("{}", for_terminal(topic.text()));
            if is_command {
                println!("\nagon {word} --help explains the command.");
            }
            Ok(status::DONE)
        }
        _ => match meaning(word).filter(|_| is_alone && !is_command) {
            Some(meaning) => {
                println!("{word}: {}", meaning.replace("**", ""));
                Ok(status::DONE)
            }
            None => match tool {
                Some(usage) => {
                    print!("{usage}");
                    Ok(status::DONE)
                }
                None => explain_command(&words, agon, games),
            },
        },
    }
}

/// Lists the topics, or those with a page in French.
fn list(is_french: bool) {
    if is_french {
        println!("agon help PAGE --lang fr affiche une page, agon rules JEU --lang fr les règles d'un jeu. Pages :\n");
        for Topic { name, french, .. } in TOPICS.iter().filter(|topic| !topic.french.is_empty()) {
            println!("  {name:<12} {}", french.lines().next().unwrap_or_default().trim_start_matches("# "));
        }
        println!("\nagon --help liste les commandes, agon COMMANDE --help en explique une, en anglais.");
        return;
    }
    println!("agon help TOPIC prints a page; agon rules GAME prints a game's rules. Topics:\n");
    TOPICS.iter().for_each(|topic| println!("  {:<12} {}", topic.name, topic.about));
    println!("\nagon --help lists the commands, agon COMMAND --help explains one.");
}

fn print_french(word: &str, topic: Option<&Topic>) -> Result<u8, Failure> {
    let is_french = |topic: &&Topic| topic.page.lines().any(|line| line.starts_with("[In English]"));
    if let Some(topic) = topic.filter(is_french) {
        print!("{}", for_terminal(topic.page));
        return Ok(status::DONE);
    }
    let Some(topic) = topic.filter(|topic| !topic.french.is_empty()) else {
        let help = "help: leave --lang out, or choose a page of agon help --lang fr";
        return Err(Failure::usage(format!("\"{}\" is not there in French; {help}", escape(word, 60))));
    };
    print!("{}", for_terminal(topic.french));
    Ok(status::DONE)
}

/// The meaning of a word in the glossary.
fn meaning(word: &str) -> Option<String> {
    let mut items = GLOSSARY.split("\n- **").skip(1).filter_map(|item| item.split_once("**: "));
    let (_, meaning) = items.find(|(words, _)| words.split(", ").any(|known| known.to_lowercase() == word))?;
    Some(meaning.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Prints the help of a command.
fn explain_command(words: &[String], agon: &Command, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    if let Some(study) = tools::study(words, games) {
        print!("{study}");
        return Ok(status::DONE);
    }
    let mut command = agon;
    for word in words {
        let Some(found) = command.find_subcommand(word) else { return Err(unknown(word, command, agon, games)) };
        command = found;
    }
    let name = format!("agon {}", words.join(" "));
    print!("{}", command.clone().bin_name(name).render_long_help());
    Ok(status::DONE)
}

fn unknown(word: &str, command: &Command, agon: &Command, games: &[&dyn AnyGame]) -> Failure {
    if TOPICS.iter().any(|topic| topic.name == word) {
        let what = format!("agon help prints one topic at a time; help: agon help {word}");
        return Failure::usage(what);
    }
    if std::ptr::eq(command, agon) && explain::is_message(word) {
        return Failure::usage(format!("there is no topic \"{word}\"; help: type agon explain {word}"));
    }
    let game = games.iter().map(|game| game.facts()).find(|facts| facts.name == word.replace(['-', ' '], "_"));
    if let Some(facts) = game.filter(|_| std::ptr::eq(command, agon)) {
        return Failure::usage(format!("no topic is called \"{word}\"; help: type agon rules {}", facts.name));
    }
    let own = command.get_subcommands().map(Command::get_name);
    let others = TOPICS.iter().map(|topic| topic.name).chain(tools::names(games));
    let near = nearest(word, own.chain(others.filter(|_| std::ptr::eq(command, agon))));
    let help = near.map_or("agon help lists the topics, agon --help the commands".to_owned(), |near| {
        format!("did you mean \"{near}\"?")
    });
    let what = format!("there is no topic or command \"{}\"; help: {help}", escape(word, 60));
    Failure::usage(what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_glossary_are_explained() {
        assert!(meaning("block").is_some_and(|meaning| meaning.contains("line-up")));
        assert!(meaning("rank").is_some() && meaning("worker").is_some() && meaning("no such word").is_none());
    }

    #[test]
    fn every_section_is_found_and_ends_where_the_next_begins() {
        for topic in TOPICS {
            assert!(topic.page.contains(topic.section), "{}", topic.name);
            let text = topic.text();
            assert!(text.len() > 200 && text.starts_with('#'), "{}", topic.name);
            let headings = text.lines().filter(|line| !topic.section.is_empty() && line.starts_with("## "));
            assert!(headings.count() <= 1, "{}", topic.name);
        }
    }

    #[test]
    fn names_are_there_once_and_other_words_lead_to_them() {
        let has = |name: &str| TOPICS.iter().filter(|topic| topic.name == name).count();
        assert!(TOPICS.iter().all(|topic| has(topic.name) == 1));
        assert!(ALSO.iter().all(|(word, name)| has(word) == 0 && has(name) == 1));
    }
}

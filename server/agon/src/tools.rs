//! Commands that the games bring along: listed and run, without knowing which they are.

use crate::{data_files, usage};
use agon_command::{Extra, Failure, status};
use agon_files::read_text;
use agon_games::{AnyGame, Tool};
use clap::{Args, Command};
use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// The arguments of `agon bench`: it takes those of `agon-lab bench`.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub struct BenchArgs {
    /// The name of a study, or a part of a benchmark's name; with agon-lab, agon bench --help explains all options.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Hands over to the laboratory's program; without it, its help is what `agon help bench` prints.
pub fn bench(args: &BenchArgs, agon: &Command) -> Result<u8, Failure> {
    match Extra::lab("agon bench") {
        Ok(lab) => Err(lab.hand_over("bench", &args.words)),
        Err(missing) if args.words.iter().any(|word| word == "--help" || word == "-h") => {
            let own = agon.find_subcommand("bench").cloned().unwrap_or_default();
            println!("{}\n{}", own.bin_name("agon bench").render_long_help(), missing.message);
            Ok(status::DONE)
        }
        Err(missing) => Err(missing),
    }
}

/// A line a command, for `agon --help`.
pub fn summary(games: &[&dyn AnyGame]) -> String {
    let mut text = "Tools of the games:\n".to_owned();
    for tool in all(games) {
        text += &format!("  {:<18} {}\n", tool.name, tool.about);
    }
    text += &data_files::summary(games);
    for study in games.iter().flat_map(|game| game.facts().studies) {
        text += &format!("  {:<18} Studies {} (needs agon-lab)\n", format!("bench {}", study.name), study.about);
    }
    text
}

fn all<'a>(games: &'a [&dyn AnyGame]) -> impl Iterator<Item = &'a Tool> {
    games.iter().flat_map(|game| game.facts().tools)
}

/// The first words of the games' commands.
pub fn names<'a>(games: &'a [&dyn AnyGame]) -> impl Iterator<Item = &'a str> {
    all(games).map(|tool| tool.name)
}

/// The help of the command of a game that this word begins; `None` if no game has it.
pub fn usage(word: &str, games: &[&dyn AnyGame]) -> Option<String> {
    match all(games).find(|tool| tool.name == word) {
        Some(tool) => Some(format!("{}\n\n{}\n", tool.about, tool.usage)),
        None => data_files::run(&[word.to_owned()], games)?.ok(),
    }
}

/// The help of `agon bench STUDY`; `None` if no game has this study.
pub fn study(words: &[String], games: &[&dyn AnyGame]) -> Option<String> {
    let [family, name] = words else { return None };
    let mut studies = games.iter().flat_map(|game| game.facts().studies);
    let study = studies.find(|study| family == "bench" && study.name == name)?;
    let about = study.about;
    Some(format!("agon bench {name} studies {about}.\nIt needs agon-lab; agon bench --help explains its options.\n"))
}

/// Runs the command that the first word names.
pub fn run(words: &[String], games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let (name, rest) = words.split_first().ok_or_else(|| Failure::usage("no command; help: agon --help"))?;
    let (own, out) = take_out(words)?;
    if let Some(told) = data_files::run(&own, games) {
        return put(&told?, out);
    }
    let Some(tool) = all(games).find(|tool| tool.name == name) else {
        let agon = <super::Cli as clap::CommandFactory>::command();
        return Err(Failure::usage(usage::tell_unknown_command(words, &agon, names(games))));
    };
    if rest.iter().any(|word| word == "--help" || word == "-h") {
        println!("{}\n\n{}", tool.about, tool.usage);
        return Ok(status::DONE);
    }
    let (mut rest, out) = take_out(rest)?;
    let is_picture = rest.iter().any(|word| word == "--svg");
    rest.retain(|word| word != "--svg");
    let read = |path: &str| read_text(Path::new(path)).map_err(|error| format!("{path}: {error}"));
    let made = match (is_picture, tool.picture) {
        (false, _) => (tool.run)(&rest, &read),
        (true, Some(draw)) => draw(&rest, &read).map(|scene| agon_web::picture(&scene)),
        (true, None) => Err(format!("`agon {name}` has no picture; help: leave --svg out")),
    };
    let text = made.map_err(|message| Failure::new(status::CONFIGURATION, message))?;
    put(&text, out)
}

/// Prints a text, or writes it to the file that `--out` names.
fn put(text: &str, out: Option<String>) -> Result<u8, Failure> {
    match out {
        Some(path) => write_new(&path, text)?,
        None => print!("{text}"),
    }
    Ok(status::DONE)
}

/// The words without `--out FILE`, which every command takes, and the file.
fn take_out(words: &[String]) -> Result<(Vec<String>, Option<String>), Failure> {
    let (mut rest, mut out) = (Vec::new(), None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.strip_prefix("--out") {
            Some("") => {
                out = Some(words.next().ok_or_else(|| Failure::usage("--out needs the name of a file"))?.clone())
            }
            Some(path) if path.starts_with('=') => out = Some(path[1..].to_owned()),
            _ => rest.push(word.clone()),
        }
    }
    Ok((rest, out))
}

/// Writes a file that is not there yet: what somebody drew is never lost to a command given twice.
fn write_new(path: &str, text: &str) -> Result<(), Failure> {
    let written = File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| {
        let what = match error.kind() {
            std::io::ErrorKind::AlreadyExists => "it exists already".to_owned(),
            _ => error.to_string(),
        };
        Failure::new(status::CONFIGURATION, format!("{path}: {what}; help: choose another file"))
    })
}

//! Commands that the games bring along: listed and run, without knowing which they are.

use crate::data_files;
use agon_bench as bench;
use agon_bench::study::{self, Point, StudyOptions};
use agon_command::output::say;
use agon_command::{Failure, find_places};
use agon_config::read_text;
use agon_config::units::duration;
use agon_games::{AnyGame, Study, Tool};
use agon_model::Paths;
use clap::Args;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Of `agon bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// A study by its name (agon --help lists them), or only the figures whose name contains this.
    only: Option<String>,
    /// Whole matches of this client against itself instead, in every isolation; in a study, the client's file.
    #[arg(long, value_name = "FILE")]
    client: Option<PathBuf>,
    /// How often each figure is measured; the median is shown, in a study mean and standard error.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    runs: u64,
    /// Of a study: a version goes no further once a first move takes longer; 10s if not given.
    #[arg(long, value_name = "TIME")]
    limit: Option<String>,
    /// Of a study: the folder for study-NAME.csv, study-NAME.md and study-NAME.svg, written anew each time.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// A line a command, for `agon --help`.
pub fn summary(games: &[&dyn AnyGame]) -> String {
    let mut text = "Commands of the games:\n".to_owned();
    for tool in all(games) {
        text += &format!("  {:<12} {}\n", tool.name, tool.about);
    }
    text += &data_files::summary(games);
    for study in games.iter().flat_map(|game| game.facts().studies) {
        text += &format!("  {:<12} {}\n", format!("bench {}", study.name), study.about);
    }
    text
}

fn all<'a>(games: &'a [&dyn AnyGame]) -> impl Iterator<Item = &'a Tool> {
    games.iter().flat_map(|game| game.facts().tools)
}

/// Runs the command that the first word names.
pub fn run(words: &[String], games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let (name, rest) = words.split_first().ok_or_else(|| Failure::new(2, "no command; help: agon --help"))?;
    let (own, out) = take_out(words)?;
    if let Some(told) = data_files::run(&own, games) {
        return put(&told?, out);
    }
    let Some(tool) = all(games).find(|tool| tool.name == name) else {
        return Err(Failure::new(2, unknown(name, games)));
    };
    if rest.iter().any(|word| word == "--help" || word == "-h") {
        println!("{}\n\n{}", tool.about, tool.usage);
        return Ok(0);
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
    let text = made.map_err(|message| Failure::new(3, message))?;
    put(&text, out)
}

/// Prints a text, or writes it to the file that `--out` names.
fn put(text: &str, out: Option<String>) -> Result<u8, Failure> {
    match out {
        Some(path) => write_new(&path, text)?,
        None => print!("{text}"),
    }
    Ok(0)
}

/// What is said of a command that there is not: the nearest one, where there is one that is near.
fn unknown(name: &str, games: &[&dyn AnyGame]) -> String {
    let commands = <super::Cli as clap::CommandFactory>::command();
    let own = commands.get_subcommands().map(|command| command.get_name().to_owned());
    let names = own.chain(all(games).map(|tool| tool.name.to_owned()));
    let nearest = names.map(|known| (strsim::damerau_levenshtein(name, &known), known)).min();
    let help = match nearest {
        Some((distance, known)) if distance <= 2 && distance < known.len() / 2 => format!("did you mean agon {known}?"),
        _ => "agon --help lists them".to_owned(),
    };
    format!("there is no command \"{name}\"; help: {help}")
}

/// The words without `--out FILE`, which every command takes, and the file.
fn take_out(words: &[String]) -> Result<(Vec<String>, Option<String>), Failure> {
    let (mut rest, mut out) = (Vec::new(), None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.strip_prefix("--out") {
            Some("") => {
                out = Some(words.next().ok_or_else(|| Failure::new(2, "--out needs the name of a file"))?.clone())
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
    written.map_err(|error| Failure::new(3, format!("{path}: {error}; help: choose a file that does not exist")))
}

/// Measures what agon itself costs, or makes the study of this name.
pub fn bench(args: &BenchArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let out = std::env::temp_dir().join(format!("agon-bench-{}", std::process::id()));
    let places = find_places(&out)?;
    let only = args.only.as_deref().unwrap_or("");
    if let Some((game, study)) = study::find(games, only) {
        return make_study(args, game, study, &places);
    }
    if args.limit.is_some() || args.out.is_some() {
        let why = format!("--limit and --out belong to a study, and \"{only}\" is none; help: agon --help lists them");
        return Err(Failure::new(2, why));
    }
    let mut measured = 0;
    let result = bench::run(games, &places, only, args.client.as_deref(), args.runs as usize, &mut |figure| {
        measured += 1;
        println!("{}", figure.text())
    });
    // The small programs compiled for the run; what cannot be removed is in the system's own temporary folder.
    let _ = std::fs::remove_dir_all(&out);
    result.map_err(|message| Failure::new(1, message))?;
    if measured == 0 {
        let why =
            format!("no figure has \"{only}\" in its name; help: agon bench measures all of them, by their names");
        return Err(Failure::new(2, why));
    }
    Ok(0)
}

/// Each point goes to stderr as it is measured, the tables to stdout, and everything into the folder that was asked
/// for.
fn make_study(args: &BenchArgs, game: &dyn AnyGame, study: &'static Study, places: &Paths) -> Result<u8, Failure> {
    let limit = args.limit.as_deref().unwrap_or("10s");
    let limit_us = duration(limit).map_err(|why| Failure::new(2, format!("--limit: {why}")))?;
    let way = StudyOptions { client: args.client.clone(), limit_us, runs: args.runs as usize };
    let mut tell = |version: &str, point: &Point| {
        say(&format!("{version}, {} = {}: {}", study.grows, point.value, point.text(study.counted)))
    };
    let studied = study::run(game, study, way, places, &mut tell).map_err(|message| Failure::new(1, message))?;
    let (markdown, csv) = (studied.markdown(), studied.csv());
    if let Some(folder) = &args.out {
        let svg = studied.svg().map_err(|message| Failure::new(1, message))?;
        let trouble = |error| Failure::new(1, format!("{}: {error}", folder.display()));
        std::fs::create_dir_all(folder).map_err(trouble)?;
        for (ending, text) in [("csv", &csv), ("md", &markdown), ("svg", &svg)] {
            let file = folder.join(format!("study-{}.{ending}", study.name));
            std::fs::write(file, text).map_err(trouble)?;
        }
    }
    print!("{markdown}");
    Ok(0)
}

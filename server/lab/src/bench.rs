//! `agon-lab bench` measures what agon itself costs, or makes a study of a game's client.

use crate::study::{Point, StudyOptions};
use crate::{figures, study};
use agon_command::output::say;
use agon_command::{Failure, find_paths, status};
use agon_games::{AnyGame, Study};
use agon_model::Paths;
use agon_model::units::duration;
use clap::Args;
use std::path::PathBuf;

/// Of `agon-lab bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// A study's name (see below), or a part of a benchmark's name. Default: all benchmarks, which takes minutes.
    only: Option<String>,
    /// Measures whole matches of this client against itself, in each kind of isolation. In a study: the client's file.
    #[arg(long, value_name = "FILE")]
    client: Option<PathBuf>,
    /// How many times agon measures each number; it prints the median. A study shows mean and standard error.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    runs: u64,
    /// A study stops testing a version when its first move takes longer than this. Default: 10s.
    #[arg(long, value_name = "TIME")]
    limit: Option<String>,
    /// The folder for a study's files: study-NAME.csv, study-NAME.md and study-NAME.svg. agon replaces these files.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Measures what agon itself costs, or makes the study of this name.
pub fn bench(args: &BenchArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let out = std::env::temp_dir().join(format!("agon-bench-{}", std::process::id()));
    let paths = find_paths(&out)?;
    let only = args.only.as_deref().unwrap_or("");
    if let Some((game, study)) = study::find(games, only) {
        return make_study(args, game, study, &paths);
    }
    if args.limit.is_some() || args.out.is_some() {
        let why = format!(
            "--limit and --out belong to a study, and \"{only}\" is not one; help: agon bench --help lists the studies"
        );
        return Err(Failure::usage(why));
    }
    let mut measured = 0;
    let result = figures::run(games, &paths, only, args.client.as_deref(), args.runs as usize, &mut |figure| {
        measured += 1;
        println!("{}", figure.text())
    });
    // The small programs compiled for the run; what cannot be removed is in the system's own temporary folder.
    let _ = std::fs::remove_dir_all(&out);
    result.map_err(Failure::trouble)?;
    if measured == 0 {
        let why =
            format!("no benchmark has \"{only}\" in its name; help: agon bench alone runs all, and prints their names");
        return Err(Failure::usage(why));
    }
    Ok(status::DONE)
}

/// Each point goes to stderr as it is measured, the tables to stdout, and everything into the folder that was asked
/// for.
fn make_study(args: &BenchArgs, game: &dyn AnyGame, study: &'static Study, paths: &Paths) -> Result<u8, Failure> {
    let limit = args.limit.as_deref().unwrap_or("10s");
    let limit_us = duration(limit).map_err(|why| Failure::usage(format!("--limit: {why}")))?;
    let way = StudyOptions { client: args.client.clone(), limit_us, runs: args.runs as usize };
    let mut tell = |version: &str, point: &Point| {
        say(&format!("{version}, {} = {}: {}", study.grows, point.value, point.text(study.counted)))
    };
    let studied = study::run(game, study, way, paths, &mut tell).map_err(Failure::trouble)?;
    let (markdown, csv) = (studied.markdown(), studied.csv());
    if let Some(folder) = &args.out {
        let svg = studied.svg().map_err(Failure::trouble)?;
        let trouble = |error| Failure::trouble(format!("{}: {error}", folder.display()));
        std::fs::create_dir_all(folder).map_err(trouble)?;
        for (ending, text) in [("csv", &csv), ("md", &markdown), ("svg", &svg)] {
            let file = folder.join(format!("study-{}.{ending}", study.name));
            std::fs::write(file, text).map_err(trouble)?;
        }
    }
    print!("{markdown}");
    Ok(status::DONE)
}

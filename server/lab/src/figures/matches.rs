//! Whole matches a second of one client against itself: by isolation, with and without the record, on one core and on
//! all.

use super::Figure;
use agon_config::{self as config, MatchWords};
use agon_crew::cores::{pin, share_cores};
use agon_games::AnyGame;
use agon_model::{LogPolicy, Paths};
use agon_record::{Record, SqliteRecord};
use agon_tournament::{self as run, Beginning, RunSettings};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Isolation, whether everything is recorded, and how many openings a run has.
const WAYS: [(&str, bool, u64); 6] = [
    ("none", false, 20_000),
    ("none", true, 10_000),
    ("reuse", false, 1_000),
    ("reuse", true, 1_000),
    ("process", false, 300),
    ("process", true, 300),
];

/// Matches a second, for each way and number of workers whose name contains `only`.
pub fn measure(
    games: &[&dyn AnyGame],
    client: &Path,
    paths: &Paths,
    only: &str,
    runs: usize,
    each: &mut dyn FnMut(&Figure),
) -> Result<(), String> {
    let cores = share_cores(None, 1)?.concat();
    let game = games[0].facts();
    for (isolation, recorded, openings) in WAYS {
        let mut alone = None;
        for jobs in [1, cores.len()] {
            let record = if recorded { "recorded" } else { "nothing recorded" };
            let name = format!("{} matches, isolation {isolation}, {record}, {jobs} at once", game.name);
            if !name.contains(only) {
                continue;
            }
            // On one core means all of it: the record is written there too.
            keep_on(&cores[..jobs])?;
            let speed = || rate(games, client, paths, isolation, recorded, openings, jobs);
            let rates = (0..runs).map(|_| speed()).collect::<Result<Vec<_>, _>>()?;
            let figure = Figure::new(name, "matches/s", rates);
            match &alone {
                None => {
                    each(&figure);
                    alone = Some(figure);
                }
                Some(alone) if cores.len() > 1 => each(&figure.against(alone)),
                Some(_) => {}
            }
        }
    }
    Ok(())
}

fn keep_on(cores: &[usize]) -> Result<(), String> {
    pin(cores).map_err(|error| format!("this thread cannot be kept on the cores {cores:?}: {error}"))
}

fn rate(
    games: &[&dyn AnyGame],
    client: &Path,
    paths: &Paths,
    isolation: &str,
    recorded: bool,
    openings: u64,
    jobs: usize,
) -> Result<f64, String> {
    let seats = games[0].facts().seats.0;
    let words = MatchWords {
        clients: vec![client.display().to_string(); seats],
        isolation: Some(isolation.to_owned()),
        openings: Some(openings),
        logs: Some(LogPolicy::None),
        ..MatchWords::default()
    };
    let mut ladder = config::for_match(&words, Path::new("."), games).map_err(|error| error.to_string())?;
    ladder.jobs = Some(jobs);
    ladder.out = paths.out.clone();
    let began = Instant::now();
    let matches = if recorded {
        let record = || Ok(Box::new(SqliteRecord::open_to_play(&ladder.out, &ladder.name)?) as Box<dyn Record>);
        let (stop, beginning) = (AtomicBool::new(false), Beginning::Fresh);
        let settings = RunSettings { record: &record, beginning, stop: &stop, rule: None, exchange: None, live: None };
        let ended = run::run(&ladder, games, paths, settings, &mut |_| {});
        ended.map_err(|error| error.to_string())?.done
    } else {
        run::rehearse(&ladder, games, paths).map_err(|error| error.to_string())?
    };
    Ok(matches as f64 / began.elapsed().as_secs_f64())
}

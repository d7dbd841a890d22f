//! The whole life of a client's process but its game, against that of an empty dynamic program.

use super::ask::{generous_time, launch};
use super::{Figure, build};
use agon_games::AnyGame;
use agon_model::{Limits, Paths};
use agon_player::Player;
use agon_player::launcher::Launcher;
use agon_player::process::Process;
use agon_player::spawn::spawn;
use rustix::process::{WaitOptions, waitpid};
use std::path::Path;
use std::time::Instant;

/// How many starts a run has.
const ROUNDS: u32 = 200;

/// Both, in turn, microseconds.
pub fn measure(game: &dyn AnyGame, paths: &Paths, only: &str, runs: usize) -> Result<Vec<Figure>, String> {
    let (bare, full) = ("spawn and reap of an empty program", "start, sandbox, open, hello, reap of a client");
    if !bare.contains(only) && !full.contains(only) {
        return Ok(Vec::new());
    }
    let (folder, facts) = (paths.out.join("bench"), game.facts());
    let empty = build::compile(&folder, "empty", build::EMPTY, facts, &[])?;
    let client = build::compile(&folder, "zero.so", &build::client(facts), facts, &["-shared", "-fPIC"])?;
    let (by_start, by_fork) = (Launcher::by_start(&paths.host), Launcher::by_fork(&paths.host));
    let (mut bare_us, mut started_us, mut forked_us) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..runs {
        bare_us.push(mean_us(|| live_empty(&empty))?);
        started_us.push(mean_us(|| live_client(game, &by_start, &client))?);
        forked_us.push(mean_us(|| live_client(game, &by_fork, &client))?);
    }
    let bare = Figure::new(bare.to_owned(), "us", bare_us);
    let started = Figure::new(full.to_owned(), "us", started_us).against(&bare);
    let forked = Figure::new(full.replacen("start", "fork", 1), "us", forked_us).against(&bare);
    Ok(vec![bare, started, forked])
}

fn mean_us(mut live: impl FnMut() -> Result<(), String>) -> Result<f64, String> {
    let began = Instant::now();
    for _ in 0..ROUNDS {
        live()?;
    }
    Ok(began.elapsed().as_secs_f64() * 1e6 / f64::from(ROUNDS))
}

fn live_empty(program: &Path) -> Result<(), String> {
    let spawned = spawn(program, &[]).map_err(|error| format!("{}: {error}", program.display()))?;
    waitpid(Some(spawned.pid), WaitOptions::empty()).map_err(|error| format!("waiting: {error}"))?;
    Ok(())
}

fn live_client(game: &dyn AnyGame, launcher: &Launcher, client: &Path) -> Result<(), String> {
    let mut player = Process::new(launch(game.facts(), launcher, client, &generous_time(), &Limits::DEFAULT));
    player.load().map_err(|trouble| format!("the bench's client: {trouble:?}"))?;
    player.dismiss(0, false);
    Ok(())
}

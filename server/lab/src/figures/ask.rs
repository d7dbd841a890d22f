//! A full isolated ask of a kept host against a bare round trip of 64 bytes through pipes, both on this thread's core.

use super::{Figure, build};
use agon_abi::{Blob, Expected, HEAD};
use agon_arena::encoding::{MatchTerms, Seating, write_setup, write_turn};
use agon_games::{AnyGame, Opening, Options};
use agon_model::*;
use agon_player::Player;
use agon_player::clock::Budget;
use agon_player::launcher::Launcher;
use agon_player::process::{Launch, Process};
use agon_player::spawn::{Spawned, spawn};
use agon_player::speech::Speech;
use rustix::event::{PollFd, PollFlags, poll};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many round trips a run has.
const ROUNDS: u32 = 20_000;

/// Both, turn by turn in the same run, microseconds.
pub fn measure(game: &dyn AnyGame, paths: &Paths, only: &str, runs: usize) -> Result<Vec<Figure>, String> {
    let (bare, full) = ("pipe round trip of 64 bytes, one core", "isolated ask of a kept host, one core");
    if !bare.contains(only) && !full.contains(only) {
        return Ok(Vec::new());
    }
    let folder = paths.out.join("bench");
    let echo = build::compile(&folder, "echo", build::ECHO, game.facts(), &[])?;
    let client = build::compile(&folder, "zero.so", &build::client(game.facts()), game.facts(), &["-shared", "-fPIC"])?;
    let mut bare_us = Vec::new();
    let mut full_us = Vec::new();
    for _ in 0..runs {
        let echo = spawn(&echo, &[]).map_err(|error| format!("{}: {error}", echo.display()))?;
        bare_us.push(round_trips(&echo).map_err(|error| format!("a pipe: {error}"))?);
        full_us.push(asks(game, paths, &client)?);
    }
    let bare = Figure::new(bare.to_owned(), "us", bare_us);
    let full = Figure::new(full.to_owned(), "us", full_us).against(&bare);
    Ok(vec![bare, full])
}

fn round_trips(echo: &Spawned) -> std::io::Result<f64> {
    use rustix::fs::{OFlags, fcntl_setfl};
    fcntl_setfl(&echo.replies, OFlags::empty())?;
    let mut bytes = [0u8; HEAD];
    let began = Instant::now();
    for _ in 0..ROUNDS {
        rustix::io::write(&echo.requests, &bytes)?;
        rustix::io::read(&echo.replies, &mut bytes)?;
    }
    let us = began.elapsed().as_secs_f64() * 1e6 / f64::from(ROUNDS);
    rustix::process::kill_process(echo.pid, rustix::process::Signal::KILL)?;
    poll(&mut [PollFd::new(&echo.replies, PollFlags::IN)], None)?;
    rustix::process::waitpid(Some(echo.pid), rustix::process::WaitOptions::empty())?;
    Ok(us)
}

fn asks(game: &dyn AnyGame, paths: &Paths, client: &std::path::Path) -> Result<f64, String> {
    let facts = game.facts();
    let (time, limits) = (generous_time(), Limits::DEFAULT);
    let terms = MatchTerms { facts, time: &time, limits: &limits, adjudication: None };
    let setting = game.prepare(&Options::default(), facts.seats.0).map_err(|bad| bad.to_string())?;
    let state = setting.start(&Opening::ANY);
    let place = Seating { entrant: 0, label: "zero".to_owned(), options: String::new(), seed: 1, own_time: None };
    let seats = vec![place; facts.seats.0];
    let launcher = Launcher::by_fork(&paths.host);
    let mut player = Process::new(launch(facts, &launcher, client, &time, &limits));
    let told = |trouble| format!("the bench's client: {trouble:?}");
    player.start(0, &write_setup(&terms, &*state, 0, &seats)).map_err(told)?;
    let budget = Budget::new(&time);
    let mut turn = Blob::new();
    let began = Instant::now();
    for ply in 0..ROUNDS {
        let allowance = budget.allowance(1);
        write_turn(&terms, &*state, 0, ply, &allowance, &mut turn);
        player.ask(&turn, ply, allowance).map_err(told)?;
        while player.answer(Duration::from_millis(20)).transpose().map_err(told)?.is_none() {}
    }
    let us = began.elapsed().as_secs_f64() * 1e6 / f64::from(ROUNDS);
    player.dismiss(ROUNDS, true);
    Ok(us)
}

/// A client with every layer of the sandbox.
pub fn launch(
    facts: &agon_games::Facts,
    launcher: &Launcher,
    client: &std::path::Path,
    time: &TimeControl,
    limits: &Limits,
) -> Launch {
    Launch {
        launcher: launcher.clone(),
        files: ClientFiles::alone(client),
        file_name: String::new(),
        keep: false,
        expected: Arc::new(Expected::new(facts.name, facts.setup, facts.turn, facts.mv).to_blob()),
        speech: Some(Speech::of(facts)),
        time: time.clone(),
        limits: limits.clone(),
        sandbox: SandboxPolicy::default(),
    }
}

/// Enough for everything measured here.
pub fn generous_time() -> TimeControl {
    let minute = 60_000_000;
    TimeControl {
        clock: ClockKind::Cpu,
        total_us: None,
        increment_us: 0,
        period: None,
        per_move_us: Some(minute),
        load_us: minute,
        initialize_us: minute,
        finalize_us: minute,
        wall_factor: WALL_FACTOR,
        scale: TimeScale::Off,
    }
}

//! The players of one worker: fresh for each match, or kept for the next ones, as the isolation requires.

use crate::encoding::Seating;
use agon_abi::{Blob, Expected};
use agon_model::{Copied, Entrant, FILE_OPTION, Isolation, Limits, SandboxPolicy, TIME_OPTION, TimeControl};
use agon_player::Player;
use agon_player::inside::Inside;
use agon_player::launcher::Launcher;
use agon_player::process::{Launch, Process};
use agon_player::program::is_program;
use agon_player::refused::RefusedPlayer;
use agon_player::speech::Speech;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The settings that all players of a ladder share.
#[derive(Clone)]
pub struct PoolSetup<'a> {
    /// The separation between a client and the server.
    pub isolation: Isolation,
    pub entrants: &'a [Entrant],
    /// The copy of each entrant's file.
    pub files: &'a [Copied],
    /// The `Expected` that a descriptor must match.
    pub expected: &'a Expected,
    /// The conversation with programs.
    pub speech: Speech,
    pub host: &'a PathBuf,
    /// The clock, and the budgets of all calls except `play`, which the referee gives.
    pub time: &'a TimeControl,
    /// The time of each entrant that has its own.
    pub own_times: &'a [Option<TimeControl>],
    pub limits: &'a Limits,
    /// The policy for layers.
    pub sandbox: &'a SandboxPolicy,
}

/// The players of one worker.
pub struct PlayerPool<'a> {
    pool_setup: PoolSetup<'a>,
    expected: Arc<Blob>,
    launcher: Launcher,
    /// The kept players, by entrant and by its place among its seats in a match.
    kept: BTreeMap<(usize, usize), Box<dyn Player>>,
}

/// The facts that a client gets about itself. An adapter reads in a reserved option for which file it plays; a client
/// reads its time in the head of its setup.
pub fn seat_entrant(
    index: usize,
    entrant: &Entrant,
    file: &Copied,
    seed: u64,
    own_time: Option<TimeControl>,
) -> Seating {
    let behind = file.files.behind.iter().map(|file| format!("{FILE_OPTION} = {}\n", file.display()));
    let told = entrant.options.iter().filter(|(key, _)| *key != TIME_OPTION || own_time.is_none());
    let own = told.map(|(key, value)| format!("{key} = {value}\n"));
    Seating { entrant: index, label: entrant.label.clone(), options: behind.chain(own).collect(), seed, own_time }
}

impl<'a> PlayerPool<'a> {
    /// A pool without players.
    pub fn new(pool_setup: PoolSetup<'a>) -> PlayerPool<'a> {
        let expected = Arc::new(pool_setup.expected.to_blob());
        let launcher = Launcher::by_fork(pool_setup.host);
        PlayerPool { pool_setup, expected, launcher, kept: BTreeMap::new() }
    }

    pub fn acquire(&mut self, seats: &[usize]) -> Vec<Box<dyn Player>> {
        let call = |(seat, &entrant): (usize, &usize)| {
            let copy = seats[..seat].iter().filter(|&&other| other == entrant).count();
            self.kept.remove(&(entrant, copy)).unwrap_or_else(|| self.make(entrant))
        };
        seats.iter().enumerate().map(call).collect()
    }

    pub fn release(&mut self, seats: &[usize], players: Vec<Box<dyn Player>>) {
        if self.pool_setup.isolation == Isolation::Process {
            return;
        }
        for ((seat, &entrant), player) in seats.iter().enumerate().zip(players) {
            let copy = seats[..seat].iter().filter(|&&other| other == entrant).count();
            self.kept.insert((entrant, copy), player);
        }
    }

    fn make(&self, entrant: usize) -> Box<dyn Player> {
        let PoolSetup { isolation, entrants, files, expected, time, limits, sandbox, .. } = &self.pool_setup;
        if let Some(message) = &entrants[entrant].refused {
            return Box::new(RefusedPlayer(message.clone()));
        }
        let file = &files[entrant];
        if *isolation == Isolation::None {
            return Box::new(Inside::new(file.files.clone(), Expected::clone(expected)));
        }
        Box::new(Process::new(Launch {
            launcher: self.launcher.clone(),
            files: file.files.clone(),
            file_name: entrants[entrant].file.clone(),
            // A library behind an adapter was promised a fresh process for each match, and so was a program.
            keep: *isolation == Isolation::Reuse && file.files.behind.is_none() && !is_program(&file.files.library),
            expected: Arc::clone(&self.expected),
            speech: Some(self.pool_setup.speech),
            time: TimeControl::clone(time),
            limits: Limits::clone(limits),
            sandbox: SandboxPolicy::clone(sandbox),
        }))
    }
}

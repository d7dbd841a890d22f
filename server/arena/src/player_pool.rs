//! The players of one worker: fresh for each match, or kept for the next ones, as the isolation says.

use crate::admission::Copied;
use crate::encoding::Seating;
use agon_abi::{Blob, Expected};
use agon_model::{Entrant, FILE_OPTION, Isolation, Limits, SandboxPolicy, TIME_OPTION, TimeControl};
use agon_player::Player;
use agon_player::inside::Inside;
use agon_player::launcher::Launcher;
use agon_player::process::{Launch, Process};
use agon_player::program::is_program;
use agon_player::refused::Refused;
use agon_player::speech::Speech;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// What all players of a ladder share.
#[derive(Clone)]
pub struct PoolSetup<'a> {
    /// What stands between a client and the server.
    pub isolation: Isolation,
    /// The entrants.
    pub entrants: &'a [Entrant],
    /// The copy of each entrant's file.
    pub files: &'a [Copied],
    /// What a descriptor must say.
    pub expected: &'a Expected,
    /// What is said to programs.
    pub speech: Speech,
    /// The host program.
    pub host: &'a PathBuf,
    /// Clock, and the budgets of all calls but `play`, which the referee gives.
    pub time: &'a TimeControl,
    /// The time of each entrant that has its own.
    pub own_times: &'a [Option<TimeControl>],
    /// Memory, output.
    pub limits: &'a Limits,
    /// Which layers are asked for.
    pub sandbox: &'a SandboxPolicy,
}

/// The players of one worker.
pub struct PlayerPool<'a> {
    pool_setup: PoolSetup<'a>,
    expected: Arc<Blob>,
    launcher: Launcher,
    /// By entrant and, where it sits on several seats of a match, by which of them.
    kept: BTreeMap<(usize, usize), Box<dyn Player>>,
}

/// What a client is told of itself. An adapter learns by a reserved option for which file it plays; a client learns its
/// time from the head of its setup.
pub fn seat_entrant(
    index: usize,
    entrant: &Entrant,
    file: &Copied,
    seed: u64,
    own_time: Option<TimeControl>,
) -> Seating {
    let behind = file.files.behind.iter().map(|file| format!("{FILE_OPTION} = {}\n", file.display()));
    let told = entrant.options.iter().filter(|(key, _)| *key != TIME_OPTION);
    let own = told.map(|(key, value)| format!("{key} = {value}\n"));
    Seating { entrant: index, label: entrant.label.clone(), options: behind.chain(own).collect(), seed, own_time }
}

impl<'a> PlayerPool<'a> {
    /// Nobody yet.
    pub fn new(pool_setup: PoolSetup<'a>) -> PlayerPool<'a> {
        let expected = Arc::new(pool_setup.expected.to_blob());
        let launcher = Launcher::by_fork(pool_setup.host);
        PlayerPool { pool_setup, expected, launcher, kept: BTreeMap::new() }
    }

    /// A player for each seat.
    pub fn acquire(&mut self, seats: &[usize]) -> Vec<Box<dyn Player>> {
        let call = |(seat, &entrant): (usize, &usize)| {
            let copy = seats[..seat].iter().filter(|&&other| other == entrant).count();
            self.kept.remove(&(entrant, copy)).unwrap_or_else(|| self.make(entrant))
        };
        seats.iter().enumerate().map(call).collect()
    }

    /// Takes them back after the match.
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
            return Box::new(Refused(message.clone()));
        }
        let file = &files[entrant];
        if *isolation == Isolation::None {
            return Box::new(Inside::new(file.files.clone(), Expected::clone(expected)));
        }
        Box::new(Process::new(Launch {
            launcher: self.launcher.clone(),
            files: file.files.clone(),
            file_name: entrants[entrant].file.clone(),
            // A library behind an adapter was promised a process a match, and so is a program.
            keep: *isolation == Isolation::Reuse && file.files.behind.is_none() && !is_program(&file.files.library),
            expected: Arc::clone(&self.expected),
            speech: Some(self.pool_setup.speech),
            time: TimeControl::clone(time),
            limits: Limits::clone(limits),
            sandbox: SandboxPolicy::clone(sandbox),
        }))
    }
}

//! Calls a trusted client in the server itself, for benchmarks and debuggers. The clock that the client asks for times it,
//! and nothing is enforced. A client that crashes or hangs takes the server with it.

use super::name::read_name;
use super::verdict::{self, Moment};
use super::{Answer, Player, PlayerSummary, Thought, Trouble};
use crate::clock::Allowance;
use agon_abi::{Blob, Expected};
use agon_games::{MoveBytes, Seat};
use agon_host::{Client, Data};
use agon_model::ClientFiles;
use agon_model::{FaultKind, Notice, NoticeKind, Output, Phase, Stream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A client opened in the server; its library is never closed.
pub struct Inside {
    files: ClientFiles,
    expected: Expected,
    client: Option<Client>,
    seat: Seat,
    ply: u32,
    answer: Option<Result<Answer, Trouble>>,
    summary: PlayerSummary,
}

impl Inside {
    /// A client that is not opened yet.
    pub fn new(files: ClientFiles, expected: Expected) -> Inside {
        Inside { files, expected, client: None, seat: 0, ply: 0, answer: None, summary: PlayerSummary::default() }
    }

    /// Opens a private copy of the file, because the loader shares the statics of a file that is opened twice.
    fn open(&mut self) -> Result<Client, Trouble> {
        let copy = private_copy(&self.files.library).map_err(|error| {
            Trouble::Void(format!("{} cannot be copied to be opened: {error}", self.files.library.display()))
        })?;
        let opened = Client::open(&copy, &self.expected);
        // The library stays open without its name.
        let _ = std::fs::remove_file(&copy);
        let client = opened.map_err(|error| Trouble::fault(FaultKind::LoadFailure, Phase::Load, 0, error.text))?;
        let data = self.files.data.iter().map(|(name, file)| (name.as_str(), file.as_path()));
        client.give(Data::map(data).map_err(Trouble::Void)?);
        Ok(client)
    }

    fn take_log(&mut self, phase: Phase) {
        let Some(client) = &mut self.client else { return };
        let (seat, ply) = (self.seat, self.ply);
        let lines = client.take_log();
        if !lines.is_empty() {
            let text = lines.iter().map(|(key, value)| format!("{key}\t{value}\n")).collect();
            self.summary.outputs.push(Output { seat, phase, ply, stream: Stream::Log, text });
        }
    }
}

fn private_copy(file: &Path) -> std::io::Result<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let copy = file.with_extension(format!("{}-{number}.so", std::process::id()));
    std::fs::copy(file, &copy)?;
    Ok(copy)
}

impl Player for Inside {
    fn start(&mut self, seat: Seat, setup: &Blob) -> Result<(), Trouble> {
        (self.seat, self.ply) = (seat, 0);
        let began = Instant::now();
        let mut client = match self.client.take() {
            Some(client) => client,
            None => self.open()?,
        };
        let opened = Instant::now();
        let status = client.initialize(setup).map_err(|bad| Trouble::Void(format!("a setup that is none: {bad:?}")))?;
        self.summary.usage.load_us = opened.duration_since(began).as_micros() as u64;
        self.summary.usage.initialize_us = opened.elapsed().as_micros() as u64;
        if status != 0 {
            self.client = Some(client);
            self.take_log(Phase::Initialize);
            let said = self.summary.outputs.iter().flat_map(|output| output.text.lines());
            let reason = said.filter_map(|line| line.strip_prefix("declined\t")).next_back();
            return Err(verdict::declined(Moment { phase: Phase::Initialize, ply: 0 }, status, reason));
        }
        let name = client.name();
        self.client = Some(client);
        match read_name(name.flaw as i32, &name.bytes) {
            Ok(name) => self.summary.name = Some(name),
            Err(message) => {
                self.summary.notices.push(Notice { kind: NoticeKind::BadName, phase: Phase::Name, ply: 0, message });
            }
        }
        self.take_log(Phase::Initialize);
        Ok(())
    }

    fn ask(&mut self, turn: &Blob, ply: u32, _allowance: Allowance) -> Result<(), Trouble> {
        self.ply = ply;
        let Some(client) = &mut self.client else { return Err(Trouble::Void("the client is not open".to_owned())) };
        let mv = client.play(turn).map_err(|bad| Trouble::Void(format!("a turn that is none: {bad:?}")))?;
        let (wall_us, cpu_us) = (client.passed_us(), client.spent_us());
        let usage = &mut self.summary.usage;
        usage.play_cpu_us += cpu_us;
        usage.play_wall_us += wall_us;
        usage.slowest_us = usage.slowest_us.max(cpu_us);
        let mv = MoveBytes::new(&mv[..client.move_size()]);
        self.answer = Some(Ok(Answer { mv, cpu_us, wall_us, kept_off_us: 0 }));
        self.take_log(Phase::Play);
        Ok(())
    }

    fn answer(&mut self, _patience: Duration) -> Option<Result<Answer, Trouble>> {
        self.answer.take()
    }

    fn thought(&mut self) -> Thought {
        let mut thought = Thought::default();
        let own = self.summary.outputs.iter().filter(|output| (output.phase, output.ply) == (Phase::Play, self.ply));
        own.flat_map(|output| output.text.lines()).for_each(|line| thought.take(line));
        thought
    }

    fn watch(&mut self, _ply: u32) {}

    fn dismiss(&mut self, ply: u32, finalize: bool) -> PlayerSummary {
        self.ply = ply;
        if let Some(client) = self.client.as_mut().filter(|_| finalize) {
            let began = Instant::now();
            client.finalize();
            self.summary.usage.finalize_us = began.elapsed().as_micros() as u64;
        }
        self.take_log(Phase::Finalize);
        self.answer = None;
        std::mem::take(&mut self.summary)
    }
}

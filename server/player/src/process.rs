//! A player in a host process of its own. This file measures time and memory and gives verdicts from outside. Every
//! byte from the host is hostile, because host and client share one address space.

mod settings;
mod trouble;
mod turns;

pub use settings::layers_of;

use super::capture::HostLines;
use super::groups::LAYER;
use super::host::{CallTime, Host, SAMPLE};
use super::launcher::Launcher;
use super::name::read_name;
use super::program::{self, Interpreter, is_program};
use super::resting_hosts::RestingHost;
use super::speech::Speech;
use super::system::{SystemFiles, reach_opened};
use super::verdict::{self, Moment};
use super::{PlayerSummary, Trouble};
use crate::clock::{Allowance, guard_us};
use agon_abi::{Blob, Layer, Layers, OpenStatus, Reply, RequestKind};
use agon_games::Seat;
use agon_model::ClientFiles;
use agon_model::{FaultKind, Limits, Notice, NoticeKind, Phase, SandboxMode, SandboxPolicy, TimeControl, is_shortage};
use std::sync::Arc;
use std::time::Instant;

/// Everything needed to start a client.
#[derive(Clone, Debug)]
pub struct Launch {
    pub launcher: Launcher,
    /// The copies of the client's files.
    pub files: ClientFiles,
    /// The author's name for the file: messages and prints show it instead of the copy's.
    pub file_name: String,
    /// Whether a client without fault stays for the next match.
    pub keep: bool,
    /// The `Expected` that its descriptor must match, as a payload.
    pub expected: Arc<Blob>,
    /// The conversation with a program; `None` for a library.
    pub speech: Option<Speech>,
    pub time: TimeControl,
    pub limits: Limits,
    /// The policy for layers.
    pub sandbox: SandboxPolicy,
}

/// A player in a process of its own; dropping it ends the process.
pub struct Process {
    launch: Launch,
    seat: Seat,
    moment: Moment,
    host: Option<Host>,
    /// The host, while nobody asks it.
    rest: Option<RestingHost>,
    /// The files of the system's loader when the host was started.
    system: SystemFiles,
    notices: Vec<Notice>,
    summary: PlayerSummary,
    layers: Vec<String>,
    /// The interpreter, if the file is a program.
    program: Option<Interpreter>,
    /// Trouble found while the client was not asked, reported at the next request.
    pending: Option<Trouble>,
}

impl Process {
    /// A player that is not started yet.
    pub fn new(launch: Launch) -> Process {
        let moment = Moment { phase: Phase::Load, ply: 0 };
        Process {
            launch,
            seat: 0,
            moment,
            host: None,
            rest: None,
            system: SystemFiles::default(),
            notices: Vec::new(),
            summary: PlayerSummary::default(),
            layers: Vec::new(),
            program: None,
            pending: None,
        }
    }

    fn note(&mut self, kind: NoticeKind, message: impl Into<String>) {
        let Moment { phase, ply } = self.moment;
        self.notices.push(Notice { kind, phase, ply, message: message.into() });
    }

    /// An allowance of `us` for a call other than `play`.
    fn phase_allowance(&self, us: u64) -> Allowance {
        let (clock, guard_us) = (self.launch.time.clock, guard_us(Some(us), 1));
        Allowance { clock, call_us: Some(us), total_us: None, moves_left: None, guard_us }
    }

    /// Sends a request, waits for its reply, and returns it with the time that it took.
    fn call(
        &mut self,
        kind: RequestKind,
        blob: &Blob,
        phase: Phase,
        limit_us: u64,
    ) -> Result<(Reply, CallTime), Trouble> {
        self.moment.phase = phase;
        let allowance = self.phase_allowance(limit_us);
        let (moment, limits) = (self.moment, &self.launch.limits);
        let Some(host) = &mut self.host else { return Err(Trouble::Void("no host is running".to_owned())) };
        host.send(kind, blob, (allowance, None), moment, limits)?;
        loop {
            if let Some(result) = host.receive(SAMPLE, moment, limits) {
                return result;
            }
        }
    }

    /// Starts the process, in the sandbox, and opens the library there.
    ///
    /// # Errors
    /// The client is at fault, or the server has trouble.
    pub fn load(&mut self) -> Result<(), Trouble> {
        let began = Instant::now();
        self.system = SystemFiles::now(&self.launch.sandbox);
        reach_opened(&self.launch.sandbox).map_err(|error| Trouble::Shortage(error.to_string()))?;
        if self.launch.speech.is_some() && is_program(&self.launch.files.library) {
            let found = Interpreter::of(&self.launch.files.library, &self.launch.sandbox.runtimes);
            self.program = Some(found.map_err(|why| self.moment.fault(FaultKind::LoadFailure, why))?);
        }
        let used_us = self.launch_host()?;
        if self.program.is_some() {
            self.host.as_mut().map_or(Ok(()), |host| host.let_go(self.moment))?;
            self.summary.usage.load_us = began.elapsed().as_micros() as u64;
            return Ok(());
        }
        self.open(self.launch.time.load_us.saturating_sub(used_us))?;
        self.summary.usage.load_us = began.elapsed().as_micros() as u64;
        Ok(())
    }

    /// Lays the host to rest. Returns whether there is a thread to watch it.
    fn lay_to_rest(&mut self, kept: bool) -> bool {
        let moment = Moment { phase: Phase::Waiting, ply: if kept { 0 } else { self.moment.ply } };
        let name = kept.then_some(self.launch.file_name.as_str());
        self.rest = RestingHost::begin(&mut self.host, moment, &self.launch.limits, name);
        self.host.is_none()
    }

    /// Takes the host back, with the findings of its rest.
    fn wake(&mut self) {
        if let Some(rest) = self.rest.take() {
            let (host, trouble) = rest.end();
            self.host = host;
            self.pending = self.pending.take().or(trouble);
        }
    }

    /// Whether a client is kept from another match, opened with the system files that still exist: the sandbox would
    /// deny what it opens later.
    fn is_kept(&mut self) -> bool {
        let is_kept = self.host.as_ref().is_some_and(Host::is_running) && !self.system.have_changed();
        if !is_kept {
            self.host = None;
        }
        is_kept
    }

    /// Takes a client kept from another match, which must not have been at work in between.
    fn reopen(&mut self) -> Result<(), Trouble> {
        let Some(host) = &mut self.host else { return Ok(()) };
        host.begin_anew();
        self.summary.layers = self.layers.clone();
        host.judge_out_of_turn(Moment { phase: Phase::Waiting, ply: 0 })?;
        Ok(())
    }

    /// Starts the process and waits until it is in the sandbox.
    fn launch_host(&mut self) -> Result<u64, Trouble> {
        let (settings, launcher) = (self.settings(), &self.launch.launcher);
        let spawned = launcher
            .launch(&settings, (self.launch.sandbox.mode != SandboxMode::Off).then_some(&self.launch.limits))
            .map_err(|error| trouble(&format!("{} does not start", launcher.program().display()), &error))?;
        let mut host = Host::new(spawned, self.launch.limits.output)
            .map_err(|error| trouble("a host cannot be watched", &error))?;
        host.counts_files = self.launch.files.data.is_empty();
        if let (Some(speech), Some(_)) = (self.launch.speech, &self.program) {
            host.speak(speech);
        }
        self.host = Some(host);
        let (reply, spent) = self.await_hello()?;
        self.note_layers(Layers(reply.status as u32))?;
        Ok(spent.on(self.launch.time.clock))
    }

    /// Waits for the hello. The client runs no code before the next request, so a failure is the server's.
    fn await_hello(&mut self) -> Result<(Reply, CallTime), Trouble> {
        let allowance = self.phase_allowance(self.launch.time.load_us);
        let (moment, limits) = (self.moment, &self.launch.limits);
        let Some(host) = &mut self.host else { return Err(Trouble::Void("no host is running".to_owned())) };
        host.expect_hello(allowance);
        loop {
            match host.receive(SAMPLE, moment, limits) {
                None => {}
                Some(Ok(hello)) => return Ok(hello),
                Some(Err(Trouble::Fault(fault))) => {
                    return Err(Trouble::Void(format!("the host failed before the sandbox: {}", fault.message)));
                }
                Some(Err(Trouble::Excused(excused))) => return Err(Trouble::Void(excused.cause)),
                Some(Err(trouble)) => return Err(trouble),
            }
        }
    }

    fn note_layers(&mut self, held: Layers) -> Result<(), Trouble> {
        self.layers = held.iter().map(|layer| layer.name().to_owned()).collect();
        if self.host.as_ref().is_some_and(Host::has_group) {
            self.layers.push(LAYER.to_owned());
        }
        if self.program.is_some() {
            self.layers.push(program::LAYER.to_owned());
        }
        self.summary.layers = self.layers.clone();
        if self.launch.sandbox.mode == SandboxMode::Off {
            return Ok(());
        }
        for layer in Layer::ALL.into_iter().filter(|layer| !held.has(*layer)) {
            let message = format!(
                "the layer {} of the sandbox does not hold, so agon cannot see what it would forbid",
                layer.name()
            );
            if self.launch.sandbox.mode == SandboxMode::Strict {
                return Err(Trouble::Void(format!("{message}, and sandbox = \"strict\" asks for all")));
            }
            self.note(NoticeKind::MissingLayer, message);
        }
        Ok(())
    }

    /// Does everything from the start of the process to the name.
    fn begin(&mut self, setup: &Blob) -> Result<(), Trouble> {
        self.wake();
        self.moment = Moment { phase: Phase::Load, ply: 0 };
        if let Some(trouble) = self.pending.take() {
            return Err(trouble);
        }
        if self.is_kept() {
            self.reopen()?;
        } else {
            self.load()?;
        }
        let (reply, spent) =
            self.call(RequestKind::Initialize, setup, Phase::Initialize, self.launch.time.initialize_us)?;
        self.summary.usage.initialize_us = spent.on(self.launch.time.clock);
        if reply.status != 0 {
            let reason = self.host.as_ref().and_then(|host| host.lines().last("declined"));
            return Err(verdict::declined(self.moment, reply.status, reason));
        }
        self.ask_name()
    }

    fn send_turn(&mut self, turn: &Blob, ply: u32, allowance: Allowance) -> Result<(), Trouble> {
        self.wake();
        self.moment = Moment { phase: Phase::Play, ply };
        if let Some(trouble) = self.pending.take() {
            return Err(trouble);
        }
        let Some(host) = &mut self.host else { return Err(Trouble::Void("no host is running".to_owned())) };
        let used = host.judge_out_of_turn(Moment { phase: Phase::Waiting, ply })?;
        host.send(RequestKind::Play, turn, (allowance, used), self.moment, &self.launch.limits)
    }

    fn open(&mut self, limit_us: u64) -> Result<(), Trouble> {
        let expected = Arc::clone(&self.launch.expected);
        let (reply, _) = self.call(RequestKind::Open, &expected, Phase::Load, limit_us)?;
        let empty = HostLines::default();
        let lines = self.host.as_ref().map_or(&empty, Host::lines);
        match OpenStatus::from_status(reply.status) {
            Some(OpenStatus::Ready) => Ok(()),
            Some(OpenStatus::NotLoadable) if self.system.have_changed() => {
                self.launch.launcher.renew();
                Err(Trouble::Void(verdict::system_changed(lines)))
            }
            Some(opened) => Err(verdict::not_opened(self.moment, opened, lines)),
            None => Err(verdict::garbled(self.moment, "a reply that no host gives")),
        }
    }

    fn ask_name(&mut self) -> Result<(), Trouble> {
        let told = self.host.as_ref().and_then(Host::told_name).cloned();
        let (status, bytes) = match told {
            Some(told) => told,
            None => {
                let limit_us = self.launch.time.initialize_us;
                let (reply, _) = self.call(RequestKind::Name, &Blob::new(), Phase::Name, limit_us)?;
                (reply.status, reply.body[..(reply.length as usize).min(reply.body.len())].to_vec())
            }
        };
        match read_name(status, &bytes) {
            Ok(name) => self.summary.name = Some(name),
            Err(message) => self.note(NoticeKind::BadName, message),
        }
        Ok(())
    }

    /// On the wall clock: notes that the client was late, or would have been without the machine's share.
    fn note_waiting(&mut self, spent: CallTime, limit_us: Option<u64>) {
        let whole_us = spent.wall_us + spent.kept_off_us;
        if spent.kept_off_us > 0 && limit_us.is_some_and(|limit_us| whole_us > limit_us) {
            let [whole, delay] = [whole_us, spent.kept_off_us].map(|us| us as f64 / 1e3);
            self.note(
                NoticeKind::KeptWaiting,
                format!(
                    "the move took {whole:.1} ms, {delay:.1} ms of it waiting for a core or the disk, not charged; help: run fewer jobs"
                ),
            );
        }
    }

    fn note_blocked_signals(&mut self) {
        let blocked = self.host.as_ref().and_then(Host::blocked_signals).unwrap_or(0);
        if blocked != 0 && !self.notices.iter().any(|notice| notice.kind == NoticeKind::BlockedSignals) {
            self.note(
                NoticeKind::BlockedSignals,
                format!("signals are blocked (mask {blocked:#x}), which stops nothing here; help: remove sigprocmask"),
            );
        }
    }

    /// Calls `finalize` and returns whether it went well. A failure there is only a notice, because the result stands.
    fn finalize(&mut self) -> bool {
        if self.program.is_some() {
            return true; // the end of its input says it
        }
        let limit_us = self.launch.time.finalize_us;
        match self.call(RequestKind::Finalize, &Blob::new(), Phase::Finalize, limit_us) {
            Ok((_, spent)) => {
                self.summary.usage.finalize_us = spent.on(self.launch.time.clock);
                return true;
            }
            Err(Trouble::Fault(fault)) => self.note(NoticeKind::Finalize, self.with_its_name(&fault.message)),
            Err(Trouble::Excused(excused)) => self.note(NoticeKind::Finalize, excused.cause),
            Err(Trouble::Void(cause) | Trouble::Shortage(cause)) => self.note(NoticeKind::Finalize, cause),
        }
        false
    }

    /// Keeps the client's prints, and ends the process unless it stays for the next match. It reports a failure at the
    /// end only if the client was not interrupted.
    fn collect(&mut self, stays: bool, finalized: bool) {
        let Some(mut host) = self.host.take() else { return };
        let Moment { phase, ply } = self.moment;
        if !stays
            && let Some(message) = host.end(ply, &self.launch.limits)
            && finalized
        {
            self.note(NoticeKind::Finalize, message);
        }
        host.drain_all(phase, ply);
        let denied: Vec<_> = host.lines().of("agon.denied").cloned().collect();
        for line in denied {
            let message = format!(
                "opening {} was denied: a client reads only its own file, the system's libraries and files that the ladder \
                 gives; help: {}",
                line.value,
                verdict::help_for_denied(&line.value)
            );
            self.notices.push(Notice { kind: NoticeKind::DeniedFile, phase: line.phase, ply: line.ply, message });
        }
        self.summary.usage.memory = host.peak();
        let mut outputs = Vec::new();
        for (capture, name) in host.captures().iter_mut().zip(["stdout", "stderr", "agon_log"]) {
            if let Some((phase, ply)) = capture.dropped_at() {
                let (dropped, kept) = (capture.dropped(), self.launch.limits.output);
                let help = "print less, or raise [limits] output";
                let message = format!("{name}: {dropped} bytes left out, {kept} are kept; help: {help}");
                self.notices.push(Notice { kind: NoticeKind::CappedOutput, phase, ply, message });
            }
            outputs.extend(capture.take_outputs(self.seat, phase, ply));
        }
        if self.program.is_some() {
            outputs.iter_mut().for_each(|output| output.text = self.with_its_name(&output.text));
        }
        self.summary.outputs.extend(outputs);
        self.host = stays.then_some(host);
        if !self.lay_to_rest(true) {
            self.host = None; // nobody would look after it
        }
    }
}

/// An error of the system before the client is there: it passes, or it is the server's fault.
fn trouble(what: &str, error: &std::io::Error) -> Trouble {
    let cause = format!("{what}: {error}");
    if is_shortage(error) { Trouble::Shortage(cause) } else { Trouble::Void(cause) }
}

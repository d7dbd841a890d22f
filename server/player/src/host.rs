//! A running host process and its pipes, looked at from outside: requests, replies, what is printed, and how it ended.

mod ending;
mod holdings;
mod judge;
mod talk;

use super::Trouble;
use super::capture::{Capture, HostLines};
use super::child::{Child, wait_for};
use super::groups::Group;
use super::proc::{Proc, Yields, own_run_delay};
use super::spawn::Spawned;
use super::speech::{LONGEST, Said, Speech};
use super::steal::Steal;
use super::verdict::{self, Moment};
use crate::clock::{Allowance, ProcessClock, Scheduled};
use agon_abi::{Blob, HEAD, Kind, Reply, Request, read};
use agon_model::{ClockKind, Limits, Phase, Stream};
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::event::{PollFlags, Timespec};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::process::WaitIdOptions;
use std::io;
use std::time::{Duration, Instant};

/// How often a thinking client's time and memory are looked at.
pub const SAMPLE: Duration = Duration::from_millis(5);
/// How long a process whose channel has closed may take to end.
const EXIT_GRACE: Duration = Duration::from_millis(200);

/// A running host; the process is ended when this is dropped.
pub struct Host {
    child: Child,
    /// Behind the process, which is no more when another has it.
    group: Option<Group>,
    epoll: OwnedFd,
    /// `None` once it was told to end.
    requests: Option<OwnedFd>,
    replies: OwnedFd,
    captures: [Capture; 3],
    lines: HostLines,
    clock: ProcessClock,
    proc: Proc,
    sequence: u32,
    buffer: Vec<u8>,
    /// Processor time and wall time when it replied, or was last found at work unasked.
    mark: (Duration, Instant),
    /// How often in this match it was seen to have used processor time unasked.
    restless: u32,
    /// Whether its last call took more than some milliseconds.
    is_slow: bool,
    /// Processor time that it used so, was excused, and pays in the next call.
    owed: Duration,
    call: Call,
    steal: Steal,
    replied: u32,
    peak: u64,
    /// Since when its main thread was seen to have ended, though the process goes on.
    headless: Option<Instant>,
    /// Whether files that it has mapped count as its memory: not where it was given some.
    pub counts_files: bool,
    /// What is said to it in lines, where it is a program.
    talk: Option<Talk>,
    /// Whether the hello came: from then on, what goes wrong is the client's doing.
    ready: bool,
}

/// A program's side of the talk.
struct Talk {
    speech: Speech,
    /// The beginning of a line.
    line: Vec<u8>,
    /// What it answered to its setup.
    setup: Said,
}

/// The request under way.
struct Call {
    kind: Kind,
    allowance: Allowance,
    began: Instant,
    cpu_began: Duration,
    sampled: Instant,
    /// Processor time when it was last looked at.
    cpu_sampled: Duration,
    /// When it began, where time that passes judges or the call before was slow; else when it was first looked at.
    first: Option<FirstLook>,
    /// How long this thread had been ready and not running when the call was last looked at.
    own_delay: Duration,
    /// How often its main thread had given up its core when the call began, where that was asked.
    yields: Option<Yields>,
    /// The same when it was last looked at.
    yielded: Option<Yields>,
    /// Whether the client was ready, or at the disk, when it was last looked at.
    is_ready: bool,
    /// Whether it was kept from going on between the last two looks.
    is_queued: bool,
    /// How long others had had its core since the first look when it was last looked at.
    queued: Duration,
    /// For how long this thread was away, and nothing else tells what the client did.
    unseen: Duration,
    /// For how long it was seen to wait for the disk.
    at_disk: Duration,
    /// Processor time that it used before the call, while it was not asked.
    owed: Duration,
}

/// What was read near the beginning of a call.
struct FirstLook {
    /// Processor time of the process.
    used: Duration,
    /// What the scheduler told of its threads.
    threads: Vec<(u32, Scheduled)>,
}

/// Which descriptor an event is about.
const REPLY: u64 = 3;
const DEATH: u64 = 4;

/// What a call used.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    /// Processor time, microseconds.
    pub cpu_us: u64,
    /// Wall time, microseconds; where it judges, without the time in which the machine kept the client or the server
    /// from a core.
    pub wall_us: u64,
    /// That time, microseconds; calls of some milliseconds say 0 where the processor clock judges.
    pub kept_off_us: u64,
}

impl Spent {
    /// On the judging clock.
    pub fn on(self, clock: ClockKind) -> u64 {
        match clock {
            ClockKind::Cpu => self.cpu_us,
            ClockKind::Wall => self.wall_us,
        }
    }
}

impl Call {
    fn new(kind: Kind, allowance: Allowance, cpu_began: Duration) -> Call {
        let began = Instant::now();
        let none = Duration::ZERO;
        Call {
            kind,
            allowance,
            began,
            cpu_began,
            sampled: began,
            cpu_sampled: cpu_began,
            first: None,
            own_delay: none,
            yields: None,
            yielded: None,
            is_ready: false,
            is_queued: false,
            queued: none,
            unseen: none,
            at_disk: none,
            owed: none,
        }
    }
}

impl Host {
    /// Watches a process just started; `output` bytes of each stream are kept.
    ///
    /// # Errors
    /// A descriptor could not be had; the process is then ended.
    pub fn new(spawned: Spawned, output: u64) -> io::Result<Host> {
        let Spawned { pid, requests, replies, stdout, stderr, log, group } = spawned;
        let child = Child::new(pid)?;
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        for (token, source) in [&stdout, &stderr, &log, &replies, &child.pidfd].into_iter().enumerate() {
            epoll::add(&epoll, source, EventData::new_u64(token as u64), EventFlags::IN)?;
        }
        let capture = |pipe, stream| Capture::new(pipe, stream, output);
        let allowance =
            Allowance { clock: ClockKind::Cpu, call_us: None, total_us: None, moves_left: None, guard_us: 0 };
        Ok(Host {
            child,
            group,
            epoll,
            requests: Some(requests),
            replies,
            captures: [capture(stdout, Stream::Stdout), capture(stderr, Stream::Stderr), capture(log, Stream::Log)],
            lines: HostLines::default(),
            clock: ProcessClock::of(pid)?,
            proc: Proc::of(pid)?,
            sequence: 0,
            buffer: Vec::new(),
            mark: (Duration::ZERO, Instant::now()),
            restless: 0,
            is_slow: false,
            owed: Duration::ZERO,
            call: Call::new(Kind::Hello, allowance, Duration::ZERO),
            steal: Steal::new(),
            replied: 0,
            peak: 0,
            headless: None,
            counts_files: true,
            talk: None,
            ready: false,
        })
    }

    /// From the hello on it is a program, which is spoken to in lines.
    pub fn speak(&mut self, speech: Speech) {
        self.talk = Some(Talk { speech, line: Vec::new(), setup: Said::default() });
    }

    /// The name that a program gave, as a host tells one.
    pub fn told_name(&self) -> Option<&(i32, Vec<u8>)> {
        self.talk.as_ref().map(|talk| &talk.setup.name)
    }

    /// Lets the host become the program, once it was heard which layers hold; no reply comes.
    ///
    /// # Errors
    /// It is gone.
    pub fn let_go(&mut self, place: Moment) -> Result<(), Trouble> {
        self.sequence += 1;
        let mut request = Vec::new();
        Request::write(self.sequence, Kind::Open, &Blob::new(), &mut request);
        // So few bytes fit a pipe from which all was read before.
        match self.requests.as_ref().map(|requests| rustix::io::write(requests, &request)) {
            Some(Ok(length)) if length == request.len() => Ok(()),
            _ => Err(self.gone(place)),
        }
    }

    /// The hello comes unasked.
    pub fn expect_hello(&mut self, allowance: Allowance) {
        self.call = Call::new(Kind::Hello, allowance, Duration::ZERO);
    }

    /// What the call under way may take on the judging clock, microseconds.
    pub fn limit_us(&self) -> Option<u64> {
        self.call.allowance.call_us
    }

    /// Whether the process has not been seen to end.
    pub fn is_running(&self) -> bool {
        !self.child.reaped
    }

    /// Whether it is in a control group of its own.
    pub fn has_group(&self) -> bool {
        self.group.is_some()
    }

    /// What the host itself said.
    pub fn lines(&self) -> &HostLines {
        &self.lines
    }

    /// The most resident memory seen, bytes.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// What was printed, printed to stderr, and logged.
    pub fn captures(&mut self) -> &mut [Capture; 3] {
        &mut self.captures
    }

    /// Forgets what belonged to one match.
    pub fn begin_anew(&mut self) {
        self.lines = HostLines::default();
        self.peak = 0;
        (self.restless, self.owed) = (0, Duration::ZERO);
        self.steal.begin_anew();
    }

    /// Sends a request; a client whose request does not fit the pipe must read it within its time. Processor time is
    /// counted from `used`, if that was just read.
    pub fn send(
        &mut self,
        kind: Kind,
        blob: &Blob,
        (allowance, used): (Allowance, Option<Duration>),
        place: Moment,
        limits: &Limits,
    ) -> Result<(), Trouble> {
        self.refuse_unasked(place)?;
        self.sequence += 1;
        let mut buffer = std::mem::take(&mut self.buffer);
        match self.talk.as_ref() {
            None => Request::write(self.sequence, kind, blob, &mut buffer),
            Some(talk) => buffer = talk.speech.request(kind, blob).unwrap_or_default(),
        }
        self.steal.begin();
        let used = used.or_else(|| self.clock.read()).unwrap_or(self.mark.0);
        // Of quick calls by the processor clock nothing need be known, and to ask takes longer than they do.
        let is_watched = self.is_slow || allowance.clock == ClockKind::Wall;
        let first = is_watched.then(|| FirstLook { used, threads: self.proc.scheduled() });
        let own_delay = if is_watched { own_run_delay() } else { self.steal.own_delay() };
        let yields = if is_watched { self.proc.yields() } else { None };
        // It waits for this request.
        let yields = yields.map(|yields| Yields { is_away: false, ..yields });
        let owed = std::mem::take(&mut self.owed);
        self.call = Call { first, own_delay, yields, yielded: yields, owed, ..Call::new(kind, allowance, used) };
        let result = self.write_all(&buffer, place, limits);
        self.buffer = buffer;
        result
    }

    /// What is there before a request was made can only be forged.
    fn refuse_unasked(&mut self, place: Moment) -> Result<(), Trouble> {
        let mut bytes = [0u8; HEAD];
        match rustix::io::read(&self.replies, &mut bytes) {
            Ok(0) => Err(self.gone(place)),
            Ok(length) if self.talk.is_some() => Err(self.unasked(&bytes[..length], place)),
            Ok(_) => Err(self.garble(place, "a reply that nobody asked for")),
            Err(_) => Ok(()),
        }
    }

    fn write_all(&mut self, mut bytes: &[u8], place: Moment, limits: &Limits) -> Result<(), Trouble> {
        while !bytes.is_empty() {
            let Some(requests) = &self.requests else {
                return Err(Trouble::Void("the host was told to end".to_owned()));
            };
            match rustix::io::write(requests, bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    wait_for(requests, PollFlags::OUT, SAMPLE);
                    self.sample(place, limits)?;
                }
                Err(_) => return Err(self.gone(place)),
            }
        }
        Ok(())
    }

    /// The reply, if it comes within `patience`; looks after the client meanwhile.
    ///
    /// # Errors
    /// The client's fault, or our own trouble.
    pub fn receive(
        &mut self,
        patience: Duration,
        place: Moment,
        limits: &Limits,
    ) -> Option<Result<(Reply, Spent), Trouble>> {
        let until = Instant::now() + patience;
        loop {
            let (replied, died) = match self.wait_event(SAMPLE.min(patience), place) {
                Ok(seen) => seen,
                Err(error) => return Some(Err(Trouble::Void(format!("waiting for a client failed: {error}")))),
            };
            if replied && let Some(taken) = self.take(place, limits) {
                return Some(taken);
            }
            if died {
                return Some(Err(self.gone(place)));
            }
            let now = Instant::now();
            if now.duration_since(self.call.sampled) >= SAMPLE
                && let Err(trouble) = self.sample(place, limits)
            {
                self.kill();
                return Some(Err(trouble));
            }
            if now >= until {
                return None;
            }
        }
    }

    /// Waits for something to happen; drains what is printed. Says whether there is a reply, and whether the process
    /// ended.
    fn wait_event(&mut self, patience: Duration, place: Moment) -> io::Result<(bool, bool)> {
        let timeout = Timespec { tv_sec: patience.as_secs() as i64, tv_nsec: i64::from(patience.subsec_nanos()) };
        let mut events = [const { epoll::Event { flags: EventFlags::empty(), data: EventData::new_u64(0) } }; 5];
        let began = Instant::now();
        let count = match epoll::wait(&self.epoll, &mut events[..], Some(&timeout)) {
            Ok(count) => count,
            Err(Errno::INTR) => 0,
            Err(error) => return Err(error.into()),
        };
        self.steal.waited(patience, began.elapsed());
        let (mut replied, mut died) = (false, false);
        for event in &events[..count] {
            match event.data.u64() {
                REPLY => replied = true,
                DEATH => died = true,
                stream => self.drain(stream as usize, place),
            }
        }
        Ok((replied, died))
    }

    fn drain(&mut self, stream: usize, place: Moment) {
        let (captures, lines) = (&mut self.captures, &mut self.lines);
        let Some(capture) = captures.get_mut(stream) else { return };
        let is_log = stream == 2;
        let mut seen = |bytes: &[u8]| {
            if is_log {
                lines.take(bytes, place.phase, place.ply);
            }
        };
        if capture.drain(place.phase, place.ply, &mut seen) {
            // A stream that was closed would wake us for ever.
            let _ = epoll::delete(&self.epoll, capture.pipe());
        }
    }

    pub fn drain_all(&mut self, phase: Phase, ply: u32) {
        for stream in 0..3 {
            self.drain(stream, Moment { phase, ply });
        }
    }

    /// The reply that is there, if it is whole.
    fn take(&mut self, place: Moment, limits: &Limits) -> Option<Result<(Reply, Spent), Trouble>> {
        match &self.talk {
            Some(_) if self.call.kind != Kind::Hello => self.take_line(place, limits).transpose(),
            _ => Some(self.take_reply(place, limits)),
        }
    }

    /// Reads one reply: exactly one, of the right size, to the request just made.
    fn take_reply(&mut self, place: Moment, limits: &Limits) -> Result<(Reply, Spent), Trouble> {
        let mut bytes = [0u8; 2 * HEAD];
        // What a program says right behind its host's hello is its own.
        let most = if self.talk.is_some() { HEAD } else { bytes.len() };
        let length = match rustix::io::read(&self.replies, &mut bytes[..most]) {
            Ok(0) => return Err(self.gone(place)),
            Ok(length) => length,
            // It was there a moment ago: only the client's own process can have read it.
            Err(Errno::AGAIN) => return Err(self.garble(place, "a reply that was taken back")),
            Err(error) => return Err(Trouble::Void(format!("reading a reply failed: {error}"))),
        };
        let wall = self.call.began.elapsed();
        let cpu = self.clock.read().unwrap_or(self.call.cpu_began);
        self.mark = (cpu, self.call.began + wall);
        let reply: Reply = match read(&bytes[..length]) {
            Some(reply) if length == HEAD => reply,
            Some(_) => return Err(self.garble(place, "more than one reply")),
            None => return Err(self.garble(place, "a piece of a reply")),
        };
        if (reply.sequence, reply.kind) != (self.sequence, self.call.kind as u32) {
            return Err(self.garble(place, "a reply that nobody asked for"));
        }
        Ok((reply, self.end_call(wall, cpu, place, limits)?))
    }

    /// A whole reply came: what it took.
    fn end_call(&mut self, wall: Duration, cpu: Duration, place: Moment, limits: &Limits) -> Result<Spent, Trouble> {
        self.ready = true;
        self.replied += 1;
        if wall > Duration::from_micros(200) || self.replied.is_multiple_of(16) {
            self.judge_holdings(place, limits).inspect_err(|_| self.kill())?;
        }
        self.judge_reply(place, wall, cpu, limits)
    }

    fn garble(&mut self, place: Moment, what: &str) -> Trouble {
        self.kill();
        verdict::garbled(place, what)
    }

    /// The channel is closed or the process ended: says which, and whose doing it is.
    fn gone(&mut self, place: Moment) -> Trouble {
        self.child.await_end(EXIT_GRACE);
        let death = self.child.reap(WaitIdOptions::NOHANG);
        self.drain_all(place.phase, place.ply);
        match death {
            Some(death) if self.ready => self.judge_end(death, place),
            // Its host ended before it could be the program.
            Some(death) => Trouble::Void(format!("the host ended before it was in the sandbox: {death:?}")),
            None => {
                self.kill();
                if self.talk.is_some() {
                    self.blame_program(place, verdict::program::CLOSED)
                } else {
                    verdict::closed(place)
                }
            }
        }
    }

    /// The signals that the client has blocked, a bit each; `None` once the process is gone.
    pub fn blocked_signals(&self) -> Option<u64> {
        self.proc.blocked_signals()
    }

    /// Ends the process at once.
    pub fn kill(&mut self) {
        self.child.kill();
    }
}

//! A running host process and its pipes, watched from outside: requests, replies, prints, and its end.

mod call;
mod ending;
mod holdings;
mod limits;
mod talk;

pub use call::CallTime;

use super::Trouble;
use super::capture::{Capture, HostLines};
use super::child::{Child, wait_for};
use super::groups::Group;
use super::proc::{Proc, YieldCounter, own_run_delay};
use super::spawn::Spawned;
use super::steal::Steal;
use super::verdict::{self, Moment};
use crate::clock::{Allowance, ProcessClock};
use agon_abi::{Blob, HEAD, Reply, Request, RequestKind, read};
use agon_model::{ClockKind, Limits, Phase, Stream};
use call::{Call, FirstLook};
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::event::{PollFlags, Timespec};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::process::WaitIdOptions;
use std::io;
use std::time::{Duration, Instant};
use talk::Talk;

/// How often the server looks at a thinking client's time and memory.
pub const SAMPLE: Duration = Duration::from_millis(5);
/// How long a process whose channel has closed may take to end.
const EXIT_GRACE: Duration = Duration::from_millis(200);

/// A running host; dropping it ends the process.
pub struct Host {
    child: Child,
    /// The control group of the process, which ends with it if another process gets the group.
    group: Option<Group>,
    epoll: OwnedFd,
    /// The requests; `None` after the order to end.
    requests: Option<OwnedFd>,
    replies: OwnedFd,
    captures: [Capture; 3],
    lines: HostLines,
    clock: ProcessClock,
    proc: Proc,
    sequence: u32,
    buffer: Vec<u8>,
    /// Processor time and wall time at its reply, or when it was last found at work out of turn.
    mark: (Duration, Instant),
    /// How often in this match it was seen to have used processor time out of turn.
    out_of_turn_count: u32,
    /// Whether its last call took more than some milliseconds.
    is_slow: bool,
    /// Processor time that it used out of turn, for which it was excused and pays in the next call.
    out_of_turn_time: Duration,
    call: Call,
    steal: Steal,
    replied: u32,
    peak: u64,
    /// When its main thread was first seen to have ended while the process goes on.
    headless: Option<Instant>,
    /// Whether mapped files count as the client's memory; they do not if it was given some.
    pub counts_files: bool,
    /// The conversation in lines, if the client is a program.
    talk: Option<Talk>,
    /// Whether the hello came: later failures are the client's fault.
    ready: bool,
}

/// The descriptor that an event is about.
const REPLY: u64 = 3;
const DEATH: u64 = 4;

impl Host {
    /// Watches a process that was just started; `output` bytes of each stream are kept.
    ///
    /// # Errors
    /// A descriptor could not be made; the process was ended.
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
            out_of_turn_count: 0,
            is_slow: false,
            out_of_turn_time: Duration::ZERO,
            call: Call::new(RequestKind::Hello, allowance, Duration::ZERO),
            steal: Steal::new(),
            replied: 0,
            peak: 0,
            headless: None,
            counts_files: true,
            talk: None,
            ready: false,
        })
    }

    /// Expects the hello, which comes without a request.
    pub fn expect_hello(&mut self, allowance: Allowance) {
        self.call = Call::new(RequestKind::Hello, allowance, Duration::ZERO);
    }

    /// The limit of the call under way on the judging clock, microseconds.
    pub fn limit_us(&self) -> Option<u64> {
        self.call.allowance.call_us
    }

    /// Whether the process has not been seen to end.
    pub fn is_running(&self) -> bool {
        !self.child.reaped
    }

    pub fn has_group(&self) -> bool {
        self.group.is_some()
    }

    /// The host's own lines.
    pub fn lines(&self) -> &HostLines {
        &self.lines
    }

    /// The most resident memory seen, bytes.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// The captures of stdout, stderr and the log.
    pub fn captures(&mut self) -> &mut [Capture; 3] {
        &mut self.captures
    }

    /// Forgets everything that belonged to one match.
    pub fn begin_anew(&mut self) {
        self.lines = HostLines::default();
        self.peak = 0;
        (self.out_of_turn_count, self.out_of_turn_time) = (0, Duration::ZERO);
        self.steal.begin_anew();
    }

    /// Sends a request; a client whose request does not fit the pipe must read it within its time. Processor time
    /// counts from `used`, if that was just read.
    pub fn send(
        &mut self,
        kind: RequestKind,
        blob: &Blob,
        (allowance, used): (Allowance, Option<Duration>),
        moment: Moment,
        limits: &Limits,
    ) -> Result<(), Trouble> {
        self.refuse_unsolicited(moment)?;
        self.sequence += 1;
        let mut buffer = std::mem::take(&mut self.buffer);
        match self.talk.as_ref() {
            None => Request::write(self.sequence, kind, blob, &mut buffer),
            Some(talk) => buffer = talk.speech.request(kind, blob).unwrap_or_default(),
        }
        self.steal.begin();
        let used = used.or_else(|| self.clock.read()).unwrap_or(self.mark.0);
        // Quick calls on the processor clock need no readings, which would take longer than they do.
        let is_watched = self.is_slow || allowance.clock == ClockKind::Wall;
        let first = is_watched.then(|| FirstLook { used, threads: self.proc.scheduled() });
        let own_delay = if is_watched { own_run_delay() } else { self.steal.own_delay() };
        let yields = if is_watched { self.proc.yields() } else { None };
        // It waits for this request.
        let yields = yields.map(|yields| YieldCounter { is_away: false, ..yields });
        let out_of_turn = std::mem::take(&mut self.out_of_turn_time);
        self.call = Call { first, own_delay, yields, yielded: yields, out_of_turn, ..Call::new(kind, allowance, used) };
        let result = self.write_all(&buffer, moment, limits);
        self.buffer = buffer;
        result
    }

    /// Refuses bytes that came before a request was made: they can only be forged.
    fn refuse_unsolicited(&mut self, moment: Moment) -> Result<(), Trouble> {
        let mut bytes = [0u8; HEAD];
        match rustix::io::read(&self.replies, &mut bytes) {
            Ok(0) => Err(self.gone(moment)),
            Ok(length) if self.talk.is_some() => Err(self.unsolicited(&bytes[..length], moment)),
            Ok(_) => Err(self.garble(moment, "a reply that nobody asked for")),
            Err(_) => Ok(()),
        }
    }

    fn write_all(&mut self, mut bytes: &[u8], moment: Moment, limits: &Limits) -> Result<(), Trouble> {
        while !bytes.is_empty() {
            let Some(requests) = &self.requests else {
                return Err(Trouble::Void("the host was told to end".to_owned()));
            };
            match rustix::io::write(requests, bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    wait_for(requests, PollFlags::OUT, SAMPLE);
                    self.sample(moment, limits)?;
                }
                Err(_) => return Err(self.gone(moment)),
            }
        }
        Ok(())
    }

    /// Returns the reply, if it comes within `patience`, and watches the client in between.
    ///
    /// # Errors
    /// The client is at fault, or the server has trouble.
    pub fn receive(
        &mut self,
        patience: Duration,
        moment: Moment,
        limits: &Limits,
    ) -> Option<Result<(Reply, CallTime), Trouble>> {
        let until = Instant::now() + patience;
        loop {
            let (replied, died) = match self.wait_event(SAMPLE.min(patience), moment) {
                Ok(seen) => seen,
                Err(error) => return Some(Err(Trouble::Void(format!("waiting for a client failed: {error}")))),
            };
            if replied && let Some(taken) = self.take(moment, limits) {
                return Some(taken);
            }
            if died {
                return Some(Err(self.gone(moment)));
            }
            let now = Instant::now();
            if now.duration_since(self.call.sampled) >= SAMPLE
                && let Err(trouble) = self.sample(moment, limits)
            {
                self.kill();
                return Some(Err(trouble));
            }
            if now >= until {
                return None;
            }
        }
    }

    /// Waits for an event and drains the client's prints. Returns whether there is a reply, and whether the process
    /// ended.
    fn wait_event(&mut self, patience: Duration, moment: Moment) -> io::Result<(bool, bool)> {
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
                stream => self.drain(stream as usize, moment),
            }
        }
        Ok((replied, died))
    }

    fn drain(&mut self, stream: usize, moment: Moment) {
        let (captures, lines) = (&mut self.captures, &mut self.lines);
        let Some(capture) = captures.get_mut(stream) else { return };
        let is_log = stream == 2;
        let mut seen = |bytes: &[u8]| {
            if is_log {
                lines.take(bytes, moment.phase, moment.ply);
            }
        };
        if capture.drain(moment.phase, moment.ply, &mut seen) {
            // A closed stream would wake the server for ever.
            let _ = epoll::delete(&self.epoll, capture.pipe());
        }
    }

    pub fn drain_all(&mut self, phase: Phase, ply: u32) {
        for stream in 0..3 {
            self.drain(stream, Moment { phase, ply });
        }
    }

    /// Takes the reply, if it is whole.
    fn take(&mut self, moment: Moment, limits: &Limits) -> Option<Result<(Reply, CallTime), Trouble>> {
        match &self.talk {
            Some(_) if self.call.kind != RequestKind::Hello => self.take_line(moment, limits).transpose(),
            _ => Some(self.take_reply(moment, limits)),
        }
    }

    /// Reads one reply: exactly one, of the right size, to the request just made.
    fn take_reply(&mut self, moment: Moment, limits: &Limits) -> Result<(Reply, CallTime), Trouble> {
        let mut bytes = [0u8; 2 * HEAD];
        // Bytes of a program right after its host's hello are its own.
        let most = if self.talk.is_some() { HEAD } else { bytes.len() };
        let length = match rustix::io::read(&self.replies, &mut bytes[..most]) {
            Ok(0) => return Err(self.gone(moment)),
            Ok(length) => length,
            // It was there a moment ago: only the client's own process can have read it.
            Err(Errno::AGAIN) => return Err(self.garble(moment, "a reply that was taken back")),
            Err(error) => return Err(Trouble::Void(format!("reading a reply failed: {error}"))),
        };
        let wall = self.call.began.elapsed();
        let cpu = self.clock.read().unwrap_or(self.call.cpu_began);
        self.mark = (cpu, self.call.began + wall);
        let reply: Reply = match read(&bytes[..length]) {
            Some(reply) if length == HEAD => reply,
            Some(_) => return Err(self.garble(moment, "more than one reply")),
            None => return Err(self.garble(moment, "a piece of a reply")),
        };
        if (reply.sequence, reply.kind) != (self.sequence, self.call.kind as u32) {
            return Err(self.garble(moment, "a reply that nobody asked for"));
        }
        Ok((reply, self.end_call(wall, cpu, moment, limits)?))
    }

    /// Ends a call whose whole reply came, and returns the time that it took.
    fn end_call(
        &mut self,
        wall: Duration,
        cpu: Duration,
        moment: Moment,
        limits: &Limits,
    ) -> Result<CallTime, Trouble> {
        self.ready = true;
        self.replied += 1;
        if wall > Duration::from_micros(200) || self.replied.is_multiple_of(16) {
            self.judge_holdings(moment, limits).inspect_err(|_| self.kill())?;
        }
        self.judge_reply(moment, wall, cpu, limits)
    }

    fn garble(&mut self, moment: Moment, what: &str) -> Trouble {
        self.kill();
        verdict::garbled(moment, what)
    }

    /// Judges a closed channel or an ended process, and whose fault it is.
    fn gone(&mut self, moment: Moment) -> Trouble {
        self.child.await_end(EXIT_GRACE);
        let death = self.child.reap(WaitIdOptions::NOHANG);
        self.drain_all(moment.phase, moment.ply);
        match death {
            Some(death) if self.ready => self.judge_end(death, moment),
            // Its host ended before it could become the program.
            Some(death) => Trouble::Void(format!("the host ended before it was in the sandbox: {death:?}")),
            None => {
                self.kill();
                if self.talk.is_some() {
                    self.blame_program(moment, verdict::program::CLOSED)
                } else {
                    verdict::closed(moment)
                }
            }
        }
    }

    /// The signals that the client has blocked, a bit each; `None` once the process has ended.
    pub fn blocked_signals(&self) -> Option<u64> {
        self.proc.blocked_signals()
    }

    pub fn kill(&mut self) {
        self.child.kill();
    }
}

//! Turns the server's observations of a client's process into a verdict, with a message that its author can act on.

mod denied;
pub mod program;
pub mod signals;
pub mod waiting;

pub use denied::help_for_denied;

use super::capture::HostLines;
use super::{Excused, Trouble};
use crate::clock::{Allowance, Finding, Overrun, Reading, judge_time};
use agon_abi::OpenStatus;
use agon_host::channel::CLOSED;
use agon_model::{ClockKind, Excuse, Fault, FaultKind, HOW_TO_END, Phase, time_text};
use std::time::Duration;

/// Where a client was when it went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    pub phase: Phase,
    /// The turns played before, by all seats.
    pub ply: u32,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Death {
    /// It ended by itself, with this status.
    Exit(i32),
    /// A signal ended it.
    Signal(i32),
}

impl Moment {
    /// The moment of a move.
    pub fn play(ply: u32) -> Moment {
        Moment { phase: Phase::Play, ply }
    }

    /// The moment in words: `in play, ply 14`.
    pub fn words(self) -> String {
        match self.phase {
            Phase::Load => "while the library was opened".to_owned(),
            Phase::Initialize => "in initialize".to_owned(),
            Phase::Name => "in get_player_name".to_owned(),
            Phase::Play => format!("in play, ply {}", self.ply),
            Phase::Waiting => format!("between its turns, before ply {}", self.ply),
            Phase::Finalize => "in finalize".to_owned(),
        }
    }

    /// A fault at this moment, as trouble.
    pub fn fault(self, kind: FaultKind, message: impl Into<String>) -> Trouble {
        Trouble::Fault(Box::new(self.blame(kind, message)))
    }

    /// A fault at this moment.
    pub fn blame(self, kind: FaultKind, message: impl Into<String>) -> Fault {
        Fault { kind, phase: self.phase, ply: self.ply, message: message.into(), raw: String::new() }
    }
}

/// Judges a process that has ended.
pub fn died(death: Death, moment: Moment, host: &HostLines) -> Trouble {
    let at = moment.words();
    match death {
        Death::Exit(CLOSED) => closed(moment),
        Death::Exit(status) => {
            let help = "remove exit and _exit: return from the function";
            moment
                .fault(FaultKind::EarlyExit, format!("the client ended itself {at} with status {status}; help: {help}"))
        }
        Death::Signal(libc::SIGSYS) if !is_self_sent(host, moment) => {
            let call = host.last("agon.syscall").unwrap_or(UNNAMED);
            let (meaning, help) = call_words(call);
            moment
                .fault(FaultKind::ForbiddenCall, format!("a forbidden system call {at}: {call}{meaning}; help: {help}"))
        }
        Death::Signal(signal) => {
            let detail = host.last("agon.crash").unwrap_or_default();
            let shown = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
            let (name, meaning) = signals::words(signal);
            let file =
                host.last_in("agon.denied", moment.phase, moment.ply).filter(|_| detail.contains("null pointer"));
            let (file, help) = match file {
                Some(file) => {
                    let help = help_for_denied(file);
                    (
                        format!(", after opening {file} was denied"),
                        format!(
                            "test what fopen returns; a client reads only its own file, the system's libraries and \
                             files that the ladder gives: {help}"
                        ),
                    )
                }
                None => (String::new(), signals::help(signal, detail).to_owned()),
            };
            moment.fault(FaultKind::Crash, format!("crashed {at} by {name}, {meaning}{shown}{file}; help: {help}"))
        }
    }
}

/// Whether the host, which names each forbidden call, saw only a signal that the client had sent itself.
fn is_self_sent(host: &HostLines, moment: Moment) -> bool {
    let told = |key| host.last_in(key, moment.phase, moment.ply);
    told("agon.crash").is_some() && told("agon.syscall").is_none()
}

/// A call that the host could not name, because its signal was blocked around it.
const UNNAMED: &str = "one made with all signals blocked, as system() and posix_spawn() do";

/// The purpose of a system call, and what to do without it.
fn call_words(call: &str) -> (&'static str, &'static str) {
    const PROCESS: &str = "compute in your own process; threads (pthread_create, std::thread) are allowed";
    match call.split(' ').next().unwrap_or_default() {
        "clone" | "fork" | "vfork" => (", a new process (fork, system)", PROCESS),
        "execve" | "execveat" => (", another program in its place (exec)", PROCESS),
        "one" => ("", PROCESS),
        "kill" | "tkill" | "tgkill" => {
            (", a signal to another process", "leave the others alone; raise and abort reach your own process")
        }
        "socket" => (", the network", "a client plays alone: remove what connects or listens"),
        _ => ("", "a client may compute, allocate, use threads and print; look for what needs more on this path"),
    }
}

/// The main thread ended, and others went on.
pub fn headless(moment: Moment) -> Trouble {
    let help = "return from the function, and call neither pthread_exit nor SYS_exit in it";
    moment.fault(
        FaultKind::EarlyExit,
        format!("the client ended the main thread {}, and only that one answers; help: {help}", moment.words()),
    )
}

/// The client closed the pipes of its host.
pub fn closed(moment: Moment) -> Trouble {
    let help = "close only descriptors that you opened yourself";
    moment.fault(
        FaultKind::Protocol,
        format!("the client closed the pipes to the server {}; help: {help}", moment.words()),
    )
}

/// The reply channel brought something other than a reply.
pub fn garbled(moment: Moment, what: &str) -> Trouble {
    let help = "a client answers by returning from the function, and writes to no descriptor but 1 and 2";
    moment.fault(FaultKind::Protocol, format!("{what} {}; help: {help}", moment.words()))
}

/// Judges a reading of a call; `state` is read only for an idle client. Only here does one call's limit become a fault.
pub fn of_call(
    moment: Moment,
    allowance: &Allowance,
    reading: &Reading,
    state: impl FnOnce() -> Option<char>,
) -> Result<(), Trouble> {
    match judge_time(allowance, reading) {
        Finding::InTime => Ok(()),
        Finding::Late(overrun) => Err(Trouble::Fault(Box::new(too_slow(moment, allowance.clock, overrun)))),
        Finding::Idle => Err(stalled(moment, reading.elapsed, state().unwrap_or('?'))),
        Finding::Excused(excuse, overrun) => Err(excused(moment, allowance.clock, excuse, overrun, reading)),
    }
}

/// The fault of using more time than allowed, on the clock that judges.
fn too_slow(moment: Moment, clock: ClockKind, overrun: Overrun) -> Fault {
    let kind = match clock {
        ClockKind::Cpu => FaultKind::CpuTime,
        ClockKind::Wall => FaultKind::WallTime,
    };
    let which = time_of(clock);
    let limit = time_text(overrun.limit_us);
    // Rounded, a small overrun looks like none.
    let rounded = Some(time_text(overrun.used_us)).filter(|used| *used != limit);
    let used = rounded.unwrap_or_else(|| format!("{} s", overrun.used_us as f64 / 1e6));
    let help = match moment.phase {
        Phase::Play => "compare agon_cpu_us() with turn->head.cpu_left_us while you search, and stop in time",
        Phase::Load => "do nothing when the library is opened (constructors, global objects): initialize is for that",
        Phase::Initialize => "do less here, and the rest in play",
        _ => "do less here",
    };
    moment.blame(kind, format!("{used} of {which} {}, {limit} allowed; help: {help}", moment.words()))
}

/// A call that may or may not have been late: the possible cause, and the fault if that cause excuses it no more.
fn excused(moment: Moment, clock: ClockKind, excuse: Excuse, overrun: Overrun, reading: &Reading) -> Trouble {
    let (cause, fault) = match excuse {
        Excuse::Taken if overrun.by() > reading.taken => {
            (late_by_earlier_work(moment, clock, overrun, reading.out_of_turn), too_slow(moment, clock, overrun))
        }
        Excuse::Taken => (taken(moment, clock, overrun, reading.taken), too_slow(moment, clock, overrun)),
        Excuse::KeptOff if reading.is_answered => (unseen(moment, overrun, reading), too_slow(moment, clock, overrun)),
        Excuse::KeptOff => (kept_off(moment, overrun, reading), waited(moment, reading)),
    };
    Trouble::Excused(Box::new(Excused { excuse, cause, fault }))
}

/// A fault that the machine may have caused, and that was excused for this too often.
pub fn excused_no_more(Excused { excuse, mut fault, .. }: Excused) -> Fault {
    let what = match excuse {
        Excuse::Taken => "other machines may have taken as much",
        Excuse::KeptOff => "other programs, or the disk, kept it from going on",
    };
    let (most, matches) = (Excuse::MOST, Excuse::MATCHES);
    fault.message +=
        &format!("; {what}, but this client has used its excuses: {most}, and one more after each {matches} matches");
    fault
}

/// A client that was ready until long after the guard, or waited for the disk, and hardly ever had its core.
fn kept_off(moment: Moment, overrun: Overrun, reading: &Reading) -> String {
    let [waited, kept] = [reading.elapsed, reading.kept_off].map(|time| time_text(time.as_micros() as u64));
    let (used, limit) = (time_text(reading.used.as_micros() as u64), time_text(overrun.limit_us));
    format!(
        "no answer {} for {waited}: other programs, or a disk that is late with a page, kept the client from going on for {kept}, so that it used only {used} of the {limit} \
         it may; help: end what else runs here, or run fewer jobs",
        moment.words()
    )
}

/// The same, if that excuses it no more.
fn waited(moment: Moment, reading: &Reading) -> Fault {
    let [waited, used] = [reading.elapsed, reading.used].map(|time| time_text(time.as_micros() as u64));
    let help = "answer sooner: compare agon_cpu_us() with turn->head.cpu_left_us while you search";
    let message = format!("no answer {} for {waited}, {used} of it at work; help: {help}", moment.words());
    moment.blame(FaultKind::Stalled, message)
}

/// A client whose answer came late, and that slept or waited in the kernel while the server had no core to look.
fn unseen(moment: Moment, overrun: Overrun, reading: &Reading) -> String {
    let [used, unseen] = [reading.used, reading.doubtful].map(|time| time_text(time.as_micros() as u64));
    let [charged, limit] = [overrun.used_us, overrun.limit_us].map(time_text);
    format!(
        "{charged} of wall time {}, {limit} allowed, {used} of it at work: for {unseen} the server had no core to see whether \
         the client slept; help: end what else runs here, or run fewer jobs",
        moment.words()
    )
}

/// A call that was late, but not by more than the machine below took in the client's calls.
fn taken(moment: Moment, clock: ClockKind, overrun: Overrun, taken: Duration) -> String {
    let (at, which) = (moment.words(), time_of(clock));
    let [used, limit, taken] = [overrun.used_us, overrun.limit_us, taken.as_micros() as u64].map(time_text);
    format!(
        "{used} of {which} {at}, {limit} allowed, but other machines took {taken} of this one's time in the client's calls, which \
         both clocks charge; help: a machine of your own, or more time a move"
    )
}

/// A call that was late only by the time that the client had used before it, while it was not asked.
fn late_by_earlier_work(moment: Moment, clock: ClockKind, overrun: Overrun, earlier: Duration) -> String {
    let (at, which) = (moment.words(), time_of(clock));
    let [used, limit, earlier] = [overrun.used_us, overrun.limit_us, earlier.as_micros() as u64].map(time_text);
    format!(
        "{used} of {which} {at}, {limit} allowed; {earlier} of it was used before, while the client was not asked, which may be \
         the machine's doing; help: join every thread before the function returns"
    )
}

/// No answer and not enough processor time used, until the guard.
fn stalled(moment: Moment, waited: Duration, state: char) -> Trouble {
    let (doing, help) = match state {
        'T' | 't' => ("is stopped (SIGSTOP)", "send no signals to yourself"),
        _ => (
            "waits for something (sleep, a lock, a read)",
            "do not sleep or wait; unlock every lock; join each thread before the function returns",
        ),
    };
    let waited = time_text(waited.as_micros() as u64);
    moment.fault(
        FaultKind::Stalled,
        format!("no answer {} for {waited}: the client {doing}; help: {help}", moment.words()),
    )
}

/// The fault of using more memory than allowed.
pub fn out_of_memory(moment: Moment, used: u64, limit: u64) -> Trouble {
    let (used, limit) = (mebibytes(used), mebibytes(limit));
    let message = format!(
        "{used} of memory in use {}, {limit} allowed; help: free what a turn allocated, or bound your tables by setup->head.memory",
        moment.words()
    );
    moment.fault(FaultKind::OutOfMemory, message)
}

/// The fault of more threads than allowed, of which `beside` need not compute.
pub fn too_many_threads(moment: Moment, threads: u64, limit: u32, beside: u64) -> Trouble {
    let message = format!(
        "{threads} threads at once {}, at most {limit} + {beside} allowed; help: start as many as setup->head.threads says, \
         and join them before the function returns",
        moment.words()
    );
    moment.fault(FaultKind::TooManyThreads, message)
}

/// The process should end, and sleeps.
pub fn lingers(moment: Moment, waited: Duration) -> Trouble {
    let waited = time_text(waited.as_micros() as u64);
    moment.fault(FaultKind::Stalled, format!("still asleep after {waited} {}; help: {HOW_TO_END}", moment.words()))
}

/// The process should end, and works on.
pub fn outlives(moment: Moment, used: Duration) -> Trouble {
    let used = time_text(used.as_micros() as u64);
    let help = HOW_TO_END;
    moment.fault(
        FaultKind::CpuTime,
        format!("still at work after {used} of processor time {}; help: {help}", moment.words()),
    )
}

/// Processor time used while the others were to move, for the `times`-th time in this match.
pub fn out_of_turn(moment: Moment, used: Duration, elapsed: Duration, times: u32) -> Trouble {
    let (used, elapsed) = (time_text(used.as_micros() as u64), time_text(elapsed.as_micros() as u64));
    let before = if times > 1 { format!(", after {} times before in this match", times - 1) } else { String::new() };
    let message = format!(
        "{used} of processor time used {}, in the {elapsed} while it was not its turn{before}; help: join every thread before the function \
         returns",
        moment.words()
    );
    moment.fault(FaultKind::OutOfTurn, message)
}

/// `initialize` did not return 0.
pub fn declined(moment: Moment, status: i32, reason: Option<&str>) -> Trouble {
    let message = match reason {
        Some(reason) => reason.to_owned(),
        None => format!("initialize returned {status}; help: return 0 when the client is ready to play this setup"),
    };
    moment.fault(FaultKind::Declined, message)
}

/// The library could not be opened, or is not a client of this game.
pub fn not_opened(moment: Moment, opened: OpenStatus, host: &HostLines) -> Trouble {
    let text = host.last("agon.load").unwrap_or("the loader gave no reason").to_owned();
    let help = match opened {
        OpenStatus::Ready | OpenStatus::NotLoadable => {
            "link with every library you use, and define every function you call"
        }
        OpenStatus::NoDescriptor => "include the game's header and add the line AGON_CLIENT(game) to one source file",
        OpenStatus::NoMacro => "add the line AGON_CLIENT(game) at the end of one source file",
        OpenStatus::OtherAbi | OpenStatus::OtherLayout => "rebuild it with the headers of this agon (agon header GAME)",
        OpenStatus::OtherGame => "name it in a ladder of its own game",
    };
    moment.fault(FaultKind::LoadFailure, format!("{text}; help: {help}"))
}

/// A library was not opened while the system's own were replaced: the loader may have read neither the old nor the new
/// ones.
pub fn system_changed(host: &HostLines) -> String {
    let text = host.last("agon.load").unwrap_or("the loader gave no reason");
    format!(
        "the system's libraries changed while the client was opened, and the loader failed: {text}; the match is played \
         again, by a fork server that is started anew; help: install nothing while a ladder runs"
    )
}

/// A client ended while files changed that it may have needed; `fault` is the message about its end.
pub fn ended_by_a_change(fault: &str) -> String {
    format!(
        "the system's libraries or a folder that the ladder opens changed while the client ran, and it ended: {fault}; the match \
         is played again; help: install nothing while a ladder runs, and keep opened folders mounted"
    )
}

fn time_of(clock: ClockKind) -> &'static str {
    match clock {
        ClockKind::Cpu => "processor time",
        ClockKind::Wall => "wall time",
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / (1 << 20) as f64)
}

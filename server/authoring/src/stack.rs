//! Where a client was when it hung or crashed, with file and line: it is asked again what it was asked, in the whole
//! sandbox but for its memory, which is open to gdb.

mod debugger;

use agon_model::visible::escape;
use agon_model::{Fault, FaultKind, Match, Phase, shell, time_text};
use agon_player::program::is_program;
use debugger::{Session, Slow, ask};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest time that gdb may take to start.
const START: Duration = Duration::from_secs(2);
/// The longest that a call is waited for that was too long.
const LONGEST_CALL: Duration = Duration::from_secs(5);
/// A call that had more time than this is not waited for.
const LONGEST_LIMIT: Duration = Duration::from_secs(600);
/// The most frames that are shown: the innermost ones, and those next to agon's call.
const MOST_FRAMES: usize = 12;
const INNERMOST: usize = 3;
/// The factor by which a second attempt may take longer, if the first one did not come to the call in question.
const MORE_PATIENCE: u32 = 4;

/// The recorded fault whose place is looked for.
pub struct RecordedFault<'a> {
    fault: &'a Fault,
    /// How often the client was asked for a move, with the call of its fault.
    plays: u64,
    patience: Duration,
}

impl<'a> RecordedFault<'a> {
    /// The recorded fault of a seat; `None` if it has none whose place a stack shows.
    pub fn of(played: &'a Match, seat: usize) -> Option<RecordedFault<'a>> {
        let fault = played.seats.get(seat)?.fault.as_ref().filter(|fault| fault.kind.has_place())?;
        let steps = || played.steps.iter().filter(|step| step.seat == seat && step.by_client);
        let moves = Duration::from_micros(steps().map(|step| step.wall_us).sum());
        let plays = steps().count() as u64 + u64::from(fault.phase == Phase::Play);
        let patience = START + (2 * moves).min(2 * LONGEST_CALL) + LONGEST_CALL / 5;
        Some(RecordedFault { fault, plays, patience })
    }

    /// The call of `play` that took too long, with the time that it had, as the message tells.
    fn slow(&self) -> Option<Slow> {
        let is_late = matches!(self.fault.kind, FaultKind::CpuTime | FaultKind::WallTime);
        let text = self.fault.message.split_once(" allowed")?.0;
        let mut words = text.rsplit(' ');
        let (unit, number) = (words.next()?, words.next()?.parse::<f64>().ok()?);
        let seconds = match unit {
            "us" => number / 1e6,
            "ms" => number / 1e3,
            "s" => number,
            _ => return None,
        };
        let limit = Duration::try_from_secs_f64(seconds).ok().filter(|limit| *limit <= LONGEST_LIMIT)?;
        (is_late && self.fault.phase == Phase::Play).then_some(Slow { play: self.plays, limit })
    }

    /// The signal that ended it, as its message has it.
    fn signal(&self) -> Option<&str> {
        let words = self.fault.message.split(|c: char| !c.is_ascii_alphanumeric());
        words.into_iter().find(|word| word.len() > 3 && word.starts_with("SIG"))
    }
}

/// The end of one attempt.
#[derive(Debug, PartialEq, Eq)]
enum Sight {
    /// The frames of the very fault, or why it has none.
    Told(Vec<String>),
    /// The client was stopped before it came to the call in question.
    TooEarly,
    /// The client neither hung nor crashed.
    Well,
}

/// Where a client hung or crashed, a line each; or why that is not known, and what to do. `valgrind` is the command that
/// finds errors with memory. Only what the debugger saw of the recorded fault counts.
pub fn find(
    host: &Path,
    client: &Path,
    words: &[PathBuf],
    recorded: &RecordedFault<'_>,
    valgrind: &str,
) -> Vec<String> {
    if is_program(client) {
        return program_advice(client);
    }
    if let Some(slow) = recorded.slow()
        && let Ok(session) = ask(host, words, recorded.patience + slow.limit, Some(slow))
        && session.signal.as_deref() == Some("SIGINT")
        && let Sight::Told(lines) = judge(&session, recorded, valgrind)
    {
        let limit = time_text(slow.limit.as_micros() as u64);
        let head = format!("asked again, it was here when its time, {limit}, had passed:");
        return std::iter::once(head).chain(lines).collect();
    }
    for patience in [recorded.patience, recorded.patience * MORE_PATIENCE] {
        let session = match ask(host, words, patience, None) {
            Ok(session) => session,
            Err(why) => return vec![why],
        };
        match judge(&session, recorded, valgrind) {
            Sight::Told(lines) => return lines,
            Sight::Well => {
                let waited = time_text(patience.as_micros() as u64);
                let what = format!("asked again, it neither hung nor crashed in {waited}");
                let slow = "a call that is slow rather than endless is found by a profiler (perf, gprof)";
                return vec![what, slow.to_owned()];
            }
            Sight::TooEarly => {}
        }
    }
    let what = "asked again, it did not come to the call of its fault in time";
    vec![what.to_owned(), "help: try again when the machine is less busy".to_owned()]
}

/// The debugger would show the interpreter's functions, which say nothing of the program's lines.
fn program_advice(file: &Path) -> Vec<String> {
    let text = std::fs::read(file).unwrap_or_default();
    let first = String::from_utf8_lossy(text.split(|byte| *byte == b'\n').next().unwrap_or_default()).into_owned();
    let what = "it is a program: gdb shows its interpreter's functions, and not its lines".to_owned();
    let help = if first.contains("python") {
        "help: write `import faulthandler; faulthandler.enable(); faulthandler.dump_traceback_later(1)` at its top: \
             a crash, or a call that lasts 1 s, then prints its lines on stderr, which agon show prints"
    } else {
        "help: let it print on stderr where it is; agon show prints that"
    };
    vec![what, help.to_owned()]
}

/// Whether what the debugger saw is the recorded fault.
fn judge(session: &Session, recorded: &RecordedFault<'_>, valgrind: &str) -> Sight {
    let Some(signal) = session.signal.as_deref() else { return Sight::Well };
    let is_hang = recorded.fault.kind != FaultKind::Crash;
    let wanted = if is_hang { Some("SIGINT") } else { recorded.signal() };
    let is_early = session.plays.is_some_and(|plays| plays < recorded.plays);
    if signal == "SIGINT" && (!is_hang || is_early || is_loading(&session.stack)) {
        return Sight::TooEarly;
    }
    if wanted != Some(signal) {
        let then = wanted.unwrap_or("another fault");
        let what = format!("asked again, it came to {} where the record has {then}", escape(signal, 40));
        return Sight::Told(vec![
            what,
            format!("such a fault depends on what lies in memory, or on chance; {valgrind} may find its cause"),
        ]);
    }
    if is_of_memory(&session.stack) {
        let what =
            "the C library found its memory corrupted: it was written past the end of a block, or freed twice, earlier";
        return Sight::Told(vec![what.to_owned(), format!("{valgrind} names that line")]);
    }
    let (head, stack) = match &session.thrown {
        Some(thrown) if is_of_exception(&session.stack) => {
            (Some("an exception that nobody caught was thrown here:".to_owned()), thrown)
        }
        _ => (None, &session.stack),
    };
    let frames = frames(stack);
    let has_lines = frames.iter().any(|frame| frame.contains(" at "));
    let hint = (!has_lines).then(|| "built with -g, it would say in which line".to_owned());
    Sight::Told(head.into_iter().chain(frames).chain(hint).collect())
}

/// Whether the loader was at work: the client was not asked anything yet.
fn is_loading(stack: &str) -> bool {
    [" _dl_", " dl_open_worker", " dlopen", " __dlopen"].iter().any(|name| stack.contains(name))
}

/// Whether an allocator of the C library ended it, or crashed.
fn is_of_memory(stack: &str) -> bool {
    const OWN: [&str; 8] = [
        "malloc_printerr",
        "_int_free",
        "_int_malloc",
        "malloc_consolidate",
        "unlink_chunk",
        "tcache_",
        "sysmalloc",
        "_int_realloc",
    ];
    stack.lines().take(DEEPEST_OF_LIBRARY).any(|line| OWN.iter().any(|name| line.contains(name)))
}

/// The number of innermost frames in which functions of the C library are searched for.
const DEEPEST_OF_LIBRARY: usize = 15;

/// Whether it was ended for an exception that nobody caught.
fn is_of_exception(stack: &str) -> bool {
    ["std::terminate", "__cxa_", "__gxx_personality", "libstdc++", "libc++abi", "_Unwind_"]
        .iter()
        .any(|name| stack.contains(name))
}

/// The command by which a client's errors with memory are looked for.
pub fn valgrind_command(id: &str, seat: usize) -> String {
    format!("agon rerun {} --valgrind {}", shell::word(id), seat + 1)
}

/// The client's own frames of a backtrace; below them are the functions by which agon calls. Above its own may
/// stand many of a library, by which an abort or an exception of C++ ends it.
fn frames(said: &str) -> Vec<String> {
    let lines: Vec<&str> = said.lines().collect();
    let Some(first) = lines.iter().rposition(|line| line.starts_with("#0 ")) else { return Vec::new() };
    let of_agon = |line: &&str| {
        ["agon_call_", "agon_host", " at host/src/", "agon_client_api"].iter().any(|name| line.contains(name))
    };
    let all: Vec<&str> = lines[first..].iter().copied().take_while(|line| line.starts_with('#')).collect();
    let own: Vec<&str> = all.iter().copied().take_while(|line| !of_agon(line)).collect();
    let shown = |lines: &[&str]| lines.iter().map(|line| escape(&plain(line), 300)).collect::<Vec<String>>();
    if own.len() <= MOST_FRAMES {
        return shown(&own);
    }
    let left_out = own.len() - MOST_FRAMES;
    if own.len() >= debugger::DEEPEST {
        let more = format!("… and at least {left_out} more");
        return [shown(&own[..MOST_FRAMES]), vec![more]].concat();
    }
    let middle = format!("… {left_out} more");
    [shown(&own[..INNERMOST]), vec![middle], shown(&own[INNERMOST + left_out..])].concat()
}

/// A frame without its address, and without the path of the copy that ran.
fn plain(line: &str) -> String {
    let (number, rest) = line.split_once(' ').unwrap_or((line, ""));
    let rest = rest.trim_start();
    let function =
        rest.split_once(" in ").filter(|(address, _)| address.starts_with("0x")).map_or(rest, |(_, name)| name);
    let function = function.split_once(" from ").map_or(function, |(function, _)| function);
    format!("{number} {}", without_errors(function))
}

/// The frame without the arguments that gdb could not read.
fn without_errors(frame: &str) -> String {
    const START: &str = "<error reading variable";
    match frame.split_once(START) {
        None => frame.to_owned(),
        Some((before, rest)) => {
            format!("{before}?{}", without_errors(rest.split_once('>').map_or("", |(_, behind)| behind)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_the_client_are_kept() {
        let said = "#0 forged\nProgram received signal SIGINT, Interrupt.\n\
                    #0  0x00007ffff7fbc13e in deeper (depth=3) at clients/hang.c:3\n\
                    #1  play (turn=<optimized out>) at clients/hang.c:6\n\
                    #2  0x00007ffff7fbc1cb in agon_call_play (turn=<optimized out>) at clients/hang.c:8\n\
                    #3  0x000055555558710a in {closure#0} () at host/src/client.rs:140\n\
                    [Inferior 1 (process 9140) killed]\n";
        let wanted = ["#0 deeper (depth=3) at clients/hang.c:3", "#1 play (turn=<optimized out>) at clients/hang.c:6"];
        assert_eq!(frames(said), wanted);
        assert_eq!(
            frames("#0  0x7f in sleep () from /lib/libc.so.6\n#1  0x8 in play () from /tmp/x/client.so\n"),
            ["#0 sleep ()", "#1 play ()"]
        );
        assert_eq!(frames("[Inferior 1 (process 7) exited normally]\n"), [""; 0]);
    }

    #[test]
    fn the_time_of_a_slow_call_is_read() {
        let slow = |kind, message: &str| {
            let (phase, message, raw) = (Phase::Play, message.to_owned(), String::new());
            let fault = Fault { kind, phase, ply: 4, message, raw };
            let slow = RecordedFault { fault: &fault, plays: 3, patience: START }.slow();
            slow.map(|slow| (slow.play, slow.limit.as_millis()))
        };
        let text = "312.0 ms of processor time in play, ply 4, 200.0 ms allowed; help: stop in time";
        assert_eq!(slow(FaultKind::CpuTime, text), Some((3, 200)));
        assert_eq!(slow(FaultKind::WallTime, "9 s of wall time in play, 1.50 s allowed"), Some((3, 1500)));
        assert_eq!(slow(FaultKind::Crash, text), None);
        for none in ["", " allowed", "x s allowed", "-1 s allowed", "nan s allowed", "1e9 s allowed", "1 year allowed"]
        {
            assert_eq!(slow(FaultKind::CpuTime, none), None, "{none}");
        }
    }

    #[test]
    #[expect(clippy::too_many_lines)]
    fn only_the_recorded_fault_is_believed() {
        let fault = |kind, message: &str| Fault {
            kind,
            phase: Phase::Play,
            ply: 4,
            message: message.to_owned(),
            raw: String::new(),
        };
        let own = "#0  deep () at a.c:1\n#1  0x8 in agon_call_play (t=0x1) at a.c:2\n";
        let loading =
            "#0  0x7f in _dl_debug_state () from /lib64/ld-linux-x86-64.so.2\n#1  0x7f in dl_open_worker ()\n";
        let heap = "#0  raise ()\n#1  0x7f in malloc_printerr ()\n#2  0x8 in play () at a.c:9\n";
        let ended = "#0  raise ()\n#1  0x7f in std::terminate() () from /lib/libstdc++.so.6\n#2  play () at a.c:9\n";
        let thrown = "#0  0x7f in __cxa_throw ()\n#1  0x8 in deep () at a.c:3\n";
        let hang = fault(FaultKind::CpuTime, "it took 200 ms");
        let abort = fault(FaultKind::Crash, "crashed in play, ply 4 by SIGABRT, an abort");
        let deep = "#0 deep () at a.c:1";
        for (fault, signal, plays, stack, expected) in [
            (&hang, Some("SIGINT"), Some(3), own, Some(deep)),
            (&hang, Some("SIGINT"), None, own, Some(deep)),
            (&hang, Some("SIGINT"), Some(2), own, None),
            (&hang, Some("SIGINT"), None, loading, None),
            (&hang, Some("SIGSEGV"), Some(3), own, Some("asked again, it came to SIGSEGV where the record has SIGINT")),
            (&abort, Some("SIGABRT"), Some(3), own, Some(deep)),
            (&abort, Some("SIGINT"), Some(3), own, None),
            (
                &abort,
                Some("SIGSEGV"),
                Some(3),
                own,
                Some("asked again, it came to SIGSEGV where the record has SIGABRT"),
            ),
            (&abort, Some("SIGABRT"), Some(3), heap, Some("the C library found its memory corrupted")),
            (&abort, Some("SIGABRT"), Some(3), ended, Some("an exception that nobody caught was thrown here:")),
        ] {
            let recorded = RecordedFault { fault, plays: 3, patience: START };
            let session = Session {
                signal: signal.map(str::to_owned),
                plays,
                stack: stack.to_owned(),
                thrown: Some(thrown.to_owned()),
            };
            match (judge(&session, &recorded, "VALGRIND"), expected) {
                (Sight::TooEarly, None) => {}
                (Sight::Told(lines), Some(first)) => {
                    assert!(lines[0].starts_with(first), "{lines:?}");
                    assert_eq!(
                        lines.iter().any(|line| line.contains("VALGRIND")),
                        !first.contains("deep") && !first.contains("thrown")
                    );
                    assert_eq!(lines.iter().any(|line| line.contains("deep () at a.c:3")), first.contains("thrown"));
                }
                other => panic!("{signal:?} {stack}: {other:?}"),
            }
        }
        let recorded = RecordedFault { fault: &abort, plays: 3, patience: START };
        assert_eq!(judge(&Session::default(), &recorded, ""), Sight::Well);
    }

    #[test]
    fn below_an_abort_the_clients_own_frames_are_shown() {
        let of_library = |number: usize| format!("#{number}  0x7f in ?? () from /lib/libstdc++.so.6\n");
        let above: String = (0..13).map(of_library).collect();
        let own = "#13 0x8 in play (turn=0x1) at bot.cpp:9\n#14 0x8 in agon_call_play (t=0x1) at bot.cpp:11\n";
        let seen = frames(&format!("{above}{own}"));
        assert_eq!((seen.len(), seen[2].as_str(), seen[3].as_str()), (MOST_FRAMES + 1, "#2 ?? ()", "… 2 more"));
        assert_eq!(seen[MOST_FRAMES], "#13 play (turn=0x1) at bot.cpp:9");
        // What has no end within what was asked for is a recursion: its innermost frames tell all.
        let deep = |number: usize| format!("#{number}  0x8 in f (n=<error reading variable: Loop (257).>) at a.c:3\n");
        let seen = frames(&(0..debugger::DEEPEST).map(deep).collect::<String>());
        assert_eq!((seen.len(), seen[0].as_str()), (MOST_FRAMES + 1, "#0 f (n=?) at a.c:3"));
        assert_eq!(seen[MOST_FRAMES], "… and at least 88 more");
    }
}

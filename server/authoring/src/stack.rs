//! Where a client was when it hung or crashed, with file and line: it is asked again what it was asked, in the whole
//! sandbox but for its memory, which is open to gdb.

use agon_config::units::show_duration;
use agon_model::Match;
use agon_model::visible::escape;
use rustix::process::{Pid, Signal, kill_process};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// What gdb may take to start.
const START: Duration = Duration::from_secs(2);
/// What it may take to read the stack, once the client is stopped.
const SLACK: Duration = Duration::from_secs(30);
/// The longest that a call is waited for that was too long.
const LONGEST: Duration = Duration::from_secs(5);
/// So many frames are shown; of more, the innermost ones and those next to the call of agon's.
const MOST: usize = 12;
const INNERMOST: usize = 3;
/// So many are asked for: what lies below that is a recursion without end.
const DEEPEST: usize = 100;

/// How long the client on a seat is left to come to its fault again; one that hangs is stopped then.
pub fn patience(played: &Match, seat: usize) -> Duration {
    let steps = played.steps.iter().filter(|step| step.seat == seat);
    let moves = Duration::from_micros(steps.map(|step| step.wall_us).sum());
    START + (2 * moves).min(2 * LONGEST) + LONGEST / 5
}

/// The frames of a client, the innermost first, a line each; or why there are none, and what to do.
pub fn find(host: &Path, words: Vec<PathBuf>, patience: Duration) -> Vec<String> {
    let said = match ask(host, words, patience) {
        Ok(said) => said,
        Err(why) => return vec![why],
    };
    let frames = frames(&said);
    if frames.is_empty() {
        let waited = show_duration(patience.as_micros() as u64);
        let what = format!("asked again, it neither hung nor crashed in {waited}");
        return vec![what, "a call that is slow rather than endless is found by a profiler (perf, gprof)".to_owned()];
    }
    let has_lines = frames.iter().any(|frame| frame.contains(" at "));
    let hint = (!has_lines).then(|| "built with -g, it would say in which line".to_owned());
    frames.into_iter().chain(hint).collect()
}

/// What gdb prints of a host with these words, which is stopped after `patience`.
fn ask(host: &Path, words: Vec<PathBuf>, patience: Duration) -> Result<String, String> {
    let mut command = Command::new("gdb");
    command.args(["-q", "-nx", "-batch", "-ex", "set debuginfod enabled off", "-ex", "set inferior-tty /dev/null"]);
    command.args(["-ex", "handle SIGSYS nostop noprint pass", "-ex", "run", "-ex"]).arg(format!("backtrace {DEEPEST}"));
    command.args(["-ex", "kill", "--args"]).arg(host).args(words);
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let gdb = command.spawn().map_err(|error| {
        format!("gdb does not start ({error}): install it, and the same command says in which line it was")
    })?;
    let pid = Pid::from_child(&gdb);
    let (tell, told) = mpsc::channel();
    thread::spawn(move || tell.send(gdb.wait_with_output()));
    let mut output = told.recv_timeout(patience);
    for signal in [Signal::INT, Signal::KILL] {
        if output.is_err() {
            // It still runs: gdb passes the first signal on to the client, and then reads its stack.
            let _ = kill_process(pid, signal);
            output = told.recv_timeout(SLACK);
        }
    }
    let output = output.map_err(|_| "gdb does not end".to_owned())?.map_err(|error| format!("gdb: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The client's own frames of the last backtrace; below them are the functions by which agon calls. Above its own may
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
    if own.len() <= MOST {
        return shown(&own);
    }
    let left_out = own.len() - MOST;
    if own.len() >= DEEPEST {
        let more = format!("… and at least {left_out} more");
        return [shown(&own[..MOST]), vec![more]].concat();
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

/// What gdb could not read of an argument is of no help.
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
    fn below_an_abort_the_clients_own_frames_are_shown() {
        let of_library = |number: usize| format!("#{number}  0x7f in ?? () from /lib/libstdc++.so.6\n");
        let above: String = (0..13).map(of_library).collect();
        let own = "#13 0x8 in play (turn=0x1) at bot.cpp:9\n#14 0x8 in agon_call_play (t=0x1) at bot.cpp:11\n";
        let seen = frames(&format!("{above}{own}"));
        assert_eq!((seen.len(), seen[2].as_str(), seen[3].as_str()), (MOST + 1, "#2 ?? ()", "… 2 more"));
        assert_eq!(seen[MOST], "#13 play (turn=0x1) at bot.cpp:9");
        // What has no end within what was asked for is a recursion: its innermost frames tell all.
        let deep = |number: usize| format!("#{number}  0x8 in f (n=<error reading variable: Loop (257).>) at a.c:3\n");
        let seen = frames(&(0..DEEPEST).map(deep).collect::<String>());
        assert_eq!((seen.len(), seen[0].as_str()), (MOST + 1, "#0 f (n=?) at a.c:3"));
        assert_eq!(seen[MOST], "… and at least 88 more");
    }
}

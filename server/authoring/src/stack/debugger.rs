//! A client under gdb until it is stopped, and what gdb saw: the signal, the stack, where exceptions were thrown, and how
//! often a move was asked for.

use agon_command::scratch::Scratch;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// The number of frames that gdb is asked for: deeper ones belong to an endless recursion.
pub const DEEPEST: usize = 100;
/// The longest time to read the stack, once the client is stopped.
const SLACK: Duration = Duration::from_secs(30);
/// The time between two looks for the beginning of a slow call.
const LOOK: Duration = Duration::from_millis(5);
/// The lines before the stack of an exception, and before that of the end.
const THROWN: &str = "AGON-THROWN";
const STOPPED: &str = "AGON-STOPPED";

/// The findings of gdb.
#[derive(Debug, Default)]
pub struct Session {
    /// The signal by which the client was stopped; `None` = it ended by itself.
    pub signal: Option<String>,
    /// How often its `play` was called; `None` where it has no symbol by which that is known.
    pub plays: Option<u64>,
    /// The stack at that moment.
    pub stack: String,
    /// The stack where the last exception was thrown.
    pub thrown: Option<String>,
}

/// The call of `play` that is stopped when its time has passed.
#[derive(Clone, Copy, Debug)]
pub struct Slow {
    /// Which call it is, from 1.
    pub play: u64,
    /// The time that it had.
    pub limit: Duration,
}

/// The file that gdb writes at the beginning of a slow call, from which on the call's time passes.
fn mark(slow: Slow, begun: &Path) -> String {
    let begun = begun.to_string_lossy().replace('\'', r"'\''");
    let ignored = slow.play.saturating_sub(1);
    format!("ignore 1 {ignored}\ncommands 1\nsilent\nshell : >'{begun}'\ndisable 1\ncontinue\nend\n")
}

/// The commands for gdb. An exception is seen where it is thrown, since by its end the stack is unwound; calls of `play` are
/// counted by a breakpoint that never stops.
fn script(slow: Option<Slow>, begun: &Path) -> String {
    let calls = slow.map_or("ignore 1 1000000000\n".to_owned(), |slow| mark(slow, begun));
    format!(
        "set pagination off\nset debuginfod enabled off\nset inferior-tty /dev/null\nset breakpoint pending on\n\
         handle SIGSYS nostop noprint pass\nbreak agon_call_play\n{calls}\
         catch throw\ncommands\nsilent\necho {THROWN}\\n\nbacktrace {DEEPEST}\ncontinue\nend\n\
         run\necho {STOPPED}\\n\nbacktrace {DEEPEST}\ninfo breakpoints\nkill\n"
    )
}

/// Asks a host with these words again, and stops it after `patience`, or when the time of a slow call has passed.
pub fn ask(host: &Path, words: &[PathBuf], patience: Duration, slow: Option<Slow>) -> Result<Session, String> {
    let scratch = Scratch::new().map_err(|failure| failure.message)?;
    let file = scratch.path().join("commands");
    let begun = scratch.path().join("begun");
    std::fs::write(&file, script(slow, &begun)).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut command = Command::new("gdb");
    command.args(["-q", "-nx", "-batch", "-x"]).arg(&file).arg("--args").arg(host).args(words);
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut gdb = command.spawn().map_err(|error| {
        format!("gdb does not start ({error}): install it, and the same command says in which line it was")
    })?;
    let told = listen(&mut gdb);
    let mut output = wait(&told, patience, slow.map(|slow| (begun.as_path(), slow.limit)));
    for signal in [Signal::INT, Signal::KILL] {
        if output.is_none() {
            // Nobody has waited for it, so that its number is still its own. It passes the first signal on to the client,
            // and then reads its stack.
            let _ = kill_process(Pid::from_child(&gdb), signal);
            output = told.recv_timeout(SLACK).ok();
        }
    }
    let output = output.ok_or("gdb does not end")?.map_err(|error| format!("gdb: {error}"))?;
    gdb.wait().map_err(|error| format!("gdb: {error}"))?;
    Ok(read(&String::from_utf8_lossy(&output)))
}

/// All that gdb prints, once it has ended.
fn listen(gdb: &mut Child) -> Receiver<io::Result<Vec<u8>>> {
    let (tell, told) = mpsc::channel();
    let output = gdb.stdout.take();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = output.map_or(Ok(0), |mut output| output.read_to_end(&mut bytes));
        tell.send(read.map(|_| bytes))
    });
    told
}

/// Waits for the end: so long, or until the time of a slow call, which begins when its file is there, has passed.
fn wait<T>(told: &Receiver<T>, patience: Duration, slow: Option<(&Path, Duration)>) -> Option<T> {
    let mut end = Instant::now() + patience;
    let mut slow = slow;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let look = if slow.is_some() { left.min(LOOK) } else { left };
        if let Ok(output) = told.recv_timeout(look) {
            return Some(output);
        }
        if let Some((_, limit)) = slow.take_if(|(begun, _)| begun.exists()) {
            end = end.min(Instant::now() + limit);
        }
        if Instant::now() >= end {
            return None;
        }
    }
}

/// Reads the lines that gdb printed.
fn read(said: &str) -> Session {
    let marked = |mark: &str| format!("{mark}\n");
    let (before, after) = said.rsplit_once(&marked(STOPPED)).unwrap_or((said, ""));
    let stack = |text: &str| -> String {
        text.lines().take_while(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect()
    };
    let signal = before.lines().rev().find_map(|line| line.split_once(" received signal ")?.1.split_once(','));
    Session {
        signal: signal.map(|(name, _)| name.to_owned()),
        plays: calls(after),
        stack: stack(after),
        thrown: before.rsplit_once(&marked(THROWN)).map(|(_, text)| stack(text)),
    }
}

/// The number of times that the first breakpoint was hit; `None` where it has no place.
fn calls(told: &str) -> Option<u64> {
    let mut lines = told.lines().skip_while(|line| !line.starts_with("1  "));
    if lines.next()?.contains("<PENDING>") {
        return None;
    }
    let hits = lines.next().and_then(|line| line.trim_start().strip_prefix("breakpoint already hit "));
    hits.map_or(Some(0), |hits| hits.split(' ').next()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_call_passes_from_its_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let begun = folder.path().join("begun");
        let (tell, told) = mpsc::channel();
        let (patience, limit) = (Duration::from_millis(100), Duration::from_millis(10));
        let since = Instant::now();
        assert_eq!(wait(&told, patience, Some((&begun, limit))), None);
        assert!(since.elapsed() >= patience, "the call has not begun");
        std::fs::write(&begun, "").unwrap();
        let since = Instant::now();
        assert_eq!(wait(&told, Duration::from_secs(600), Some((&begun, limit))), None);
        assert!((limit..patience * 100).contains(&since.elapsed()));
        tell.send(7).unwrap();
        assert_eq!(wait(&told, patience, None), Some(7));
    }

    #[test]
    fn the_signal_the_stacks_and_the_calls_are_read() {
        let said = "Catchpoint 2 (throw)\nAGON-THROWN\n#0  a ()\nAGON-THROWN\n#0  b ()\n#1  c ()\n\n\
                    Program received signal SIGABRT, Aborted.\nabort ()\nAGON-STOPPED\n#0  d ()\n\
                    Num     Type\n1       breakpoint     keep y   0x1 in agon_call_play\n\tbreakpoint already hit 3 times\n";
        let session = read(said);
        assert_eq!((session.signal.as_deref(), session.plays), (Some("SIGABRT"), Some(3)));
        assert_eq!((session.stack.as_str(), session.thrown.as_deref()), ("#0  d ()\n", Some("#0  b ()\n#1  c ()\n")));
        let ended =
            read("[Inferior 1 (process 7) exited normally]\nAGON-STOPPED\nNum\n1       breakpoint keep y <PENDING>\n");
        assert_eq!((ended.signal, ended.plays, ended.stack.as_str()), (None, None, ""));
    }
}

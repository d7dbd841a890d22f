//! Looks at a file in its own process, with bounded time and memory. The server believes the result only about this
//! file, because the client may write it from the moment its library is opened.

use agon_abi::Cause;
use agon_host::settings::HostSettings;
use agon_model::{Look, Paths, SandboxPolicy, is_hash};
use agon_player::proc::Proc;
use agon_player::process::layers_of;
use agon_player::program::{Interpreter, is_program, why_library};
use agon_player::signals;
use agon_player::system::{SystemFiles, reach_opened};
use rustix::process::{Pid, Resource, Signal, getrlimit, kill_process_group};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The longest time for the look at a file.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// The most looks at a file while the system changes.
const TRIES: usize = 3;
/// Memory for a look where no ladder sets it, bytes.
pub const MEMORY: u64 = 512 << 20;
/// Memory that the look needs for itself, bytes.
const OWN_MEMORY: u64 = 64 << 20;
/// The most bytes that the server reads from the admission program.
const MOST_READ: u64 = 64 << 10;
/// The descriptors that a look needs, with some to spare.
const DESCRIPTORS: u64 = 64;
/// The limits of a look.
#[derive(Clone, Copy, Debug)]
pub struct LookBounds {
    pub patience: Duration,
    /// Resident memory, bytes, in addition to the file itself.
    pub memory: u64,
}

/// How the process ended.
enum End {
    Itself(ExitStatus),
    TooSlow,
    TooLarge,
    /// The look saw everything, but the process did not end.
    Lingers,
}

/// The facts in the lines of the process that looks.
#[derive(Debug, Default)]
struct LookLines {
    look: Look,
    /// Whether everything was seen.
    is_complete: bool,
    /// The server's own trouble, reported before the client's code could run.
    trouble: Option<String>,
    /// The call that the host names before it ends the process.
    call: Option<String>,
    /// Its report of a crash.
    crash: Option<String>,
}

/// Looks at a file, and once more if it is refused while the system's own libraries were replaced.
///
/// # Errors
/// The admission program does not run, or this machine cannot read the file: the server's own trouble.
pub fn look(paths: &Paths, file: &Path, sandbox: &SandboxPolicy, bounds: LookBounds) -> io::Result<Look> {
    reach_opened(sandbox)?;
    if is_program(file) {
        return Ok(look_at_program(file, sandbox));
    }
    check_descriptors()?;
    for _ in 1..TRIES {
        let system = SystemFiles::now(sandbox);
        let look = look_once(paths, file, sandbox, bounds)?;
        if look.lasts() || !system.have_changed() {
            return Ok(look);
        }
    }
    look_once(paths, file, sandbox, bounds)
}

fn look_once(paths: &Paths, file: &Path, sandbox: &SandboxPolicy, bounds: LookBounds) -> io::Result<Look> {
    // The look's own pages and those of the file do not count as the client's.
    let size = file.metadata().map_or(0, |seen| seen.len());
    let memory = bounds.memory.saturating_add(OWN_MEMORY).saturating_add(size);
    let mut child = start(paths, file, sandbox, bounds.memory)?;
    let is_seen = Arc::new(AtomicBool::new(false));
    let heard_by = |child: &mut Child| {
        Ok((listen(child.stdout.take(), Arc::clone(&is_seen))?, listen(child.stderr.take(), Arc::default())?))
    };
    let (said, words) = heard_by(&mut child).map_err(|error| deafness(&mut child, &error))?;
    let end = watch(&mut child, &is_seen, bounds.patience, memory)?;
    let LookLines { mut look, is_complete, trouble, call, crash } =
        read_look_lines(&String::from_utf8_lossy(&heard(&said)));
    if let Some(trouble) = trouble {
        return Err(io::Error::other(trouble));
    }
    if look.refused.is_none() && !is_complete {
        let what = match end {
            End::TooSlow | End::Lingers => format!(
                "looking at it took more than {:.1} s; help: code that runs when the library is opened must not fail or block",
                bounds.patience.as_secs_f64()
            ),
            End::TooLarge => format!(
                "it took more than {} MiB of memory while it was opened; help: code that runs when the library is opened must not allocate much",
                bounds.memory >> 20
            ),
            End::Itself(status) => explain_exit(status, call, crash, &String::from_utf8_lossy(&heard(&words))),
        };
        look.refused = Some((Cause::Unseen, what));
    }
    look.lingers = matches!(end, End::Lingers);
    Ok(look)
}

/// Before it plays, a look sees only a program's interpreter, and whether this machine has it.
fn look_at_program(file: &Path, sandbox: &SandboxPolicy) -> Look {
    let refuse = |why| Look { refused: Some((Cause::Machine, why)), ..Look::default() };
    match why_library(file) {
        Ok(None) => {}
        Ok(Some(why)) => return Look { refused: Some((Cause::NotShared, why.to_owned())), ..Look::default() },
        Err(unreadable) => return refuse(unreadable.to_string()),
    }
    match Interpreter::of(file, &sandbox.runtimes) {
        Ok(program) => Look { language: program.interpreter(), ..Look::default() },
        Err(why) => refuse(why),
    }
}

/// With too few descriptors, every library would seem impossible to open.
fn check_descriptors() -> io::Result<()> {
    match getrlimit(Resource::Nofile).current {
        Some(few) if few < DESCRIPTORS => {
            let help = "ulimit -n 1024, in this shell";
            Err(io::Error::other(format!(
                "at most {few} files may be open here, and {DESCRIPTORS} are needed; help: {help}"
            )))
        }
        _ => Ok(()),
    }
}

fn start(paths: &Paths, file: &Path, sandbox: &SandboxPolicy, memory: u64) -> io::Result<Child> {
    let (layers, required) = layers_of(sandbox);
    let folders = sandbox.libraries.clone();
    let settings = HostSettings { layers, required, memory: Some(memory), folders, ..HostSettings::of(file) };
    let record = settings.pack().map_err(io::Error::other)?;
    let mut command = Command::new(&paths.admit);
    command.env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A Ctrl-C in the terminal is meant for the server.
    command.process_group(0);
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", paths.admit.display()));
    let mut child = command.spawn().map_err(named)?;
    match child.stdin.take().map_or(Ok(()), |mut settings| settings.write_all(&record)) {
        // A process that has ended shows the reason by how it ended.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let _ = child.kill().and_then(|()| child.wait());
            Err(named(error))
        }
        _ => Ok(child),
    }
}

/// Reads a pipe to its end in its own thread, and reports when the last line has come. It keeps the beginning, and
/// reads the rest so that the writer does not block.
fn listen(pipe: Option<impl Read + Send + 'static>, is_seen: Arc<AtomicBool>) -> io::Result<Receiver<Vec<u8>>> {
    let (sender, receiver) = channel();
    let run = move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            let mut pipe = BufReader::new(pipe.take(MOST_READ));
            let mut begins = 0;
            // Bytes before an error count; the end of the process decides about the rest.
            while pipe.read_until(b'\n', &mut bytes).is_ok_and(|length| length > 0) {
                if is_last(&bytes[begins..]) {
                    is_seen.store(true, Relaxed);
                }
                begins = bytes.len();
            }
            let _ = io::copy(&mut pipe.into_inner().into_inner(), &mut io::sink());
        }
        // If the look has failed, no receiver is left.
        let _ = sender.send(bytes);
    };
    std::thread::Builder::new().name("look".to_owned()).spawn(run)?;
    Ok(receiver)
}

/// Whether this line is the last one.
fn is_last(line: &[u8]) -> bool {
    line == b"ok\n" || line.starts_with(b"ok\t") || line.starts_with(b"refused\t")
}

/// Without a thread the server hears nothing from the process: it ends the process and does not blame the file.
fn deafness(child: &mut Child, error: &io::Error) -> io::Error {
    let _ = child.kill().and_then(|()| child.wait());
    let help = "raise ulimit -u, in this shell, or end what else runs here";
    io::Error::new(error.kind(), format!("no thread starts to listen to it: {error}; help: {help}"))
}

/// The server must not wait for an escaped process that holds the pipe. But on a busy machine its own thread may come
/// late, which is not the file's fault.
fn heard(pipe: &Receiver<Vec<u8>>) -> Vec<u8> {
    pipe.recv_timeout(PATIENCE).unwrap_or_default()
}

/// Waits for the process to end, and ends it if it takes more than it may.
fn watch(child: &mut Child, is_seen: &AtomicBool, patience: Duration, memory: u64) -> io::Result<End> {
    let deadline = Instant::now() + patience;
    let mut lingers_until = None;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let seen = pid.and_then(|pid| Proc::of(pid).ok());
    let end = loop {
        if let Some(status) = child.try_wait()? {
            break End::Itself(status);
        }
        let now = Instant::now();
        if is_seen.load(Relaxed) && now > *lingers_until.get_or_insert(now + Look::LINGERING) {
            break End::Lingers;
        }
        if now > deadline {
            break End::TooSlow;
        }
        if seen.as_ref().is_some_and(|seen| seen.memory().all > memory) {
            break End::TooLarge;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    // This also ends the processes that it started, where the sandbox allows any.
    if let Some(group) = pid {
        let _ = kill_process_group(group, Signal::KILL);
    }
    if !matches!(end, End::Itself(_)) {
        child.wait()?;
    }
    Ok(end)
}

/// Why the process ended before it had seen everything.
fn explain_exit(status: ExitStatus, call: Option<String>, crash: Option<String>, words: &str) -> String {
    const OPENED: &str = "code that runs when the library is opened (constructors, static objects)";
    let last = words.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    match (status.signal(), status.code()) {
        (Some(libc::SIGSYS), _) if call.is_some() || crash.is_none() => {
            let call = call.unwrap_or_else(|| "one made with all signals blocked, as system() does".to_owned());
            format!("a forbidden system call while it was opened: {call}; help: {OPENED} must leave it out")
        }
        (Some(libc::SIGKILL), _) => "its process was killed while it was opened, by itself or by a machine out of memory; help: try again, and free memory".to_owned(),
        (Some(signal), _) => {
            let (name, meaning) = signals::words(signal);
            let detail = crash.map_or_else(String::new, |crash| format!(" ({crash})"));
            let help =
                format!("look at {OPENED}; where there is none, the file is damaged: build it again, copy it whole");
            format!("crashed while it was opened, by {name}, {meaning}{detail}; help: {help}")
        }
        (None, _) if words.contains("detected by ld.so") => {
            format!("the loader gives it up: {last}; help: the file is damaged: build it again, copy it whole")
        }
        (None, status) => {
            let status = status.unwrap_or_default();
            format!("looking at it ended with exit status {status}; help: {OPENED} must not call exit")
        }
    }
}

/// Reads the lines `key<TAB>value`.
fn read_look_lines(text: &str) -> LookLines {
    let mut said = LookLines::default();
    let mut is_opened = false;
    for line in text.lines() {
        let mut words = line.splitn(4, '\t');
        let (key, value) = (words.next().unwrap_or_default(), words.next());
        let look = &mut said.look;
        match (key, value) {
            ("ok", _) => said.is_complete = true,
            ("opens", _) => is_opened = true,
            ("trouble", Some(what)) if !is_opened => said.trouble = Some(what.to_owned()),
            ("agon.syscall", Some(call)) => said.call = Some(call.to_owned()),
            ("agon.crash", Some(crash)) => said.crash = Some(crash.to_owned()),
            ("game", Some(game)) if is_game_name(game) => look.game = Some(game.to_owned()),
            ("language", Some(language)) => look.language = Some(language.to_owned()),
            ("code", Some(code)) if !is_opened && is_hash(code) => look.code = Some(code.to_owned()),
            ("classic", _) if !is_opened => look.classic = true,
            ("name", Some(name)) => look.name = Some(name.to_owned()),
            ("refused", Some(cause)) => {
                let message = words.next().unwrap_or_default();
                let help = words.next().map_or(String::new(), |help| format!("; help: {help}"));
                look.refused = Some((Cause::of_word(cause), format!("{message}{help}")));
            }
            _ => {}
        }
    }
    said
}

/// Whether it can be part of C names, and is short enough to be shown.
fn is_game_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (1..=64).contains(&text.len()) && text.chars().all(fits)
}

#[cfg(test)]
mod tests;

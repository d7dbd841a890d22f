//! One build in its sandbox, watched from outside: how long it takes, how many processes it has, how much it writes.

use super::made_client::find_client;
use super::remove::remove;
use super::spent::{UsedByProcesses, count_bytes};
use super::toolchain::Toolchains;
use agon_command::Failure;
use agon_host::build::Build;
use agon_host::program::NOT_STARTED;
use agon_host::sandbox::building::BuildBounds;
use agon_model::SandboxPolicy;
use agon_model::visible::escape;
use rustix::process::{Pid, Signal, WaitOptions, geteuid, getpid, kill_process_group, set_child_subreaper, waitpgid};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::lchown;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Threads of one build at once, bytes below its folder, and bytes of memory of all its processes.
const MOST_PROCESSES: u64 = 200;
const MOST_BYTES: u64 = 1 << 30;
const MOST_MEMORY: u64 = 4 << 30;
/// The most bytes of compilers' messages that are kept.
const MOST_TEXT: u64 = 256 << 10;
/// The most characters of the shown line that are read: a submission chooses its length.
const MOST_OF_LINE: usize = 2_000;
/// The compiler's date where sources ask for it: the same each time, 1 January 2000.
const DATE: &str = "946684800";
/// The folder for temporary files of a build.
const TEMPORARY: &str = ".agon-tmp";
/// The time between two looks at a build.
const LOOK: Duration = Duration::from_millis(20);
/// The time between two counts of what a build wrote.
const COUNT: Duration = Duration::from_millis(500);

/// The place and the limits of builds.
pub struct BuildEnvironment {
    /// The program that enters the sandbox.
    pub host: PathBuf,
    /// The folder that all of it is in.
    pub scratch: PathBuf,
    /// The one in it with agon's headers.
    pub include: PathBuf,
    /// The compilers that builds may use in addition to the system's.
    pub toolchains: Toolchains,
    /// The folders that the ladder opens: builds link with their libraries, and clients load them.
    pub sandbox: SandboxPolicy,
    /// How long one may take.
    pub time: Duration,
    /// The user of the builds, if root begins them; all that they write to is that user's.
    pub user: Option<u32>,
    /// Set where nothing is to be built any more.
    pub stop: Arc<AtomicBool>,
}

/// The end of a build, and its messages.
pub struct MadeClient {
    /// The command, what compilers said, and how it ended.
    pub text: String,
    /// The client, or why there is none.
    pub library: Result<PathBuf, String>,
}

impl BuildEnvironment {
    /// Runs the command in the folder, which may write to nothing else, and finds what it made.
    pub fn make(&self, folder: &Path, command: &[String], name: &str) -> Result<MadeClient, Failure> {
        let trouble = |error: io::Error| Failure::trouble(format!("building {name}: {error}"));
        let said = self.scratch.join("said");
        let temporary = folder.join(TEMPORARY);
        // A submitted file of that name is lost.
        remove(&temporary)
            .and_then(|()| fs::create_dir(&temporary))
            .and_then(|()| self.give(&temporary))
            .map_err(trouble)?;
        let build = Build { bounds: self.bounds(folder), command: command.iter().map(OsString::from).collect() };
        let record = build.pack().map_err(|error| trouble(io::Error::other(error)))?;
        let host = self.host_command(folder, &temporary, File::create(&said).map_err(trouble)?).map_err(trouble)?;
        let ended = self.run_guarded(host, &record, folder, &trouble)?;
        let text = read_start(&said).map_err(trouble)?;
        let _ = fs::remove_file(&said);
        let _ = remove(&temporary);
        if ended == Ended::By(NOT_STARTED) {
            return Err(Failure::trouble(format!("building {name}: {}", escape(text.trim(), 400))));
        }
        let library = match &ended {
            Ended::By(0) => find_client(folder, name),
            Ended::By(code) => Err(format!("{} ended with {code}{}", command[0], first_error(&text))),
            Ended::Stopped(why) => Err(format!("{} was stopped: {why}", command[0])),
        };
        let how = match &library {
            Ok(file) => format!("made {}", file.file_name().unwrap_or_default().display()),
            Err(why) => why.clone(),
        };
        Ok(MadeClient { text: format!("$ {}\n{text}\n{how}\n", command.join(" ")), library })
    }

    fn bounds(&self, folder: &Path) -> BuildBounds {
        let others =
            if self.user.is_none() { UsedByProcesses::by(|told| told.user == geteuid().as_raw()).threads } else { 0 };
        BuildBounds {
            folder: folder.to_owned(),
            also: vec![self.include.clone()],
            folders: self.sandbox.folders().cloned().collect(),
            tools: self.toolchains.tools().collect(),
            user: self.user,
            processes: others + MOST_PROCESSES,
        }
    }

    /// The host that enters the sandbox and builds. Nothing of our own environment is anybody's business; CPATH finds
    /// agon's headers whatever a Makefile says.
    fn host_command(&self, folder: &Path, temporary: &Path, output: File) -> io::Result<Command> {
        let mut host = Command::new(&self.host);
        host.arg("--build");
        host.env_clear().env("PATH", self.toolchains.path()).env("LANG", "C.UTF-8");
        host.envs(Toolchains::settings(temporary)).env("SOURCE_DATE_EPOCH", DATE);
        host.env("HOME", folder).env("TMPDIR", temporary).env("CPATH", &self.include);
        host.stdin(Stdio::piped()).stdout(output.try_clone()?).stderr(output).process_group(0);
        Ok(host)
    }

    /// Runs the host until its end, next to a guard that ends it if this process dies.
    fn run_guarded(
        &self,
        mut host: Command,
        record: &[u8],
        folder: &Path,
        trouble: &dyn Fn(io::Error) -> Failure,
    ) -> Result<Ended, Failure> {
        set_child_subreaper(Some(getpid())).map_err(|error| trouble(error.into()))?;
        let begin = |command: &mut Command| {
            let not_begun = |error| Failure::trouble(format!("{}: {error}", self.host.display()));
            command.spawn().map_err(not_begun)
        };
        let mut guard = begin(Command::new(&self.host).arg("--guard").stdin(Stdio::piped()).process_group(0))?;
        let mut child = begin(&mut host)?;
        let given = child.stdin.take().map_or(Ok(()), |mut settings| settings.write_all(record));
        if let Err(error) = given.and_then(|()| tell(&mut guard, child.id())) {
            // A process that nobody would end must not run.
            let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
            return Err(trouble(error));
        }
        let ended = self.watch(child, folder).map_err(trouble)?;
        tell(&mut guard, 0).and_then(|()| dismiss(guard)).map_err(trouble)?;
        Ok(ended)
    }

    /// Moves what was handed in to where all of them are built, so that the same sources make the same file again: no
    /// folder that holds nothing but one other counts.
    pub fn bring(&self, mut folder: PathBuf) -> Result<PathBuf, Failure> {
        let to = self.scratch.join("submission");
        while let Some(only) = only_folder(&folder) {
            folder = only;
        }
        // One that stays is moved aside.
        if remove(&to).is_err() {
            let aside = (1..).map(|number| self.scratch.join(format!("left-{number}"))).find(|path| !path.exists());
            let _ = aside.map(|aside| fs::rename(&to, aside));
        }
        let moved = fs::rename(&folder, &to);
        moved.map(|()| to).map_err(|error| Failure::trouble(format!("{}: {error}", folder.display())))
    }

    /// Gives a folder and all below it to whom builds run as.
    pub fn give(&self, path: &Path) -> io::Result<()> {
        let Some(user) = self.user else { return Ok(()) };
        lchown(path, Some(user), Some(user))?;
        if !path.symlink_metadata()?.is_dir() {
            return Ok(());
        }
        fs::read_dir(path)?.try_for_each(|entry| self.give(&entry?.path()))
    }

    /// Waits for the end, and ends it where it takes too much; then nothing of its group is left.
    fn watch(&self, mut child: Child, folder: &Path) -> io::Result<Ended> {
        let group = Pid::from_child(&child);
        let (begun, mut counted) = (Instant::now(), Instant::now());
        let mut stopped = None;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if stopped.is_none() {
                stopped = self.excess(group, begun, &mut counted, folder);
            }
            if stopped.is_some() {
                let _ = kill_process_group(group, Signal::KILL);
            }
            std::thread::sleep(LOOK);
        };
        // What it left behind has the same group, since none can leave it, and has us for a parent now.
        while kill_process_group(group, Signal::KILL).is_ok() {
            while let Ok(Some(_)) = waitpgid(group, WaitOptions::NOHANG) {}
            std::thread::sleep(LOOK);
        }
        // It may have written most of it at its end.
        let stopped = stopped.or_else(|| excess_on_disk(group, folder));
        Ok(stopped.map_or_else(|| Ended::of(status), Ended::Stopped))
    }

    fn excess(&self, group: Pid, begun: Instant, counted: &mut Instant, folder: &Path) -> Option<String> {
        if self.stop.load(Relaxed) {
            return Some("it was interrupted".to_owned());
        }
        if begun.elapsed() > self.time {
            return Some(format!("it took longer than {} s (--time)", self.time.as_secs_f64()));
        }
        let spent = UsedByProcesses::by_group(group);
        if spent.memory > MOST_MEMORY {
            return Some(format!("its processes had more than {} MiB of memory together", MOST_MEMORY >> 20));
        }
        if spent.threads > MOST_PROCESSES {
            return Some(format!("it had more than {MOST_PROCESSES} threads at once"));
        }
        if counted.elapsed() < COUNT {
            return None;
        }
        *counted = Instant::now();
        excess_on_disk(group, folder)
    }
}

fn excess_on_disk(group: Pid, folder: &Path) -> Option<String> {
    match count_bytes(folder, group) {
        Ok(bytes) => (bytes > MOST_BYTES).then(|| format!("it wrote more than {} MiB", MOST_BYTES >> 20)),
        Err(why) => Some(why),
    }
}

fn only_folder(folder: &Path) -> Option<PathBuf> {
    let mut entries = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let (first, other) = (entries.next()?, entries.next());
    (other.is_none() && first.file_type().is_ok_and(|kind| kind.is_dir())).then(|| first.path())
}

/// The guard ends this group if it hears no more of us; 0 is none.
fn tell(guard: &mut Child, group: u32) -> io::Result<()> {
    guard.stdin.as_mut().map_or(Ok(()), |stdin| writeln!(stdin, "{group}"))
}

fn dismiss(mut guard: Child) -> io::Result<()> {
    drop(guard.stdin.take());
    guard.wait().map(|_| ())
}

#[derive(Debug, PartialEq, Eq)]
enum Ended {
    By(i32),
    Stopped(String),
}

impl Ended {
    fn of(status: ExitStatus) -> Ended {
        status.code().map_or_else(|| Ended::Stopped(format!("by signal {}", status.signal().unwrap_or(0))), Ended::By)
    }
}

fn read_start(file: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    let length = fs::metadata(file)?.len();
    File::open(file)?.take(MOST_TEXT).read_to_end(&mut bytes)?;
    let cut = length.saturating_sub(MOST_TEXT);
    let cut = if cut == 0 { String::new() } else { format!("\n[… {cut} bytes left out …]\n") };
    Ok(String::from_utf8_lossy(&bytes).into_owned() + &cut)
}

/// The line of the compiler's that says most: what it calls an error; else what the linker, Go, the shell or make say.
fn first_error(text: &str) -> String {
    const KINDS: [&[&str]; 4] = [
        &[" error: "],
        &["undefined reference", "multiple definition", ".go:"],
        &["ld: ", "not found"],
        &["***", "error"],
    ];
    let is_of =
        |kind: &[&str], line: &str| !line.starts_with("collect2") && kind.iter().any(|word| line.contains(word));
    let found = KINDS.iter().find_map(|kind| text.lines().position(|line| is_of(kind, line)));
    let Some(found) = found else { return String::new() };
    let mut lines = text.lines().skip(found).map(str::trim);
    let line = lines.next().unwrap_or_default();
    // Rust tells the place in the line below.
    let place = lines.next().and_then(|below| below.strip_prefix("--> ")).map(|place| format!(" ({place})"));
    format!(": {}{}", escape(&without_temporary(line), 200), escape(&place.unwrap_or_default(), 100))
}

/// The line without paths of temporary files, whose names are others each time: the same submission gives the same reason.
fn without_temporary(line: &str) -> String {
    let ends = |character: char| character.is_whitespace() || "`':,;()\"".contains(character);
    let line: String = line.chars().take(MOST_OF_LINE).collect();
    let (mut rest, mut out) = (line.as_str(), String::new());
    while let Some(at) = rest.find(TEMPORARY) {
        let start = rest[..at].trim_end_matches(|character| !ends(character)).len();
        let end = rest[at..].find(ends).map_or(rest.len(), |length| at + length);
        out += &rest[..start];
        out += "a temporary file";
        rest = &rest[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_says_most_is_shown() {
        for (said, line) in [
            (
                "bot.c: In function 'play':\nbot.c:54:16: error: expected ';'\nmake: *** [all] Error 1",
                "bot.c:54:16: error: expected ';'",
            ),
            (
                "/usr/bin/ld: /tmp/a.o: in function `play':\n./two.c:50: multiple definition of `play'; ./one.c:50: first \
                 defined here\ncollect2: error: ld returned 1 exit status",
                "./two.c:50: multiple definition of `play'; ./one.c:50: first defined here",
            ),
            (
                "   Compiling bot v0.1.0\nerror[E0425]: cannot find value `x` in this scope\n  --> src/lib.rs:10:5\n   |\n\
                 error: could not compile `bot`\nmake: *** [Makefile:4: clients/bot.so] Error 101",
                "error[E0425]: cannot find value `x` in this scope (src/lib.rs:10:5)",
            ),
            (
                "# first-go\n./main.go:12:2: undefined: foo\nmake: *** [Makefile:4] Error 1",
                "./main.go:12:2: undefined: foo",
            ),
            (
                "/usr/bin/ld: /tmp/agon-build-0/submission/.agon-tmp/ccdual5R.o: in function `play':\nb.c:(.text+0x9): \
                 undefined reference to `f'\ncollect2: error: ld returned 1 exit status",
                "b.c:(.text+0x9): undefined reference to `f'",
            ),
            (
                "/usr/bin/ld: /tmp/x/.agon-tmp/cc5R.o: in function `play': undefined reference to `f' (/x/.agon-tmp/y.o)",
                "/usr/bin/ld: a temporary file: in function `play': undefined reference to `f' (a temporary file)",
            ),
            ("make: *** No rule to make target 'all'.  Stop.", "make: *** No rule to make target 'all'.  Stop."),
        ] {
            assert_eq!(first_error(said), format!(": {line}"), "{said}");
        }
        assert_eq!(first_error("nothing"), "");
    }

    #[test]
    fn a_line_of_many_temporary_files_is_cut() {
        let said = "ld:".to_owned() + &" /x/.agon-tmp/a".repeat(100_000);
        assert!(first_error(&said).starts_with(": ld: a temporary file a temporary file "));
        assert!(without_temporary(&said).chars().count() < 2 * MOST_OF_LINE);
        // A space of two bytes.
        assert_eq!(without_temporary("ld:\u{a0}x/.agon-tmp/a\u{a0}b"), "ld:\u{a0}a temporary file\u{a0}b");
    }
}

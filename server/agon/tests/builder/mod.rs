//! The builder of all tests that run the whole program: a folder of its own with the programs, clients compiled on the
//! spot, and what a run left behind. A test is about three lines: `let arena = Arena::new(); arena.c_client("bad",
//! SOURCE); arena.agon(["match", "bad", "first-c"]).well();`
#![allow(clippy::unwrap_used, clippy::wrong_self_convention)] // in a test a panic is the report

mod compile;
mod golden;
mod limits;
mod load;
mod old_kernel;
mod shown;
mod small_disk;
mod terminal;
mod traces;

pub use compile::{EIGHT_STICKS, has_command, has_library, has_program};
pub use golden::golden;
#[allow(unused_imports)] // tests of agon-machines use all of it
pub use limits::{finish, finish_within, wait_until};
pub use load::{Load, MixedLoad};
pub use shown::{Event, Seat, Shown};
pub use small_disk::SmallDisk;
pub use terminal::Terminal;
pub use traces::Traces;

/// A moment so many seconds from now, as a ladder file has it.
pub fn moment(from_now: i64) -> String {
    let seconds = jiff::Timestamp::now().as_second() + from_now;
    jiff::Timestamp::from_second(seconds).unwrap().to_string()
}

use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// The ordinary user that tests started by root also play as.
pub const NOBODY: u32 = 65534;

/// A folder with `bin/` (the programs), `clients/`, and whatever a run makes in it; gone when this is dropped.
pub struct Arena {
    folder: TempDir,
    user: Option<u32>,
}

impl Drop for Arena {
    /// Whatever still runs of its programs ends with it: a test that fails leaves nothing behind.
    fn drop(&mut self) {
        let bin = self.path("bin");
        for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let runs_here = fs::read_link(process.path().join("exe")).is_ok_and(|program| program.starts_with(&bin));
            let pid = process.file_name().to_string_lossy().parse().ok().and_then(Pid::from_raw);
            if let Some(pid) = pid.filter(|_| runs_here) {
                // It may have ended by now.
                let _ = kill_process(pid, Signal::KILL);
            }
        }
    }
}

impl Arena {
    /// An empty one, played in by whoever runs the tests.
    pub fn new() -> Arena {
        let folder = tempfile::Builder::new().prefix("agon-arena-").tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let arena = Arena { folder, user: None };
        fs::create_dir(arena.path("bin")).unwrap();
        fs::create_dir(arena.path("clients")).unwrap();
        for program in ["agon", "agon-host", "agon-admit"] {
            place(&built(program), &arena.path("bin").join(program), 0o755);
        }
        let machines = built_beside("agon-machines");
        if machines.exists() {
            place(&machines, &arena.path("bin/agon-machines"), 0o755);
        }
        arena
    }

    /// Adds the laboratory's program, which is built apart.
    #[must_use]
    pub fn with_lab(self) -> Arena {
        place(&built("agon-lab"), &self.path("bin/agon-lab"), 0o755);
        self
    }

    /// Adds the program that makes PNGs, which stands outside the workspace.
    #[must_use]
    pub fn with_png(self) -> Arena {
        place(&built("agon-png"), &self.path("bin/agon-png"), 0o755);
        self
    }

    /// One with the adapter for clients of the original course, and these of `server/agon/tests/classic/`; `None`, said
    /// loudly, without a compiler.
    pub fn of_the_course(clients: &[&str]) -> Option<Arena> {
        if !has_program("cc") {
            return None;
        }
        let arena = Arena::new();
        arena.adapter();
        for client in clients {
            arena.classic_client(client, client, &[]);
        }
        Some(arena)
    }

    /// From now on commands run as this user, to whom the folder is given.
    #[must_use]
    pub fn as_user(mut self, user: Option<u32>) -> Arena {
        if let Some(user) = user {
            chown(self.folder.path(), Some(user), Some(user)).unwrap();
        }
        self.user = user;
        self
    }

    /// A path in the arena.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Puts a compiled file into `clients/`; a leading `lib` is dropped from its name. Returns where it lies.
    pub fn add(&self, file: &Path) -> PathBuf {
        let name = file.file_name().unwrap().to_str().unwrap();
        let target = self.path("clients").join(name.strip_prefix("lib").unwrap_or(name).replace('_', "-"));
        place(file, &target, 0o644);
        target
    }

    /// Compiles a client in C: `source` is its text, or the path of a `.c` file below the project's root. `None`, said
    /// loudly, where there is no compiler.
    pub fn c_client(&self, name: &str, source: &str) -> Option<PathBuf> {
        self.c_client_with(name, source, &[])
    }

    /// The same with more flags of the compiler.
    pub fn c_client_with(&self, name: &str, source: &str, flags: &[&str]) -> Option<PathBuf> {
        compile::client("cc", &self.path("clients").join(format!("{name}.so")), source, flags)
    }

    /// The same in C++.
    pub fn cpp_client(&self, name: &str, source: &str, flags: &[&str]) -> Option<PathBuf> {
        compile::client("c++", &self.path("clients").join(format!("{name}.so")), source, flags)
    }

    /// Compiles one of `server/agon/tests/classic/`, a client of the original course, under any name.
    pub fn classic_client(&self, name: &str, source: &str, flags: &[&str]) {
        let flags = [&["-Wno-unused-function", "-Wl,-z,lazy"], flags].concat();
        self.c_client_with(name, &format!("server/agon/tests/classic/{source}.c"), &flags).unwrap();
    }

    /// A client of the workspace by its package's name without `agon-`: `random`, `six-best`.
    pub fn rust_client(&self, name: &str) -> PathBuf {
        self.add(&built(&format!("lib{}.so", name.replace('-', "_"))))
    }

    /// The client of 6 qui prend once for each of these values of its option `card`, as sections of a ladder file:
    /// `six-smallest` and so on.
    pub fn six_clients(&self, cards: &[&str]) -> String {
        self.rust_client("six-simple");
        let section = |card: &&str| {
            format!(
                "[[client]]\nname = \"six-{card}\"\nfile = \"clients/six-simple.so\"\noptions = {{ card = \"{card}\" }}\n"
            )
        };
        cards.iter().map(section).collect()
    }

    /// Puts the adapter for clients of the original course beside the programs.
    pub fn adapter(&self) {
        place(&built("libclassic.so"), &self.path("bin/libclassic.so"), 0o644);
    }

    /// Puts words of the shell before every call of a program.
    pub fn wrap(&self, program: &str, before: &str) {
        let program = self.path(program);
        let moved = program.with_extension("wrapped");
        fs::rename(&program, &moved).unwrap();
        fs::write(&program, format!("#!/bin/sh\n{before} {} \"$@\"\n", moved.display())).unwrap();
        fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
    }

    /// Writes `ladder.toml`.
    pub fn ladder_toml(&self, text: &str) -> PathBuf {
        self.file("ladder.toml", text)
    }

    /// Writes any file.
    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, contents).unwrap();
        path
    }

    /// Runs `agon` in the arena to its end.
    #[track_caller]
    pub fn agon<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Ran {
        finish(self.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// Starts `agon` in the arena and leaves it running, in a process group of its own, its output in pipes.
    pub fn start<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Child {
        self.command(args).process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// `agon` with these arguments, ready to run in the arena.
    pub fn command<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(self.path("bin/agon"));
        command.args(args).current_dir(self.folder.path()).stdin(Stdio::null()).env_remove("AGON_LOG");
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        command
    }

    /// One match as the record has it; `last` is the newest.
    pub fn shown(&self, id: &str) -> Shown {
        Shown::from(self.agon(["show", id, "--json", "--moves"]).json())
    }

    /// All matches of the newest ladder, the newest last.
    pub fn all_shown(&self) -> Vec<Shown> {
        let list = self.agon(["matches", "--json"]).json();
        let ids = list["matches"].as_array().unwrap().iter().rev().map(|row| row["id"].as_str().unwrap().to_owned());
        ids.map(|id| self.shown(&id)).collect()
    }

    /// What there is of this arena outside its record: processes, descriptors, files. Compare before and after.
    pub fn traces(&self) -> Traces {
        Traces::of(self.folder.path())
    }
}

/// How a command ended and what it said.
#[derive(Debug)]
pub struct Ran {
    /// `None` after a signal.
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        Ran { status: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }
}

impl Ran {
    /// It ended with status 0.
    #[track_caller]
    pub fn well(self) -> Ran {
        assert_eq!(self.status, Some(0), "{}\n{}", self.stdout, self.stderr);
        self
    }

    /// What `agon sprt --json` has found, which its exit status says too.
    #[track_caller]
    pub fn verdict(self) -> serde_json::Value {
        let found: serde_json::Value = serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {self:?}"));
        let status = match found["verdict"].as_str() {
            Some("H1") => 0,
            Some("H0") => 7,
            _ => 8,
        };
        assert_eq!(self.status, Some(status), "{found}");
        found
    }

    /// It ended well, and its answer is one JSON document.
    #[track_caller]
    pub fn json(self) -> serde_json::Value {
        let ran = self.well();
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.stdout))
    }
}

/// As which users a test plays: as itself; and when that is root, as an ordinary user too.
pub fn users() -> Vec<Option<u32>> {
    if rustix::process::geteuid().is_root() { vec![None, Some(NOBODY)] } else { vec![None] }
}

/// Where `cargo build` puts its programs and clients: above the folder of this test program.
fn built_beside(name: &str) -> PathBuf {
    std::env::current_exe().unwrap().ancestors().nth(2).unwrap().join(name)
}

/// A program or a client that `cargo build` made, from the sources as they are.
pub fn built(name: &str) -> PathBuf {
    let path = built_beside(name);
    let profile = if path.parent().is_some_and(|folder| folder.ends_with("release")) { " --release" } else { "" };
    let help = format!("run `cargo build{profile} --workspace` first");
    assert!(path.exists(), "{} is missing: {help}", path.display());
    if let Some(newer) = newer_source(&path) {
        panic!("{} is older than {newer}: {help}", path.display());
    }
    path
}

/// A source that was changed after cargo made this file, by the list of sources that cargo puts next to it.
fn newer_source(made: &Path) -> Option<String> {
    let written = |path: &Path| fs::metadata(path).and_then(|seen| seen.modified()).ok();
    let sources = fs::read_to_string(made.with_extension("d")).ok()?;
    let newer = |source: &&str| written(Path::new(source)) > written(made);
    sources.split_whitespace().skip(1).find(newer).map(str::to_owned)
}

/// A link where that is allowed, a copy otherwise; made by another process, for a program that is open for writing,
/// here or in a process that a test beside this one just starts, cannot be run.
fn place(from: &Path, to: &Path, mode: u32) {
    if fs::hard_link(from, to).is_err() {
        let copied = Command::new("cp").arg(from).arg(to).status().unwrap();
        assert!(copied.success(), "{} is not copied", from.display());
        fs::set_permissions(to, Permissions::from_mode(mode)).unwrap();
    }
}

//! `agon-host` takes its descriptors and settings, enters the sandbox, says hello, and serves one client; or it becomes
//! the program, once the server allows it. `--fork-server`, `--build` and `--guard` are explained in the files of these
//! names. `--requests FILE` reads settings and requests from a file, for a debugger. It has a C `main`, because Rust's
//! start-up reads the process's memory map and costs a tenth of the whole start.
#![allow(clippy::print_stderr)]
#![expect(unsafe_code)]
#![no_main]
#![allow(unexpected_cfgs)] // `sandbox_mutants`, which nothing but tools/mutants sets

use agon_host::channel::{BadRequest, CLOSED, Channel};
use agon_host::line::Line;
use agon_host::program::{NOT_STARTED, OpenProgram, Program};
use agon_host::sandbox::{self, Entered, SandboxPlan};
use agon_host::settings::HostSettings;
use agon_host::{build, crash, fork_server, guard, serve};
use std::ffi::{OsString, c_char, c_int};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

/// Exit code after a wrong command line, or settings that no server sends.
const USAGE: c_int = 2;
/// Exit code after a request that no server sends.
const BAD_REQUEST: c_int = 3;
/// Exit code if a file for the client cannot be mapped.
const NO_DATA: c_int = 4;
/// Exit code if a required layer is missing, without which no code of the client may run.
const TOO_OPEN: c_int = 5;

/// The C library starts the program here.
#[unsafe(no_mangle)]
pub extern "C" fn main(count: c_int, words: *const *const c_char) -> c_int {
    let words: Vec<OsString> = arguments(count, words).collect();
    #[cfg(sandbox_mutants)]
    if words == ["--mutants"] {
        sandbox::mutants::list().iter().for_each(|rule| println!("{rule}"));
        return 0;
    }
    let words: Vec<&str> = words.iter().map(|word| word.to_str().unwrap_or_default()).collect();
    match words[..] {
        [] => begin(
            Channel::take().map_err(|error| format!("descriptors 3, 4 and 5 are not the server's pipes: {error}")),
        ),
        ["--fork-server"] => serve_forks(),
        ["--build"] => {
            eprintln!("agon-host: {}", build::become_build());
            NOT_STARTED
        }
        ["--guard"] => {
            guard::guard(std::io::stdin().lock());
            0
        }
        ["--requests", file] => begin(Channel::open(Path::new(file)).map_err(|error| format!("{file}: {error}"))),
        _ => refuse("it is started by agon, with nothing or --fork-server, --build, --guard or --requests FILE"),
    }
}

fn refuse(why: &str) -> c_int {
    eprintln!("agon-host: {why}");
    USAGE
}

/// Begins a host that was started: its settings precede the first request.
fn begin(channel: Result<Channel, String>) -> c_int {
    let with_settings = |channel: Channel| match HostSettings::receive(&mut channel.beginning()) {
        Ok(settings) => Ok((channel, settings)),
        Err(error) => Err(format!("the settings do not come: {error}")),
    };
    match channel.and_then(with_settings) {
        Ok((channel, settings)) => {
            crash::prepare();
            run(channel, &settings, sandbox::enter)
        }
        Err(why) => refuse(&why),
    }
}

fn serve_forks() -> c_int {
    match fork_server::serve() {
        Ok(None) => 0,
        Ok(Some(child)) => run(child.channel, &child.settings, |plan| sandbox::enter_after_fork(plan, child.prepared)),
        Err(error) => {
            refuse(&format!("a fork server needs a socket and a kernel that tells where a thread's number is: {error}"))
        }
    }
}

/// The command line without the program's name.
fn arguments(count: c_int, words: *const *const c_char) -> impl Iterator<Item = OsString> {
    (1..usize::try_from(count).unwrap_or(0)).map(move |index| {
        // SAFETY: the C library hands over `count` NUL-ended words that live as long as the process.
        let word = unsafe { std::ffi::CStr::from_ptr(*words.add(index)) };
        OsString::from_vec(word.to_bytes().to_vec())
    })
}

/// Waits for the server's permission, and then becomes the program.
fn become_program(
    channel: &mut Channel,
    program: &Program,
    start: std::io::Result<OpenProgram>,
    entered: &Entered,
) -> Result<c_int, BadRequest> {
    channel.read_exactly();
    if !serve::await_opening(channel)? {
        return Ok(0);
    }
    let error = match start {
        Ok(start) => program.run(&start, channel, &entered.file),
        Err(error) => error,
    };
    Line::new("agon.load").text(&format!("{}: {error}", program.interpreter.display())).send();
    Ok(NOT_STARTED)
}

/// Runs a host, before its sandbox and in it.
fn run(mut channel: Channel, settings: &HostSettings, enter: impl FnOnce(&SandboxPlan<'_>) -> Entered) -> c_int {
    let data = match settings.map_data() {
        Ok(data) => data,
        Err(error) => {
            Line::new("agon.host").text(&error).send();
            return NO_DATA;
        }
    };
    let start = settings.program.as_ref().map(Program::open);
    let plan = SandboxPlan {
        debugged: channel.is_file(),
        ..settings.plan(start.as_ref().and_then(|start| start.as_ref().ok()))
    };
    let entered = enter(&plan);
    let served = serve::say_hello(&mut channel, entered.held).and_then(|()| {
        let missing = settings.missing(entered.held);
        if !missing.is_empty() {
            Line::new("agon.host").text("nothing of the client runs without: ").text(&missing.join(", ")).send();
            return Ok(TOO_OPEN);
        }
        match (&settings.program, start) {
            (Some(program), Some(start)) => become_program(&mut channel, program, start, &entered),
            _ => serve::serve(&mut channel, &entered.file, data).map(|()| 0),
        }
    });
    match served {
        Ok(status) => status,
        Err(BadRequest::Pipe(error)) if error.raw_os_error() == Some(libc::EBADF) => CLOSED,
        Err(error) => {
            Line::new("agon.host").text(&error.to_string()).send();
            BAD_REQUEST
        }
    }
}

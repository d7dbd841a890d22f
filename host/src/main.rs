//! `agon-host --fork-server`, or `agon-host [--memory BYTES] [--without LAYER]... [--sandbox off] [--also FILE]...
//! [--data NAME FILE]... [--requests FILE] [--program INTERPRETER WORD... --] FILE`: takes its descriptors, goes into
//! the sandbox, says hello, serves; or becomes the program. `--build`, `--guard`: see `build.rs`, `guard.rs`. It has a C `main`, because
//! Rust's start-up reads the process's memory map and costs a tenth of the whole start.
#![no_main]
#![allow(unexpected_cfgs)] // `sandbox_mutants`, which nothing but tools/mutants sets

use agon_host::args::Settings;
use agon_host::channel::{BadRequest, CLOSED, Channel};
use agon_host::line::Line;
use agon_host::program::{NOT_STARTED, Program};
use agon_host::sandbox::{self, Entered};
use agon_host::{build, crash, fork_server, guard, serve};
use std::ffi::{OsString, c_char, c_int};
use std::os::unix::ffi::OsStringExt;

/// Exit code after a wrong command line.
const USAGE: c_int = 2;
/// Exit code after a request that no server sends.
const BAD_REQUEST: c_int = 3;
/// Exit code where a file that the client is to get cannot be mapped.
const NO_DATA: c_int = 4;

/// Where the C library starts the program.
#[unsafe(no_mangle)]
pub extern "C" fn main(count: c_int, words: *const *const c_char) -> c_int {
    let words: Vec<OsString> = arguments(count, words).collect();
    #[cfg(sandbox_mutants)]
    if words == ["--mutants"] {
        sandbox::mutants::list().iter().for_each(|rule| println!("{rule}"));
        return 0;
    }
    if words.first().is_some_and(|word| word == "--build") {
        eprintln!("agon-host: {}", build::become_build(words.into_iter().skip(1)));
        return NOT_STARTED;
    }
    if words == ["--guard"] {
        guard::guard(std::io::stdin().lock());
        return 0;
    }
    if words != ["--fork-server"] {
        return start(words);
    }
    match fork_server::serve() {
        Ok(None) => 0,
        Ok(Some(child)) => {
            let enter = || sandbox::enter_after_fork(&child.settings.plan(), child.prepared);
            run(child.channel, &child.settings, enter)
        }
        Err(error) => {
            eprintln!(
                "agon-host: a fork server needs a socket and a kernel that tells where a thread's number is: {error}"
            );
            USAGE
        }
    }
}

fn start(words: Vec<OsString>) -> c_int {
    let settings = Settings::read(words);
    match settings.and_then(|settings| channel(&settings).map(|channel| (settings, channel))) {
        Ok((settings, channel)) => {
            crash::prepare();
            run(channel, &settings, || sandbox::enter(&settings.plan()))
        }
        Err(text) => {
            eprintln!("agon-host: {text}");
            USAGE
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

/// The pipes of a host that was started: descriptors 3 to 5, or a file of requests.
fn channel(settings: &Settings) -> Result<Channel, String> {
    match &settings.requests {
        None => Channel::take().map_err(|error| format!("descriptors 3, 4 and 5 are not the server's pipes: {error}")),
        Some(file) => Channel::open(file).map_err(|error| format!("{}: {error}", file.display())),
    }
}

/// Says hello, and is the program from then on.
fn become_program(channel: &mut Channel, program: &Program, entered: &Entered) -> c_int {
    if serve::say_hello(channel, entered.held).is_err() {
        return BAD_REQUEST;
    }
    let error = program.run(channel, &entered.file);
    Line::new("agon.load").text(&format!("{}: {error}", program.interpreter.display())).send();
    NOT_STARTED
}

/// The life of a host, before its sandbox and in it.
fn run(mut channel: Channel, settings: &Settings, enter: impl FnOnce() -> Entered) -> c_int {
    let data = match settings.map_data() {
        Ok(data) => data,
        Err(error) => {
            Line::new("agon.host").text(&error).send();
            return NO_DATA;
        }
    };
    let entered = enter();
    if let Some(program) = &settings.program {
        return become_program(&mut channel, program, &entered);
    }
    match serve::serve(&mut channel, &entered.file, data, entered.held) {
        Ok(()) => 0,
        Err(BadRequest::Pipe(error)) if error.raw_os_error() == Some(libc::EBADF) => CLOSED,
        Err(error) => {
            Line::new("agon.host").text(&error.to_string()).send();
            BAD_REQUEST
        }
    }
}

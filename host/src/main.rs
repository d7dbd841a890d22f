//! `agon-host [--memory BYTES] [--without RUNG]... [--sandbox off] [--also FILE]... [--requests FILE] FILE`: takes its descriptors,
//! goes into the sandbox, says hello, serves. It has a C `main`, because Rust's start-up reads the process's memory map and costs a
//! tenth of the whole start.
#![no_main]

use agon_host::args::Settings;
use agon_host::channel::{BadRequest, CLOSED, Channel};
use agon_host::line::Line;
use agon_host::{crash, sandbox, serve};
use std::ffi::{OsString, c_char, c_int};
use std::os::unix::ffi::OsStringExt;

/// Exit code after a wrong command line.
const USAGE: c_int = 2;
/// Exit code after a request that no server sends.
const BAD_REQUEST: c_int = 3;

/// Where the C library starts the program.
#[unsafe(no_mangle)]
pub extern "C" fn main(count: c_int, words: *const *const c_char) -> c_int {
    match Settings::read(arguments(count, words)) {
        Ok(settings) => run(&settings),
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

/// The life of a host.
fn run(settings: &Settings) -> c_int {
    let channel = match &settings.requests {
        None => Channel::take().map_err(|error| format!("descriptors 3, 4 and 5 are not the server's pipes: {error}")),
        Some(file) => Channel::open(file).map_err(|error| format!("{}: {error}", file.display())),
    };
    let mut channel = match channel {
        Ok(channel) => channel,
        Err(text) => {
            eprintln!("agon-host: {text}");
            return USAGE;
        }
    };
    crash::prepare();
    let rungs = sandbox::enter(&settings.plan());
    match serve::serve(&mut channel, &settings.file, rungs) {
        Ok(()) => 0,
        Err(BadRequest::Pipe(error)) if error.raw_os_error() == Some(libc::EBADF) => CLOSED,
        Err(error) => {
            Line::new("agon.host").text(&error.to_string()).send();
            BAD_REQUEST
        }
    }
}

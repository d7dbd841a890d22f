//! `agon-admit FILE` examines a new client once, inside the host's sandbox, and prints its findings as lines `key TAB
//! value`, one by one, because the client may end it at any point. Without a FILE its settings come from standard
//! input, as the server writes them.
#![allow(clippy::print_stderr)]

mod opening;
mod report;

use agon_abi::{Cause, Layers};
use agon_admit::refusal::Refusal;
use agon_admit::{code, elf, symbols};
use agon_host::settings::HostSettings;
use agon_host::{channel, crash, sandbox};
use report::LookReport;
use std::ffi::OsString;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::process::ExitCode;

/// The largest file to examine, bytes.
const LARGEST: u64 = 1 << 30;

fn main() -> ExitCode {
    let settings = match settings() {
        Ok(settings) => settings,
        Err(text) => {
            eprintln!("agon-admit: {text}");
            return ExitCode::from(2);
        }
    };
    let mut report = match channel::keep_stdout() {
        Ok(out) => LookReport::to(out),
        Err(error) => {
            eprintln!("agon-admit: {error}");
            return ExitCode::from(2);
        }
    };
    crash::prepare();
    let entered = sandbox::enter(&settings.plan(None));
    report.tell("layers", &entered.held.0.to_string());
    let missing = settings.missing(entered.held);
    if !missing.is_empty() {
        report.tell("trouble", &format!("nothing of a client runs without the layer {}", missing.join(", ")));
        return ExitCode::SUCCESS;
    }
    if let Err(refusal) = look(&entered.file, &mut report) {
        report.refused(&refusal);
    }
    ExitCode::SUCCESS
}

/// All layers for the one file on the command line, or what the server writes.
fn settings() -> Result<HostSettings, String> {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    match &words[..] {
        [] => HostSettings::receive(&mut std::io::stdin().lock())
            .map_err(|error| format!("the settings do not come: {error}")),
        [file] => Ok(HostSettings { required: Layers::NONE, ..HostSettings::of(file) }),
        _ => Err("usage: agon-admit FILE".to_owned()),
    }
}

/// Examines a file, from its bytes to its name.
fn look(file: &Path, report: &mut LookReport) -> Result<(), Refusal> {
    let Some(bytes) = read(file, report)? else { return Ok(()) };
    elf::check(&bytes)?;
    let symbols = symbols::read(&bytes)?;
    report.tell("language", symbols.language);
    for library in &symbols.needed {
        report.tell("needed", library);
    }
    if let Some(digest) = code::digest(&bytes) {
        report.tell("code", &digest);
    }
    let checked = symbols.check();
    drop(bytes);
    if let Err(refusal) = checked {
        if refusal.cause == Cause::Classic {
            report.tell("classic", "yes");
            opening::open_for_adapter(file, &symbols, report)?;
        }
        return Err(refusal);
    }
    opening::open(file, &symbols, report)
}

/// The file's bytes; `None` if this machine has trouble, which is reported.
fn read(path: &Path, report: &mut LookReport) -> Result<Option<Vec<u8>>, Refusal> {
    let mut bytes = Vec::new();
    let refuse = |why: String| Refusal::new(Cause::Unreadable, why, "put a regular file there, whole and readable");
    match path.metadata() {
        Ok(seen) if !seen.is_file() => return Err(refuse("it is not a file".to_owned())),
        Ok(seen) if seen.len() > LARGEST => return Err(refuse(format!("it has more than {LARGEST} bytes"))),
        _ => {}
    }
    match File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes)) {
        Ok(_) => Ok(Some(bytes)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => {
            Err(refuse(error.to_string()))
        }
        Err(error) => {
            report.tell("trouble", &format!("this machine cannot read it: {error}"));
            Ok(None)
        }
    }
}

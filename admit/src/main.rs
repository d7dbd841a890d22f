//! `agon-admit [--without RUNG]... [--sandbox off] FILE`: looks at a new client once, inside the host's sandbox, and prints what it
//! sees as lines `key TAB value`, one by one as it comes to know them: what it looks at may end it at any point.
#![forbid(unsafe_code)]

mod opening;
mod report;

use agon_admit::refusal::Refusal;
use agon_admit::{elf, symbols};
use agon_host::args::Settings;
use agon_host::{channel, crash, sandbox};
use report::Report;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let settings = match Settings::read(std::env::args_os().skip(1)) {
        Ok(settings) => settings,
        Err(text) => {
            eprintln!("agon-admit: {text}");
            return ExitCode::from(2);
        }
    };
    let mut report = match channel::keep_stdout() {
        Ok(out) => Report::to(out),
        Err(error) => {
            eprintln!("agon-admit: {error}");
            return ExitCode::from(2);
        }
    };
    crash::prepare();
    let file = sandbox::enter(&settings.plan()).file;
    if let Err(refusal) = look(&file, &mut report) {
        report.refused(&refusal);
    }
    ExitCode::SUCCESS
}

/// The look at a file, from its bytes to its name.
fn look(file: &Path, report: &mut Report) -> Result<(), Refusal> {
    let bytes = std::fs::read(file).map_err(|error| Refusal::new("unreadable", error.to_string(), ""))?;
    elf::check(&bytes)?;
    let symbols = symbols::read(&bytes)?;
    report.tell("language", symbols.language);
    for library in &symbols.needed {
        report.tell("needed", library);
    }
    symbols.check()?;
    drop(bytes);
    opening::open(file, &symbols, report)
}

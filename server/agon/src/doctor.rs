//! `agon doctor`: looks at this machine before a tournament does. Each line says what was found, what it means, and
//! what to do where it is not good.

mod attack;
mod clock;
mod kernel;
mod machine;
mod sandbox;
mod tools;

use agon_command::record_location::{Named, RecordLocation, USUAL, named};
use agon_command::{Failure, status};
use agon_games::AnyGame;
use agon_model::counted;
use agon_model::visible::json_document;
use agon_record::Checked;
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The remedy for a damaged record.
const DAMAGED: &str = "it is not repaired in silence; help: restore it from a backup, and look at the disk and the memory of this machine";

/// The arguments of `agon doctor`.
#[derive(Args, Debug)]
pub struct DoctorArgs {
    /// Checks the disk of this folder, into which a ladder will write. Default: agon-out.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Instead of the machine, checks a record for damage. PLACE is a folder (default: agon-out), a copy that agon record backup made,
    /// postgres://USER:PASSWORD@HOST/DATABASE, or @FILE (a file with such an address).
    #[arg(long, value_name = "PLACE", num_args = 0..=1, value_parser = named)]
    record: Option<Option<Named>>,
    /// Instead of the checks, tries all known attacks on this machine's sandbox, in about a minute. With ACT, agon tries only the attacks
    /// whose names contain ACT.
    #[arg(long, value_name = "ACT", num_args = 0..=1, default_missing_value = "")]
    attack: Option<String>,
    /// With --attack: leaves out a layer of the sandbox, to show what it prevents.
    #[arg(long, value_name = "LAYER", requires = "attack")]
    without: Vec<String>,
    /// With --attack: attacks only in this phase of a client; you may repeat it. The phases are load, initialize, name,
    /// play, thread, handler (of a signal), finalize and unload.
    #[arg(long, value_name = "PHASE", requires = "attack")]
    phase: Vec<String>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// The state of one thing that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// The thing is as it should be.
    Good,
    /// A tournament runs, with less.
    Note,
    /// A tournament does not run, or its results are in doubt.
    Bad,
}

/// One line of the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Finding {
    /// The thing that was checked.
    what: &'static str,
    /// The state of that thing.
    state: State,
    /// The finding, in a few words.
    found: String,
    /// The meaning of the finding, and what to do if it is not good.
    means: String,
}

impl Finding {
    /// `means` is for the state `Good`, and `help` for the others.
    fn new(what: &'static str, state: State, found: impl Into<String>, means: &str, help: &str) -> Finding {
        let means = if state == State::Good { means } else { help };
        Finding { what, state, found: found.into(), means: means.to_owned() }
    }
}

/// Looks, and says what it saw; 5 if something is bad.
pub fn doctor(args: &DoctorArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let out = &args.folder.clone().unwrap_or_else(|| PathBuf::from(USUAL));
    if let Some(only) = &args.attack {
        let attacked =
            attack::attack(out, &attack::Choice { only, phases: &args.phase, without: &args.without }, games)?;
        print!("{}", if args.json { attacked.json() } else { attacked.text() });
        return Ok(ended(attacked.count_broken()));
    }
    let findings = match &args.record {
        Some(location) => look_at_record(&RecordLocation::named(location.as_ref(), out)?)?,
        None => look_at_machine(out),
    };
    let bad = findings.iter().filter(|finding| finding.state == State::Bad).count();
    print!("{}", if args.json { json(&findings) } else { findings_text(&findings, bad) });
    Ok(ended(bad))
}

fn ended(bad: usize) -> u8 {
    if bad > 0 { status::DIFFERS } else { status::DONE }
}

/// The layers of the sandbox that hold here.
///
/// # Errors
/// No host starts: no match can be played.
pub fn held_layers(out: &Path) -> Result<Vec<String>, Failure> {
    let held = agon_player::held_layers::held_layers(&agon_command::find_paths(out)?.host);
    held.ok_or_else(|| Failure::trouble("no client's process starts on this machine; help: agon doctor says more"))
}

/// A line for each damage, or one for the whole record.
fn look_at_record(location: &RecordLocation) -> Result<Vec<Finding>, Failure> {
    let Checked { blocks, damage } = location.open_existing()?.check()?;
    if !damage.is_empty() {
        return Ok(damage.into_iter().map(|found| Finding::new("record", State::Bad, found, "", DAMAGED)).collect());
    }
    let means = "every block, ladder and client in it is as it was written";
    Ok(vec![Finding::new("record", State::Good, counted(blocks, "block", "blocks"), means, "")])
}

fn look_at_machine(out: &Path) -> Vec<Finding> {
    let mut findings = tools::look();
    findings.extend(kernel::look());
    findings.extend(sandbox::look(out));
    findings.extend(machine::look(out));
    findings.extend(clock::look());
    findings
}

fn findings_text(findings: &[Finding], bad: usize) -> String {
    let width = findings.iter().map(|finding| finding.what.len()).max().unwrap_or(0);
    let mut out = String::new();
    for Finding { what, state, found, means } in findings {
        let mark = match state {
            State::Good => "ok  ",
            State::Note => "note",
            State::Bad => "BAD ",
        };
        out += &format!("{mark}  {what:width$}  {found}\n      {:width$}  {means}\n", "");
    }
    let notes = findings.iter().filter(|finding| finding.state == State::Note).count();
    out + &format!("\n{} checks: {bad} bad, {notes} notes\n", findings.len())
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    findings: &'a [Finding],
}

fn json(findings: &[Finding]) -> String {
    let document = Document { schema: "agon.doctor/1", findings };
    json_document(&document)
}

/// The text of a small file of the system, trimmed; `None` where there is no such file.
fn read_system_file(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

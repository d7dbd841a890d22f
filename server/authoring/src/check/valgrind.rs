//! Asks a client under valgrind for the moves of a match. Valgrind cannot work with Landlock and seccomp, so this is
//! for clients that one trusts.

use super::steps::StepOutcome;
use super::trials::Trial;
use crate::rerun::{WITHOUT_FOR_VALGRIND, all_but, debug_words, suppressions};
use agon_command::Failure;
use agon_games::Seat;
use agon_model::FaultKind;
use agon_player::program::is_program;
use agon_tournament as run;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// The status with which valgrind ends after an error.
const FOUND: &str = "99";
/// The most lines of valgrind that are shown.
const MOST_LINES: usize = 12;

/// Whether a fault may come from an error with memory, and shows itself again in a time that can be waited for.
pub fn can_tell_of(kind: FaultKind) -> bool {
    use FaultKind::{Crash, Declined, EarlyExit, IllegalMove, Protocol};
    matches!(kind, Crash | Declined | EarlyExit | IllegalMove | Protocol)
}

/// Looks at one match of the client on a seat, to its end or to its fault; the outcome, and what valgrind said.
pub fn look(trial: &Trial, seat: Seat, host: &Path, folder: &Path) -> Result<(StepOutcome, Vec<String>), Failure> {
    let requests = run::requests(&trial.played, &trial.ad_hoc, seat).map_err(Failure::trouble)?;
    let files = trial.ad_hoc.files(seat).ok_or_else(|| Failure::trouble("nobody sat on this seat"))?;
    if is_program(&files.library) {
        return Ok((StepOutcome::Skipped { what: "not run: for libraries only".to_owned() }, Vec::new()));
    }
    let file = folder.join("valgrind.requests");
    let own = suppressions(&file)?;
    let words = debug_words(files, all_but(WITHOUT_FOR_VALGRIND), &requests, file)?;
    let mut command = Command::new("valgrind");
    command.args(["-q", "--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"]);
    command.arg(own).arg(format!("--error-exitcode={FOUND}")).arg(host).args(words).stdin(Stdio::null());
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            let what = format!("valgrind does not start: {error}");
            return Ok((StepOutcome::note(&format!("{what}; help: install valgrind")), Vec::new()));
        }
    };
    let said = String::from_utf8_lossy(&output.stderr);
    let of_valgrind = said.lines().filter(|line| line.starts_with("==")).map(without_number);
    let lines: Vec<String> = of_valgrind.filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
    if output.status.success() {
        return Ok((StepOutcome::ok("no error with memory, and nothing lost, in one match"), Vec::new()));
    }
    let has_found = output.status.code().map(|status| status.to_string()).as_deref() == Some(FOUND);
    // A signal to the client ends valgrind too, after its findings.
    let has_crashed = output.status.signal().is_some() && !lines.is_empty();
    if !has_found && !has_crashed {
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing").trim();
        let (what, help) = (output.status, "help: run valgrind true to see whether it works here");
        let note = format!("valgrind did not get to the end ({what}): {last}; {help}");
        return Ok((StepOutcome::note(&note), lines));
    }
    let first = lines.first().map_or("it ended without a word", |line| line.trim());
    let help = "the first place in your own source below is where to look; build with -g to see lines";
    let outcome = StepOutcome::failed(&format!("valgrind: {first}; help: {help}"));
    Ok((outcome, lines.into_iter().take(MOST_LINES).collect()))
}

/// A line without the number of the process before it.
fn without_number(line: &str) -> &str {
    line.splitn(3, "==").nth(2).unwrap_or(line)
}

//! A question before something is removed.

use crate::Failure;
use crate::output::say;
use agon_model::visible::{Medium, visible};
use std::io::{BufRead, IsTerminal, Write};

/// Whether a person says yes, at a terminal; without one, `--yes` must have been given.
pub fn confirmed(yes: bool, question: &str) -> Result<bool, Failure> {
    if yes {
        return Ok(true);
    }
    if !std::io::stdin().is_terminal() {
        return Err(Failure::usage("nothing was changed; help: --yes does it, where nobody can be asked"));
    }
    let mut stderr = std::io::stderr();
    let mut answer = String::new();
    // Without an answer the command does nothing.
    let _ = write!(stderr, "{} [y/N] ", visible(question, Medium::Screen)).and_then(|()| stderr.flush());
    let _ = std::io::stdin().lock().read_line(&mut answer);
    let is_yes = ["y", "yes"].contains(&answer.trim().to_lowercase().as_str());
    if !is_yes {
        say("nothing was changed");
    }
    Ok(is_yes)
}

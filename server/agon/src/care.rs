//! Care of the record: a copy of it, what may go, and what must.

pub mod backup;
pub mod clean;
pub mod forget;

use super::Failure;
use super::progress::say;
use agon_model::visible::{Output, visible};
use std::fs;
use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Files with a total size.
#[derive(Debug, Default)]
struct Heap {
    files: Vec<PathBuf>,
    bytes: u64,
}

impl Heap {
    fn add(&mut self, path: PathBuf) {
        // A file that went meanwhile weighs nothing, and is gone.
        if let Ok(seen) = path.symlink_metadata() {
            self.bytes += seen.len();
            self.files.push(path);
        }
    }

    /// Removes them; one that went meanwhile is no error.
    fn remove(&self) -> Result<(), Failure> {
        self.files.iter().try_for_each(|path| match fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                let help = "make its folder writable; the same command then goes on";
                Err(Failure::new(1, format!("{}: {error}; help: {help}", path.display())))
            }
            _ => Ok(()),
        })
    }
}

/// The regular files of a folder that have a name in UTF-8, and the names; none if it is not there.
fn listed(folder: &Path) -> impl Iterator<Item = (String, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    files.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())))
}

/// Whether a person says yes, at a terminal; without one, `--yes` must have been given.
fn confirmed(yes: bool, question: &str) -> Result<bool, Failure> {
    if yes {
        return Ok(true);
    }
    if !std::io::stdin().is_terminal() {
        return Err(Failure::new(2, "nothing was changed; help: --yes does it, where nobody can be asked"));
    }
    let mut stderr = std::io::stderr();
    let mut answer = String::new();
    // Without an answer nothing is done.
    let _ = write!(stderr, "{} [y/N] ", visible(question, Output::Screen)).and_then(|()| stderr.flush());
    let _ = std::io::stdin().lock().read_line(&mut answer);
    let is_yes = ["y", "yes"].contains(&answer.trim().to_lowercase().as_str());
    if !is_yes {
        say("nothing was changed");
    }
    Ok(is_yes)
}

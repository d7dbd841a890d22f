//! A folder among the system's temporary ones, which lasts only as long as a command runs.

use crate::Failure;
use crate::signals;
use crate::status::INTERRUPTED;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// Removed when it is dropped.
pub struct Scratch(TempDir);

/// The folders that exist now.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// The thread that removes them at a signal is started once.
static WATCH: Once = Once::new();

impl Scratch {
    /// A new one, which nobody else may look into.
    ///
    /// # Errors
    /// There is no room, or no right to write there.
    pub fn new() -> Result<Scratch, Failure> {
        // A signal in between waits until it is known.
        let mut known = folders();
        let made = tempfile::Builder::new().prefix("agon-").tempdir();
        made.inspect(|made| known.push(made.path().to_owned())).map(Scratch).map_err(|error| {
            let folder = std::env::temp_dir();
            let help = "free some space, or name another folder by TMPDIR";
            Failure::trouble(format!("{}: {error}; help: {help}", folder.display()))
        })
    }

    /// The same for a command that does nothing else at a signal than to end.
    pub fn until_signal() -> Result<Scratch, Failure> {
        // Without the thread, only a signal leaves a folder behind.
        WATCH.call_once(|| drop(remove_at_signals()));
        Scratch::new()
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        folders().retain(|folder| folder != self.0.path());
    }
}

fn folders() -> MutexGuard<'static, Vec<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes folders again and again until they stay away, since another process may still write into them. Remains are
/// left in the system's own temporary folder.
fn remove(folders: &[PathBuf]) {
    const TRIES: usize = 100;
    const PAUSE: Duration = Duration::from_millis(5);
    const AWAY: usize = 3;
    let is_there = |folder: &&PathBuf| !matches!(std::fs::remove_dir_all(folder), Err(error) if error.kind() == ErrorKind::NotFound);
    let mut away = 0;
    for _ in 0..TRIES {
        let is_any_there = folders.iter().filter(is_there).count() > 0;
        away = if is_any_there { 0 } else { away + 1 };
        if away == AWAY {
            return;
        }
        std::thread::sleep(PAUSE);
    }
}

/// Removes at a signal what it would leave behind; clients end with the program.
fn remove_at_signals() -> std::io::Result<()> {
    let mut signals = signals::watch()?;
    let watch = move || {
        if signals.forever().next().is_some() {
            // The lock is held to the end: a thread that fails without its folder waits in `drop`, and the signal ends
            // it.
            let known = folders();
            remove(&known);
            std::process::exit(i32::from(INTERRUPTED));
        }
    };
    std::thread::Builder::new().spawn(watch).map(drop)
}

//! A folder of its own among the system's temporary ones, for what is needed while a command runs and not after.

use crate::Failure;
use crate::status::INTERRUPTED;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// Removed when it is dropped.
pub struct Scratch(TempDir);

/// Those that are there.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// Who removes them at a signal.
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
            Failure::new(1, format!("{}: {error}; help: {help}", folder.display()))
        })
    }

    /// The same for a command that does nothing else at a signal than to end.
    ///
    /// # Errors
    /// As `new`.
    pub fn until_signal() -> Result<Scratch, Failure> {
        // Without a thread only the signal leaves something behind.
        WATCH.call_once(|| drop(remove_at_signals()));
        Scratch::new()
    }

    /// Where it is.
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

/// Something may just be put into the folder, so that it is not empty when it is to go; what cannot be removed is in the
/// system's own temporary folder.
fn remove(folder: &Path) {
    const TRIES: usize = 100;
    const PAUSE: Duration = Duration::from_millis(5);
    for _ in 0..TRIES {
        if std::fs::remove_dir_all(folder).is_ok() || !folder.exists() {
            return;
        }
        std::thread::sleep(PAUSE);
    }
}

/// What a signal would leave behind goes first; clients end with the program.
fn remove_at_signals() -> std::io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let watch = move || {
        if signals.forever().next().is_some() {
            folders().iter().for_each(|folder| remove(folder));
            std::process::exit(i32::from(INTERRUPTED));
        }
    };
    std::thread::Builder::new().spawn(watch).map(drop)
}

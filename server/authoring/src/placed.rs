//! A name in a folder of clients: it has at most one client, or else a note that says why there is none.

use crate::check::is_named_so;
use agon_command::Failure;
use agon_files::{refused, set_time};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The files of a client's name.
pub struct PlacedClient<'a> {
    /// The name of the client.
    pub name: &'a str,
    /// The folder that gets the client.
    pub folder: &'a Path,
    /// Whether what lies there may be removed.
    pub replace: bool,
}

impl PlacedClient<'_> {
    /// A client of this name whose file is called otherwise.
    pub fn other_than(&self, file: &Path) -> Option<PathBuf> {
        self.files().into_iter().find(|own| own != file && !refused::is_note(own))
    }

    /// Leaves one file: the one that was put in place, or a note with the reason why none was. What was there before
    /// stays, unless it may be replaced.
    pub fn settle(&self, file: Option<&Path>, why: Option<&str>) -> Result<(), Failure> {
        let others = self.files().into_iter().filter(|own| Some(own.as_path()) != file);
        let (notes, clients): (Vec<PathBuf>, Vec<PathBuf>) = others.partition(|file| refused::is_note(file));
        let note = self.note();
        let done = match why {
            Some(why) if clients.is_empty() || self.replace => {
                fs::create_dir_all(self.folder).and_then(|()| refused::write(&note, why))
            }
            Some(_) => Ok(()),
            None => notes.iter().try_for_each(fs::remove_file),
        };
        let gone = if self.replace { clients.iter().try_for_each(fs::remove_file) } else { Ok(()) };
        let help = "help: make the folder writable for the user who runs agon, or choose another --out";
        done.and(gone).map_err(|error| Failure::trouble(format!("{}: {error}; {help}", self.folder.display())))
    }

    /// Gives the file that was put in place, or the note, the time of its submission, which `closing` judges.
    pub fn date(&self, file: Option<&Path>, time: Option<SystemTime>) {
        let file = file.map_or_else(|| self.note(), Path::to_owned);
        // A file system may have no such times.
        let _ = time.map(|time| set_time(&file, time));
    }

    fn note(&self) -> PathBuf {
        self.folder.join(format!("{}.{}", self.name, refused::ENDING))
    }

    /// Clients of this name, and its note.
    fn files(&self) -> Vec<PathBuf> {
        let is_client = |file: &Path| {
            let ending = file.extension().and_then(OsStr::to_str);
            matches!(ending, Some("so" | "bin" | refused::ENDING)) || is_named_so(file)
        };
        let is_own = |file: &PathBuf| file.file_stem().is_some_and(|stem| stem == self.name) && is_client(file);
        let entries = fs::read_dir(self.folder).into_iter().flatten().filter_map(Result::ok);
        entries.map(|entry| entry.path()).filter(|file| file.is_file() && is_own(file)).collect()
    }
}

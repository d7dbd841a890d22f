//! Watches whether the files of a ladder are still those with which it began.

use agon_files::patterns::find_files;
use agon_model::{Closing, Ladder, Sources};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// A file in the file system: path, number, size, time of its last change.
type Trace = (PathBuf, u64, u64, i64, i64);

/// The files at the beginning, and at the previous look.
pub struct Watch {
    sources: Sources,
    began: Vec<Trace>,
    before: Vec<Trace>,
    /// The closing time, which ends the watch.
    closing: Option<Closing>,
}

impl Watch {
    /// Begins with the present files; `None` for a ladder that does not watch, or whose files are frozen.
    pub fn new(ladder: &Ladder) -> Option<Watch> {
        let watches = ladder.watch && !ladder.closing.is_some_and(Closing::is_past);
        let began = watches.then(|| traces(&ladder.sources))?;
        Some(Watch { sources: ladder.sources.clone(), before: began.clone(), began, closing: ladder.closing })
    }

    /// Whether the closing time was reached during the watch.
    pub fn is_closed(&self) -> bool {
        self.closing.is_some_and(Closing::is_past)
    }

    /// Whether the files have changed, and are the same as at the previous look: a compiler may still be writing.
    pub fn is_outdated(&mut self) -> bool {
        let now = traces(&self.sources);
        let settled = now == self.before;
        self.before = now;
        settled && self.before != self.began
    }

    /// The closing time, if it is in the future.
    pub fn open_until(&self) -> Option<Closing> {
        self.closing.filter(|closing| !closing.is_past())
    }

    /// Whether there is a change, settled or not.
    pub fn is_unsettled(&self) -> bool {
        self.before != self.began
    }
}

fn traces(sources: &Sources) -> Vec<Trace> {
    let trace = |path: PathBuf| {
        let seen = path.metadata().ok()?;
        Some((path, seen.ino(), seen.size(), seen.mtime(), seen.mtime_nsec()))
    };
    find_files(sources).into_iter().filter_map(|spec| trace(spec.path)).collect()
}

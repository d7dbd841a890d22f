//! A ladder that has not begun, for those who come early: its file, the teams with a link, and the files that do not
//! play, each with its reason as far as somebody has looked.

use agon_command::{Failure, ladder_file};
use agon_files::patterns::find_files;
use agon_files::{hash_of, refused};
use agon_model::{LadderLocation, Sources};
use agon_record::Archive;
use agon_web::AwaitedLadder;
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The description of a ladder by its file.
pub struct Awaited {
    /// The ladder, without its teams and files.
    pub ladder: AwaitedLadder,
    sources: Sources,
    /// The files that were hashed, as each was then.
    hashed: Mutex<BTreeMap<PathBuf, (Trace, String)>>,
}

/// A file with another content has another of these: inode, size, and time of change in seconds and nanoseconds.
type Trace = (u64, u64, i64, i64);

/// A file that may not play.
pub enum Doubtful {
    /// It could not be built, for this reason.
    Unbuilt(String),
    /// A client with this hash.
    Client(String),
}

impl Awaited {
    /// By this ladder file.
    ///
    /// # Errors
    /// It cannot be read, or has errors.
    pub fn of(file: &Path) -> Result<Awaited, Failure> {
        let LadderLocation { name, game, closing, sources, .. } = ladder_file::read_location(file)?;
        let closing = closing.map(|closing| closing.to_string());
        let ladder = AwaitedLadder { name, game, closing, ..AwaitedLadder::default() };
        Ok(Awaited { ladder, sources, hashed: Mutex::default() })
    }

    /// The files there are, by the names of their clients. Each is hashed once while it stays as it is.
    pub fn files(&self) -> Vec<(String, Doubtful)> {
        let mut hashed = self.hashed.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = Vec::new();
        for client in find_files(&self.sources) {
            let found = if refused::is_note(&client.path) {
                Some(Doubtful::Unbuilt(refused::reason(&client.path)))
            } else {
                hash_once(&mut hashed, &client.path).map(Doubtful::Client)
            };
            all.extend(found.map(|found| (client.label.unwrap_or_default(), found)));
        }
        all
    }

    /// Those of the files that cannot play, with the reasons. No file is looked at for this: the record has the looks
    /// of earlier runs, and a note tells that a file could not be built.
    pub fn refused(
        &self,
        store: Option<&dyn Archive>,
        files: Vec<(String, Doubtful)>,
    ) -> Result<Vec<(String, String)>, Failure> {
        let mut all = Vec::new();
        for (client, file) in files {
            let why = match (file, store) {
                (Doubtful::Unbuilt(why), _) => Some(why),
                (Doubtful::Client(hash), Some(store)) => self.why(store, &hash)?,
                (Doubtful::Client(_), None) => None,
            };
            all.extend(why.map(|why| (client, why)));
        }
        Ok(all)
    }

    /// Why a file cannot play, if somebody has looked at it.
    fn why(&self, store: &dyn Archive, hash: &str) -> Result<Option<String>, Failure> {
        // An adapter plays for classic clients.
        let look = store.look_at(hash)?.filter(|look| !look.needs_adapter());
        Ok(look.and_then(|look| look.why_refused(self.ladder.game.as_deref())).map(|(_, why)| why))
    }
}

/// The hash of a file; a file that cannot be read now may be there when the ladder begins.
fn hash_once(hashed: &mut BTreeMap<PathBuf, (Trace, String)>, file: &Path) -> Option<String> {
    let trace = |seen: Metadata| (seen.ino(), seen.size(), seen.mtime(), seen.mtime_nsec());
    let now = trace(file.metadata().ok()?);
    if let Some((_, hash)) = hashed.get(file).filter(|(then, _)| *then == now) {
        return Some(hash.clone());
    }
    let hash = hash_of(file).ok()?;
    hashed.insert(file.to_owned(), (now, hash.clone()));
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_hashed_again_when_it_changes_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("client.so");
        std::fs::write(&file, "one").unwrap();
        let mut hashed = BTreeMap::new();
        assert_eq!(hash_once(&mut hashed, &file), hash_of(&file).ok());
        hashed.get_mut(&file).unwrap().1 = "remembered".to_owned();
        assert_eq!(hash_once(&mut hashed, &file).unwrap(), "remembered");
        std::fs::write(&file, "another").unwrap();
        assert_eq!(hash_once(&mut hashed, &file), hash_of(&file).ok());
        std::fs::remove_file(&file).unwrap();
        assert_eq!(hash_once(&mut hashed, &file), None);
    }
}

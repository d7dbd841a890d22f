//! A ladder that has not begun, for those who come early: its file, the teams with a link, and the files that do not
//! play, each with its reason as far as somebody has looked.

use agon_command::{Failure, ladder_file};
use agon_files::patterns::look;
use agon_files::{hash_of, refused};
use agon_model::{About, Sources};
use agon_record::Archive;
use agon_web::AwaitedLadder;
use std::path::Path;

/// What its file says.
pub struct Awaited {
    /// The ladder, without its teams and files.
    pub ladder: AwaitedLadder,
    sources: Sources,
}

impl Awaited {
    /// By this ladder file.
    ///
    /// # Errors
    /// It cannot be read, or has errors.
    pub fn of(file: &Path) -> Result<Awaited, Failure> {
        let About { name, game, closing, sources, .. } = ladder_file::read_about(file)?;
        let closing = closing.map(|closing| closing.to_string());
        Ok(Awaited { ladder: AwaitedLadder { name, game, closing, ..AwaitedLadder::default() }, sources })
    }

    /// The files that cannot play, by the names of their clients. No file is looked at for this: the record has the
    /// looks of earlier runs, and a note tells that a file could not be built.
    pub fn refused(&self, store: Option<&dyn Archive>) -> Result<Vec<(String, String)>, Failure> {
        let mut all = Vec::new();
        for client in look(&self.sources) {
            let why = match (refused::is_note(&client.path), store) {
                (true, _) => Some(refused::reason(&client.path)),
                (false, Some(store)) => self.why(store, &client.path)?,
                (false, None) => None,
            };
            all.extend(why.map(|why| (client.label.unwrap_or_default(), why)));
        }
        Ok(all)
    }

    /// Why a file cannot play, if somebody has looked at it.
    fn why(&self, store: &dyn Archive, file: &Path) -> Result<Option<String>, Failure> {
        // A file that cannot be read now may be there when the ladder begins.
        let Ok(hash) = hash_of(file) else { return Ok(None) };
        // An adapter plays for classic clients.
        let look = store.look_at(&hash)?.filter(|look| !look.needs_adapter());
        Ok(look.and_then(|look| look.why_refused(self.ladder.game.as_deref())).map(|(_, why)| why))
    }
}

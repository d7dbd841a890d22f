//! Copies the record at one moment into one file, while a server may go on writing.

use super::check::check;
use super::error::explain;
use super::{RecordError, Result, SqliteRecord, digest};
use rusqlite::Connection;
use rusqlite::backup::Backup;
use std::path::Path;

impl SqliteRecord {
    /// Copies everything into a new file, which opens like the original, and checks all of it. Returns the number of
    /// its bytes.
    ///
    /// # Errors
    /// The record cannot be read or is damaged, or the file cannot be written. A damaged copy is removed.
    pub fn back_up(&self, to: &Path) -> Result<u64> {
        let fail = |error| RecordError::new(to, explain(&error));
        let mut copy = Connection::open(to).map_err(fail)?;
        {
            let backup = Backup::new(&self.db, &mut copy).map_err(fail)?;
            // All pages in one step: they are of one moment, and later writes do not make it begin anew.
            backup.step(-1).map_err(fail)?;
        }
        // Then the file is complete by itself, without a write-ahead log.
        copy.pragma_update(None, "journal_mode", "delete").map_err(fail)?;
        digest::teach(&copy).map_err(fail)?;
        // Pages are copied unchanged, so the copy of a damaged record is damaged as well.
        let checked = check(&copy).map_err(fail)?;
        copy.close().map_err(|(_, error)| fail(error))?;
        if let Some(found) = checked.damage.first() {
            // Nobody should find a damaged copy among the good ones when it is needed.
            let _ = std::fs::remove_file(to);
            let more = checked.damage.len() - 1;
            let more = if more == 0 { String::new() } else { format!(", and {more} more") };
            let help = "restore an older backup; agon doctor --record names all that is damaged";
            return Err(RecordError::new(&self.path, format!("it is damaged: {found}{more}; help: {help}")));
        }
        let size = std::fs::File::open(to).and_then(|file| file.sync_all().and_then(|()| file.metadata()));
        let size = size.map_err(|error| RecordError::new(to, error.to_string()))?;
        Ok(size.len())
    }
}

//! A copy of the record in one file, of one moment, while a server may go on writing.

use super::{Result, Store, StoreError, explain};
use rusqlite::Connection;
use rusqlite::backup::Backup;
use std::path::Path;

impl Store {
    /// Copies everything into a new file, and looks whether it is sound; says how many bytes it has. It opens like the record it is of.
    ///
    /// # Errors
    /// The record cannot be read or is damaged, or the file not be written. A damaged copy is removed.
    pub fn back_up(&self, to: &Path) -> Result<u64> {
        let fail = |error| StoreError { path: to.to_owned(), what: explain(&error) };
        let mut copy = Connection::open(to).map_err(fail)?;
        {
            let backup = Backup::new(&self.db, &mut copy).map_err(fail)?;
            // All pages in one step: they are of one moment, and what is written meanwhile does not make it begin anew.
            backup.step(-1).map_err(fail)?;
        }
        // Then the file stands for itself, without a write-ahead log beside it.
        copy.pragma_update(None, "journal_mode", "delete").map_err(fail)?;
        let found = damage(&copy);
        copy.close().map_err(|(_, error)| fail(error))?;
        if let Some(found) = found {
            // Whoever needs it one day must not find it among the good ones.
            let _ = std::fs::remove_file(to);
            return Err(StoreError::new(&self.path, format!("it is damaged: {found}; help: restore an older backup")));
        }
        let size = std::fs::File::open(to).and_then(|file| file.sync_all().and_then(|()| file.metadata()));
        size.map(|seen| seen.len()).map_err(|error| StoreError { path: to.to_owned(), what: error.to_string() })
    }
}

/// The first thing that is wrong with a database: pages are copied as they are, so that the copy of a damaged record is as damaged.
fn damage(db: &Connection) -> Option<String> {
    let checked = db.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    checked.map_or_else(|error| Some(error.to_string()), |said| (said != "ok").then(|| said.replace('\n', " ")))
}

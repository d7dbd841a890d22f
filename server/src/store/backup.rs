//! A copy of the record in one file, of one moment, while a server may go on writing.

use super::{Result, Store, StoreError, explain};
use rusqlite::Connection;
use rusqlite::backup::Backup;
use std::path::Path;

impl Store {
    /// Copies everything into a new file; says how many bytes it has. It opens like the record it is of.
    ///
    /// # Errors
    /// The record cannot be read, or the file not be written.
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
        copy.close().map_err(|(_, error)| fail(error))?;
        let size = std::fs::File::open(to).and_then(|file| file.sync_all().and_then(|()| file.metadata()));
        size.map(|seen| seen.len()).map_err(|error| StoreError { path: to.to_owned(), what: error.to_string() })
    }
}

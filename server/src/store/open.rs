//! How a record is opened: made where there is none, or only what is there, which is then never begun anew.

use super::{Result, Store, StoreError, explain, schema};
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};

/// The record's file in its folder.
const FILE: &str = "record.sqlite";
/// A file without tables is what a disk or a copy that failed leaves behind: to begin in it would hide that results are lost.
const EMPTY: &str = "it is empty; help: restore it from a backup, or remove the file to begin anew";

impl Store {
    /// Opens the record of a folder, and makes it if there is none.
    ///
    /// # Errors
    /// The folder cannot be written, or the record is another version's.
    pub fn open(out: &Path) -> Result<Store> {
        let path = out.join(FILE);
        let fail = |what: String| StoreError { path: path.clone(), what };
        std::fs::create_dir_all(out).map_err(|error| fail(format!("{error}; help: choose another [output] dir")))?;
        let db = Connection::open(&path).map_err(|error| fail(explain(&error)))?;
        Store::prepared(db, path)
    }

    /// Opens a record that must be there: by its folder, or a copy of it by its file.
    ///
    /// # Errors
    /// There is none, it has no tables, or it cannot be read.
    pub fn open_existing(out: &Path) -> Result<Store> {
        let path = if out.is_file() { out.to_owned() } else { out.join(FILE) };
        let fail = |what: String| StoreError { path: path.clone(), what };
        if !path.exists() {
            let help = "run agon ladder or agon match first, or name its folder by --out";
            return Err(fail(format!("there is none yet; help: {help}")));
        }
        let flags = OpenFlags::default().difference(OpenFlags::SQLITE_OPEN_CREATE);
        let db = Connection::open_with_flags(&path, flags).map_err(|error| fail(explain(&error)))?;
        if !schema::is_begun(&db).map_err(|error| fail(explain(&error)))? {
            return Err(fail(EMPTY.to_owned()));
        }
        Store::prepared(db, path)
    }

    /// With its tables as this version knows them.
    fn prepared(db: Connection, path: PathBuf) -> Result<Store> {
        let fail = |what: String| StoreError { path: path.clone(), what };
        schema::prepare(&db).map_err(|error| fail(explain(&error)))?;
        schema::check(&db).map_err(fail)?;
        Ok(Store { db, path, pack_due: None })
    }
}

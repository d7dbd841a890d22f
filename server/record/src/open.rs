//! Opens a record: makes it if there is none, or opens only an existing one, which it never begins anew.

use super::error::explain;
use super::{Lock, RecordError, Result, SqliteRecord, digest, schema};
use agon_model::{is_shortage, named_if_slow};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use rustix::fs::{Access, access};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The record's file in its folder.
pub(super) const FILE: &str = "record.sqlite";
/// The ending of the write-ahead log's name, after the record's.
const LOG: &str = "-wal";
/// A failed disk or copy leaves a file without tables: beginning in it would hide that results are lost.
const READABLE: &str = "make the file and its folder readable for the user who runs agon";
const EMPTY: &str = "it is empty; help: restore it from a backup, or remove the file to begin anew";

/// Makes the file for its owner alone if there is none, because it contains names and texts of clients. SQLite's other
/// files get the same mode.
fn make_private(path: &Path) -> std::io::Result<()> {
    match std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Refuses to change a copy in one file: the logs and files that belong to a record are in its folder.
///
/// # Errors
/// The path is a file.
pub fn refuse_copy(out: &Path) -> Result<()> {
    if !out.is_file() {
        return Ok(());
    }
    let help = "help: copy it into an empty folder as record.sqlite, and name this folder";
    Err(RecordError::misplaced(out, format!("this is a file; a copy of a record can only be read; {help}")))
}

impl SqliteRecord {
    /// Whether a folder has a record.
    pub fn is_there(out: &Path) -> bool {
        named_if_slow(|| format!("the record in {}", out.display()), || out.join(FILE).is_file())
    }

    /// Opens the record of a folder, and makes it if there is none.
    ///
    /// # Errors
    /// The folder cannot be written, or the record has another version.
    pub fn open(out: &Path) -> Result<SqliteRecord> {
        named_if_slow(|| format!("the record in {}", out.display()), || SqliteRecord::open_now(out))
    }

    fn open_now(out: &Path) -> Result<SqliteRecord> {
        let path = out.join(FILE);
        refuse_copy(out)?;
        let made = std::fs::create_dir_all(out).and_then(|()| make_private(&path));
        made.map_err(|error| {
            let make = if is_shortage(&error) { RecordError::shortage } else { RecordError::new };
            make(
                &path,
                format!("{error}; help: --record DIR puts the record elsewhere; or choose another [output] dir"),
            )
        })?;
        let db = Connection::open(&path).map_err(|error| RecordError::of(&path, &error))?;
        SqliteRecord::prepared(db, path)
    }

    /// Opens the record of a folder to play a ladder into it; while it is open, no other process can.
    ///
    /// # Errors
    /// The same as for `open`, or another process plays this ladder.
    pub fn open_to_play(out: &Path, ladder: &str) -> Result<SqliteRecord> {
        let lock = named_if_slow(|| format!("the record in {}", out.display()), || Lock::take(out, ladder))?;
        Ok(SqliteRecord { _lock: Some(lock), ..SqliteRecord::open(out)? })
    }

    /// Opens a record that must exist: by its folder, or a copy by its file. It can be read even if it cannot be
    /// written.
    ///
    /// # Errors
    /// There is no record, it has no tables, or it cannot be read.
    pub fn open_existing(out: &Path) -> Result<SqliteRecord> {
        named_if_slow(|| format!("the record in {}", out.display()), || SqliteRecord::open_existing_now(out))
    }

    fn open_existing_now(out: &Path) -> Result<SqliteRecord> {
        let path = if out.is_file() { out.to_owned() } else { out.join(FILE) };
        let fail = |what: String| RecordError::new(&path, what);
        match path.metadata() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let help = "run agon ladder or agon match first, or name its folder by --record";
                return Err(fail(format!("there is none yet; help: {help}")));
            }
            Err(error) => return Err(fail(format!("{error}; help: {READABLE}"))),
            Ok(_) if access(&path, Access::READ_OK).is_err() => {
                return Err(fail(format!("it may not be read; help: {READABLE}")));
            }
            Ok(_) if !may_be_written(&path) => return SqliteRecord::open_to_read(path),
            Ok(_) => {}
        }
        let flags = OpenFlags::default().difference(OpenFlags::SQLITE_OPEN_CREATE);
        let db = Connection::open_with_flags(&path, flags).map_err(|error| fail(explain(&error)))?;
        if !schema::is_begun(&db).map_err(|error| fail(explain(&error)))? {
            return Err(fail(EMPTY.to_owned()));
        }
        SqliteRecord::prepared(db, path)
    }

    /// Opens a record of another owner, unchanged.
    fn open_to_read(path: PathBuf) -> Result<SqliteRecord> {
        let fail = |what: String| RecordError::new(&path, what);
        let logged = [LOG, "-journal"].iter().any(|part| beside(&path, part).exists());
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = match logged {
            true => Connection::open_with_flags(&path, flags),
            // Without a log, SQLite would make one, unless it knows that nobody writes.
            false => unchanging(&path).and_then(|uri| Connection::open_with_flags(uri, flags)),
        };
        let db = db.map_err(|error| fail(explain_unwritable(&error)))?;
        if !schema::is_begun(&db).map_err(|error| fail(explain_unwritable(&error)))? {
            return Err(fail(EMPTY.to_owned()));
        }
        schema::check(&db).map_err(fail)?;
        digest::teach(&db).map_err(|error| fail(explain(&error)))?;
        Ok(SqliteRecord { db, path, pack_due: None, _lock: None })
    }

    /// Prepares a connection with the tables of this version.
    fn prepared(db: Connection, path: PathBuf) -> Result<SqliteRecord> {
        let fail = |what: String| RecordError::new(&path, what);
        schema::prepare(&db).map_err(|error| RecordError::of(&path, &error))?;
        schema::check(&db).map_err(fail)?;
        Ok(SqliteRecord { db, path, pack_due: None, _lock: None })
    }
}

/// A file of SQLite's next to the record: its path with a suffix.
fn beside(path: &Path, part: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(part);
    name.into()
}

/// Whether SQLite can write the file, and make and write two next to it. It opens nothing: closing a file that this
/// process has open as a database would drop its locks.
fn may_be_written(path: &Path) -> bool {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let parts = [LOG, "-shm"].map(|part| beside(path, part));
    let existing = parts.iter().map(PathBuf::as_path).filter(|part| part.exists());
    [path, folder].into_iter().chain(existing).all(|file| access(file, Access::WRITE_OK).is_ok())
}

/// The URI of a database that nobody writes.
fn unchanging(path: &Path) -> rusqlite::Result<String> {
    let path = std::path::absolute(path).map_err(|_| rusqlite::Error::InvalidPath(path.to_owned()))?;
    let encoded = path.as_os_str().as_bytes().iter().map(|byte| match byte {
        b'/' | b'-' | b'.' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => char::from(*byte).to_string(),
        _ => format!("%{byte:02x}"),
    });
    Ok(format!("file://{}?immutable=1", encoded.collect::<String>()))
}

/// Explains an error where nothing can be written: a log can only be read with its index.
fn explain_unwritable(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) => format!(
            "{error}: its newest blocks are in the file that ends in {LOG}, which can only be read where the folder may be \
             written; help: run this as the owner of the folder, or on a copy of all its record.sqlite files"
        ),
        _ => explain(error),
    }
}

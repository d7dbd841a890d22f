//! The tables of the record, and their version.

use rusqlite::Connection;
use std::time::Duration;

/// Grows with every change of the tables.
const VERSION: i64 = 1;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS ladder (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, game TEXT NOT NULL, seats INTEGER NOT NULL,
    seed INTEGER NOT NULL, seed_drawn INTEGER NOT NULL, comparable TEXT NOT NULL, settings TEXT NOT NULL,
    begun INTEGER NOT NULL, used INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS entrant (
    id INTEGER PRIMARY KEY, ladder INTEGER NOT NULL REFERENCES ladder, hash TEXT NOT NULL, options TEXT NOT NULL,
    copy INTEGER NOT NULL DEFAULT 0, label TEXT NOT NULL, file TEXT NOT NULL, refused TEXT,
    UNIQUE (ladder, hash, options, copy)) STRICT;
CREATE TABLE IF NOT EXISTS block (
    row INTEGER PRIMARY KEY, ladder INTEGER NOT NULL REFERENCES ladder, id TEXT NOT NULL,
    setting INTEGER NOT NULL, opening INTEGER NOT NULL, UNIQUE (ladder, id)) STRICT;
CREATE TABLE IF NOT EXISTS match (
    row INTEGER PRIMARY KEY, block INTEGER NOT NULL REFERENCES block, id TEXT NOT NULL, ending TEXT NOT NULL,
    plies INTEGER NOT NULL, started INTEGER NOT NULL, wall_us INTEGER NOT NULL, steps BLOB NOT NULL, outputs TEXT) STRICT;
CREATE INDEX IF NOT EXISTS match_id ON match (id);
CREATE INDEX IF NOT EXISTS match_block ON match (block);
CREATE TABLE IF NOT EXISTS seat (
    match INTEGER NOT NULL REFERENCES match, seat INTEGER NOT NULL, entrant INTEGER NOT NULL REFERENCES entrant,
    score INTEGER NOT NULL, rank INTEGER NOT NULL, fault TEXT, notices INTEGER NOT NULL, detail TEXT NOT NULL,
    PRIMARY KEY (match, seat)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS void (
    ladder INTEGER NOT NULL REFERENCES ladder, block TEXT NOT NULL, cause TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS look (
    hash TEXT NOT NULL, context TEXT NOT NULL, look TEXT NOT NULL, PRIMARY KEY (hash, context)) STRICT;
";

/// Sets the connection up, and makes the tables where there are none.
pub fn prepare(db: &Connection) -> rusqlite::Result<()> {
    // A reader beside the writer waits instead of failing.
    db.busy_timeout(Duration::from_secs(10))?;
    db.pragma_update(None, "journal_mode", "wal")?;
    // With a write-ahead log this loses at most the last blocks at a power cut, and nothing when only the server dies.
    db.pragma_update(None, "synchronous", "normal")?;
    db.pragma_update(None, "foreign_keys", true)?;
    let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version == 0 {
        db.execute_batch(&format!("BEGIN IMMEDIATE; {TABLES} PRAGMA user_version = {VERSION}; COMMIT;"))?;
    }
    Ok(())
}

/// Whether this program can use the tables.
///
/// # Errors
/// They are of another version: a sentence with what to do.
pub fn check(db: &Connection) -> Result<(), String> {
    let version: i64 =
        db.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(|error| error.to_string())?;
    if version == VERSION {
        return Ok(());
    }
    Err(format!(
        "its version is {version}, this agon knows {VERSION}; help: use the agon that wrote it, or another [output] dir"
    ))
}

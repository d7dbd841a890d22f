//! The tables of the record, and their version.

use super::digest;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::time::Duration;

/// The version, which grows with every change of the tables or of what they hold. That of the first release is 13;
/// earlier ones were never released.
const VERSION: i64 = 13;

/// All tables. Data for standings and lists is narrow; data of single matches stands apart, in `detail`. One index finds
/// ids by their beginning, so that appending touches one place instead of two. A `digest` is of its row, and that of a
/// block is of all its matches. A `stage` has one row when it is paired, and another one with the points after all
/// its meetings are played. `frozen` is the closing time by which files were frozen, in seconds since 1970; `ended` is 1
/// when everything is played that will be. A `pack` has the results of many blocks in one value, up to the block in row
/// `last`.
const TABLES: &str = "
CREATE TABLE ladder (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, game TEXT NOT NULL, seats INTEGER NOT NULL,
    seed INTEGER NOT NULL, seed_drawn INTEGER NOT NULL, terms TEXT NOT NULL, settings TEXT NOT NULL,
    begun INTEGER NOT NULL, used INTEGER NOT NULL, frozen INTEGER,
    ended INTEGER NOT NULL DEFAULT 0, digest INTEGER) STRICT;
CREATE TABLE entrant (
    id INTEGER PRIMARY KEY, ladder INTEGER NOT NULL REFERENCES ladder, hash TEXT NOT NULL, options TEXT NOT NULL,
    copy INTEGER NOT NULL DEFAULT 0, label TEXT NOT NULL, file TEXT NOT NULL, refused TEXT,
    team TEXT NOT NULL DEFAULT '', version INTEGER NOT NULL DEFAULT 1, present INTEGER NOT NULL DEFAULT 1,
    digest INTEGER, UNIQUE (ladder, hash, options, copy)) STRICT;
CREATE TABLE suspension (
    id INTEGER PRIMARY KEY, ladder INTEGER NOT NULL REFERENCES ladder, entrant INTEGER NOT NULL REFERENCES entrant,
    kind TEXT NOT NULL, by_hand INTEGER NOT NULL, why TEXT NOT NULL, since INTEGER NOT NULL, schedule TEXT NOT NULL,
    at INTEGER NOT NULL, let_back INTEGER, counted INTEGER NOT NULL DEFAULT 0, digest INTEGER) STRICT;
CREATE INDEX suspension_ladder ON suspension (ladder);
CREATE TABLE block (
    row INTEGER PRIMARY KEY, ladder INTEGER NOT NULL REFERENCES ladder, id TEXT NOT NULL,
    setting INTEGER NOT NULL, opening INTEGER NOT NULL, digest INTEGER) STRICT;
CREATE UNIQUE INDEX block_id ON block (id, ladder);
CREATE INDEX block_ladder ON block (ladder);
CREATE TABLE match (
    row INTEGER PRIMARY KEY, block INTEGER NOT NULL REFERENCES block, id TEXT NOT NULL, ending TEXT NOT NULL,
    plies INTEGER NOT NULL, started INTEGER NOT NULL, wall_us INTEGER NOT NULL, start INTEGER NOT NULL,
    moves_hash INTEGER NOT NULL) STRICT;
CREATE INDEX match_block ON match (block);
CREATE TABLE seat (
    match INTEGER NOT NULL REFERENCES match, seat INTEGER NOT NULL, entrant INTEGER NOT NULL REFERENCES entrant,
    score INTEGER NOT NULL, rank INTEGER NOT NULL, fault TEXT, notices INTEGER NOT NULL,
    PRIMARY KEY (match, seat)) STRICT, WITHOUT ROWID;
CREATE TABLE detail (
    match INTEGER PRIMARY KEY REFERENCES match, steps BLOB NOT NULL, seats TEXT NOT NULL, outputs TEXT) STRICT;
CREATE TABLE void (
    ladder INTEGER NOT NULL REFERENCES ladder, block TEXT NOT NULL, cause TEXT NOT NULL, at INTEGER NOT NULL,
    digest INTEGER) STRICT;
CREATE TABLE excuse (
    ladder INTEGER NOT NULL REFERENCES ladder, entrant INTEGER NOT NULL REFERENCES entrant, cause TEXT NOT NULL,
    at INTEGER NOT NULL, digest INTEGER) STRICT;
CREATE INDEX excuse_ladder ON excuse (ladder);
CREATE TABLE look (
    hash TEXT NOT NULL, context TEXT NOT NULL, look TEXT NOT NULL, digest INTEGER,
    PRIMARY KEY (hash, context)) STRICT;
CREATE TABLE stage (
    ladder INTEGER NOT NULL REFERENCES ladder, number INTEGER NOT NULL, closed INTEGER NOT NULL, content TEXT NOT NULL,
    digest INTEGER, PRIMARY KEY (ladder, number, closed)) STRICT, WITHOUT ROWID;
CREATE TABLE pack (
    row INTEGER PRIMARY KEY, ladder INTEGER NOT NULL REFERENCES ladder, last INTEGER NOT NULL,
    results BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX pack_last ON pack (ladder, last);
";

/// How long a reader waits for the writer instead of failing.
const LOCK_LIMIT: Duration = Duration::from_secs(10);

/// Pages of 4 KiB in the write-ahead log before it is written into the record.
const CHECKPOINT_PAGES: i64 = 16_384;

/// Sets up the connection, and makes the tables if there are none.
pub fn prepare(db: &Connection) -> rusqlite::Result<()> {
    db.busy_timeout(LOCK_LIMIT)?;
    db.pragma_update(None, "journal_mode", "wal")?;
    // With a write-ahead log, a power cut loses at most the last blocks, and the end of the server alone loses nothing.
    db.pragma_update(None, "synchronous", "normal")?;
    // A checkpoint waits for the disk: rare and large ones are better.
    db.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    if version(db)? == 0 {
        let transaction = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
        // It asks again, because another process may have been faster.
        if version(db)? == 0 && !has_tables(db)? {
            db.execute_batch(TABLES)?;
            db.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.commit()?;
    }
    db.pragma_update(None, "foreign_keys", true)?;
    // Ids are spread randomly over their index: with its upper pages in memory, appending costs the same at any length.
    db.pragma_update(None, "cache_size", -8_192)?;
    digest::teach(db)?;
    // Tables of another version may have other columns; the next request refuses them.
    if version(db)? == VERSION { digest::keep_on_writing(db) } else { Ok(()) }
}

/// Whether there are any tables.
pub fn is_begun(db: &Connection) -> rusqlite::Result<bool> {
    db.busy_timeout(LOCK_LIMIT)?;
    has_tables(db)
}

fn has_tables(db: &Connection) -> rusqlite::Result<bool> {
    db.query_row("SELECT EXISTS (SELECT 1 FROM sqlite_schema)", [], |row| row.get(0))
}

fn version(db: &Connection) -> rusqlite::Result<i64> {
    db.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Checks that this program can use the tables.
///
/// # Errors
/// They have another version; the error is a sentence with what to do.
pub fn check(db: &Connection) -> Result<(), String> {
    let version = version(db).map_err(|error| error.to_string())?;
    if version == VERSION {
        return Ok(());
    }
    if version == 0 {
        return Err("it is no record of agon; help: choose another [output] dir".to_owned());
    }
    Err(refuse_version(version, VERSION, "[output] dir"))
}

/// Why a record of another version cannot be used, and what to do with it; `place` is what another record needs.
pub fn refuse_version(version: i64, known: i64, place: &str) -> String {
    let help = if version < known {
        format!(
            "export it with the agon that wrote it, by agon record export jsonl, and import that into another {place}, by \
             agon record import"
        )
    } else {
        format!("use the agon that wrote it, or another {place}")
    };
    format!("its version is {version}, this agon knows {known}; help: {help}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_before_the_first_release_is_refused_untouched() {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch("CREATE TABLE ladder (id INTEGER); PRAGMA user_version = 3;").unwrap();
        prepare(&db).unwrap();
        assert!(check(&db).unwrap_err().contains("agon record export jsonl"));
        let tables: i64 = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).unwrap();
        assert_eq!(tables, 1);
    }

    #[test]
    fn a_later_version_is_refused() {
        let db = Connection::open_in_memory().unwrap();
        db.pragma_update(None, "user_version", VERSION + 1).unwrap();
        prepare(&db).unwrap();
        assert!(check(&db).unwrap_err().contains("use the agon that wrote it"));
    }
}

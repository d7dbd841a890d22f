//! The tables of the record, and their version.

use super::digest;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::time::Duration;

/// The version, which grows with every change of the tables.
const VERSION: i64 = 1 + CHANGES.len() as i64;

/// The changes from each version to the next, the first from 1 to 2. They are never changed, only added: records of all
/// versions exist somewhere.
const CHANGES: [&str; 9] = [ENTRANTS, NARROW, GAMES, STAGES, LEASES, FROZEN, PACKS, DIGESTS, EXCUSES];

/// Entrants get versions and can be set aside.
const ENTRANTS: &str = "
ALTER TABLE entrant ADD COLUMN team TEXT NOT NULL DEFAULT '';
ALTER TABLE entrant ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE entrant ADD COLUMN present INTEGER NOT NULL DEFAULT 1;
UPDATE entrant SET team = label;
UPDATE entrant SET version = (SELECT count(*) FROM entrant AS other
    WHERE other.ladder = entrant.ladder AND other.team = entrant.team AND other.id <= entrant.id);
UPDATE entrant SET label = team || '@' || version WHERE version > 1;
CREATE TABLE aside (
    id INTEGER PRIMARY KEY, ladder INTEGER NOT NULL REFERENCES ladder, entrant INTEGER NOT NULL REFERENCES entrant,
    kind TEXT NOT NULL, by_hand INTEGER NOT NULL, why TEXT NOT NULL, since INTEGER NOT NULL, schedule TEXT NOT NULL,
    at INTEGER NOT NULL, let_back INTEGER, counted INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX aside_ladder ON aside (ladder);
";

/// The data for standings and lists becomes narrow, and data of single matches moves apart. One index finds ids by
/// their beginning, so that appending touches one place instead of two.
const NARROW: &str = "
CREATE TABLE whole (
    match INTEGER PRIMARY KEY REFERENCES match, steps BLOB NOT NULL, seats TEXT NOT NULL, outputs TEXT) STRICT;
INSERT INTO whole SELECT row, steps,
    (SELECT json_group_array(json(detail) ORDER BY seat) FROM seat WHERE seat.match = match.row), outputs FROM match;
ALTER TABLE seat DROP COLUMN detail;
ALTER TABLE match DROP COLUMN steps;
ALTER TABLE match DROP COLUMN outputs;
DROP INDEX match_id;
CREATE TABLE narrow (
    row INTEGER PRIMARY KEY, ladder INTEGER NOT NULL REFERENCES ladder, id TEXT NOT NULL,
    setting INTEGER NOT NULL, opening INTEGER NOT NULL) STRICT;
INSERT INTO narrow SELECT row, ladder, id, setting, opening FROM block;
DROP TABLE block;
ALTER TABLE narrow RENAME TO block;
CREATE UNIQUE INDEX block_id ON block (id, ladder);
CREATE INDEX block_ladder ON block (ladder);
";

/// A match gets hashes of its first state and of its moves; for older ones these are unknown.
const GAMES: &str = "
ALTER TABLE match ADD COLUMN start INTEGER;
ALTER TABLE match ADD COLUMN game INTEGER;
";

/// Meetings that were drawn from results: one row when they are drawn, another one with the points after all are
/// played.
const STAGES: &str = "
CREATE TABLE stage (
    ladder INTEGER NOT NULL REFERENCES ladder, number INTEGER NOT NULL, closed INTEGER NOT NULL, content TEXT NOT NULL,
    PRIMARY KEY (ladder, number, closed)) STRICT, WITHOUT ROWID;
";

/// Blocks that workers have claimed and not delivered yet.
const LEASES: &str = "
CREATE TABLE lease (
    ladder INTEGER NOT NULL REFERENCES ladder, block TEXT NOT NULL, worker TEXT NOT NULL, until INTEGER NOT NULL,
    PRIMARY KEY (ladder, block)) STRICT, WITHOUT ROWID;
";

/// The closing time by which the files of a ladder were frozen, seconds since 1970.
const FROZEN: &str = "
ALTER TABLE ladder ADD COLUMN frozen INTEGER;
";

/// The results of many blocks in one value each, up to the block in row `last`.
const PACKS: &str = "
CREATE TABLE pack (
    row INTEGER PRIMARY KEY, ladder INTEGER NOT NULL REFERENCES ladder, last INTEGER NOT NULL, results BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX pack_last ON pack (ladder, last);
";

/// Blocks and rows get digests. Older ones have none until `agon doctor --record` gives them those of their present
/// contents. A silent digest would vouch for contents that nobody has checked.
const DIGESTS: &str = "
ALTER TABLE block ADD COLUMN digest INTEGER;
ALTER TABLE ladder ADD COLUMN digest INTEGER;
ALTER TABLE entrant ADD COLUMN digest INTEGER;
ALTER TABLE aside ADD COLUMN digest INTEGER;
ALTER TABLE void ADD COLUMN digest INTEGER;
ALTER TABLE stage ADD COLUMN digest INTEGER;
ALTER TABLE look ADD COLUMN digest INTEGER;
";

/// Matches that were void because of a client, one row each.
const EXCUSES: &str = "
CREATE TABLE excuse (
    ladder INTEGER NOT NULL REFERENCES ladder, entrant INTEGER NOT NULL REFERENCES entrant, cause TEXT NOT NULL,
    at INTEGER NOT NULL, digest INTEGER) STRICT;
CREATE INDEX excuse_ladder ON excuse (ladder);
";

/// The tables of version 1.
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

/// How long a reader waits for the writer instead of failing.
const PATIENCE: Duration = Duration::from_secs(10);

/// Pages of 4 KiB in the write-ahead log before it is written into the record.
const CHECKPOINT_PAGES: i64 = 16_384;

/// Sets up the connection, makes the tables if there are none, and updates older ones.
pub fn prepare(db: &Connection) -> rusqlite::Result<()> {
    db.busy_timeout(PATIENCE)?;
    db.pragma_update(None, "journal_mode", "wal")?;
    // With a write-ahead log, a power cut loses at most the last blocks, and the end of the server alone loses nothing.
    db.pragma_update(None, "synchronous", "normal")?;
    // A checkpoint waits for the disk: rare and large ones are better.
    db.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    // While tables change, rows may point to a table that is just being replaced.
    db.pragma_update(None, "foreign_keys", false)?;
    if version(db)? < VERSION {
        let transaction = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
        // It asks again, because another process may have been faster.
        let from = version(db)?;
        if from == 0 {
            db.execute_batch(TABLES)?;
        }
        for change in CHANGES.iter().skip(from.max(1) as usize - 1) {
            db.execute_batch(change)?;
        }
        db.pragma_update(None, "user_version", VERSION.max(from))?;
        transaction.commit()?;
    }
    db.pragma_update(None, "foreign_keys", true)?;
    // Ids are spread randomly over their index: with its upper pages in memory, appending costs the same at any length.
    db.pragma_update(None, "cache_size", -8_192)?;
    digest::teach(db)?;
    // Tables of a later version may have other columns; the next request refuses them.
    if version(db)? == VERSION { digest::keep_on_writing(db) } else { Ok(()) }
}

/// Whether there are any tables.
pub fn is_begun(db: &Connection) -> rusqlite::Result<bool> {
    db.busy_timeout(PATIENCE)?;
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
    Err(format!(
        "its version is {version}, this agon knows {VERSION}; help: use the agon that wrote it, or another [output] dir"
    ))
}

/// Checks that this program can use the tables of a record that it may only read.
///
/// # Errors
/// They have another version; the error is a sentence with what to do.
pub fn check_unwritable(db: &Connection) -> Result<(), String> {
    match version(db).map_err(|error| error.to_string())? {
        older if older < VERSION => Err(format!(
            "its version is {older}, this agon knows {VERSION} and may not bring it up to date here; help: open it once where it \
             may be written, for instance by agon standings as its owner, or on a copy of it"
        )),
        _ => check(db),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_version_1_is_brought_up_to_date() {
        let folder = tempfile::tempdir().unwrap();
        let db = Connection::open(folder.path().join("record.sqlite")).unwrap();
        db.execute_batch(TABLES).unwrap();
        db.execute_batch(
            "INSERT INTO ladder VALUES (1, 'class', 'chess', 2, 1, 0, '[]', '[]', 0, 0);
             INSERT INTO entrant VALUES (1, 1, 'aa', '{}', 0, 'red', 'red.so', NULL);
             INSERT INTO entrant VALUES (2, 1, 'bb', '{}', 0, 'blue', 'blue.so', NULL);
             INSERT INTO entrant VALUES (3, 1, 'cc', '{}', 0, 'red', 'red.so', NULL);
             PRAGMA user_version = 1;",
        )
        .unwrap();
        prepare(&db).unwrap();
        prepare(&db).unwrap();
        assert_eq!(check(&db), Ok(()));
        let mut select = db.prepare("SELECT label, team, version FROM entrant ORDER BY id").unwrap();
        let read = |row: &rusqlite::Row| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let rows: Vec<(String, String, i64)> = select.query_map([], read).unwrap().map(Result::unwrap).collect();
        let expected = [("red", "red", 1), ("blue", "blue", 1), ("red@2", "red", 2)];
        assert_eq!(rows, expected.map(|(label, team, version)| (label.to_owned(), team.to_owned(), version)));
    }

    #[test]
    fn a_later_version_is_refused() {
        let db = Connection::open_in_memory().unwrap();
        db.pragma_update(None, "user_version", VERSION + 1).unwrap();
        prepare(&db).unwrap();
        assert!(check(&db).unwrap_err().contains("use the agon that wrote it"));
    }
}

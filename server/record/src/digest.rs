//! Digests show damage that a database does not notice. Each block has a digest of all its data, and so has each row of
//! the tables without blocks. They show the errors of a disk, not those of a person: anyone who can write to the record
//! can write a digest.

use agon_model::BlockRow;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, params};

/// The tables that do not belong to blocks, each with the fixed columns of a row and the other columns of its digest.
/// Each row has its own digest. Triggers of the connection update it, so that no writer can forget it. Leases are
/// missing because they end in minutes, and packs because they are compared with their sources.
pub const TABLES: [(&str, &[&str], &[&str]); 7] = [
    (
        "ladder",
        &["id"],
        &["name", "game", "seats", "seed", "seed_drawn", "terms", "settings", "begun", "used", "frozen", "ended"],
    ),
    (
        "entrant",
        &["id"],
        &["ladder", "hash", "options", "copy", "label", "file", "refused", "team", "version", "present"],
    ),
    (
        "suspension",
        &["id"],
        &["ladder", "entrant", "kind", "by_hand", "why", "since", "schedule", "at", "let_back", "counted"],
    ),
    ("excuse", &["rowid"], &["ladder", "entrant", "cause", "at"]),
    ("void", &["rowid"], &["ladder", "block", "cause", "at"]),
    ("stage", &["ladder", "number", "closed"], &["content"]),
    ("look", &["hash", "context"], &["look"]),
];

const BLOCK: &str = "SELECT ladder, id, setting, opening FROM block WHERE row = ?1";
/// Reads the matches of a block, after their rows.
const MATCHES: &str = "SELECT row, id, ending, plies, started, wall_us, start, moves_hash, steps, seats, outputs
    FROM match LEFT JOIN detail ON detail.match = match.row WHERE block = ?1 ORDER BY row";
/// Reads the seats of a match.
const SEATS: &str = "SELECT seat, entrant, score, rank, fault, notices FROM seat WHERE match = ?1 ORDER BY seat";

/// A digest of stored values in order. With 64 bits, one damage in 10^19 stays unseen. The values are collected and
/// hashed together, many pieces at once instead of one after the other.
pub struct Digest(Vec<u8>);

impl Digest {
    /// Begins with an empty digest.
    pub fn new() -> Digest {
        Digest(Vec::new())
    }

    /// Adds values that a statement is about to store: numbers, texts and bytes.
    pub fn add(&mut self, values: &[&dyn ToSql]) {
        for value in values {
            match value.to_sql() {
                Ok(ToSqlOutput::Borrowed(value)) => self.add_value(value),
                Ok(ToSqlOutput::Owned(value)) => self.add_value((&value).into()),
                _ => self.add_value(ValueRef::Null),
            }
        }
    }

    /// Adds a stored value: its type, its length if that varies, and its bytes.
    fn add_value(&mut self, value: ValueRef<'_>) {
        let (kind, bytes): (u8, &[u8]) = match value {
            ValueRef::Null => (0, &[]),
            ValueRef::Integer(number) => {
                self.put(1, &number.to_le_bytes());
                return;
            }
            ValueRef::Real(number) => {
                self.put(2, &number.to_bits().to_le_bytes());
                return;
            }
            ValueRef::Text(bytes) => (3, bytes),
            ValueRef::Blob(bytes) => (4, bytes),
        };
        self.put(kind, &(bytes.len() as u64).to_le_bytes());
        self.0.extend_from_slice(bytes);
    }

    fn put(&mut self, kind: u8, word: &[u8; 8]) {
        self.0.push(kind);
        self.0.extend_from_slice(word);
    }

    /// The number to store.
    pub fn number(&self) -> i64 {
        let digest = *blake3::hash(&self.0).as_bytes();
        i64::from_le_bytes(std::array::from_fn(|index| digest[index]))
    }
}

/// The digest of a block as it is stored.
pub fn of_block(db: &Connection, block: BlockRow) -> rusqlite::Result<i64> {
    let mut digest = Digest::new();
    let mut add = |row: &rusqlite::Row, from: usize| -> rusqlite::Result<()> {
        (from..row.as_ref().column_count()).try_for_each(|column| {
            digest.add_value(row.get_ref(column)?);
            Ok(())
        })
    };
    db.prepare_cached(BLOCK)?.query_row([block.0], |row| add(row, 0))?;
    let mut matches = db.prepare_cached(MATCHES)?;
    let mut seats = db.prepare_cached(SEATS)?;
    let mut rows = matches.query([block.0])?;
    while let Some(row) = rows.next()? {
        add(row, 1)?;
        let mut rows = seats.query([row.get::<_, i64>(0)?])?;
        while let Some(row) = rows.next()? {
            add(row, 0)?;
        }
    }
    Ok(digest.number())
}

/// Whether a block is unchanged since it was kept.
pub fn is_sound(db: &Connection, block: BlockRow) -> rusqlite::Result<bool> {
    let select = "SELECT digest FROM block WHERE row = ?1";
    let kept: Option<i64> = db.prepare_cached(select)?.query_row([block.0], |row| row.get(0))?;
    Ok(kept == Some(of_block(db, block)?))
}

/// Stores the digest of a block.
pub fn keep(db: &Connection, block: BlockRow, digest: i64) -> rusqlite::Result<()> {
    db.prepare_cached("UPDATE block SET digest = ?2 WHERE row = ?1")?.execute(params![block.0, digest]).map(drop)
}

/// Teaches a connection the function `digest(...)`.
pub fn teach(db: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    db.create_scalar_function("digest", -1, flags, |context| {
        let mut digest = Digest::new();
        (0..context.len()).for_each(|index| digest.add_value(context.get_raw(index)));
        Ok(digest.number())
    })
}

/// From this call on, all rows without blocks that this connection writes get their digests. A row that was damaged
/// before keeps its old digest.
pub fn keep_on_writing(db: &Connection) -> rusqlite::Result<()> {
    TABLES.iter().try_for_each(|(table, key, rest)| {
        let here = key.iter().map(|column| format!("{column} = NEW.{column}")).collect::<Vec<_>>().join(" AND ");
        let (new, old) = (of_row(table, "NEW."), of_row(table, "OLD."));
        db.execute_batch(&format!(
            "CREATE TEMP TRIGGER IF NOT EXISTS {table}_kept AFTER INSERT ON main.{table} BEGIN
                 UPDATE {table} SET digest = {new} WHERE {here}; END;
             CREATE TEMP TRIGGER IF NOT EXISTS {table}_changed AFTER UPDATE OF {} ON main.{table}
                 WHEN OLD.digest = {old} BEGIN
                 UPDATE {table} SET digest = {new} WHERE {here}; END;",
            rest.join(", ")
        ))
    })
}

/// The SQL for the digest of a row, its columns after `prefix`. A row's own number is not part of it, because it may
/// change.
pub fn of_row(table: &str, prefix: &str) -> String {
    let found = TABLES.iter().find(|(name, ..)| *name == table);
    let columns = found.iter().flat_map(|(_, key, rest)| key.iter().chain(*rest));
    let columns = columns.filter(|column| **column != "rowid").map(|column| format!("{prefix}{column}"));
    format!("digest({})", columns.collect::<Vec<_>>().join(", "))
}

//! Answers readers while others write: whether anything has changed, and which ladders there are.

use super::open::FILE;
use super::{Result, SqliteRecord, query, select};
use agon_model::LadderRow;
use rusqlite::Row;
use std::path::Path;

impl SqliteRecord {
    /// Whether a folder has a record.
    pub fn is_there(out: &Path) -> bool {
        agon_model::named_if_slow(|| format!("the record in {}", out.display()), || out.join(FILE).is_file())
    }

    /// A number that changes when another process has written since the last call.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn changes(&self) -> Result<i64> {
        self.db.query_row("PRAGMA data_version", [], |row| row.get(0)).map_err(|error| self.fail(error))
    }

    /// The ladders, with the number of blocks played in each; the one worked on last comes first.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn ladders(&self) -> Result<Vec<(LadderRow, u64)>> {
        let read = |row: &Row| Ok((query::read_ladder(row)?, row.get::<_, i64>(8)? as u64));
        self.all(select::LADDERS, [], read)
    }
}

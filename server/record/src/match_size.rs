//! Measures the space of a match in the record.

use super::{Result, SqliteRecord};
use rusqlite::{OptionalExtension, Row};

/// The number of newest matches for the mean.
const SAMPLE: i64 = 200;
/// Bytes of a match in addition to its steps, texts and seats: rows, ids, entries of indexes, its part of a pack.
const AROUND: u64 = 290;

/// The mean size of the newest matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchSize {
    /// Bytes in the record.
    pub record: u64,
    /// The number of steps.
    pub steps: u64,
    /// Bytes of the clients' prints.
    pub outputs: u64,
}

impl SqliteRecord {
    pub(super) fn match_size(&self, game: &str, seats: usize) -> Result<Option<MatchSize>> {
        let newest =
            "SELECT length(steps) AS steps, coalesce(length(outputs), 0) AS outputs, length(seats) AS seats FROM block
                      JOIN match ON match.block = block.row JOIN detail ON detail.match = match.row WHERE block.ladder =
                      (SELECT id FROM ladder WHERE game = ?1 AND seats = ?2 AND EXISTS
                       (SELECT 1 FROM block WHERE block.ladder = ladder.id) ORDER BY used DESC, id DESC LIMIT 1)
                      ORDER BY block.row DESC LIMIT ?3";
        let select = format!("SELECT count(*), total(steps), total(outputs), total(seats) FROM ({newest})");
        let read = |row: &Row| {
            let (count, steps, outputs): (i64, f64, f64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok((count, steps, outputs, row.get::<_, f64>(3)?))
        };
        let found = self.db.query_row(&select, rusqlite::params![game, seats as i64, SAMPLE], read).optional();
        let Some((count @ 1.., steps, outputs, details)) = found.map_err(|error| self.fail(error))? else {
            return Ok(None);
        };
        let mean = |total: f64| (total / count as f64) as u64;
        let record = mean(steps + outputs + details) + AROUND;
        Ok(Some(MatchSize { record, steps: mean(steps) / 48, outputs: mean(outputs) }))
    }
}

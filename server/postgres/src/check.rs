//! Checks whether a record is unchanged: that every row belongs to something, and contents by their digests.

use crate::connection::PostgresRecord;
use agon_model::LadderId;
use agon_record::{Checked, EncodedBlock, EntrantIndex, Result};
use postgres::Row;

/// The most findings to report.
const MOST_FINDINGS: usize = 20;
/// Rows that belong to nothing, with their kind and the missing part.
const STRAY: [(&str, &str, &str); 6] = [
    ("match", "block", "SELECT count(*) FROM match WHERE NOT EXISTS (SELECT 1 FROM block WHERE number = match.block)"),
    ("seat", "match", "SELECT count(*) FROM seat WHERE NOT EXISTS (SELECT 1 FROM match WHERE number = seat.match)"),
    ("seat", "entrant", "SELECT count(*) FROM seat WHERE NOT EXISTS (SELECT 1 FROM entrant WHERE id = seat.entrant)"),
    ("block", "ladder", "SELECT count(*) FROM block WHERE NOT EXISTS (SELECT 1 FROM ladder WHERE id = block.ladder)"),
    (
        "entrant",
        "ladder",
        "SELECT count(*) FROM entrant WHERE NOT EXISTS (SELECT 1 FROM ladder WHERE id = entrant.ladder)",
    ),
    ("stage", "ladder", "SELECT count(*) FROM stage WHERE NOT EXISTS (SELECT 1 FROM ladder WHERE id = stage.ladder)"),
];
/// Tables with a digest for each row, and their changed rows.
const ROWS: [(&str, &str); 7] = [
    ("ladder", "SELECT id::text FROM ladder AS r WHERE digest IS DISTINCT FROM row_digest(to_jsonb(r))"),
    ("entrant", "SELECT id::text FROM entrant AS r WHERE digest IS DISTINCT FROM row_digest(to_jsonb(r))"),
    ("suspension", "SELECT id::text FROM suspension AS r WHERE digest IS DISTINCT FROM row_digest(to_jsonb(r))"),
    ("excuse", "SELECT ctid::text FROM excuse AS r WHERE digest IS DISTINCT FROM row_digest(to_jsonb(r))"),
    ("void", "SELECT ctid::text FROM void AS r WHERE digest IS DISTINCT FROM row_digest(to_jsonb(r))"),
    (
        "stage",
        "SELECT ladder || ' ' || number FROM stage AS r
        WHERE digest IS DISTINCT FROM row_digest(to_jsonb(r))",
    ),
    ("look", "SELECT hash FROM look AS r WHERE digest IS DISTINCT FROM row_digest(to_jsonb(r))"),
];
const PAGE: &str = "SELECT number, id, ladder FROM block WHERE number > $1 ORDER BY number LIMIT 256";
const BLOCKS: &str = "SELECT number, id, setting, opening, digest FROM block WHERE number = ANY ($1) ORDER BY number";

impl PostgresRecord {
    pub(crate) fn check_all(&self) -> Result<Checked> {
        let _moment = self.moment_if_none()?;
        // Digests contain times in UTC.
        self.batch("SET LOCAL timezone = 'UTC'")?;
        let mut found = Checked::default();
        for (table, parent, select) in STRAY {
            let count: i64 = self.rows(select, &[])?[0].get(0);
            found.damage.extend((count > 0).then(|| format!("{count} rows of {table} belong to no {parent}")));
        }
        for (table, select) in ROWS {
            found.damage.extend(self.rows(select, &[])?.iter().map(|row| describe_row(table, row)));
        }
        self.check_blocks(&mut found)?;
        match self.wrong_packs() {
            Ok(wrong) => found.damage.extend(wrong.iter().map(|(ladder, last)| {
                format!(
                    "the results of ladder {ladder} up to row {last} are packed otherwise than their tables have them"
                )
            })),
            Err(error) if error.is_shortage() => return Err(error),
            Err(error) => found.damage.push(error.to_string()),
        }
        found.damage.truncate(MOST_FINDINGS);
        Ok(found)
    }

    fn check_blocks(&self, found: &mut Checked) -> Result<()> {
        let mut after = 0i64;
        loop {
            let page = self.rows(PAGE, &[&after])?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.get(0);
            for ladder in page.chunk_by(|a, b| a.get::<_, i64>(2) == b.get::<_, i64>(2)) {
                self.check_some(ladder, found)?;
            }
            if found.damage.len() >= MOST_FINDINGS {
                return Ok(());
            }
        }
    }

    /// Checks blocks of one ladder; if they cannot be read together, one after the other.
    fn check_some(&self, rows: &[Row], found: &mut Checked) -> Result<()> {
        let ladder = LadderId(rows[0].get(2));
        let entrant_index = self.entrant_index(ladder)?;
        let numbers: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
        match self.encoded(ladder, BLOCKS, &[&numbers]) {
            Ok(blocks) => {
                let damaged = blocks.iter().filter(|(_, block)| !is_sound(block, &entrant_index));
                found.damage.extend(damaged.map(|(number, block)| describe(&block.id, *number)));
                found.blocks += blocks.len() as u64;
            }
            Err(error) if error.is_shortage() => return Err(error),
            Err(_) if rows.len() > 1 => {
                return rows.iter().try_for_each(|row| self.check_some(std::slice::from_ref(row), found));
            }
            Err(_) => {
                found.damage.push(describe(rows[0].get(1), numbers[0]));
                found.blocks += 1;
            }
        }
        Ok(())
    }
}

fn describe_row(table: &str, row: &Row) -> String {
    let key: Option<String> = row.get(0);
    format!("{table} {} is not what was written", key.unwrap_or_default())
}

fn is_sound(block: &EncodedBlock, entrant_index: &EntrantIndex) -> bool {
    block.is_sound() && block.read(&|entrant| entrant_index.index_of(entrant)).is_ok()
}

fn describe(id: &str, number: i64) -> String {
    format!("block {id} (row {number}) is not what was written")
}

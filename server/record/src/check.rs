//! Checks whether a record is unchanged: its structure by SQLite's own check, its contents by their digests, and packs
//! by their sources.

use super::{RecordError, Result, SqliteRecord, digest, pack};
use agon_model::{BlockRow, LadderId};
use rusqlite::{Connection, Row};

/// The most findings to report.
const MOST_FINDINGS: usize = 20;

/// The result of a check of a whole record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    pub blocks: u64,
    /// The first findings of damage.
    pub damage: Vec<String>,
}

impl SqliteRecord {
    /// Checks that a ladder's own row, and the rows that do not belong to blocks, are unchanged.
    ///
    /// # Errors
    /// A row is damaged, or cannot be read.
    pub fn check_rows(&self) -> Result<()> {
        let mut found = Checked::default();
        rows(&self.db, &mut found).map_err(|error| self.fail(error))?;
        found.damage.first().map_or(Ok(()), |what| Err(self.damaged(what)))
    }

    /// The error of a record with damaged contents.
    pub(super) fn damaged(&self, what: &str) -> RecordError {
        let help = "restore it from a backup; agon doctor --record names all that is damaged";
        RecordError::new(&self.path, format!("it is damaged: {what}; help: {help}"))
    }
}

/// Checks everything. Unreadable parts count as damage.
pub fn check(db: &Connection) -> rusqlite::Result<Checked> {
    let mut found = Checked::default();
    for part in [structure, rows, blocks, packs] {
        match part(db, &mut found) {
            Err(error) if !is_damage(&error) => return Err(error),
            Err(error) => found.damage.push(error.to_string()),
            Ok(()) => {}
        }
    }
    found.damage.truncate(MOST_FINDINGS);
    Ok(found)
}

/// Whether an error means damaged bytes, and not trouble of the machine.
fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked, DiskFull, OutOfMemory, SystemIoFailure};
    !matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked | DiskFull | OutOfMemory | SystemIoFailure))
}

/// Checks pages, indexes, types, and that every row belongs to something.
fn structure(db: &Connection, found: &mut Checked) -> rusqlite::Result<()> {
    let mut check = db.prepare(&format!("PRAGMA integrity_check({MOST_FINDINGS})"))?;
    for said in check.query_map([], |row| row.get::<_, String>(0))? {
        let said = said?;
        found.damage.extend((said != "ok").then(|| said.replace('\n', " ")));
    }
    let mut stray = db.prepare("SELECT \"table\", count(*), parent FROM pragma_foreign_key_check GROUP BY 1, 3")?;
    let tell = |row: &Row| {
        let (table, count, parent): (String, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(format!("{count} rows of {table} belong to no {parent}"))
    };
    for told in stray.query_map([], tell)? {
        found.damage.push(told?);
    }
    Ok(())
}

/// Checks rows that do not belong to blocks.
fn rows(db: &Connection, found: &mut Checked) -> rusqlite::Result<()> {
    for (table, key, _) in digest::TABLES {
        let digest = digest::of_row(table, "");
        let key = key.join(" || ' ' || ");
        let select = format!("SELECT {key} FROM {table} WHERE digest IS NOT {digest}");
        let mut select = db.prepare(&select)?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            let key = match row.get_ref(0)? {
                rusqlite::types::ValueRef::Integer(number) => number.to_string(),
                rusqlite::types::ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
                _ => "without a number".to_owned(),
            };
            found.damage.push(format!("{table} {key} is not what was written"));
        }
    }
    Ok(())
}

/// Checks blocks with their matches and seats.
fn blocks(db: &Connection, found: &mut Checked) -> rusqlite::Result<()> {
    let mut select = db.prepare("SELECT row, id FROM block ORDER BY row")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let number = BlockRow(row.get(0)?);
        found.blocks += 1;
        match digest::is_sound(db, number) {
            Ok(true) => {}
            Ok(false) => {
                let id = String::from_utf8_lossy(row.get_ref(1)?.as_bytes().unwrap_or_default()).into_owned();
                found.damage.push(format!("block {id} (row {number}) is not what was written"));
            }
            Err(error) if is_damage(&error) => found.damage.push(format!("block in row {number}: {error}")),
            Err(error) => return Err(error),
        }
        if found.damage.len() >= MOST_FINDINGS {
            break;
        }
    }
    Ok(())
}

/// Checks that packs agree with the tables.
fn packs(db: &Connection, found: &mut Checked) -> rusqlite::Result<()> {
    let mut select = db.prepare("SELECT ladder, last, results FROM pack ORDER BY ladder, last")?;
    let mut rows = select.query([])?;
    let mut before = (LadderId(0), BlockRow(0));
    while let Some(row) = rows.next()? {
        let (ladder, last) = (LadderId(row.get(0)?), BlockRow(row.get(1)?));
        let after = if before.0 == ladder { before.1 } else { BlockRow(0) };
        before = (ladder, last);
        if pack::encode(db, ladder, after, last)? != row.get_ref(2)?.as_blob()? {
            found.damage.push(format!("the results up to row {last} of ladder {ladder} are not those of its matches"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{begin, block, keep};
    use crate::{Archive, Record};
    use agon_model::Look;
    use agon_model::{EntrantId, Stage, StageKind, Suspension, SuspensionKind};
    use rand::{RngExt, SeedableRng, rngs::StdRng};
    use std::path::Path;

    /// A record with something in every table.
    fn filled(folder: &Path) -> SqliteRecord {
        let mut store = SqliteRecord::open(folder).unwrap();
        let (row, ids) = begin(&mut store, "one");
        let blocks: Vec<_> = (0..40).map(block).collect();
        keep(&mut store, row.id, &blocks, &ids);
        store.keep_void(row.id, "0000aaaa", "the machine slept").unwrap();
        store.keep_look("0a", "1", &Look::default()).unwrap();
        let (kind, order, meetings) = (StageKind::Round, ids.clone(), vec![vec![ids[0], ids[1]]]);
        let stage = Stage { kind, round: 1, opening: 0, openings: 1, order, meetings };
        store.record_stage(row.id, 0, &stage).unwrap();
        store.close_stage(row.id, 0, &[vec![1, 0]]).unwrap();
        let (why, schedule) = ("it failed".to_owned(), String::new());
        let suspension = Suspension { kind: SuspensionKind::Benched, by_hand: false, why, since: 3, schedule };
        store.suspend(row.id, ids[2], &suspension).unwrap();
        store
    }

    /// Every value of every table, or why it cannot be read.
    fn dump(db: &Connection) -> rusqlite::Result<Vec<String>> {
        let tables =
            digest::TABLES.iter().map(|(table, ..)| *table).chain(["block", "match", "seat", "detail", "pack"]);
        let mut all = Vec::new();
        for table in tables {
            let mut select = db.prepare(&format!("SELECT * FROM {table}"))?;
            let columns = select.column_count();
            let mut rows = select.query([])?;
            while let Some(row) = rows.next()? {
                let values = (0..columns).map(|column| Ok(format!("{:?}", row.get_ref(column)?)));
                all.push(table.to_owned() + &values.collect::<rusqlite::Result<Vec<_>>>()?.join(" "));
            }
        }
        Ok(all)
    }

    #[test]
    fn what_is_sound_is_called_so_after_every_change() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = filled(folder.path());
        let sound = |store: &SqliteRecord| {
            assert_eq!(store.check().unwrap().damage, Vec::<String>::new());
        };
        sound(&store);
        let (row, ids) = begin(&mut store, "two");
        keep(&mut store, row.id, &(40..44).map(block).collect::<Vec<_>>(), &ids);
        let member = store.members(LadderId(1)).unwrap().remove(2);
        assert!(store.let_back(LadderId(1), &member).unwrap());
        store.freeze(LadderId(1), 7).unwrap();
        store.touch_ladder(LadderId(1)).unwrap();
        sound(&store);
        store.forget(&[ids[0]], false).unwrap();
        sound(&store);
        store.forget(&[EntrantId(1)], true).unwrap();
        sound(&store);
    }

    #[test]
    fn any_damage_is_told_or_changes_no_value() {
        let folder = tempfile::tempdir().unwrap();
        drop(filled(folder.path()));
        let whole = std::fs::read(folder.path().join("record.sqlite")).unwrap();
        let file = folder.path().join("damaged.sqlite");
        let open = || Connection::open(&file).and_then(|db| digest::teach(&db).map(|()| db));
        std::fs::write(&file, &whole).unwrap();
        let before = dump(&open().unwrap()).unwrap();
        let mut random = StdRng::seed_from_u64(1);
        let (mut told, mut silent) = (0, 0);
        for number in 0..600 {
            let mut bytes = whole.clone();
            let at = random.random_range(100..bytes.len());
            let length = if number % 3 == 0 { random.random_range(2..600) } else { 1 }.min(bytes.len() - at);
            bytes[at..at + length].iter_mut().for_each(|byte| *byte ^= random.random_range(1..=255u8));
            std::fs::write(&file, &bytes).unwrap();
            let Ok(db) = open() else { continue };
            match check(&db) {
                Ok(checked) if checked.damage.is_empty() => {
                    assert_eq!(dump(&db).ok().as_ref(), Some(&before), "{length} bytes at {at}");
                    silent += 1;
                }
                _ => told += 1,
            }
        }
        assert!(told > 150 && silent > 0, "{told} were told, {silent} changed nothing");
    }

    #[test]
    fn a_row_without_its_digest_is_damaged() {
        for table in digest::TABLES.iter().map(|(table, ..)| *table).chain(["block"]).filter(|table| *table != "excuse")
        {
            let folder = tempfile::tempdir().unwrap();
            let store = filled(folder.path());
            store.db.execute(&format!("UPDATE {table} SET digest = NULL"), []).unwrap();
            let damage = store.check().unwrap().damage;
            assert!(damage.first().is_some_and(|found| found.starts_with(table)), "{table}: {damage:?}");
        }
    }
}

//! Removes parts of the record: archived ladders, and all texts of one client.

use super::{Result, SqliteRecord, archive_mark, digest, encoded, pack};
use agon_model::{BlockRow, DATA_OPTION, EntrantId, LadderId};
use rusqlite::types::Type;
use rusqlite::{Connection, Params, Row, Transaction, params};
use std::collections::{BTreeMap, BTreeSet};

/// The beginning of the names of ladders of `agon sprt`; the names of both clients follow.
const TEST: &str = "sprt ";
/// The most characters of a client's name in that of a test: two of them fit into the name of a ladder.
const MOST_OF_NAME: usize = 28;

/// A ladder that was archived for a fresh start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedLadder {
    /// Its number in the record.
    pub id: LadderId,
    /// The name that it has now.
    pub name: String,
    /// The number of its matches.
    pub matches: u64,
}

/// The outcome of a match that left a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftovers {
    /// No remaining ladder has it.
    Nothing,
    /// No client was at fault.
    Sound,
    /// A client was at fault.
    Faulted,
}

impl From<Option<bool>> for Leftovers {
    fn from(is_faulted: Option<bool>) -> Leftovers {
        is_faulted.map_or(Leftovers::Nothing, |is| if is { Leftovers::Faulted } else { Leftovers::Sound })
    }
}

/// The forgotten data of a client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// Ids of its matches, whether they stay or not.
    pub matches: Vec<String>,
    /// Hashes of its files.
    pub hashes: BTreeSet<String>,
    /// Old and new names of ladders that contained its name.
    pub ladders: Vec<(String, String)>,
}

impl SqliteRecord {
    /// Drops ladders with all their data, either all of them or none.
    pub fn drop_ladders(&mut self, ladders: &[LadderId]) -> Result<()> {
        let transaction = self.transaction()?;
        let dropped = ladders.iter().try_for_each(|ladder| drop_ladder(&transaction, *ladder));
        dropped.and_then(|()| transaction.commit()).map_err(|error| self.fail(error))?;
        // Rows begin anew after the last remaining one.
        self.pack_due = None;
        Ok(())
    }

    /// Writes the file anew without deleted data. For a while this takes twice its size on the disk.
    ///
    /// # Errors
    /// There is no space for the copy that this needs.
    pub fn shrink(&self) -> Result<()> {
        self.db.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);").map_err(|error| self.fail(error))
    }

    pub(super) fn forget(&mut self, entrants: &[EntrantId], with_matches: bool) -> Result<Forgotten> {
        let transaction = self.transaction()?;
        let mut forgotten = Forgotten::default();
        let mut all = || -> rusqlite::Result<()> {
            let ladder_of = |entrant: &EntrantId| {
                transaction
                    .query_row("SELECT ladder FROM entrant WHERE id = ?1", [entrant.0], |row| row.get(0).map(LadderId))
            };
            let ladders: BTreeSet<LadderId> = entrants.iter().map(ladder_of).collect::<rusqlite::Result<_>>()?;
            ladders.iter().try_for_each(|ladder| pack::unpack(&transaction, *ladder))?;
            for ladder in &ladders {
                forgotten.ladders.extend(rename_test(&transaction, *ladder, entrants)?);
            }
            entrants.iter().try_for_each(|entrant| forget_one(&transaction, *entrant, with_matches, &mut forgotten))?;
            ladders.iter().try_for_each(|ladder| pack::pack(&transaction, *ladder, usize::MAX).map(drop))
        };
        all().and_then(|()| transaction.commit()).map_err(|error| self.fail(error))?;
        self.pack_due = None;
        // Deleted data stays in the free parts of pages; a new file has none.
        self.shrink()?;
        Ok(forgotten)
    }
}

fn drop_ladder(db: &Transaction, ladder: LadderId) -> rusqlite::Result<()> {
    pack::unpack(db, ladder)?;
    let matches = "SELECT match.row FROM match JOIN block ON match.block = block.row WHERE block.ladder = ?1";
    for delete in [
        format!("DELETE FROM seat WHERE match IN ({matches})"),
        format!("DELETE FROM detail WHERE match IN ({matches})"),
        "DELETE FROM match WHERE block IN (SELECT row FROM block WHERE ladder = ?1)".to_owned(),
        "DELETE FROM block WHERE ladder = ?1".to_owned(),
        "DELETE FROM void WHERE ladder = ?1".to_owned(),
        "DELETE FROM suspension WHERE ladder = ?1".to_owned(),
        "DELETE FROM excuse WHERE ladder = ?1".to_owned(),
        "DELETE FROM stage WHERE ladder = ?1".to_owned(),
        "DELETE FROM entrant WHERE ladder = ?1".to_owned(),
        "DELETE FROM ladder WHERE id = ?1".to_owned(),
    ] {
        db.execute(&delete, [ladder.0])?;
    }
    Ok(())
}

fn rows<T>(
    db: &Connection,
    select: &str,
    values: impl Params,
    read: impl FnMut(&Row) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    db.prepare_cached(select)?.query_map(values, read)?.collect()
}

/// The hashes of all files of an entrant: its own, its adapter's, and the files given to it.
pub fn file_hashes(hash: &str, options: &str) -> Vec<String> {
    // A forgotten client has no options any more.
    let options: BTreeMap<String, String> = serde_json::from_str(options).unwrap_or_default();
    let given = options.into_iter().filter(|(key, _)| key.starts_with(DATA_OPTION)).map(|(_, hash)| hash);
    hash.split('+').map(str::to_owned).chain(given).collect()
}

/// Whether the matches of an entrant count for nobody.
const HAD_LEFT: &str = "SELECT present = 0 OR EXISTS (SELECT 1 FROM suspension WHERE entrant = ?1 AND let_back IS NULL)
                        FROM entrant WHERE id = ?1";
/// Notes that they still count for nobody, without a reason.
const STAYS_AWAY: &str = "INSERT INTO suspension (ladder, entrant, kind, by_hand, why, since, schedule, at)
                          SELECT ladder, id, 'benched', 1, '', 0, '', 0 FROM entrant WHERE id = ?1";

/// A seat of an entrant: the row of its match, its number, the id of the match, and the row of the block.
type OwnSeat = (i64, usize, String, BlockRow);

fn forget_one(
    db: &Transaction,
    entrant: EntrantId,
    with_matches: bool,
    forgotten: &mut Forgotten,
) -> rusqlite::Result<()> {
    let who = "SELECT ladder, hash, label, team, options FROM entrant WHERE id = ?1";
    let read = |row: &Row| Ok((LadderId(row.get(0)?), row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?));
    let (ladder, hash, label, team, options): (LadderId, String, String, String, String) =
        db.query_row(who, [entrant.0], read)?;
    let seats = own_seats(db, entrant)?;
    forgotten.matches.extend(seats.iter().map(|(_, _, id, _)| id.clone()));
    forgotten.matches.dedup();
    db.execute("DELETE FROM look WHERE hash = ?1", [&hash])?;
    for part in hash.split('+') {
        db.execute("DELETE FROM look WHERE hash = ?1", [part])?;
    }
    forgotten.hashes.extend(file_hashes(&hash, &options));
    let had_left: bool = db.query_row(HAD_LEFT, [entrant.0], |row| row.get(0))?;
    let name = nameless(entrant);
    forget_notes(db, entrant, (ladder, &name), [&label, &team])?;
    let blocks: BTreeSet<BlockRow> = seats.iter().map(|(_, _, _, block)| *block).collect();
    if with_matches {
        blocks.iter().try_for_each(|block| drop_block(db, *block))?;
        // A stage names it by its number, so an entrant without a name must still exist.
        let has_stages: bool =
            db.query_row("SELECT EXISTS (SELECT 1 FROM stage WHERE ladder = ?1)", [ladder.0], |row| row.get(0))?;
        if !has_stages {
            return db.execute("DELETE FROM entrant WHERE id = ?1", [entrant.0]).map(drop);
        }
    } else {
        if had_left {
            db.execute(STAYS_AWAY, [entrant.0])?;
        }
        silence_all(db, &seats, &blocks, &name)?;
    }
    let update = "UPDATE entrant SET label = ?2, team = ?2, file = '', hash = ?2, options = '{}', present = 0,
                  version = 1, refused = CASE WHEN refused IS NULL THEN NULL ELSE '' END WHERE id = ?1";
    db.execute(update, params![entrant.0, name]).map(drop)
}

fn own_seats(db: &Transaction, entrant: EntrantId) -> rusqlite::Result<Vec<OwnSeat>> {
    let seats = "SELECT seat.match, seat.seat, match.id, match.block FROM seat JOIN match ON seat.match = match.row
                 WHERE seat.entrant = ?1 ORDER BY seat.match";
    rows(db, seats, [entrant.0], |row| {
        Ok((row.get(0)?, row.get::<_, i64>(1)? as usize, row.get(2)?, BlockRow(row.get(3)?)))
    })
}

/// Deletes the notes on an entrant, and takes its label and team out of the causes of void matches.
fn forget_notes(
    db: &Transaction,
    entrant: EntrantId,
    (ladder, name): (LadderId, &str),
    said: [&String; 2],
) -> rusqlite::Result<()> {
    db.execute("DELETE FROM suspension WHERE entrant = ?1", [entrant.0])?;
    db.execute("DELETE FROM excuse WHERE entrant = ?1", [entrant.0])?;
    let void = "UPDATE void SET cause = ?1 WHERE ladder = ?2 AND instr(cause, '(' || ?3 || ')') > 0";
    said.iter().try_for_each(|said| db.execute(void, params![format!("concerned {name}"), ladder.0, said]).map(drop))
}

/// Removes an entrant's texts from its matches. A damaged block must not seem sound because a client is forgotten.
fn silence_all(db: &Transaction, seats: &[OwnSeat], blocks: &BTreeSet<BlockRow>, name: &str) -> rusqlite::Result<()> {
    let mut sound = Vec::new();
    for block in blocks {
        sound.extend(digest::is_sound(db, *block)?.then_some(*block));
    }
    seats.iter().try_for_each(|(match_row, seat, ..)| silence(db, *match_row, *seat, name))?;
    blocks.iter().try_for_each(|block| rename_block(db, *block))?;
    sound.iter().try_for_each(|block| digest::keep(db, *block, digest::of_block(db, *block)?))
}

/// Renames a test, which contains the names of its clients, so that nothing shows those to be forgotten. Returns the
/// old name and the new.
fn rename_test(
    db: &Transaction,
    ladder: LadderId,
    entrants: &[EntrantId],
) -> rusqlite::Result<Option<(String, String)>> {
    let old: String = db.query_row("SELECT name FROM ladder WHERE id = ?1", [ladder.0], |row| row.get(0))?;
    let teams = "SELECT min(id), team FROM entrant WHERE ladder = ?1 GROUP BY team ORDER BY min(id)";
    let teams = rows(db, teams, [ladder.0], |row| Ok((EntrantId(row.get(0)?), row.get(1)?)))?;
    let Some([new, instead]) = names_of_test((ladder, &old), &teams, entrants) else { return Ok(None) };
    // Only an import can have taken it.
    let taken = "SELECT EXISTS (SELECT 1 FROM ladder WHERE name = ?1 AND id != ?2)";
    let is_taken: bool = db.query_row(taken, params![new, ladder.0], |row| row.get(0))?;
    let new = if is_taken { instead } else { new };
    db.execute("UPDATE ladder SET name = ?1 WHERE id = ?2", params![new, ladder.0])?;
    Ok(Some((old, new)))
}

/// A name for a test that does not show the forgotten ones of its teams, each with its first number, and a second name
/// if the first is taken. `None` if it is not a test.
pub fn names_of_test(
    (ladder, old): (LadderId, &str),
    teams: &[(EntrantId, String)],
    forgotten: &[EntrantId],
) -> Option<[String; 2]> {
    if !old.starts_with(TEST) {
        return None;
    }
    let name = |(entrant, team): &(EntrantId, String)| {
        if forgotten.contains(entrant) { nameless(*entrant) } else { team.chars().take(MOST_OF_NAME).collect() }
    };
    let names: Vec<String> = teams.iter().map(name).collect();
    let mark = Some(archive_mark(ladder)).filter(|mark| old.ends_with(mark)).unwrap_or_default();
    Some([format!("{TEST}{}{mark}", names.join(" ")), format!("{TEST}forgotten {ladder}{mark}")])
}

/// The name of a forgotten client.
pub fn nameless(entrant: EntrantId) -> String {
    format!("forgotten-{entrant}")
}

fn drop_block(db: &Transaction, block: BlockRow) -> rusqlite::Result<()> {
    for table in ["seat", "detail"] {
        let delete = format!("DELETE FROM {table} WHERE match IN (SELECT row FROM match WHERE block = ?1)");
        db.prepare_cached(&delete)?.execute([block.0])?;
    }
    db.execute("DELETE FROM match WHERE block = ?1", [block.0])?;
    db.execute("DELETE FROM block WHERE row = ?1", [block.0]).map(drop)
}

/// An id contains the hashes of the files: the block gets a random one. So the same files, if they come back, begin
/// anew.
fn rename_block(db: &Transaction, block: BlockRow) -> rusqlite::Result<()> {
    db.execute("UPDATE block SET id = lower(hex(randomblob(8))) WHERE row = ?1", [block.0])?;
    let update = "UPDATE match SET id = (SELECT id FROM block WHERE row = ?1) || substr(id, -2) WHERE block = ?1";
    db.execute(update, [block.0]).map(drop)
}

/// Removes a seat's texts from a match; its moves stay.
fn silence(db: &Transaction, match_row: i64, seat: usize, name: &str) -> rusqlite::Result<()> {
    let select = "SELECT seats, outputs FROM detail WHERE match = ?1";
    let read = |row: &Row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?));
    let (seats, outputs) = db.prepare_cached(select)?.query_row([match_row], read)?;
    let (seats, outputs) = encoded::silence(&seats, outputs.as_deref(), seat, name)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error)))?;
    let update = "UPDATE detail SET seats = ?2, outputs = ?3 WHERE match = ?1";
    db.prepare_cached(update)?.execute(params![match_row, seats, outputs]).map(drop)
}

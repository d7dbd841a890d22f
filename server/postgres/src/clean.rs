//! Deletes parts of a record: ladders that were set aside, and clients' files that no ladder names.

use crate::connection::{PostgresRecord, Unit};
use crate::forget::{BOARD, SHRINK};
use agon_model::{LadderId, block_of};
use agon_record::{Archive, ArchivedLadder, Leftovers, Result};
use postgres::Row;

const ASIDES: &str = "SELECT id, name, (SELECT count(*) FROM block JOIN match ON match.block = block.number
    WHERE block.ladder = ladder.id) FROM ladder WHERE name LIKE '%~' || id ORDER BY id";
const LEFT: &str = "SELECT EXISTS (SELECT 1 FROM seat WHERE seat.match = match.number AND fault IS NOT NULL)
    FROM block JOIN match ON match.block = block.number
    WHERE block.id = $1 AND match.id = $2 AND block.ladder <> ALL ($3)";
const UNNAMED: &str = "SELECT count(*), coalesce(sum(octet_length(bytes)), 0)::bigint FROM file WHERE hash <> ALL ($1)";
/// The lock is held until the connection is closed.
const LOCK: &str = "SELECT name, pg_try_advisory_lock(hashtextextended('agon ladder ' || name, 0)) FROM ladder";
/// Deletes the rows of a ladder; rows to which others point come last.
const DROP_LADDER: [&str; 10] = [
    "DELETE FROM played_by WHERE ladder = $1",
    "DELETE FROM seat WHERE match IN
        (SELECT match.number FROM match JOIN block ON match.block = block.number WHERE block.ladder = $1)",
    "DELETE FROM match WHERE block IN (SELECT number FROM block WHERE ladder = $1)",
    "DELETE FROM block WHERE ladder = $1",
    "DELETE FROM void WHERE ladder = $1",
    "DELETE FROM aside WHERE ladder = $1",
    "DELETE FROM excuse WHERE ladder = $1",
    "DELETE FROM stage WHERE ladder = $1",
    "DELETE FROM entrant WHERE ladder = $1",
    "DELETE FROM ladder WHERE id = $1",
];

impl PostgresRecord {
    pub(crate) fn lock_ladders(&self) -> Result<()> {
        let rows = self.rows(LOCK, &[])?;
        let played = rows.iter().find(|row| !row.get::<_, bool>(1));
        played.map_or(Ok(()), |row| Err(self.is_played(row.get(0))))
    }

    pub(crate) fn read_archived_ladders(&self) -> Result<Vec<ArchivedLadder>> {
        let aside = |row: &Row| ArchivedLadder {
            id: LadderId(row.get(0)),
            name: row.get(1),
            matches: row.get::<_, i64>(2) as u64,
        };
        Ok(self.rows(ASIDES, &[])?.iter().map(aside).collect())
    }

    pub(crate) fn left_of(&self, id: &str, without: &[LadderId]) -> Result<Leftovers> {
        let block = block_of(id);
        let without: Vec<i64> = without.iter().map(|ladder| ladder.0).collect();
        let rows = self.rows(LEFT, &[&block, &id, &without])?;
        Ok(rows.iter().map(|row| row.get::<_, bool>(0)).max().into())
    }

    pub(crate) fn count_unnamed(&self, without: &[LadderId]) -> Result<(u64, u64)> {
        let named: Vec<String> = self.named_files(without)?.into_iter().collect();
        let row = self.rows(UNNAMED, &[&named])?.remove(0);
        Ok((row.get::<_, i64>(0) as u64, row.get::<_, i64>(1) as u64))
    }

    pub(crate) fn drop_all(&mut self, ladders: &[LadderId]) -> Result<()> {
        self.begin()?;
        let unit = Unit::of(self);
        for ladder in ladders {
            BOARD.iter().chain(&DROP_LADDER).try_for_each(|delete| self.execute(delete, &[&ladder.0]).map(drop))?;
        }
        let named: Vec<String> = self.named_files(&[])?.into_iter().collect();
        self.execute("DELETE FROM file WHERE hash <> ALL ($1)", &[&named])?;
        unit.commit()?;
        let mut shrinks = SHRINK.iter().filter(|_| !ladders.is_empty());
        shrinks.try_for_each(|shrink| self.batch(shrink))
    }
}

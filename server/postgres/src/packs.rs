//! Packs: the results of some thousand blocks of a ladder in one value each, in the form of the record on disk, so that
//! a table of millions of matches reads a few rows. The playing process writes them, and they are dropped when their
//! data changes.

use crate::connection::PostgresRecord;
use crate::matches::RESULTS;
use agon_model::LadderId;
use agon_record::{EachOutcome, IndexOf, Result, pack_results, read_pack};

/// The number of blocks in a pack.
const BLOCKS: i64 = 4096;
/// The most packs to write where blocks are kept: after an import a ladder gets them little by little.
const AT_ONCE: usize = 2;

const PACKS: &str = "SELECT last, results FROM pack WHERE ladder = $1 AND last > $2 ORDER BY last LIMIT 16";
const PACKED: &str = "SELECT coalesce(max(last), 0) FROM pack WHERE ladder = $1";
const LEFT: &str = "SELECT count(*) FROM block WHERE ladder = $1 AND number >
    (SELECT coalesce(max(last), 0) FROM pack WHERE ladder = $1)";
/// The last block of a full pack, if there are enough blocks.
const FULL: &str = "SELECT number FROM block WHERE ladder = $1 AND number > $2 ORDER BY number LIMIT 1 OFFSET $3";
const INSERT: &str = "INSERT INTO pack (ladder, last, results) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";

impl PostgresRecord {
    /// Passes every packed result to `each`; returns the number of the last packed block.
    pub(crate) fn read_packs(&self, ladder: LadderId, index: &IndexOf<'_>, each: &mut EachOutcome<'_>) -> Result<i64> {
        let mut last = 0i64;
        loop {
            let packs = self.rows(PACKS, &[&ladder.0, &last])?;
            let Some(newest) = packs.last() else { return Ok(last) };
            last = newest.get(0);
            for pack in &packs {
                read_pack(pack.get(1), index, each).ok_or_else(|| self.damaged("a pack of results"))?;
            }
        }
    }

    /// Packs unpacked blocks if enough were kept since the last pack, including the number just kept. No other process
    /// plays the ladder.
    pub(crate) fn pack_when_full(&self, ladder: LadderId, kept: i64) -> Result<()> {
        let left = match self.unpacked.get().filter(|(its, _)| *its == ladder) {
            Some((_, left)) => left + kept,
            None => self.rows(LEFT, &[&ladder.0])?[0].get(0),
        };
        self.unpacked.set(Some((ladder, left)));
        for _ in 0..AT_ONCE.min((left / BLOCKS) as usize) {
            self.pack(ladder)?;
            self.unpacked.set(None);
        }
        Ok(())
    }

    fn pack(&self, ladder: LadderId) -> Result<()> {
        let after: i64 = self.rows(PACKED, &[&ladder.0])?[0].get(0);
        let full = self.rows(FULL, &[&ladder.0, &after, &(BLOCKS - 1)])?;
        let Some(last) = full.first().map(|row| row.get::<_, i64>(0)) else { return Ok(()) };
        let bytes = self.packed(ladder, after, BLOCKS)?;
        self.execute(INSERT, &[&ladder.0, &last, &bytes]).map(drop)
    }

    /// The results of this number of blocks after one, as their tables have them; entrants have their numbers in the
    /// record.
    pub(crate) fn packed(&self, ladder: LadderId, after: i64, blocks: i64) -> Result<Vec<u8>> {
        let rows = self.rows(RESULTS, &[&ladder.0, &after, &blocks])?;
        Ok(pack_results(&self.outcomes(&rows, &|entrant| entrant.0 as usize)?))
    }

    /// Checks that each pack agrees with the tables; returns the ladder and the last block of those that do not.
    pub(crate) fn wrong_packs(&self) -> Result<Vec<(LadderId, i64)>> {
        let mut wrong = Vec::new();
        let mut before = (LadderId(0), 0);
        for row in self.rows("SELECT ladder, last FROM pack ORDER BY ladder, last", &[])? {
            let (ladder, last) = (LadderId(row.get(0)), row.get(1));
            let after = if before.0 == ladder { before.1 } else { 0 };
            let select =
                "SELECT results, (SELECT count(*) FROM block WHERE ladder = $1 AND number > $3 AND number <= $2)
                FROM pack WHERE ladder = $1 AND last = $2";
            let pack = self.rows(select, &[&ladder.0, &last, &after])?;
            for row in &pack {
                if row.get::<_, &[u8]>(0) != self.packed(ladder, after, row.get(1))? {
                    wrong.push((ladder, last));
                }
            }
            before = (ladder, last);
        }
        Ok(wrong)
    }
}

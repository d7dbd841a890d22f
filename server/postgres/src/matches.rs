//! Reads matches for a running tournament and its table.

use crate::connection::PostgresRecord;
use agon_model::{BlockRow, EntrantId, FaultKind, LadderId, MatchOutcome, SeatOutcome};
use agon_record::{EachOutcome, IndexOf, MatchSize, Result};
use postgres::Row;

/// The number of a block.
const BLOCK: &str = "SELECT number FROM block WHERE ladder = $1 AND id = $2";
/// The results of a limited number of blocks after one, in order.
pub(crate) const RESULTS: &str =
    "SELECT match.number, block.number, block.setting, block.opening, match.id, match.start,
        match.moves_hash, seat.entrant, seat.score, seat.rank, seat.fault, seat.notices
    FROM (SELECT * FROM block WHERE ladder = $1 AND number > $2 ORDER BY number LIMIT $3) AS block
    JOIN match ON match.block = block.number JOIN seat ON seat.match = match.number
    ORDER BY block.number, match.number, seat.seat";
/// The number of blocks to read at a time.
const AT_ONCE: i64 = 4096;
/// The sizes of the newest matches in the ladder played last.
const SIZES: &str = "SELECT count(*), coalesce(sum(steps), 0), coalesce(sum(outputs), 0), coalesce(sum(details), 0),
        coalesce(sum(kept), 0) FROM
    (SELECT coalesce(step_bytes, length(steps)) AS steps, length(steps) AS kept,
        coalesce(octet_length(outputs), 0) AS outputs, octet_length(details) AS details
     FROM block JOIN match ON match.block = block.number WHERE block.ladder =
        (SELECT id FROM ladder WHERE game = $1 AND seats = $2 AND EXISTS
            (SELECT 1 FROM block WHERE block.ladder = ladder.id) ORDER BY used DESC, id DESC LIMIT 1)
     ORDER BY block.number DESC LIMIT 200) AS newest";
/// Bytes of a match in addition to its steps, texts and seats: heads of rows, ids, entries of indexes.
const AROUND: u64 = 480;

impl PostgresRecord {
    pub(crate) fn block_number(&self, ladder: LadderId, block: &str) -> Result<Option<i64>> {
        Ok(self.rows(BLOCK, &[&ladder.0, &block])?.first().map(|row| row.get(0)))
    }

    /// The outcomes of a block's matches; `None` if it is not played.
    pub(crate) fn read_block(
        &self,
        ladder: LadderId,
        block: &str,
        index: &IndexOf<'_>,
    ) -> Result<Option<Vec<MatchOutcome>>> {
        let Some(number) = self.block_number(ladder, block)? else { return Ok(None) };
        let rows = self.rows(RESULTS, &[&ladder.0, &(number - 1), &1i64])?;
        Ok(Some(self.outcomes(&rows, index)?))
    }

    /// Passes every match of a ladder to `each`, some thousand blocks at a time.
    pub(crate) fn read_outcomes(&self, ladder: LadderId, each: &mut EachOutcome<'_>) -> Result<()> {
        let ids = self.rows("SELECT id FROM entrant WHERE ladder = $1 ORDER BY id", &[&ladder.0])?;
        let ids: Vec<EntrantId> = ids.iter().map(|row| EntrantId(row.get(0))).collect();
        let index = |entrant: EntrantId| ids.binary_search(&entrant).unwrap_or(usize::MAX);
        let mut after = self.read_packs(ladder, &index, each)?;
        loop {
            let rows = self.rows(RESULTS, &[&ladder.0, &after, &AT_ONCE])?;
            let Some(last) = rows.last() else { return Ok(()) };
            after = last.get(1);
            self.outcomes(&rows, &index)?.iter().for_each(&mut *each);
        }
    }

    pub(crate) fn outcomes(&self, rows: &[Row], index: &IndexOf<'_>) -> Result<Vec<MatchOutcome>> {
        rows.chunk_by(|a, b| a.get::<_, i64>(0) == b.get::<_, i64>(0)).map(|rows| self.outcome(rows, index)).collect()
    }

    /// Makes an outcome from the rows of one match, one for each seat.
    fn outcome(&self, rows: &[Row], index: &IndexOf<'_>) -> Result<MatchOutcome> {
        let first = &rows[0];
        Ok(MatchOutcome {
            block: BlockRow(first.get(1)),
            setting: first.get::<_, i64>(2) as usize,
            opening: first.get::<_, i64>(3) as u64,
            id: first.get(4),
            start: first.get::<_, i64>(5) as u64,
            moves_hash: first.get::<_, i64>(6) as u64,
            seats: rows.iter().map(|row| self.seat(row, index)).collect::<Result<_>>()?,
        })
    }

    fn seat(&self, row: &Row, index: &IndexOf<'_>) -> Result<SeatOutcome> {
        let named = |name: &str| FaultKind::named(name).ok_or_else(|| self.damaged("the fault of a seat"));
        let fault = row.get::<_, Option<&str>>(10).map(named).transpose()?;
        let (score, rank, notices) = (row.get(8), row.get::<_, i32>(9) as u32, row.get::<_, i32>(11) as u32);
        Ok(SeatOutcome { entrant: index(EntrantId(row.get(7))), rank, score, fault, notices })
    }

    pub(crate) fn read_match_size(&self, game: &str, seats: usize) -> Result<Option<MatchSize>> {
        let rows = self.rows(SIZES, &[&game, &(seats as i32)])?;
        let number = |column: usize| rows[0].get::<_, i64>(column);
        let (count, steps, outputs, details, kept) = (number(0), number(1), number(2), number(3), number(4));
        if count == 0 {
            return Ok(None);
        }
        let mean = |total: i64| (total / count) as u64;
        let record = mean(kept + outputs + details) + AROUND;
        Ok(Some(MatchSize { record, steps: mean(steps) / 48, outputs: mean(outputs) }))
    }
}

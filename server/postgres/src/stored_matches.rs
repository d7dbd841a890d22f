//! Reads blocks with all data of their matches, some at a time; lists of matches, and one by its id.

use crate::connection::PostgresRecord;
use crate::shrink::grow;
use agon_model::{Ending, EntrantId, FaultKind, LadderId, LadderRow, SeatOutcome, StoredMatch, block_of};
use agon_record::{
    EncodedBlock, EncodedMatch, EncodedSeat, EntrantIndex, Filter, FoundMatch, Listed, MatchMoves, MatchOrder, Record,
    Result, StoredBlock,
};
use postgres::Row;
use postgres::types::ToSql;
use std::collections::BTreeMap;

/// Blocks of a ladder after one, in order, or those with these numbers.
const PAGE: &str = "SELECT number, id, setting, opening, digest FROM block WHERE ladder = $1 AND number > $2
    ORDER BY number LIMIT $3";
const BLOCK: &str = "SELECT number, id, setting, opening, digest FROM block WHERE ladder = $1 AND id = $2";
const MATCHES: &str =
    "SELECT number, block, id, ending, plies, started, wall_us, start, moves_hash, steps, details, outputs,
        step_bytes
    FROM match WHERE block = ANY ($1) ORDER BY number";
const SEATS: &str = "SELECT match, entrant, score, rank, fault, notices FROM seat WHERE match = ANY ($1)
    ORDER BY match, seat";
/// Matches of a ladder from one end on, with conditions in this order: a label with a fault, lost by a label, a label
/// at the table, settings, more turns than a number, an ending. Each applies only where it is asked for; `$12` is the
/// oldest block to search, for the newest matches.
macro_rules! listed {
    ($end:literal, $order:literal) => {
        concat!(
            "SELECT match.number, match.id, block.setting, match.ending, match.plies, match.started
            FROM block JOIN match ON match.block = block.number WHERE block.ladder = $1
            AND (($2::text IS NULL AND $3::text IS NULL) OR EXISTS (SELECT 1 FROM seat JOIN entrant
             ON seat.entrant = entrant.id WHERE seat.match = match.number AND ($2 IS NULL OR entrant.label = $2)
             AND ($3 IS NULL OR (seat.fault IS NOT NULL AND ($3 = '' OR seat.fault = $3)))))
            AND ($5::text IS NULL OR EXISTS (SELECT 1 FROM seat JOIN entrant ON seat.entrant = entrant.id
             WHERE seat.match = match.number AND entrant.label = $5 AND seat.rank > 1))
            AND ($6::text IS NULL OR EXISTS (SELECT 1 FROM seat JOIN entrant ON seat.entrant = entrant.id
             WHERE seat.match = match.number AND entrant.label = $6))
            AND ($7::bigint[] IS NULL OR block.setting = ANY ($7)) AND ($8::bigint IS NULL OR match.plies > $8)
            AND ($11::text IS NULL OR match.ending = $11) AND ",
            $end,
            " ORDER BY ",
            $order,
            " LIMIT $4"
        )
    };
}

/// The newest matches before one; the longest matches before one; the oldest matches after one.
const LISTED: &str = listed!(
    "block.number <= $9 AND (block.number < $9 OR match.number < $10) AND block.number >= $12",
    "block.number DESC, match.number DESC"
);
const LISTED_LONGEST: &str = listed!(
    "block.number <= $9 AND (block.number < $9 OR match.number < $10) AND block.number >= $12",
    "match.plies DESC, block.number DESC, match.number DESC"
);
const LISTED_OLDEST: &str = listed!(
    "block.number >= $9 AND (block.number > $9 OR match.number > $10) AND $12::bigint IS NOT NULL",
    "block.number, match.number"
);
/// The newest block that a search from a block on leaves out, which takes only this number of blocks; the oldest match
/// after a block.
const LEFT_OUT: &str =
    "SELECT number FROM block WHERE ladder = $1 AND number <= $2 ORDER BY number DESC LIMIT 1 OFFSET $3";
const FIRST_AFTER: &str = "SELECT match.id FROM block JOIN match ON match.block = block.number
    WHERE block.ladder = $1 AND block.number > $2 ORDER BY block.number, match.number LIMIT 1";
/// The match of a ladder with this id: its block and itself. The block stands in a query of its own: a join looks at all
/// matches while the database has no statistics of a fresh record.
const PLACE: &str = "SELECT match.block, match.number FROM match
    WHERE match.block = (SELECT number FROM block WHERE ladder = $1 AND id = $2) AND match.id = $3";
/// Matches whose block's id begins with `$1`, and whose own id begins with `$2`, the newest of those with the same id.
/// Ids of blocks are hexadecimal, all before the tilde.
const FOUND: &str = "SELECT DISTINCT ON (match.id COLLATE \"C\") match.id, ladder.name, block.id
    FROM ladder JOIN block ON block.ladder = ladder.id JOIN match ON match.block = block.number
    WHERE block.id >= $1 AND block.id < $1 || '~' AND left(match.id, length($2)) = $2
    ORDER BY match.id COLLATE \"C\", match.number DESC LIMIT 9";

/// The number of blocks to read at a time.
const AT_ONCE: i64 = 64;

/// The blocks of a ladder in order.
pub struct Blocks<'a> {
    record: &'a PostgresRecord,
    ladder: LadderId,
    entrant_index: EntrantIndex,
    after: i64,
    page: std::vec::IntoIter<StoredBlock>,
}

impl Blocks<'_> {
    /// The next block; `None` at the end.
    pub fn next(&mut self) -> Result<Option<StoredBlock>> {
        if let Some(block) = self.page.next() {
            return Ok(Some(block));
        }
        let blocks = self.record.encoded(self.ladder, PAGE, &[&self.ladder.0, &self.after, &AT_ONCE])?;
        self.after = blocks.last().map_or(self.after, |(number, _)| *number);
        let read = |(_, block): &(i64, EncodedBlock)| self.record.read_sound(block, &self.entrant_index);
        self.page = blocks.iter().map(read).collect::<Result<Vec<_>>>()?.into_iter();
        Ok(self.page.next())
    }
}

impl PostgresRecord {
    pub(crate) fn entrant_index(&self, ladder: LadderId) -> Result<EntrantIndex> {
        let rows = self.rows("SELECT id FROM entrant WHERE ladder = $1 ORDER BY id", &[&ladder.0])?;
        Ok(EntrantIndex::new(rows.iter().map(|row| EntrantId(row.get(0))).collect()))
    }

    pub(crate) fn blocks(&self, ladder: LadderId) -> Result<Blocks<'_>> {
        let (entrant_index, page) = (self.entrant_index(ladder)?, Vec::new().into_iter());
        Ok(Blocks { record: self, ladder, entrant_index, after: 0, page })
    }

    /// Blocks of a ladder in their stored form, with their numbers.
    pub(crate) fn encoded(
        &self,
        ladder: LadderId,
        select: &'static str,
        values: &crate::connection::Values,
    ) -> Result<Vec<(i64, EncodedBlock)>> {
        let rows = self.rows(select, values)?;
        let numbers: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
        let mut matches = self.encoded_matches(&numbers)?;
        let block = |row: &Row| {
            let (number, matches) = (row.get(0), matches.remove(&row.get(0)).unwrap_or_default());
            let (id, setting, opening, digest) = (row.get(1), row.get(2), row.get(3), row.get(4));
            (number, EncodedBlock { ladder, id, setting, opening, matches, digest })
        };
        Ok(rows.iter().map(block).collect())
    }

    /// The matches of blocks, by the numbers of these.
    fn encoded_matches(&self, blocks: &[i64]) -> Result<BTreeMap<i64, Vec<EncodedMatch>>> {
        let rows = self.rows(MATCHES, &[&blocks])?;
        let numbers: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
        let mut seats: BTreeMap<i64, Vec<EncodedSeat>> = BTreeMap::new();
        for row in self.rows(SEATS, &[&numbers])? {
            seats.entry(row.get(0)).or_default().push(self.encoded_seat(&row)?);
        }
        let mut matches: BTreeMap<i64, Vec<EncodedMatch>> = BTreeMap::new();
        for row in rows {
            let ending = self.ending(row.get(3))?.name();
            let one = EncodedMatch {
                id: row.get(2),
                ending,
                plies: row.get::<_, i32>(4) as u32,
                started: row.get(5),
                wall_us: row.get(6),
                start: row.get(7),
                moves_hash: row.get(8),
                steps: steps(&row),
                details: row.get(10),
                outputs: row.get(11),
                seats: seats.remove(&row.get(0)).unwrap_or_default(),
            };
            matches.entry(row.get(1)).or_default().push(one);
        }
        Ok(matches)
    }

    fn encoded_seat(&self, row: &Row) -> Result<EncodedSeat> {
        let fault = self.fault(row.get(4))?.map(FaultKind::name);
        let (rank, notices) = (row.get::<_, i32>(3) as u32, row.get::<_, i32>(5).into());
        Ok(EncodedSeat { entrant: EntrantId(row.get(1)), score: row.get(2), rank, fault, notices })
    }

    fn ending(&self, name: &str) -> Result<Ending> {
        Ending::named(name).ok_or_else(|| self.damaged("how a match ended"))
    }

    fn fault(&self, name: Option<&str>) -> Result<Option<FaultKind>> {
        let named = |name: &str| FaultKind::named(name).ok_or_else(|| self.damaged("the fault of a seat"));
        name.map(named).transpose()
    }

    /// Reads a block, if it is unchanged.
    fn read_sound(&self, block: &EncodedBlock, entrant_index: &EntrantIndex) -> Result<StoredBlock> {
        if !block.is_sound() {
            return Err(self.damaged(&format!("block {} is not what was written: it", block.id)));
        }
        self.read_encoded(block, entrant_index)
    }

    fn read_encoded(&self, block: &EncodedBlock, entrant_index: &EntrantIndex) -> Result<StoredBlock> {
        let read = block.read(&|entrant| entrant_index.index_of(entrant));
        read.map_err(|what| self.damaged(&format!("the {what} of a match of block {}", block.id)))
    }

    /// The numbers of the block and the match at which a list ends or begins, if there is such a match; `beyond` all if
    /// none is named.
    fn end_of(&self, ladder: LadderId, named: Option<&str>, beyond: i64) -> Result<Option<(i64, i64)>> {
        let Some(id) = named else { return Ok(Some((beyond, beyond))) };
        let block = block_of(id);
        let rows = self.rows(PLACE, &[&ladder.0, &block, &id])?;
        Ok(rows.first().map(|row| (row.get(0), row.get(1))))
    }

    pub(crate) fn reach(&self, ladder: LadderId, before: Option<&str>, blocks: u64) -> Result<Option<String>> {
        let Some((block, _)) = self.end_of(ladder, before, i64::MAX)? else { return Ok(None) };
        let left = self.rows(LEFT_OUT, &[&ladder.0, &block, &(blocks as i64)])?;
        let Some(left) = left.first().map(|row| row.get::<_, i64>(0)) else { return Ok(None) };
        Ok(self.rows(FIRST_AFTER, &[&ladder.0, &left])?.first().map(|row| row.get(0)))
    }

    pub(crate) fn read_list(&self, ladder: &LadderRow, filter: &Filter) -> Result<Vec<Listed>> {
        let fault = filter.fault.map(|kind| kind.map_or("", FaultKind::name));
        let limit = filter.limit.map(|limit| limit as i64);
        let Filter { client, lost, against, .. } = filter;
        let settings = filter.settings.as_ref().map(|all| all.iter().map(|&one| one as i64).collect::<Vec<_>>());
        let longer = filter.longer.map(i64::from);
        let is_oldest = filter.oldest && filter.order == MatchOrder::Played;
        let (end, beyond, select) = match (filter.order, is_oldest) {
            (MatchOrder::Turns, _) => (&filter.before, i64::MAX, LISTED_LONGEST),
            (MatchOrder::Played, true) => (&filter.after, 0, LISTED_OLDEST),
            (MatchOrder::Played, false) => (&filter.before, i64::MAX, LISTED),
        };
        let Some((block, number)) = self.end_of(ladder.id, end.as_deref(), beyond)? else { return Ok(Vec::new()) };
        let Some((since, _)) = self.end_of(ladder.id, filter.since.as_deref(), 0)? else { return Ok(Vec::new()) };
        let ending = filter.ending.as_ref().map(Ending::name);
        let values: [&(dyn ToSql + Sync); 12] =
            [&ladder.id.0, client, &fault, &limit, lost, against, &settings, &longer, &block, &number, &ending, &since];
        let rows = self.rows(select, &values)?;
        let entrant_index = self.entrant_index(ladder.id)?;
        let numbers: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
        let mut seats: BTreeMap<i64, Vec<SeatOutcome>> = BTreeMap::new();
        for row in self.rows(SEATS, &[&numbers])? {
            let (rank, notices) = (row.get::<_, i32>(3) as u32, row.get::<_, i32>(5) as u32);
            let (entrant, score, fault) =
                (entrant_index.index_of(EntrantId(row.get(1))), row.get(2), self.fault(row.get(4))?);
            seats.entry(row.get(0)).or_default().push(SeatOutcome { entrant, rank, score, fault, notices });
        }
        let listed = |row: &Row| {
            let (id, setting) = (row.get(1), row.get::<_, i64>(2) as usize);
            let (ending, plies) = (self.ending(row.get(3))?, row.get::<_, i32>(4) as u32);
            let started = row.get::<_, i64>(5) as u64;
            Ok(Listed { id, setting, ending, plies, started, seats: seats.remove(&row.get(0)).unwrap_or_default() })
        };
        let mut listed: Vec<Listed> = rows.iter().map(listed).collect::<Result<_>>()?;
        if !is_oldest {
            listed.reverse();
        }
        Ok(listed)
    }

    pub(crate) fn find(&self, id: &str) -> Result<FoundMatch> {
        let block = block_of(id);
        let found = self.rows(FOUND, &[&block, &id])?;
        match found.as_slice() {
            [] => Ok(FoundMatch::None),
            [row] => {
                let ladder = self.ladder(row.get(1))?.ok_or_else(|| self.damaged("the ladder of a match"))?;
                let stored = self.stored(ladder, row.get(2), row.get(0))?;
                Ok(stored.map_or(FoundMatch::None, |stored| FoundMatch::One(Box::new(stored))))
            }
            several => Ok(FoundMatch::Several(several.iter().map(|row| row.get(0)).collect())),
        }
    }

    pub(crate) fn stored(&self, ladder: LadderRow, block: &str, id: &str) -> Result<Option<StoredMatch>> {
        let found = self.encoded(ladder.id, BLOCK, &[&ladder.id.0, &block])?;
        let Some((_, encoded)) = found.first() else { return Ok(None) };
        let StoredBlock { setting, opening, matches, .. } =
            self.read_encoded(encoded, &self.entrant_index(ladder.id)?)?;
        let Some(played) = matches.into_iter().find(|played| played.id == id) else { return Ok(None) };
        let entrants = self.read_members(ladder.id)?.into_iter().map(|member| member.entrant).collect();
        Ok(Some(StoredMatch { ladder, entrants, setting, opening, played }))
    }
}

/// The matches of a block, with the data for a table.
pub fn moves(block: StoredBlock) -> impl Iterator<Item = MatchMoves> {
    let StoredBlock { setting, opening, matches, .. } = block;
    matches.into_iter().map(move |played| {
        let seat = |seat: &agon_model::SeatResult| SeatOutcome {
            entrant: seat.entrant,
            rank: seat.rank,
            score: seat.score,
            fault: seat.fault.as_ref().map(|fault| fault.kind),
            notices: seat.notices.len() as u32,
        };
        let seats = played.seats.iter().map(seat).collect();
        MatchMoves { setting, opening, ending: played.ending, steps: played.steps, seats }
    })
}

/// The steps of a match; empty if they are damaged, which the digest of its block shows.
fn steps(row: &Row) -> Vec<u8> {
    let Some(length) = row.get::<_, Option<i32>>(12) else { return row.get(9) };
    usize::try_from(length).ok().and_then(|length| grow(row.get(9), length)).unwrap_or_default()
}

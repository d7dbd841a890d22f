//! Packs: the results of some thousand blocks in one value each, written when that many have been kept. So a table of
//! millions of matches reads a thirtieth of the record, in few places. Packs repeat the data in the tables of matches
//! and seats.

use super::results::{EachOutcome, IndexOf, each_row};
use super::select;
use agon_model::{BlockRow, EntrantId, FaultKind, LadderId, MatchOutcome, SeatOutcome};
use rusqlite::{Connection, OptionalExtension, params};

/// The blocks of a pack; few in the tests of this folder, so that they pack.
const BLOCKS: i64 = if cfg!(test) { 3 } else { 4_096 };
/// The most packs that one transaction writes where blocks are kept: after an import a record gets them little by
/// little.
pub const AT_ONCE: usize = 2;

/// Packs the oldest unpacked blocks of a ladder, `most` packs at most. Returns the number of blocks until the next pack
/// is full.
pub fn pack(db: &Connection, ladder: LadderId, most: usize) -> rusqlite::Result<i64> {
    for _ in 0..most {
        let last = last_packed(db, ladder)?;
        let full = db
            .prepare_cached(select::FULL)?
            .query_row(params![ladder.0, last.0, BLOCKS - 1], |row| row.get(0).map(BlockRow));
        let Some(full): Option<BlockRow> = full.optional()? else {
            let left: i64 = db.query_row(select::LEFT, params![ladder.0, last.0], |row| row.get(0))?;
            return Ok(BLOCKS - left);
        };
        let insert = "INSERT INTO pack (ladder, last, results) VALUES (?1, ?2, ?3)";
        db.prepare_cached(insert)?.execute(params![ladder.0, full.0, encode(db, ladder, last, full)?])?;
    }
    Ok(0)
}

/// The results of the blocks in rows after `after` up to `until`, as their tables have them.
pub fn encode(db: &Connection, ladder: LadderId, after: BlockRow, until: BlockRow) -> rusqlite::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut before = None;
    // Packs contain the entrants' numbers in the record.
    each_row(db, ladder, (after, until), &|entrant| entrant.0 as usize, &mut |outcome| {
        write(&mut bytes, outcome, before != Some(outcome.block));
        before = Some(outcome.block);
    })?;
    Ok(bytes)
}

/// Results in one value, in their order; entrants have their numbers in the record.
pub fn pack_results(outcomes: &[MatchOutcome]) -> Vec<u8> {
    let (mut bytes, mut before) = (Vec::new(), None);
    for outcome in outcomes {
        write(&mut bytes, outcome, before != Some(outcome.block));
        before = Some(outcome.block);
    }
    bytes
}

/// Drops the packs of a ladder, before any of their data changes.
pub fn unpack(db: &Connection, ladder: LadderId) -> rusqlite::Result<()> {
    db.execute("DELETE FROM pack WHERE ladder = ?1", [ladder.0]).map(drop)
}

/// The row of the last block in a pack; 0 if there is none.
pub fn last_packed(db: &Connection, ladder: LadderId) -> rusqlite::Result<BlockRow> {
    db.prepare_cached(select::PACKED)?.query_row([ladder.0], |row| row.get(0).map(BlockRow))
}

/// Writes one result: a sign whether a block begins with it, and then the block; the match; its seats.
fn write(bytes: &mut Vec<u8>, outcome: &MatchOutcome, begins: bool) {
    bytes.push(u8::from(begins));
    if begins {
        for number in [outcome.block.0, outcome.setting as i64, outcome.opening as i64] {
            put(bytes, number);
        }
    }
    put_text(bytes, &outcome.id);
    bytes.extend(outcome.start.to_le_bytes());
    bytes.extend(outcome.moves_hash.to_le_bytes());
    put(bytes, outcome.seats.len() as i64);
    for seat in &outcome.seats {
        for number in [seat.entrant as i64, seat.score, i64::from(seat.rank), i64::from(seat.notices)] {
            put(bytes, number);
        }
        put_text(bytes, seat.fault.map_or("", FaultKind::name));
    }
}

/// Passes every result of a pack to `each`; `None` if the bytes are not a pack.
pub fn read(bytes: &[u8], index: &IndexOf<'_>, each: &mut EachOutcome<'_>) -> Option<()> {
    let mut bytes = Bytes(bytes);
    let mut outcome = MatchOutcome::default();
    while !bytes.0.is_empty() {
        if bytes.flag()? {
            outcome.block = BlockRow(bytes.number()?);
            (outcome.setting, outcome.opening) = (bytes.number()? as usize, bytes.number()? as u64);
        }
        outcome.id.clear();
        outcome.id.push_str(bytes.text()?);
        outcome.start = bytes.word()?;
        outcome.moves_hash = bytes.word()?;
        outcome.seats.clear();
        for _ in 0..bytes.number()? {
            let (entrant, score) = (index(EntrantId(bytes.number()?)), bytes.number()?);
            let (rank, notices) = (bytes.number()?.try_into().ok()?, bytes.number()?.try_into().ok()?);
            let fault = match bytes.text()? {
                "" => None,
                name => Some(FaultKind::named(name)?),
            };
            outcome.seats.push(SeatOutcome { entrant, rank, score, fault, notices });
        }
        each(&outcome);
    }
    Some(())
}

/// Writes a number in groups of seven bits, the lowest first, its sign in the lowest bit: small ones take a byte.
fn put(bytes: &mut Vec<u8>, number: i64) {
    let mut left = (number << 1 ^ number >> 63) as u64;
    while left >= 0x80 {
        bytes.push(left as u8 | 0x80);
        left >>= 7;
    }
    bytes.push(left as u8);
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put(bytes, text.len() as i64);
    bytes.extend(text.as_bytes());
}

/// The rest of a pack.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn flag(&mut self) -> Option<bool> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first != 0)
    }

    fn number(&mut self) -> Option<i64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some((number >> 1) as i64 ^ -((number & 1) as i64));
            }
        }
        None
    }

    fn word(&mut self) -> Option<u64> {
        let (word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*word))
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = self.number()?.try_into().ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seat() -> impl Strategy<Value = SeatOutcome> {
        let kinds = [None, Some(FaultKind::Crash), Some(FaultKind::IllegalMove)];
        (any::<i64>(), any::<i64>(), any::<u32>(), proptest::sample::select(kinds.to_vec()), any::<u32>()).prop_map(
            |(entrant, score, rank, fault, notices)| SeatOutcome {
                entrant: entrant as usize,
                rank,
                score,
                fault,
                notices,
            },
        )
    }

    fn outcome() -> impl Strategy<Value = MatchOutcome> {
        let seats = proptest::collection::vec(seat(), 0..4);
        (0..3i64, any::<i64>(), "[0-9a-f]{0,9}-?[a-z]?", any::<u64>(), any::<u64>(), seats).prop_map(
            |(block, opening, id, start, moves_hash, seats)| {
                // The values of a block are the same in all its results.
                let (setting, opening) = ((block - 1) as usize, (opening | block) as u64);
                MatchOutcome { block: BlockRow(block), setting, opening, id, start, moves_hash, seats }
            },
        )
    }

    proptest! {
        #[test]
        fn results_survive(mut results in proptest::collection::vec(outcome(), 0..9)) {
            results.sort_by_key(|result| result.block);
            let openings = results.clone();
            for result in &mut results {
                result.opening = openings.iter().find(|first| first.block == result.block).map_or(0, |first| first.opening);
            }
            let (mut bytes, mut before, mut found) = (Vec::new(), None, Vec::new());
            for result in &results {
                write(&mut bytes, result, before != Some(result.block));
                before = Some(result.block);
            }
            prop_assert_eq!(read(&bytes, &|entrant| entrant.0 as usize, &mut |result| found.push(result.clone())), Some(()));
            prop_assert_eq!(found, results);
        }

        #[test]
        fn other_bytes_are_no_trouble(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&bytes, &|entrant| entrant.0 as usize, &mut |_| {});
        }
    }
}

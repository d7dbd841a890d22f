//! Writes played blocks: a bundle takes three statements, whatever its size.

use crate::connection::PostgresRecord;
use crate::shrink::shrink;
use agon_model::LadderId;
use agon_record::{EncodedBlock, EncodedMatch, Result};
use postgres::{Error, GenericClient, Statement};
use std::collections::BTreeMap;

/// Blocks that are not kept yet, in order, with their numbers.
const BLOCKS: &str = "INSERT INTO block (ladder, id, setting, opening, digest)
    SELECT $1::bigint, id, setting, opening, digest
    FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) WITH ORDINALITY
        AS given (id, setting, opening, digest, place) ORDER BY place
    ON CONFLICT (ladder, id) DO NOTHING RETURNING id, number";

const MATCHES: &str = "INSERT INTO match
        (block, id, ending, plies, started, wall_us, start, moves_hash, steps, step_bytes, details, outputs)
    SELECT block, id, ending, plies, started, wall_us, start, moves_hash, steps, step_bytes, details,
        outputs
    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::integer[], $5::bigint[], $6::bigint[], $7::bigint[],
        $8::bigint[], $9::bytea[], $10::integer[], $11::text[], $12::text[]) WITH ORDINALITY
        AS given (block, id, ending, plies, started, wall_us, start, moves_hash, steps, step_bytes, details, outputs, place)
    ORDER BY place RETURNING id, number";

const SEATS: &str = "INSERT INTO seat (match, seat, entrant, score, rank, fault, notices)
    SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::bigint[], $4::bigint[], $5::integer[], $6::text[],
        $7::integer[])";

impl PostgresRecord {
    /// Keeps blocks of one ladder, either all of them whole or none; it skips blocks that are kept already.
    pub(crate) fn write_blocks(&self, blocks: &[&EncodedBlock]) -> Result<()> {
        let Some(ladder) = blocks.first().map(|block| block.ladder) else { return Ok(()) };
        let within = self.is_within();
        self.write_bundle(ladder, blocks, within)?;
        // Imported blocks are packed when their ladder goes on.
        if within { Ok(()) } else { self.pack_when_full(ladder, blocks.len() as i64) }
    }

    fn write_bundle(&self, ladder: LadderId, blocks: &[&EncodedBlock], within: bool) -> Result<()> {
        let mut open = self.connection()?;
        let mut write = || -> std::result::Result<(), Error> {
            let (client, statements) = open.prepared([BLOCKS, MATCHES, SEATS])?;
            if within {
                return insert(client, &statements, ladder, blocks);
            }
            let mut transaction = client.transaction()?;
            insert(&mut transaction, &statements, ladder, blocks)?;
            transaction.commit()
        };
        write().map_err(|error| self.fail(error))
    }
}

fn insert(
    client: &mut impl GenericClient,
    statements: &[Statement],
    ladder: LadderId,
    blocks: &[&EncodedBlock],
) -> std::result::Result<(), Error> {
    let mut numbers = insert_blocks(client, &statements[0], ladder, blocks)?;
    // Of two equal blocks, the first counts.
    let new = blocks.iter().filter_map(|block| Some((numbers.remove(&block.id)?, *block)));
    let matches: Vec<(i64, &EncodedMatch)> =
        new.flat_map(|(number, block)| block.matches.iter().map(move |one| (number, one))).collect();
    let numbers = insert_matches(client, &statements[1], &matches)?;
    insert_seats(client, &statements[2], &matches, &numbers)
}

/// The numbers of the new blocks, by id.
fn insert_blocks(
    client: &mut impl GenericClient,
    insert: &Statement,
    ladder: LadderId,
    blocks: &[&EncodedBlock],
) -> std::result::Result<BTreeMap<String, i64>, Error> {
    let ids: Vec<&str> = blocks.iter().map(|block| block.id.as_str()).collect();
    let column = |value: fn(&EncodedBlock) -> i64| blocks.iter().map(|block| value(block)).collect::<Vec<i64>>();
    let (settings, openings) = (column(|block| block.setting), column(|block| block.opening));
    let digests = column(|block| block.digest);
    let rows = client.query(insert, &[&ladder.0, &ids, &settings, &openings, &digests])?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// The numbers of the matches, by id.
fn insert_matches(
    client: &mut impl GenericClient,
    insert: &Statement,
    matches: &[(i64, &EncodedMatch)],
) -> std::result::Result<BTreeMap<String, i64>, Error> {
    fn column<'a, T>(matches: &[(i64, &'a EncodedMatch)], value: impl Fn(&'a EncodedMatch) -> T) -> Vec<T> {
        matches.iter().map(|(_, one)| value(one)).collect()
    }
    let blocks: Vec<i64> = matches.iter().map(|(block, _)| *block).collect();
    let rows = client.query(
        insert,
        &[
            &blocks,
            &column(matches, |one| one.id.as_str()),
            &column(matches, |one| one.ending),
            &column(matches, |one| one.plies as i32),
            &column(matches, |one| one.started),
            &column(matches, |one| one.wall_us),
            &column(matches, |one| one.start),
            &column(matches, |one| one.moves_hash),
            &column(matches, |one| shrink(&one.steps)),
            &column(matches, |one| one.steps.len() as i32),
            &column(matches, |one| one.details.as_str()),
            &column(matches, |one| one.outputs.as_deref()),
        ],
    )?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

fn insert_seats(
    client: &mut impl GenericClient,
    insert: &Statement,
    matches: &[(i64, &EncodedMatch)],
    numbers: &BTreeMap<String, i64>,
) -> std::result::Result<(), Error> {
    let seats = matches.iter().flat_map(|(_, one)| (0i16..).zip(&one.seats).map(|(place, seat)| (*one, place, seat)));
    let seats: Vec<_> = seats.collect();
    // Every match that was asked for has a number; a 0 would fail as a reference to no match.
    let of_match: Vec<i64> = seats.iter().map(|(one, ..)| numbers.get(&one.id).copied().unwrap_or(0)).collect();
    let places: Vec<i16> = seats.iter().map(|(_, place, _)| *place).collect();
    let entrants: Vec<i64> = seats.iter().map(|(.., seat)| seat.entrant.0).collect();
    let scores: Vec<i64> = seats.iter().map(|(.., seat)| seat.score).collect();
    let ranks: Vec<i32> = seats.iter().map(|(.., seat)| seat.rank as i32).collect();
    let faults: Vec<Option<&str>> = seats.iter().map(|(.., seat)| seat.fault).collect();
    let notices: Vec<i32> = seats.iter().map(|(.., seat)| seat.notices as i32).collect();
    client.execute(insert, &[&of_match, &places, &entrants, &scores, &ranks, &faults, &notices]).map(drop)
}

//! Imports matches of another record in one transaction.

use crate::connection::{PostgresRecord, Unit};
use agon_model::{Entrant, EntrantId, Excuse, LadderId, LadderRow, PlayedBlock, Stage, Suspension};
use agon_record::{EncodedBlock, Import, Newcomer, Record, Result, StoredSuspension, to_json};
use std::collections::BTreeSet;

const KNOWN: &str = "SELECT id FROM entrant WHERE ladder = $1 AND hash = $2 AND options = $3 AND copy = $4";
const LAST: &str = "SELECT max(version) FROM entrant WHERE ladder = $1 AND team = $2 AND
    EXISTS (SELECT 1 FROM entrant WHERE ladder = $1 AND label = $3)";
const NEW: &str = "INSERT INTO entrant (ladder, hash, options, label, file, refused, copy, team, version, present)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id";
const VOID: &str = "INSERT INTO void (ladder, block, cause) SELECT $1, $2, $3 FROM generate_series(1, $4)";

const SUSPENSION: &str =
    "INSERT INTO suspension (ladder, entrant, kind, by_hand, why, since, schedule, at, let_back, counted)
    VALUES ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8::bigint), to_timestamp($9::bigint),
        coalesce((SELECT number FROM block WHERE ladder = $1 AND id = $10), 0))";

/// The number of blocks to write at once.
const BUNDLE: usize = 64;

/// An import under way.
struct PostgresImport<'a> {
    record: &'a PostgresRecord,
    unit: Unit<'a>,
    ladder: LadderId,
    /// Blocks that are not written yet.
    waiting: Vec<EncodedBlock>,
    ids: BTreeSet<String>,
}

impl PostgresRecord {
    pub(crate) fn import_into(&mut self, row: &LadderRow) -> Result<Box<dyn Import + '_>> {
        let known = self.ladder(&row.name)?;
        self.begin()?;
        // Any later failure undoes everything.
        let unit = Unit::of(self);
        unit.record.lock_ladder(&row.name)?;
        let ladder = match known {
            Some(known) => known.id,
            None => unit.record.insert_ladder(row)?,
        };
        let record = unit.record;
        Ok(Box::new(PostgresImport { record, unit, ladder, waiting: Vec::new(), ids: BTreeSet::new() }))
    }
}

impl PostgresImport<'_> {
    fn flush(&mut self) -> Result<()> {
        let blocks = std::mem::take(&mut self.waiting);
        self.ids.clear();
        self.record.write_blocks(&blocks.iter().collect::<Vec<_>>())
    }
}

impl Import for PostgresImport<'_> {
    fn add_client(&mut self, newcomer: &Newcomer) -> Result<EntrantId> {
        let Newcomer { entrant, team, present, copy, .. } = newcomer;
        let Entrant { label, file, hash, options, refused } = entrant;
        let (options, copy) = (to_json(options), *copy as i32);
        if let Some(row) = self.record.rows(KNOWN, &[&self.ladder.0, hash, &options, &copy])?.first() {
            return Ok(EntrantId(row.get(0)));
        }
        let last = self.record.rows(LAST, &[&self.ladder.0, team, label])?;
        let (version, label) = newcomer.after(last[0].get::<_, Option<i32>>(0).map(|last| last as u32));
        let values: &crate::connection::Values =
            &[&self.ladder.0, hash, &options, &label, file, refused, &copy, team, &(version as i32), present];
        Ok(EntrantId(self.record.rows(NEW, values)?[0].get(0)))
    }

    fn has_block(&self, block: &str) -> Result<bool> {
        Ok(self.ids.contains(block) || self.record.has_block(self.ladder, block)?)
    }

    fn add_block(&mut self, played: &PlayedBlock, ids: &[EntrantId]) -> Result<()> {
        self.ids.insert(played.block.id.clone());
        self.waiting.push(EncodedBlock::new(self.ladder, played, ids));
        if self.waiting.len() < BUNDLE { Ok(()) } else { self.flush() }
    }

    fn add_stage(&mut self, number: usize, stage: &Stage, scores: Option<&[Vec<i64>]>) -> Result<()> {
        self.record.record_stage(self.ladder, number, stage)?;
        scores.map_or(Ok(()), |scores| self.record.close_stage(self.ladder, number, scores))
    }

    fn add_suspension(&mut self, stored: &StoredSuspension) -> Result<()> {
        // Its failures count from a block that may not be written yet.
        self.flush()?;
        let StoredSuspension { entrant, suspension, at, let_back, counted } = stored;
        let Suspension { kind, by_hand, why, since, schedule } = suspension;
        let (kind, since) = (kind.name(), *since as i64);
        let values: &crate::connection::Values =
            &[&self.ladder.0, &entrant.0, &kind, by_hand, why, &since, schedule, at, let_back, counted];
        self.record.execute(SUSPENSION, values).map(drop)
    }

    fn add_excuse(&mut self, entrant: EntrantId, excuse: Excuse, times: u32) -> Result<()> {
        self.record.keep_excuses(self.ladder, &vec![(entrant, excuse); times as usize])
    }

    fn add_void(&mut self, block: &str, cause: &str, tries: u32) -> Result<()> {
        self.record.execute(VOID, &[&self.ladder.0, &block, &cause, &(tries as i32)]).map(drop)
    }

    fn commit(mut self: Box<Self>) -> Result<()> {
        self.flush()?;
        self.unit.commit()
    }
}

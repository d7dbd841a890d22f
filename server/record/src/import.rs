//! Imports matches of another record, all in one transaction, which is undone unless it is committed.

use super::archive::Import;
use super::error::explain;
use super::members::has_block;
use super::{
    EncodedBlock, Record, RecordError, Result, SqliteRecord, StoredSuspension, insert_ladder, pack, to_json,
    write_block,
};
use agon_model::{Entrant, EntrantId, Excuse, LadderId, LadderRow, PlayedBlock, Stage, Suspension};
use rusqlite::{OptionalExtension, Transaction, params};
use std::path::PathBuf;

/// An import under way.
struct SqliteImport<'a> {
    transaction: Transaction<'a>,
    ladder: LadderId,
    path: PathBuf,
}

/// A client from another record.
#[derive(Clone, Debug)]
pub struct Newcomer {
    pub entrant: Entrant,
    /// The label that all its versions share.
    pub team: String,
    /// The version, from 1.
    pub version: u32,
    /// Whether the newest run of the other record found its file.
    pub present: bool,
    /// Its number among those with the same file and options, from 0.
    pub copy: u32,
}

impl Newcomer {
    /// Its version and label in a ladder where its label is taken, and where `last` is its team's last version.
    pub fn after(&self, last: Option<u32>) -> (u32, String) {
        let next = last.map(|last| (last + 1, format!("{}@{}", self.team, last + 1)));
        next.unwrap_or_else(|| (self.version, self.entrant.label.clone()))
    }
}

impl SqliteRecord {
    pub(super) fn begin_import(&mut self, row: &LadderRow) -> Result<Box<dyn Import + '_>> {
        let (path, known) = (self.path.clone(), self.ladder(&row.name)?);
        let transaction = self.transaction()?;
        let ladder = match known {
            Some(known) => known.id,
            None => insert_ladder(&transaction, row).map_err(|error| RecordError::new(&path, explain(&error)))?,
        };
        Ok(Box::new(SqliteImport { transaction, ladder, path }))
    }
}

impl SqliteImport<'_> {
    fn fail(&self, error: rusqlite::Error) -> RecordError {
        RecordError::new(&self.path, explain(&error))
    }
}

impl Import for SqliteImport<'_> {
    fn add_client(&mut self, newcomer: &Newcomer) -> Result<EntrantId> {
        let Newcomer { entrant, team, present, copy, .. } = newcomer;
        let options = to_json(&entrant.options);
        let known = "SELECT id FROM entrant WHERE ladder = ?1 AND hash = ?2 AND options = ?3 AND copy = ?4";
        let values = params![self.ladder.0, entrant.hash, options, copy];
        let known: Option<i64> = (self.transaction.query_row(known, values, |row| row.get(0)).optional())
            .map_err(|error| self.fail(error))?;
        if let Some(id) = known {
            return Ok(EntrantId(id));
        }
        let last = "SELECT max(version) FROM entrant WHERE ladder = ?1 AND team = ?2 AND
                    EXISTS (SELECT 1 FROM entrant WHERE ladder = ?1 AND label = ?3)";
        let last: Option<u32> = (self.transaction)
            .query_row(last, params![self.ladder.0, team, entrant.label], |row| row.get(0))
            .map_err(|error| self.fail(error))?;
        let (version, label) = newcomer.after(last);
        let insert = "INSERT INTO entrant (ladder, hash, options, label, file, refused, copy, team, version, present)
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        let Entrant { file, hash, refused, .. } = entrant;
        let values = params![self.ladder.0, hash, options, label, file, refused, copy, team, version, present];
        self.transaction.execute(insert, values).map_err(|error| self.fail(error))?;
        Ok(EntrantId(self.transaction.last_insert_rowid()))
    }

    fn has_block(&self, block: &str) -> Result<bool> {
        has_block(&self.transaction, self.ladder, block).map_err(|error| self.fail(error))
    }

    fn add_block(&mut self, played: &PlayedBlock, ids: &[EntrantId]) -> Result<()> {
        write_block(&self.transaction, &EncodedBlock::new(self.ladder, played, ids)).map_err(|error| self.fail(error))
    }

    fn add_stage(&mut self, number: usize, stage: &Stage, scores: Option<&[Vec<i64>]>) -> Result<()> {
        let insert = "INSERT INTO stage (ladder, number, closed, content) VALUES (?1, ?2, ?3, ?4)";
        let contents = [Some((false, to_json(stage))), scores.map(|scores| (true, to_json(&scores)))];
        let mut put = |(closed, content): (bool, String)| {
            self.transaction.execute(insert, params![self.ladder.0, number as i64, closed, content]).map(drop)
        };
        contents.into_iter().flatten().try_for_each(&mut put).map_err(|error| self.fail(error))
    }

    fn add_suspension(&mut self, stored: &StoredSuspension) -> Result<()> {
        let insert = "INSERT INTO suspension
                (ladder, entrant, kind, by_hand, why, since, schedule, at, let_back, counted)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
                coalesce((SELECT row FROM block WHERE ladder = ?1 AND id = ?10), 0))";
        let StoredSuspension { entrant, suspension, at, let_back, counted } = stored;
        let Suspension { kind, by_hand, why, since, schedule } = suspension;
        let (since, kind) = (*since as i64, kind.name());
        let values = params![self.ladder.0, entrant.0, kind, by_hand, why, since, schedule, at, let_back, counted];
        self.transaction.execute(insert, values).map(drop).map_err(|error| self.fail(error))
    }

    fn add_excuse(&mut self, entrant: EntrantId, excuse: Excuse, times: u32) -> Result<()> {
        let insert = "INSERT INTO excuse (ladder, entrant, cause, at) VALUES (?1, ?2, ?3, unixepoch())";
        let put = || self.transaction.execute(insert, params![self.ladder.0, entrant.0, excuse.name()]).map(drop);
        (0..times).try_for_each(|_| put()).map_err(|error| self.fail(error))
    }

    fn add_void(&mut self, block: &str, cause: &str, tries: u32) -> Result<()> {
        let insert = "INSERT INTO void (ladder, block, cause, at) VALUES (?1, ?2, ?3, unixepoch())";
        let put = || self.transaction.execute(insert, params![self.ladder.0, block, cause]).map(drop);
        (0..tries).try_for_each(|_| put()).map_err(|error| self.fail(error))
    }

    fn commit(self: Box<Self>) -> Result<()> {
        let path = self.path.clone();
        let packed = pack::pack(&self.transaction, self.ladder, usize::MAX);
        packed.and_then(|_| self.transaction.commit()).map_err(|error| RecordError::new(&path, explain(&error)))
    }
}

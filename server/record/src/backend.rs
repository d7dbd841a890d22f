//! What a server, and one day workers on other machines, ask of a record: few plain functions, behind which another
//! database can stand. `server/agon/tests/face.rs` holds what any store must keep to; it runs over this one and over
//! one in memory.

use super::{EachOutcome, Kept, LadderRow, Result, Store};
use agon_model::{Entrant, PlayedBlock};
use rusqlite::params;

/// A store of ladders. Each function is one transaction: whoever else asks sees all of it or nothing.
pub trait Backend {
    /// The ladder with this name.
    ///
    /// # Errors
    /// The record cannot be read.
    fn ladder(&self, name: &str) -> Result<Option<LadderRow>>;

    /// Begins a ladder, and numbers it.
    ///
    /// # Errors
    /// There is one with this name, or the record cannot be written.
    fn begin_ladder(&mut self, row: &LadderRow) -> Result<LadderRow>;

    /// Keeps who takes part. The same file with the same options keeps its number for ever; another file under a known
    /// label is its next version, and its label says so.
    ///
    /// # Errors
    /// The record cannot be written.
    fn keep_entrants(&mut self, ladder: i64, entrants: &mut [Entrant]) -> Result<Kept>;

    /// Gives a block to a worker for so many seconds by the store's clock, unless it is played or another worker has
    /// it. Whoever has it may ask again to have it longer.
    ///
    /// # Errors
    /// The record cannot be written.
    fn lease(&mut self, ladder: i64, block: &str, worker: &str, seconds: u64) -> Result<bool>;

    /// Whether a block is played.
    ///
    /// # Errors
    /// The record cannot be read.
    fn has_block(&self, ladder: i64, block: &str) -> Result<bool>;

    /// Keeps played blocks, all of them whole or none. One that is kept already, since two workers played it, is passed
    /// over: the first to deliver it counts. `ids` are the entrants' numbers.
    ///
    /// # Errors
    /// The record cannot be written; nothing of the blocks is then in it.
    fn keep_blocks(&mut self, ladder: i64, blocks: &[PlayedBlock], ids: &[i64]) -> Result<()>;

    /// Keeps that a block was void, and why.
    ///
    /// # Errors
    /// The record cannot be written.
    fn keep_void(&mut self, ladder: i64, block: &str, cause: &str) -> Result<()>;

    /// Blocks that are void and not played since, by id: cause, how often each was tried.
    ///
    /// # Errors
    /// The record cannot be read.
    fn voids(&self, ladder: i64) -> Result<Vec<(String, String, u32)>>;

    /// Hands every match to `each`, block by block in the order in which they were kept.
    ///
    /// # Errors
    /// The record cannot be read.
    fn each_outcome(&self, ladder: i64, each: &mut EachOutcome<'_>) -> Result<()>;
}

impl Backend for Store {
    fn ladder(&self, name: &str) -> Result<Option<LadderRow>> {
        Store::ladder(self, name)
    }

    fn begin_ladder(&mut self, row: &LadderRow) -> Result<LadderRow> {
        Store::begin_ladder(self, row)
    }

    fn keep_entrants(&mut self, ladder: i64, entrants: &mut [Entrant]) -> Result<Kept> {
        Store::keep_entrants(self, ladder, entrants)
    }

    fn lease(&mut self, ladder: i64, block: &str, worker: &str, seconds: u64) -> Result<bool> {
        // One statement, so that of two who ask at once one is refused.
        let take = "INSERT INTO lease (ladder, block, worker, until)
                    SELECT ?1, ?2, ?3, unixepoch() + ?4
                    WHERE NOT EXISTS (SELECT 1 FROM block WHERE ladder = ?1 AND id = ?2)
                    ON CONFLICT (ladder, block) DO UPDATE SET worker = ?3, until = unixepoch() + ?4
                    WHERE lease.worker = ?3 OR lease.until <= unixepoch()";
        let seconds = i64::try_from(seconds).unwrap_or(i64::MAX / 2).min(1 << 40);
        let taken = self.db.execute(take, params![ladder, block, worker, seconds]);
        taken.map(|changed| changed > 0).map_err(|error| self.fail(error))
    }

    fn has_block(&self, ladder: i64, block: &str) -> Result<bool> {
        Store::has_block(self, ladder, block)
    }

    fn keep_blocks(&mut self, ladder: i64, blocks: &[PlayedBlock], ids: &[i64]) -> Result<()> {
        Store::keep_blocks(self, ladder, blocks, ids)
    }

    fn keep_void(&mut self, ladder: i64, block: &str, cause: &str) -> Result<()> {
        Store::keep_void(self, ladder, block, cause)
    }

    fn voids(&self, ladder: i64) -> Result<Vec<(String, String, u32)>> {
        Store::voids(self, ladder)
    }

    fn each_outcome(&self, ladder: i64, each: &mut EachOutcome<'_>) -> Result<()> {
        Store::each_outcome(self, ladder, each)
    }
}

//! The questions of a running tournament to a record, in any database; this crate's is SQLite. Each function is one
//! transaction: others see all of it or nothing. `server/machines/tests/record_trait.rs` tests the rules of each function,
//! and compares the databases with a record in memory.

use super::{EachOutcome, EncodedBlock, IndexOf, Kept, MatchSize, Member, Result, SqliteRecord, StoredStage};
use agon_model::{Entrant, EntrantId, Excuse, LadderId, LadderRow, Look, MatchOutcome, Stage, Suspension};

/// All reads see one moment as long as it lives.
pub trait ReadingMoment {}

/// The record of ladders. Every function fails if the record cannot be read or written, and then stores nothing.
pub trait Record {
    /// All reads see one moment as long as the returned value lives.
    fn read_moment(&self) -> Result<Box<dyn ReadingMoment + '_>>;

    /// The ladder with this name.
    fn ladder(&self, name: &str) -> Result<Option<LadderRow>>;

    /// The ladder that was worked on last.
    fn newest_ladder(&self) -> Result<Option<LadderRow>>;

    /// Begins a ladder, and numbers it. There must be none with its name.
    fn begin_ladder(&mut self, row: &LadderRow) -> Result<LadderRow>;

    /// Marks a ladder as the one worked on.
    fn touch_ladder(&self, ladder: LadderId) -> Result<()>;

    /// Renames a ladder, so that its own name is free; nothing is lost. Returns the new name.
    fn archive_ladder(&self, ladder: &LadderRow) -> Result<String>;

    /// The closing time by which the files of a ladder were frozen, seconds since 1970.
    fn frozen(&self, ladder: LadderId) -> Result<Option<u64>>;

    /// Freezes the present entrants for good, by this closing time.
    fn freeze(&self, ladder: LadderId, seconds: u64) -> Result<()>;

    /// Whether a ladder has ended: everything is played that will be. Until then only its operator and its
    /// workers see the seed, from which hidden deals follow.
    fn has_ended(&self, ladder: LadderId) -> Result<bool>;

    /// Marks a ladder as ended, or as under way again.
    fn mark_ended(&self, ladder: LadderId, has_ended: bool) -> Result<()>;

    /// Records the entrants that take part. The same file with the same options keeps its number for ever. Another file
    /// under a known label is its next version, and its label shows that.
    fn keep_entrants(&mut self, ladder: LadderId, entrants: &mut [Entrant]) -> Result<Kept>;

    /// All entrants that ever took part, in order of arrival.
    fn members(&self, ladder: LadderId) -> Result<Vec<Member>>;

    fn suspend(&self, ladder: LadderId, entrant: EntrantId, suspension: &Suspension) -> Result<()>;

    /// Lets an entrant play again, and its team if it was withdrawn; its earlier failures do not count again. Returns
    /// whether it had been set aside.
    fn let_back(&self, ladder: LadderId, member: &Member) -> Result<bool>;

    /// Lets an entrant play again that agon benched for failures which the present matches do not have in a row. Its
    /// earlier failures still count.
    fn lift_suspension(&self, ladder: LadderId, entrant: EntrantId) -> Result<()>;

    /// Records the excuses of entrants, by their numbers.
    fn keep_excuses(&self, ladder: LadderId, excuses: &[(EntrantId, Excuse)]) -> Result<()>;

    /// The look of admission at a file in the same circumstances.
    fn look(&self, hash: &str, context: &str) -> Result<Option<Look>>;

    /// Keeps a look of admission.
    fn keep_look(&self, hash: &str, context: &str, look: &Look) -> Result<()>;

    /// The space that the newest matches of such a game take; `None` if there are none.
    fn match_size(&self, game: &str, seats: usize) -> Result<Option<MatchSize>>;

    /// Records a stage before any of it is played.
    fn draw_stage(&self, ladder: LadderId, number: usize, stage: &Stage) -> Result<()>;

    /// Records the result of a stage, which ends it.
    fn close_stage(&self, ladder: LadderId, number: usize, scores: &[Vec<i64>]) -> Result<()>;

    /// All stages that were drawn, in order.
    fn stages(&self, ladder: LadderId) -> Result<Vec<StoredStage>>;

    /// Keeps played blocks, either all of them whole or none. It skips a block that is kept already, because two
    /// workers played it: the first delivery counts.
    fn keep_blocks(&mut self, blocks: &[&EncodedBlock]) -> Result<()>;

    /// The number of played blocks, including those of clients that have left.
    fn count_blocks(&self, ladder: LadderId) -> Result<u64>;

    /// Whether a block is played.
    fn has_block(&self, ladder: LadderId, block: &str) -> Result<bool>;

    /// The outcomes of a block's matches; `None` if it is not played. `index` turns numbers into entrants.
    fn block_outcomes(&self, ladder: LadderId, block: &str, index: &IndexOf<'_>) -> Result<Option<Vec<MatchOutcome>>>;

    /// Records that a block was void, and why.
    fn keep_void(&self, ladder: LadderId, block: &str, cause: &str) -> Result<()>;

    /// Void blocks that were not played later, by id: cause, and number of tries.
    fn voids(&self, ladder: LadderId) -> Result<Vec<(String, String, u32)>>;

    /// Passes every match of a ladder to `each`, block by block in the order of recording; entrants by index in order
    /// of arrival.
    fn each_outcome(&self, ladder: LadderId, each: &mut EachOutcome<'_>) -> Result<()>;
}

/// Opens the record into which a ladder is played, with the ladder's lock: while it is open, no other process plays it.
pub type OpenRecord<'a> = dyn Fn() -> Result<Box<dyn Record>> + 'a;

impl ReadingMoment for rusqlite::Transaction<'_> {}

impl Record for SqliteRecord {
    fn read_moment(&self) -> Result<Box<dyn ReadingMoment + '_>> {
        let moment = self.db.unchecked_transaction().map_err(|error| self.fail(error))?;
        Ok(Box::new(moment))
    }

    fn ladder(&self, name: &str) -> Result<Option<LadderRow>> {
        SqliteRecord::ladder(self, name)
    }

    fn newest_ladder(&self) -> Result<Option<LadderRow>> {
        SqliteRecord::newest_ladder(self)
    }

    fn begin_ladder(&mut self, row: &LadderRow) -> Result<LadderRow> {
        SqliteRecord::begin_ladder(self, row)
    }

    fn touch_ladder(&self, ladder: LadderId) -> Result<()> {
        SqliteRecord::touch_ladder(self, ladder)
    }

    fn archive_ladder(&self, ladder: &LadderRow) -> Result<String> {
        SqliteRecord::archive_ladder(self, ladder)
    }

    fn frozen(&self, ladder: LadderId) -> Result<Option<u64>> {
        SqliteRecord::frozen(self, ladder)
    }

    fn freeze(&self, ladder: LadderId, seconds: u64) -> Result<()> {
        SqliteRecord::freeze(self, ladder, seconds)
    }

    fn has_ended(&self, ladder: LadderId) -> Result<bool> {
        SqliteRecord::has_ended(self, ladder)
    }

    fn mark_ended(&self, ladder: LadderId, has_ended: bool) -> Result<()> {
        SqliteRecord::mark_ended(self, ladder, has_ended)
    }

    fn keep_entrants(&mut self, ladder: LadderId, entrants: &mut [Entrant]) -> Result<Kept> {
        SqliteRecord::keep_entrants(self, ladder, entrants)
    }

    fn members(&self, ladder: LadderId) -> Result<Vec<Member>> {
        SqliteRecord::members(self, ladder)
    }

    fn suspend(&self, ladder: LadderId, entrant: EntrantId, suspension: &Suspension) -> Result<()> {
        SqliteRecord::suspend(self, ladder, entrant, suspension)
    }

    fn lift_suspension(&self, ladder: LadderId, entrant: EntrantId) -> Result<()> {
        SqliteRecord::lift_suspension(self, ladder, entrant)
    }

    fn let_back(&self, ladder: LadderId, member: &Member) -> Result<bool> {
        SqliteRecord::let_back(self, ladder, member)
    }

    fn keep_excuses(&self, ladder: LadderId, excuses: &[(EntrantId, Excuse)]) -> Result<()> {
        SqliteRecord::keep_excuses(self, ladder, excuses)
    }

    fn look(&self, hash: &str, context: &str) -> Result<Option<Look>> {
        SqliteRecord::look(self, hash, context)
    }

    fn keep_look(&self, hash: &str, context: &str, look: &Look) -> Result<()> {
        SqliteRecord::keep_look(self, hash, context, look)
    }

    fn match_size(&self, game: &str, seats: usize) -> Result<Option<MatchSize>> {
        SqliteRecord::match_size(self, game, seats)
    }

    fn draw_stage(&self, ladder: LadderId, number: usize, stage: &Stage) -> Result<()> {
        SqliteRecord::draw_stage(self, ladder, number, stage)
    }

    fn close_stage(&self, ladder: LadderId, number: usize, scores: &[Vec<i64>]) -> Result<()> {
        SqliteRecord::close_stage(self, ladder, number, scores)
    }

    fn stages(&self, ladder: LadderId) -> Result<Vec<StoredStage>> {
        SqliteRecord::stages(self, ladder)
    }

    fn keep_blocks(&mut self, blocks: &[&EncodedBlock]) -> Result<()> {
        SqliteRecord::keep_blocks(self, blocks)
    }

    fn count_blocks(&self, ladder: LadderId) -> Result<u64> {
        SqliteRecord::count_blocks(self, ladder)
    }

    fn has_block(&self, ladder: LadderId, block: &str) -> Result<bool> {
        SqliteRecord::has_block(self, ladder, block)
    }

    fn block_outcomes(&self, ladder: LadderId, block: &str, index: &IndexOf<'_>) -> Result<Option<Vec<MatchOutcome>>> {
        SqliteRecord::block_outcomes(self, ladder, block, index)
    }

    fn keep_void(&self, ladder: LadderId, block: &str, cause: &str) -> Result<()> {
        SqliteRecord::keep_void(self, ladder, block, cause)
    }

    fn voids(&self, ladder: LadderId) -> Result<Vec<(String, String, u32)>> {
        SqliteRecord::voids(self, ladder)
    }

    fn each_outcome(&self, ladder: LadderId, each: &mut EachOutcome<'_>) -> Result<()> {
        SqliteRecord::each_outcome(self, ladder, each)
    }
}

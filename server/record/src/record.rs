//! What a running tournament asks of a record, whatever database keeps it: this crate's is SQLite. Each function is one
//! transaction: whoever else asks sees all of it or nothing. `server/agon/tests/record_trait.rs` holds what each must
//! keep to, and has one in memory beside which the others are held.

use super::{EachOutcome, EncodedBlock, IndexOf, Kept, LadderRow, MatchSize, Member, Result, Store, StoredStage};
use agon_arena::admission::Look;
use agon_model::{Entrant, Excuse, MatchOutcome, Stage, Suspension};

/// As long as it lives, all that is read is of one moment.
pub trait ReadingMoment {}

/// The record of ladders. Every function fails where the record cannot be read or written, and then nothing of what it
/// was to keep is in it.
pub trait Record {
    /// All that is read while what is returned lives is of one moment.
    fn read_moment(&self) -> Result<Box<dyn ReadingMoment + '_>>;

    /// The ladder with this name.
    fn ladder(&self, name: &str) -> Result<Option<LadderRow>>;

    /// The ladder that was worked on last.
    fn newest_ladder(&self) -> Result<Option<LadderRow>>;

    /// Begins a ladder, and numbers it. There must be none with its name.
    fn begin_ladder(&mut self, row: &LadderRow) -> Result<LadderRow>;

    /// Marks a ladder as the one worked on.
    fn touch_ladder(&self, ladder: i64) -> Result<()>;

    /// Gives a ladder another name, so that its own is free; nothing is lost. Says the new name.
    fn set_aside(&self, ladder: &LadderRow) -> Result<String>;

    /// The closing time by which the files of a ladder were frozen, seconds since 1970.
    fn frozen(&self, ladder: i64) -> Result<Option<u64>>;

    /// Keeps that those who take part now do so for good, by this closing time.
    fn freeze(&self, ladder: i64, seconds: u64) -> Result<()>;

    /// Keeps who takes part. The same file with the same options keeps its number for ever; another file under a known
    /// label is its next version, and its label says so.
    fn keep_entrants(&mut self, ladder: i64, entrants: &mut [Entrant]) -> Result<Kept>;

    /// Everybody who ever took part, in the order in which they came.
    fn members(&self, ladder: i64) -> Result<Vec<Member>>;

    /// Sets an entrant aside.
    fn suspend(&self, ladder: i64, entrant: i64, suspension: &Suspension) -> Result<()>;

    /// Lets an entrant play again, and its team if it was withdrawn; what it failed so far is not counted again.
    /// Whether anything stood against it.
    fn let_back(&self, ladder: i64, member: &Member) -> Result<bool>;

    /// Keeps for what entrants, by their numbers, were excused.
    fn keep_excuses(&self, ladder: i64, excuses: &[(i64, Excuse)]) -> Result<()>;

    /// What admission saw of a file in the same circumstances.
    fn look(&self, hash: &str, context: &str) -> Result<Option<Look>>;

    /// Keeps what admission saw.
    fn keep_look(&self, hash: &str, context: &str, look: &Look) -> Result<()>;

    /// What the newest matches of such a game take of the disk; `None` if there are none.
    fn match_size(&self, game: &str, seats: usize) -> Result<Option<MatchSize>>;

    /// Keeps what was drawn, before anything of it is played.
    fn draw_stage(&self, ladder: i64, number: usize, stage: &Stage) -> Result<()>;

    /// Keeps what came of a stage; it is not played on.
    fn close_stage(&self, ladder: i64, number: usize, scores: &[Vec<i64>]) -> Result<()>;

    /// Everything that was drawn, in order.
    fn stages(&self, ladder: i64) -> Result<Vec<StoredStage>>;

    /// Keeps played blocks, all of them whole or none. One that is kept already, since two workers played it, is passed
    /// over: the first to deliver it counts.
    fn keep_blocks(&mut self, blocks: &[&EncodedBlock]) -> Result<()>;

    /// How many blocks are played, those of clients that have left included.
    fn count_blocks(&self, ladder: i64) -> Result<u64>;

    /// Whether a block is played.
    fn has_block(&self, ladder: i64, block: &str) -> Result<bool>;

    /// What the matches of a block came to; `None` if it is not played. `index` makes entrants of their numbers.
    fn block_outcomes(&self, ladder: i64, block: &str, index: &IndexOf<'_>) -> Result<Option<Vec<MatchOutcome>>>;

    /// Keeps that a block was void, and why.
    fn keep_void(&self, ladder: i64, block: &str, cause: &str) -> Result<()>;

    /// Blocks that are void and not played since, by id: cause, how often each was tried.
    fn voids(&self, ladder: i64) -> Result<Vec<(String, String, u32)>>;

    /// Hands every match of a ladder to `each`, block by block in the order in which they were kept; entrants by index
    /// in the order in which they came.
    fn each_outcome(&self, ladder: i64, each: &mut EachOutcome<'_>) -> Result<()>;
}

/// Opens the record that a ladder is played into, with the ladder's lock: nobody else plays it as long as it is open.
pub type OpenRecord<'a> = dyn Fn() -> Result<Box<dyn Record>> + 'a;

impl ReadingMoment for rusqlite::Transaction<'_> {}

impl Record for Store {
    fn read_moment(&self) -> Result<Box<dyn ReadingMoment + '_>> {
        let moment = self.db.unchecked_transaction().map_err(|error| self.fail(error))?;
        Ok(Box::new(moment))
    }

    fn ladder(&self, name: &str) -> Result<Option<LadderRow>> {
        Store::ladder(self, name)
    }

    fn newest_ladder(&self) -> Result<Option<LadderRow>> {
        Store::newest_ladder(self)
    }

    fn begin_ladder(&mut self, row: &LadderRow) -> Result<LadderRow> {
        Store::begin_ladder(self, row)
    }

    fn touch_ladder(&self, ladder: i64) -> Result<()> {
        Store::touch_ladder(self, ladder)
    }

    fn set_aside(&self, ladder: &LadderRow) -> Result<String> {
        Store::set_aside(self, ladder)
    }

    fn frozen(&self, ladder: i64) -> Result<Option<u64>> {
        Store::frozen(self, ladder)
    }

    fn freeze(&self, ladder: i64, seconds: u64) -> Result<()> {
        Store::freeze(self, ladder, seconds)
    }

    fn keep_entrants(&mut self, ladder: i64, entrants: &mut [Entrant]) -> Result<Kept> {
        Store::keep_entrants(self, ladder, entrants)
    }

    fn members(&self, ladder: i64) -> Result<Vec<Member>> {
        Store::members(self, ladder)
    }

    fn suspend(&self, ladder: i64, entrant: i64, suspension: &Suspension) -> Result<()> {
        Store::suspend(self, ladder, entrant, suspension)
    }

    fn let_back(&self, ladder: i64, member: &Member) -> Result<bool> {
        Store::let_back(self, ladder, member)
    }

    fn keep_excuses(&self, ladder: i64, excuses: &[(i64, Excuse)]) -> Result<()> {
        Store::keep_excuses(self, ladder, excuses)
    }

    fn look(&self, hash: &str, context: &str) -> Result<Option<Look>> {
        Store::look(self, hash, context)
    }

    fn keep_look(&self, hash: &str, context: &str, look: &Look) -> Result<()> {
        Store::keep_look(self, hash, context, look)
    }

    fn match_size(&self, game: &str, seats: usize) -> Result<Option<MatchSize>> {
        Store::match_size(self, game, seats)
    }

    fn draw_stage(&self, ladder: i64, number: usize, stage: &Stage) -> Result<()> {
        Store::draw_stage(self, ladder, number, stage)
    }

    fn close_stage(&self, ladder: i64, number: usize, scores: &[Vec<i64>]) -> Result<()> {
        Store::close_stage(self, ladder, number, scores)
    }

    fn stages(&self, ladder: i64) -> Result<Vec<StoredStage>> {
        Store::stages(self, ladder)
    }

    fn keep_blocks(&mut self, blocks: &[&EncodedBlock]) -> Result<()> {
        Store::keep_blocks(self, blocks)
    }

    fn count_blocks(&self, ladder: i64) -> Result<u64> {
        Store::count_blocks(self, ladder)
    }

    fn has_block(&self, ladder: i64, block: &str) -> Result<bool> {
        Store::has_block(self, ladder, block)
    }

    fn block_outcomes(&self, ladder: i64, block: &str, index: &IndexOf<'_>) -> Result<Option<Vec<MatchOutcome>>> {
        Store::block_outcomes(self, ladder, block, index)
    }

    fn keep_void(&self, ladder: i64, block: &str, cause: &str) -> Result<()> {
        Store::keep_void(self, ladder, block, cause)
    }

    fn voids(&self, ladder: i64) -> Result<Vec<(String, String, u32)>> {
        Store::voids(self, ladder)
    }

    fn each_outcome(&self, ladder: i64, each: &mut EachOutcome<'_>) -> Result<()> {
        Store::each_outcome(self, ladder, each)
    }
}

//! Where the blocks of a ladder come from, in the order of its schedule.

use crate::participants::Participants;
use crate::rounds::Rounds;
use agon_config::Ladder;
use agon_crew::RunError;
use agon_model::Block;
use agon_record::Record;

/// Where blocks come from.
pub enum Source<'a> {
    /// A schedule that is known from the beginning.
    Fixed(Box<dyn Iterator<Item = Block> + 'a>),
    /// Pairings that follow from results.
    Drawn(Box<Rounds>),
}

impl<'a> Source<'a> {
    /// From the beginning, with what was drawn in runs before.
    pub fn of(ladder: &Ladder, participants: &Participants<'a>, store: &dyn Record) -> Result<Source<'a>, RunError> {
        Ok(match ladder.system.is_drawn() {
            true => Source::Drawn(Box::new(Rounds::new(ladder, store.stages(participants.row.id)?))),
            false => Source::Fixed(Box::new(participants.schedule.blocks())),
        })
    }

    /// The next block, as far as they are known.
    pub fn next_block(&mut self) -> Option<Block> {
        match self {
            Source::Fixed(blocks) => blocks.next(),
            Source::Drawn(rounds) => rounds.next_block(),
        }
    }

    /// Whether what is not played of these blocks stays so.
    pub fn is_closed(&self) -> bool {
        matches!(self, Source::Drawn(rounds) if rounds.is_closed())
    }
}

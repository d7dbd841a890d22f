//! The source of a ladder's blocks, in the order of its schedule.

use crate::participants::Participants;
use crate::rounds::Rounds;
use agon_model::{Block, Ladder};
use agon_record::{Record, RunError};

/// The source of blocks.
pub enum Source<'a> {
    /// The schedule is known from the beginning.
    Fixed(Box<dyn Iterator<Item = Block> + 'a>),
    /// The pairings follow from results.
    ByResults(Box<Rounds>),
}

impl<'a> Source<'a> {
    /// Begins with the stages of earlier runs.
    pub fn of(ladder: &Ladder, participants: &Participants<'a>, record: &dyn Record) -> Result<Source<'a>, RunError> {
        Ok(if ladder.system.pairs_by_results() {
            Source::ByResults(Box::new(Rounds::new(ladder, record.stages(participants.row.id)?)))
        } else {
            Source::Fixed(Box::new(participants.schedule.blocks()))
        })
    }

    /// The next block, as far as they are known.
    pub fn next_block(&mut self) -> Option<Block> {
        match self {
            Source::Fixed(blocks) => blocks.next(),
            Source::ByResults(rounds) => rounds.next_block(),
        }
    }

    /// Whether the unplayed blocks of this stage stay unplayed.
    pub fn is_closed(&self) -> bool {
        matches!(self, Source::ByResults(rounds) if rounds.is_closed())
    }
}

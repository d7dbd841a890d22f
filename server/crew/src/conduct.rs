//! The cut between who decides what is played and who plays it. A coordinator gives blocks and takes their outcomes; a
//! crew plays what it is offered, in any order, on threads of this process or elsewhere; each of its workers claims
//! blocks and delivers outcomes.

use crate::error::RunError;
use agon_model::{Block, PlayedBlock};
use agon_record::EncodedBlock;
use std::time::Duration;

/// How long outcomes are waited for before the coordinator is told that there are none.
const WAIT: Duration = Duration::from_millis(100);

/// What is to be played next.
pub enum Next {
    /// This block.
    Block(Block),
    /// That depends on a block under way: ask again when one is done.
    NotYet,
    /// Nothing more.
    None,
}

/// What came of a block.
pub enum BlockOutcome {
    /// It was played; as it is kept, where it is.
    Played(PlayedBlock, Option<EncodedBlock>),
    /// It was void as often as it may be tried again.
    Void(Block, String),
    /// Nothing more can be recorded.
    Broken(RunError),
}

/// Decides what is played, and keeps what came of it.
pub trait Coordinator {
    /// Why it cannot go on.
    type Error;

    /// What is to be played next.
    ///
    /// # Errors
    /// The run cannot go on.
    fn next(&mut self) -> Result<Next, Self::Error>;

    /// Takes what came of some blocks; of none where nothing came for a moment.
    ///
    /// # Errors
    /// The run cannot go on.
    fn done(&mut self, outcomes: Vec<BlockOutcome>) -> Result<(), Self::Error>;
}

/// Who plays, as the coordinator sees them.
pub trait Crew {
    /// How many blocks they take at a time, those under way included, so that nobody idles.
    fn slots(&self) -> usize;

    /// Gives them a block; there are no more of it than slots.
    ///
    /// # Errors
    /// Nobody is there any more.
    fn offer(&mut self, block: Block) -> Result<(), Gone>;

    /// What came of blocks since this was asked last, waiting so long for the first; none if nothing did.
    ///
    /// # Errors
    /// Nobody is there any more.
    fn outcomes(&mut self, wait: Duration) -> Result<Vec<BlockOutcome>, Gone>;

    /// Nothing more will be offered: whoever waits for a block ends.
    fn finish(&mut self);
}

/// What is to be played, as one worker sees it.
pub trait Work {
    /// The next block, when there is one; `None` = there will be none.
    fn claim(&mut self) -> Option<Block>;

    /// Hands in what came of it, at once or with that of the next ones.
    ///
    /// # Errors
    /// Nobody takes it.
    fn deliver(&mut self, outcome: BlockOutcome) -> Result<(), Gone>;

    /// Hands in all that is not delivered yet.
    fn finish(&mut self);
}

/// The other side has ended; whatever the cause is, that side tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone;

/// Has a crew play the blocks of a coordinator until there are no more and all are done, or nobody is there any more.
///
/// # Errors
/// The coordinator's.
pub fn conduct<C: Coordinator + ?Sized>(crew: &mut dyn Crew, coordinator: &mut C) -> Result<(), C::Error> {
    let (mut under_way, mut is_open) = (0, true);
    loop {
        while is_open && under_way < crew.slots() {
            match coordinator.next()? {
                Next::Block(block) => match crew.offer(block) {
                    Ok(()) => under_way += 1,
                    Err(Gone) => is_open = false,
                },
                Next::NotYet => break,
                Next::None => is_open = false,
            }
        }
        if !is_open {
            crew.finish();
        }
        if under_way == 0 {
            return Ok(());
        }
        let Ok(outcomes) = crew.outcomes(WAIT) else { return Ok(()) };
        under_way -= outcomes.len();
        coordinator.done(outcomes)?;
    }
}

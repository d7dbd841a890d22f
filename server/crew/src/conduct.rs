//! Separates the coordinator, which decides about blocks, from the crew, which plays them. A coordinator gives blocks
//! and takes their outcomes. A crew plays the blocks offered to it, in any order, on threads of this process or
//! elsewhere. Each of its threads claims blocks and delivers outcomes.

use agon_model::{Block, PlayedBlock};
use agon_record::EncodedBlock;
use agon_record::RunError;
use std::time::Duration;

/// How long to wait for outcomes before the coordinator learns that there are none.
const WAIT: Duration = Duration::from_millis(100);

/// The next block to play, if any.
pub enum Next {
    Block(Block),
    /// The next block depends on a block under way: ask again when one is done.
    NotYet,
    /// There are no more blocks.
    None,
}

/// The result of a block.
pub enum BlockOutcome {
    /// It was played; with its stored form, if there is one.
    Played(PlayedBlock, Option<EncodedBlock>),
    /// It was void as often as it may be tried again.
    Void(Block, String),
    /// The outcome cannot be recorded, and no later one.
    Broken(RunError),
}

/// Decides which blocks are played, and keeps their results.
pub trait Coordinator {
    /// The reason why it cannot go on.
    type Error;

    /// Returns the next block to play.
    ///
    /// # Errors
    /// The run cannot go on.
    fn next(&mut self) -> Result<Next, Self::Error>;

    /// Takes the results of some blocks; an empty list if nothing came for a moment.
    ///
    /// # Errors
    /// The run cannot go on.
    fn done(&mut self, outcomes: Vec<BlockOutcome>) -> Result<(), Self::Error>;
}

/// The players of blocks, as the coordinator sees them.
pub trait Crew {
    /// The number of blocks that they take at a time, including those under way, so that no player idles.
    fn slots(&self) -> usize;

    /// Gives them a block; they never have more blocks than slots.
    ///
    /// # Errors
    /// No player is left.
    fn offer(&mut self, block: Block) -> Result<(), PeerEnded>;

    /// The results of blocks since the last call. It waits this long for the first, and returns none if nothing came.
    ///
    /// # Errors
    /// No player is left.
    fn outcomes(&mut self, wait: Duration) -> Result<Vec<BlockOutcome>, PeerEnded>;

    /// Ends the offers: a player that waits for a block then ends.
    fn finish(&mut self);
}

/// The work of a ladder, as one thread sees it.
pub trait BlockSource {
    /// Waits for the next block; `None` = there will be none.
    fn claim(&mut self) -> Option<Block>;

    /// Delivers a result, at once or with later ones.
    ///
    /// # Errors
    /// No receiver is left.
    fn deliver(&mut self, outcome: BlockOutcome) -> Result<(), PeerEnded>;

    /// Delivers everything that is not delivered yet.
    fn finish(&mut self);
}

/// The other side has ended, and reports the cause itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerEnded;

/// Lets a crew play the blocks of a coordinator until all are done, or no player is left.
pub fn conduct<C: Coordinator + ?Sized>(crew: &mut dyn Crew, coordinator: &mut C) -> Result<(), C::Error> {
    let (mut under_way, mut is_open) = (0, true);
    loop {
        while is_open && under_way < crew.slots() {
            match coordinator.next()? {
                Next::Block(block) => match crew.offer(block) {
                    Ok(()) => under_way += 1,
                    Err(PeerEnded) => is_open = false,
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

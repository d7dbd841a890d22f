//! Lets threads of this process and workers of other machines serve one ladder together. The threads come first: before
//! they would idle, they take back blocks that nobody else has begun.

use super::exchange_crew::ExchangeCrew;
use crate::conduct::{BlockOutcome, Crew, PeerEnded};
use agon_model::Block;
use std::time::Duration;

/// How long to wait for the threads while others may deliver.
const TURN: Duration = Duration::from_millis(10);

/// The threads and the exchange.
pub struct Joint<'a, 'b> {
    threads: &'a mut dyn Crew,
    exchange: &'a mut ExchangeCrew<'b>,
    /// The number of blocks that the threads have.
    here: usize,
}

impl<'a, 'b> Joint<'a, 'b> {
    /// Begins without blocks under way.
    pub fn new(threads: &'a mut dyn Crew, exchange: &'a mut ExchangeCrew<'b>) -> Joint<'a, 'b> {
        Joint { threads, exchange, here: 0 }
    }

    fn give(&mut self, block: Block) -> Result<(), PeerEnded> {
        self.threads.offer(block)?;
        self.here += 1;
        Ok(())
    }
}

impl Crew for Joint<'_, '_> {
    fn slots(&self) -> usize {
        self.threads.slots() + self.exchange.slots()
    }

    fn offer(&mut self, block: Block) -> Result<(), PeerEnded> {
        if self.here < self.threads.slots() { self.give(block) } else { self.exchange.offer(block) }
    }

    fn outcomes(&mut self, wait: Duration) -> Result<Vec<BlockOutcome>, PeerEnded> {
        let mut outcomes = self.exchange.trade();
        let room = self.threads.slots().saturating_sub(self.here);
        if room > 0 && !self.exchange.is_idle() {
            self.exchange.recall(room).into_iter().try_for_each(|block| self.give(block))?;
        }
        let wait = match (outcomes.is_empty(), self.exchange.is_idle()) {
            (true, true) => wait,
            (true, false) => wait.min(TURN),
            (false, _) => Duration::ZERO,
        };
        match self.threads.outcomes(wait) {
            Ok(own) => {
                self.here -= own.len();
                outcomes.extend(own.into_iter().filter_map(|outcome| self.exchange.compare(outcome)));
                Ok(outcomes)
            }
            // Results from elsewhere count; the next call sees again that the threads have ended.
            Err(PeerEnded) if !outcomes.is_empty() => Ok(outcomes),
            Err(PeerEnded) => Err(PeerEnded),
        }
    }

    fn finish(&mut self) {
        if self.exchange.is_idle() {
            self.threads.finish();
        }
    }
}

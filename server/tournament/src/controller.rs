//! Only the controller stops a run and suspends clients. It receives the results of blocks in any order, and judges
//! them in the order of the schedule. It applies a stop rule block by block, and judges failures in a row and precision
//! at checkpoints. Only a signal and the time of a run depend on the machine.

use crate::enough::Enough;
use crate::schedule::{Checkpoints, Failing, FailureStreaks, is_checkpoint};
use crate::stops::{StopKey, Stops};
use crate::suspensions::Suspensions;
use agon_model::{Block, MatchOutcome, PlayedBlock};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Whether a block may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    Granted,
    /// A judgement comes before it, and blocks that count there are under way.
    NotYet,
    /// No more blocks begin.
    Refused,
}

/// The result of a block as far as it is judged; empty if the block was void or left out.
#[derive(Clone, Debug, Default)]
pub struct Came {
    pub matches: Vec<MatchOutcome>,
    /// Clients whose failures in these matches do not count.
    pub pardoned: BTreeSet<usize>,
}

/// Why no more blocks begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlyEnd {
    /// The rule for stopping has seen enough.
    Enough,
    /// A user stopped the run.
    Signal,
    /// A key of `[stop]` ended the ladder.
    Key(StopKey),
}

/// Everything that ends a run early or keeps a client from going on.
pub struct Controller<'a> {
    signal: &'a AtomicBool,
    stops: Stops,
    enough: Option<Enough<'a>>,
    failure_streaks: FailureStreaks,
    suspensions: Suspensions,
    /// Results that were not judged at a checkpoint yet.
    blocks: Checkpoints<(Block, Came)>,
    /// Clients that were suspended here, and are not in the record yet.
    failing: Vec<(Failing, u64)>,
}

impl<'a> Controller<'a> {
    /// Begins at the start of the schedule.
    pub fn new(
        signal: &'a AtomicBool,
        stops: Stops,
        enough: Option<Enough<'a>>,
        failure_streaks: FailureStreaks,
        suspensions: Suspensions,
    ) -> Controller<'a> {
        let (blocks, failing) = (Checkpoints::default(), Vec::new());
        Controller { signal, stops, enough, failure_streaks, suspensions, blocks, failing }
    }

    /// Whether no more blocks begin.
    pub fn is_over(&mut self) -> bool {
        self.stops.look();
        self.early_end().is_some()
    }

    /// The first reason of the list, as far as they are known.
    pub fn early_end(&self) -> Option<EarlyEnd> {
        if self.enough.as_ref().is_some_and(Enough::is_reached) {
            return Some(EarlyEnd::Enough);
        }
        if self.signal.load(Ordering::Relaxed) {
            return Some(EarlyEnd::Signal);
        }
        self.stops.reached().map(EarlyEnd::Key)
    }

    /// Whether the block with this number may begin; first judges everything that comes before it.
    pub fn may_begin(&mut self, number: u64) -> Permission {
        if is_checkpoint(number) {
            if !self.blocks.is_ready(number) {
                return Permission::NotYet;
            }
            self.judge(number);
        }
        if self.is_over() { Permission::Refused } else { Permission::Granted }
    }

    /// Judges the blocks that count at a checkpoint: first failures, then precision, in which suspended clients do not
    /// matter.
    fn judge(&mut self, place: u64) {
        let mut failing = Vec::new();
        for (block, came) in self.blocks.take(place) {
            failing.extend(self.failure_streaks.count(&came.matches, &came.pardoned));
            self.stops.count(&block, &came.matches);
        }
        for failing in failing {
            if self.suspensions.begin(failing.entrant, place) {
                self.failing.push((failing, place));
            }
        }
        self.stops.judge(&|entrant| self.suspensions.is_out(entrant, place));
    }

    /// Records that a block begins.
    pub fn begin(&mut self, block: &Block) {
        self.stops.begin();
        if self.judges_at_checkpoints() {
            self.blocks.hand_out(block.number);
        }
    }

    /// Records a block that was played.
    pub fn close_played(&mut self, played: &PlayedBlock) {
        let matches = if self.judges() { MatchOutcome::all_of(played) } else { Vec::new() };
        self.close(&played.block, Came { matches, pardoned: BTreeSet::new() });
    }

    /// Records a block that is done: played in this run or before, void or left out.
    pub fn close(&mut self, block: &Block, came: Came) {
        if let Some(enough) = &mut self.enough {
            enough.see(block.number, came.matches.clone());
        }
        if self.judges_at_checkpoints() {
            self.blocks.close(block.number, (block.clone(), came));
        }
    }

    /// Whether the results of matches matter.
    pub fn judges(&self) -> bool {
        self.enough.is_some() || self.judges_at_checkpoints()
    }

    fn judges_at_checkpoints(&self) -> bool {
        self.failure_streaks.judges() || self.stops.judges()
    }

    /// Whether a suspended client would play a block.
    pub fn has_suspended(&self, block: &Block) -> bool {
        block.lineup.iter().any(|entrant| self.suspensions.is_out(*entrant, block.number))
    }

    pub fn suspensions(&self) -> &Suspensions {
        &self.suspensions
    }

    /// Takes the suspensions of the record; false = a client was let back, and the schedule is passed through again.
    pub fn take_suspensions(&mut self, now: Suspensions) -> bool {
        self.suspensions.join(now)
    }

    /// The clients that were suspended since the last call, and their first blocks without play.
    pub fn take_failing(&mut self) -> Vec<(Failing, u64)> {
        std::mem::take(&mut self.failing)
    }

    /// When the first block began, in this pass or an earlier one.
    pub fn began(&self) -> Option<Instant> {
        self.stops.began()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::CHECKPOINT_INTERVAL;
    use agon_model::{FaultKind, SeatOutcome};

    fn block(number: u64) -> Block {
        let (id, lineup) = (number.to_string(), vec![0, 1]);
        Block { id, number, lineup, rotations: 1, setting: 0, opening: number, draws: [0; 32] }
    }

    fn came(number: u64, failed: &[bool]) -> Came {
        let seat = |(entrant, failed): (usize, &bool)| {
            let fault = failed.then_some(FaultKind::Crash);
            SeatOutcome { entrant, rank: 1, score: 0, fault, notices: 0 }
        };
        let (id, seats) = (format!("{number:04}-a"), failed.iter().enumerate().map(seat).collect());
        let matches = vec![MatchOutcome { id, seats, ..MatchOutcome::default() }];
        Came { matches, ..Came::default() }
    }

    fn controller(signal: &AtomicBool, limit: u32) -> Controller<'_> {
        Controller::new(signal, Stops::none(), None, FailureStreaks::new(limit), Suspensions::default())
    }

    #[test]
    fn what_is_judged_does_not_depend_on_the_order_of_play() {
        let signal = AtomicBool::new(false);
        let judge = |order: &[u64]| {
            let mut controller = controller(&signal, 3);
            (0..3 * CHECKPOINT_INTERVAL).for_each(|number| controller.begin(&block(number)));
            for &number in order {
                controller.close(&block(number), came(number, &[number % 4 != 3, number % 3 != 2]));
            }
            let places = (0..5).map(|place| place * CHECKPOINT_INTERVAL);
            places.for_each(|place| assert_eq!(controller.may_begin(place), Permission::Granted));
            controller.take_failing()
        };
        let forward: Vec<u64> = (0..3 * CHECKPOINT_INTERVAL).collect();
        let backward: Vec<u64> = forward.iter().rev().copied().collect();
        let failing = judge(&forward);
        let found: Vec<_> = failing.iter().map(|(failing, since)| (failing.entrant, &*failing.id, *since)).collect();
        assert_eq!(found, [(0, "0002-a", 2 * CHECKPOINT_INTERVAL)], "two in a row are not three; told once");
        assert_eq!(judge(&backward), failing);
    }

    #[test]
    fn a_checkpoint_waits_for_what_counts_there_only() {
        let signal = AtomicBool::new(false);
        let mut controller = controller(&signal, 1);
        (0..2 * CHECKPOINT_INTERVAL).for_each(|number| controller.begin(&block(number)));
        assert_eq!(controller.may_begin(CHECKPOINT_INTERVAL), Permission::Granted, "nothing counts yet");
        assert_eq!(controller.may_begin(2 * CHECKPOINT_INTERVAL), Permission::NotYet);
        (0..CHECKPOINT_INTERVAL).for_each(|number| controller.close(&block(number), came(number, &[true])));
        // The second stretch is still being played.
        assert_eq!(controller.may_begin(2 * CHECKPOINT_INTERVAL), Permission::Granted);
        assert_eq!(controller.take_failing().len(), 1);
        assert!(controller.has_suspended(&block(2 * CHECKPOINT_INTERVAL)) && !controller.has_suspended(&block(1)));
    }

    #[test]
    fn nobody_waits_where_nothing_is_judged_and_a_signal_ends_it() {
        let signal = AtomicBool::new(false);
        let mut controller = controller(&signal, 0);
        (0..2 * CHECKPOINT_INTERVAL).for_each(|number| controller.begin(&block(number)));
        assert_eq!(controller.may_begin(2 * CHECKPOINT_INTERVAL), Permission::Granted);
        signal.store(true, Ordering::Relaxed);
        assert_eq!(controller.may_begin(7), Permission::Refused);
        assert_eq!(controller.early_end(), Some(EarlyEnd::Signal));
    }
}

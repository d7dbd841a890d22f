//! The reports of a worker during its stay: its results, its presence, and blocks that it leaves to others.

use super::{Importance, WorkerSession};
use crate::remote::tally::WorkerTally;
use agon_model::EntrantId;
use agon_record::RunError;
use agon_record::exchange::{Claimed, LinkError};
use std::time::Instant;

impl WorkerSession<'_> {
    /// Delivers unacknowledged results, and reports its presence, when that is due.
    pub(in crate::remote) fn see_to(&mut self) -> Result<(), RunError> {
        self.show();
        if Instant::now() < self.next_try {
            return Ok(());
        }
        self.hand_in()?;
        let now = Instant::now();
        if !self.presence.is_report_due(now) || now < self.next_try {
            return Ok(());
        }
        let orders = self.link.beat(self.wants());
        if let Some(orders) = self.heard(orders)? {
            self.presence.reported(Instant::now(), orders.lease);
            orders.refusals.iter().for_each(|why| self.complain(why));
            if orders.drain && !std::mem::replace(&mut self.drain, true) {
                (self.tell)(Importance::Progress, "told to go: no new blocks are begun");
                self.stay.drained = true;
            }
        }
        Ok(())
    }

    /// Writes its state down for watchers.
    fn show(&self) {
        let WorkerTally { delivered, refused, held, unsent, away } = self.options.tally;
        delivered.set(self.stay.blocks);
        refused.set(self.stay.refused);
        held.set((self.queue.len() + self.held.len()) as u64);
        unsent.set(self.unsent.iter().map(|spooled| spooled.deliveries.len() as u64).sum());
        away.set(self.is_away.into());
    }

    fn complain(&mut self, why: &str) {
        self.stay.refused += 1;
        (self.tell)(Importance::Trouble, &format!("refused: {why}"));
    }

    /// Delivers unacknowledged results, and claims missing blocks in the same exchange.
    fn hand_in(&mut self) -> Result<(), RunError> {
        while let Some(spooled) = self.unsent.pop_front() {
            let is_own = spooled.deliveries.iter().all(|one| one.key == self.key);
            let claimable = if is_own && !self.is_over() { self.claimable() } else { 0 };
            match self.link.exchange(&spooled.deliveries, claimable, self.wants()) {
                Ok((refusals, claimed)) => {
                    self.come_back();
                    if claimable > 0 {
                        self.take(claimed);
                    }
                    self.stay.blocks += spooled.deliveries.len().saturating_sub(refusals.len()) as u64;
                    spooled.remove();
                    refusals.iter().for_each(|why| self.complain(why));
                }
                Err(LinkError::Away(why)) => {
                    self.unsent.push_front(spooled);
                    self.go_away(&why);
                    return Ok(());
                }
                Err(LinkError::Refused(why) | LinkError::Over(why)) => {
                    spooled.remove();
                    if is_own {
                        return Err(RunError::Internal(why));
                    }
                    (self.tell)(Importance::Trouble, &format!("blocks of an earlier worker are not taken: {why}"));
                }
            }
        }
        Ok(())
    }

    /// Gives unplayed blocks back to the exchange.
    pub(in crate::remote) fn give_back(&mut self) -> Result<(), RunError> {
        let is_over = self.is_over();
        let queued = if is_over { self.queue.drain(..).map(|one| one.lease.number).collect() } else { Vec::new() };
        let held = std::mem::take(&mut self.held).into_values().map(|lease| lease.number);
        let leases: Vec<i64> = held.chain(queued).collect();
        if !leases.is_empty() {
            let released = self.link.release(&leases);
            // If this fails, the leases run out.
            self.heard(released)?;
        }
        Ok(())
    }

    pub(in crate::remote) fn decline(&mut self, terms: i64, why: &str) -> Result<(), RunError> {
        (self.tell)(Importance::Trouble, &format!("this machine does not play a ladder that is there: {why}"));
        self.queue.retain(|claimed| claimed.terms != terms);
        let declined = self.link.decline(terms, why);
        self.heard(declined).map(drop)
    }

    /// Leaves the blocks of clients that cannot be opened here to others.
    pub(in crate::remote) fn lack(&mut self, lacking: &[(EntrantId, String)]) -> Result<(), RunError> {
        let known = self.unavailable.len();
        self.unavailable.extend(lacking.iter().cloned());
        if self.unavailable.is_empty() {
            return Ok(());
        }
        let why = self.unavailable.values().map(String::as_str).collect::<Vec<_>>().join("; ");
        if self.unavailable.len() > known {
            (self.tell)(Importance::Trouble, &format!("others play the blocks of some clients: {why}"));
        }
        let lacks = &self.unavailable;
        self.queue.retain(|claimed| !claimed.block.lineup.iter().any(|client| lacks.contains_key(client)));
        let clients: Vec<EntrantId> = lacks.keys().copied().collect();
        let told = self.link.lack(&clients, &why);
        self.heard(told).map(drop)
    }

    /// Whether to leave a block to others, although the record may not know of it yet.
    pub(in crate::remote) fn leaves(&mut self, claimed: &Claimed) -> Result<bool, RunError> {
        let is_left = claimed.block.lineup.iter().any(|client| self.unavailable.contains_key(client));
        if is_left {
            self.lack(&[])?;
        }
        Ok(is_left)
    }

    /// Delivers the last results, and leaves.
    pub(in crate::remote) fn leave(&mut self) {
        self.next_try = Instant::now();
        // Whatever fails here is spooled or runs out.
        let _ = self.give_back();
        let _ = self.hand_in();
        let _ = self.link.leave();
        if !self.unsent.is_empty() {
            (self.tell)(
                Importance::Trouble,
                "the record is away: this worker delivers its results when it is started again",
            );
        }
    }
}

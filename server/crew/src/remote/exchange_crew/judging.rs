//! Judges a delivery: it is read, compared with others of its block, and kept, refused or void.

use super::{ExchangeCrew, Judges};
use crate::conduct::BlockOutcome;
use crate::remote::audits::{AuditFinding, Witness};
use crate::threads::Patience;
use agon_model::PlayedBlock;
use agon_model::visible::escape;
use agon_record::RunError;
use agon_record::exchange::{Delivered, DeliveryVerdict, Settled};
use agon_record::{EncodedBlock, RecordError};

/// A block that is void with this number of workers is void.
const MOST_VOIDS: u32 = 2;

/// The number of recent blocks whose times are known.
const LAST: usize = 256;

impl ExchangeCrew<'_> {
    /// Decides about audited blocks that no present worker could play.
    pub(super) fn decide_deserted(&mut self) -> Result<(), RecordError> {
        if self.judges.audits.is_empty() || self.fewest == 0 {
            return Ok(());
        }
        let open: Vec<&str> = self.judges.audits.open().collect();
        for id in self.exchange.deserted(&open)? {
            let witnesses = self.judges.audits.witnesses(&id);
            let given_up = self.judges.audits.give_up(&id);
            let outcome = match given_up {
                Some((by, played)) => {
                    if !std::mem::replace(&mut self.has_warned, true) {
                        tracing::warn!(
                            "nobody is there who could play again what one worker plays: it counts as it is; \
                             help: another worker, or --jobs 1"
                        );
                    }
                    self.keep(by, played)
                }
                None => self.pending.remove(&id).map(|block| {
                    let names: Vec<String> = witnesses.iter().map(|worker| self.name_of(*worker)).collect();
                    let why = format!(
                        "workers {} came to two results, and no third is there to say who is right; help: another \
                         worker, or --jobs 1",
                        names.join(" and ")
                    );
                    BlockOutcome::Void(block, why)
                }),
            };
            self.decided.extend(outcome);
        }
        Ok(())
    }

    /// Judges a delivery; `None` if the block must be played again.
    pub(super) fn judge(&mut self, delivered: Delivered) -> Option<BlockOutcome> {
        let Delivered { id, worker, name, content, took, at } = delivered;
        // Deliveries of a liar are dropped when it is blamed, and offered again.
        let block = self.pending.get(&id).filter(|_| !self.liars.contains(&worker))?;
        if !took.is_zero() {
            self.took.truncate(LAST - 1);
            self.took.push_front(took);
        }
        match content.map(|content| self.judges.check.read(&content, block)) {
            Ok(Ok(played)) => {
                self.names.insert(worker, name);
                self.hear(Witness::Worker(worker), by_our_clock(played, at))
            }
            Ok(Err(why)) => {
                let sentence = format!("block {id}: {why}");
                tracing::warn!("refused what worker {name} delivered: {sentence}");
                self.judged.push(Settled { id, worker, verdict: DeliveryVerdict::Refused(sentence) });
                None
            }
            Err(cause) => {
                let voids = self.voids.entry(id.clone()).or_default();
                *voids += 1;
                let is_void = *voids >= MOST_VOIDS;
                let cause = format!("on worker {name}: {}", escape(&cause, 400));
                let void = BlockOutcome::Void(block.clone(), cause);
                self.judged.push(Settled { id: id.clone(), worker, verdict: DeliveryVerdict::Void });
                is_void.then(|| self.end_void(&id, void)).flatten()
            }
        }
    }

    /// Ends a block that is void again and again. If it was only under audit, its earlier result counts.
    fn end_void(&mut self, id: &str, void: BlockOutcome) -> Option<BlockOutcome> {
        match self.judges.audits.give_up(id) {
            Some((by, played)) => self.keep(by, played),
            None => {
                self.pending.remove(id);
                Some(void)
            }
        }
    }

    /// Takes a result that follows the rules; `None` if another worker plays the block as well.
    pub(super) fn hear(&mut self, by: Witness, played: PlayedBlock) -> Option<BlockOutcome> {
        let block = played.block.clone();
        match self.judges.audits.hear(by, played) {
            AuditFinding::Again => {
                if let Witness::Worker(worker) = by {
                    self.judged.push(Settled { id: block.id, worker, verdict: DeliveryVerdict::Asked });
                } else {
                    let offer = self.offer_of(&block);
                    self.fresh.push(offer);
                    self.pending.insert(block.id.clone(), block);
                }
                None
            }
            AuditFinding::Split(by, played) => {
                tracing::warn!(
                    "block {}: three plays came to three results: its clients do not play the same again, and are not \
                     looked at any more",
                    block.id
                );
                self.keep(by, played)
            }
            AuditFinding::Kept { played, by, liars } => {
                liars.into_iter().for_each(|liar| self.blame(liar, &block.id));
                self.keep(by, played)
            }
        }
    }

    fn blame(&mut self, liar: i64, block: &str) {
        self.liars.insert(liar);
        let name = self.name_of(liar);
        tracing::warn!(
            "worker {name} came to another result of block {block} than two others who agree: it gets nothing more to \
             play, and what it played before is played again by others"
        );
        let what = format!("block {block}: two others played it again and came to the same, and this worker did not");
        self.judged.push(Settled { id: block.to_owned(), worker: liar, verdict: DeliveryVerdict::Differs(what) });
    }

    /// A worker's name for itself, and its number.
    fn name_of(&self, worker: i64) -> String {
        let name = self.names.get(&worker).map_or("?", String::as_str);
        format!("{} ({worker})", escape(name, 63))
    }

    /// Keeps a trusted block; `None` if the ladder was stopped while there is no space for its logs.
    fn keep(&mut self, by: Witness, played: PlayedBlock) -> Option<BlockOutcome> {
        let Judges { check, logs, .. } = &self.judges;
        let setting = &*check.settings[played.block.setting];
        let patience = Patience::default();
        let mut pause = patience.begin();
        while let Err(error) = logs.write(&played, setting, check.seed) {
            if !error.is_shortage {
                // It stays on the exchange: the same ladder takes it when it goes on.
                return Some(BlockOutcome::Broken(RunError::Internal(error.text)));
            }
            if !pause.wait(&error.text, self.stop) {
                return None;
            }
        }
        pause.end();
        let encoded = EncodedBlock::new(self.ladder, &played, check.ids);
        let id = played.block.id.clone();
        self.pending.remove(&id);
        if let Witness::Worker(worker) = by {
            self.judged.push(Settled { id, worker, verdict: DeliveryVerdict::Kept });
        }
        Some(BlockOutcome::Played(played, Some(encoded)))
    }
}

/// Gives a block's matches their starting times by the record's clock: one after the other, the last one over when the
/// block came. A worker's own clock may be wrong.
pub(super) fn by_our_clock(mut played: PlayedBlock, at: u64) -> PlayedBlock {
    let mut over = at;
    for one in played.matches.iter_mut().rev() {
        over = over.saturating_sub(one.wall_us);
        one.started = over / 1_000_000;
    }
    played
}

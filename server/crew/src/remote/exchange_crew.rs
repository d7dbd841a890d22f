//! The workers of other machines, as the coordinator sees them: it offers blocks on an exchange, and takes deliveries
//! there once they are judged.

mod judging;
#[cfg(test)]
mod tests;

use super::audits::{Audits, Witness};
use super::check::Check;
use super::logs::Logs;
use super::tally::ExchangeTally;
use crate::build::build;
use crate::conduct::{BlockOutcome, Crew, PeerEnded};
use agon_model::visible::escape;
use agon_model::{Block, LadderId};
use agon_record::RecordError;
use agon_record::exchange::{DeliveryVerdict, Exchange, Offer, OfferedBlock, Settled};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often the crew looks for present workers.
const LOOK: Duration = Duration::from_secs(1);
/// How often the crew checks that all offers are still there. With a great many, the pause is this many times as long
/// as the check.
const RECOUNT: Duration = Duration::from_secs(5);
const RECOUNT_SHARE: u32 = 50;
/// How often the crew tidies the exchange.
const TIDY: Duration = Duration::from_secs(3600);
/// The pause between two looks for deliveries: workers hold some seconds of play, so nobody waits for deliveries taken
/// together.
const PAUSE: Duration = Duration::from_millis(50);
/// How long no worker is there before the crew reports it.
const LONELY: Duration = Duration::from_secs(3);
/// How long workers may take to come back after the record was away.
const RETURN: Duration = Duration::from_secs(20);
/// How long the crew does not repeat a report to the operator.
const SILENCE: Duration = Duration::from_secs(600);
/// The most blocks that are offered and not done.
const MOST_OFFERED: usize = 32_768;
/// A block that takes this many times as long as nearly all recent ones is played twice at the end.
const STRAGGLING: u32 = 3;
/// The fewest times that tell what nearly all take.
const FEWEST_KNOWN: usize = 8;
/// The shortest such time.
const SHORTEST: Duration = Duration::from_secs(5);

/// The exchange of a ladder for workers of other machines, or the way to open it.
pub struct WorkerExchange<'a, B> {
    pub exchange: B,
    /// How long workers may be silent.
    pub lease: Duration,
    /// The numbers about the workers.
    pub tally: &'a ExchangeTally,
}

impl<'a, B> WorkerExchange<'a, B> {
    /// Opens the exchange.
    pub fn open<C, E>(self, open: impl FnOnce(B) -> Result<C, E>) -> Result<WorkerExchange<'a, C>, E> {
        let WorkerExchange { exchange, lease, tally } = self;
        Ok(WorkerExchange { exchange: open(exchange)?, lease, tally })
    }
}

impl WorkerExchange<'_, Box<dyn Exchange>> {
    /// Lends the exchange for one pass through a schedule.
    pub fn lend<'b>(&'b mut self) -> WorkerExchange<'b, &'b mut (dyn Exchange + 'b)> {
        WorkerExchange { exchange: &mut *self.exchange, lease: self.lease, tally: self.tally }
    }
}

/// An exchange with its workers.
pub struct ExchangeCrew<'a> {
    exchange: &'a mut dyn Exchange,
    judges: Judges<'a>,
    ladder: LadderId,
    stop: &'a AtomicBool,
    /// Blocks that are offered and not done.
    pending: BTreeMap<String, Block>,
    /// Offers that are not on the exchange yet.
    fresh: Vec<Offer>,
    /// Verdicts on deliveries; the record has kept the blocks by the next request.
    judged: Vec<Settled>,
    /// Results of blocks that nobody else can play again.
    decided: Vec<BlockOutcome>,
    /// How often each block was void.
    voids: BTreeMap<String, u32>,
    /// The workers' names for themselves.
    names: BTreeMap<i64, String>,
    /// The times of the last blocks.
    took: VecDeque<Duration>,
    /// Workers that are not trusted any more.
    liars: BTreeSet<i64>,
    /// Whether the crew has reported that audits lack a worker.
    has_warned: bool,
    /// The reports to the operator, and their times.
    said: BTreeMap<String, Instant>,
    /// The number of blocks offered at a time, and its minimum.
    slots: usize,
    fewest: usize,
    looked: Option<Instant>,
    next_recount: Instant,
    tidied: Option<Instant>,
    deserted_since: Instant,
    traded: Option<Instant>,
    /// Whether the record did not answer the last request.
    is_away: bool,
}

/// The judges of a delivery.
pub struct Judges<'a> {
    /// The check by the rules.
    pub check: Check<'a>,
    /// The audits, which play a block again.
    pub audits: Audits,
    pub logs: Logs<'a>,
    pub tally: &'a ExchangeTally,
}

impl<'a> ExchangeCrew<'a> {
    /// Makes the crew of an exchange with its terms. At least `fewest` blocks are offered; 0 = threads of this process
    /// play as well.
    pub fn new(
        exchange: &'a mut dyn Exchange,
        judges: Judges<'a>,
        (ladder, fewest): (LadderId, usize),
        stop: &'a AtomicBool,
    ) -> ExchangeCrew<'a> {
        ExchangeCrew {
            exchange,
            judges,
            ladder,
            stop,
            pending: BTreeMap::new(),
            fresh: Vec::new(),
            judged: Vec::new(),
            decided: Vec::new(),
            voids: BTreeMap::new(),
            names: BTreeMap::new(),
            took: VecDeque::new(),
            liars: BTreeSet::new(),
            has_warned: false,
            said: BTreeMap::new(),
            slots: fewest,
            fewest,
            looked: None,
            next_recount: Instant::now() + RECOUNT,
            tidied: None,
            deserted_since: Instant::now(),
            traded: None,
            is_away: false,
        }
    }

    /// Whether nothing is offered, and nothing may be offered again.
    pub fn is_idle(&self) -> bool {
        self.pending.is_empty() && self.judges.audits.is_empty()
    }

    /// Reports verdicts to the exchange, offers new blocks, and takes new deliveries. It does nothing if it did so a
    /// moment ago.
    pub fn trade(&mut self) -> Vec<BlockOutcome> {
        if self.traded.is_some_and(|traded| traded.elapsed() < PAUSE) {
            return Vec::new();
        }
        self.traded = Some(Instant::now());
        match self.try_trade() {
            Ok(outcomes) => {
                if std::mem::take(&mut self.is_away) {
                    tracing::warn!("the record is there again");
                }
                outcomes
            }
            // The server is away: all of this happens later, and deliveries wait there.
            Err(error) if error.is_shortage() => {
                self.deserted_since = Instant::now() + RETURN;
                if !std::mem::replace(&mut self.is_away, true) {
                    tracing::warn!("waiting, and trying again: {error}");
                }
                Vec::new()
            }
            Err(error) => vec![BlockOutcome::Broken(error.into())],
        }
    }

    fn try_trade(&mut self) -> Result<Vec<BlockOutcome>, RecordError> {
        self.settle()?;
        self.look()?;
        self.judges.tally.open.set(self.pending.len() as u64);
        if !self.fresh.is_empty() {
            self.exchange.offer(&self.fresh)?;
            self.fresh.clear();
        }
        if self.pending.is_empty() {
            return Ok(std::mem::take(&mut self.decided));
        }
        self.recount()?;
        let delivered = self.exchange.deliveries()?;
        let judged: Vec<BlockOutcome> = delivered.into_iter().filter_map(|delivered| self.judge(delivered)).collect();
        self.decided.extend(judged);
        Ok(std::mem::take(&mut self.decided))
    }

    /// Takes down judged deliveries, which the record has kept in the mean time.
    fn settle(&mut self) -> Result<(), RecordError> {
        let ids: BTreeSet<&String> = self.judged.iter().map(|one| &one.id).collect();
        let again = ids.into_iter().filter_map(|id| self.pending.get(id));
        let again: Vec<Offer> = again.map(|block| self.offer_of(block)).collect();
        self.exchange.settle(&self.judged, &again)?;
        self.judged.drain(..).for_each(|settled| count(self.judges.tally, &settled.verdict));
        Ok(())
    }

    fn offer_of(&self, block: &Block) -> Offer {
        let not_to = self.judges.audits.witnesses(&block.id);
        Offer { block: OfferedBlock::new(block, self.judges.check.ids), not_to }
    }

    /// Offers blocks again that were lost with a server or an answer.
    fn recount(&mut self) -> Result<(), RecordError> {
        if Instant::now() < self.next_recount {
            return Ok(());
        }
        let asked = Instant::now();
        let blocks: Vec<&str> = self.pending.keys().map(String::as_str).collect();
        let forgotten = self.exchange.forgotten(&blocks)?;
        self.next_recount = Instant::now() + RECOUNT.max(RECOUNT_SHARE * asked.elapsed());
        let forgotten = forgotten.iter().filter_map(|id| self.pending.get(id));
        let forgotten: Vec<Offer> = forgotten.map(|block| self.offer_of(block)).collect();
        self.fresh.extend(forgotten);
        Ok(())
    }

    /// Looks now and then for present workers, and does the work that depends on them.
    fn look(&mut self) -> Result<(), RecordError> {
        if self.looked.is_some_and(|looked| looked.elapsed() < LOOK) {
            return Ok(());
        }
        let crowd = self.exchange.crowd()?;
        self.looked = Some(Instant::now());
        crowd.notes.iter().for_each(|note| self.say(note));
        for (other, name) in crowd.builds.iter().filter(|(other, _)| other != build()) {
            self.say(&format!(
                "worker {} runs another agon ({}; this is {}): its matches may differ; help: install the same program \
                 on both machines",
                escape(name, 63),
                escape(other, 40),
                build()
            ));
        }
        self.judges.tally.workers.set(crowd.workers.into());
        self.judges.tally.wants.set(crowd.wants.into());
        self.slots = (2 * crowd.wants as usize).clamp(self.fewest, MOST_OFFERED);
        if crowd.workers > 0 {
            self.deserted_since = Instant::now();
        } else if self.fewest > 0 && self.deserted_since.elapsed() >= LONELY {
            tracing::warn!(
                "no worker is there that can play this ladder; start one: agon worker run URL; \
                 agon worker list says why others do not"
            );
            self.deserted_since += SILENCE;
        }
        if self.tidied.is_none_or(|tidied| tidied.elapsed() >= TIDY) {
            self.exchange.tidy()?;
            self.tidied = Some(Instant::now());
        }
        if let Some(after) = self.straggling().filter(|_| self.fresh.is_empty()) {
            self.exchange.offer_twice(after)?;
        }
        self.decide_deserted()
    }

    /// Reports to the operator, and does not repeat it for a while, however its figures change.
    fn say(&mut self, note: &str) {
        let about = note.split([':', ';', ',']).next().unwrap_or_default();
        if self.said.get(about).is_none_or(|said| said.elapsed() >= SILENCE) {
            tracing::warn!("{note}");
            self.said.insert(about.to_owned(), Instant::now());
        }
    }

    /// The time after which a block is offered a second time; `None` while too few times are known.
    fn straggling(&self) -> Option<Duration> {
        let mut took: Vec<Duration> = self.took.iter().copied().collect();
        took.sort_unstable();
        let nearly_all = *took.get(took.len() * 19 / 20).filter(|_| took.len() >= FEWEST_KNOWN)?;
        Some((STRAGGLING * nearly_all).max(SHORTEST))
    }

    /// Compares this process's result of a block: an outcome, unless another worker plays it as well.
    pub fn compare(&mut self, outcome: BlockOutcome) -> Option<BlockOutcome> {
        match outcome {
            BlockOutcome::Played(played, _) if self.judges.audits.is_open(&played.block.id) => {
                self.hear(Witness::Here, played)
            }
            outcome => Some(outcome),
        }
    }

    /// Takes back no more than `most` blocks that nobody plays.
    pub fn recall(&mut self, most: usize) -> Vec<Block> {
        let still_here = self.fresh.split_off(self.fresh.len().saturating_sub(most));
        let mut ids: Vec<String> = still_here.into_iter().map(|offer| offer.block.id).collect();
        if ids.len() < most {
            // While the server is away, they stay where they are.
            ids.extend(self.exchange.recall(most - ids.len()).unwrap_or_default());
        }
        ids.iter().filter_map(|id| self.pending.remove(id)).collect()
    }

    /// Ends the offers. Blocks under way with others are delivered to the next coordinator.
    ///
    /// # Errors
    /// The database cannot be written: it learns of it when the ladder goes on.
    pub fn close(&mut self) -> Result<(), RecordError> {
        self.settle()?;
        self.exchange.close()
    }
}

fn count(tally: &ExchangeTally, verdict: &DeliveryVerdict) {
    match verdict {
        DeliveryVerdict::Kept => tally.kept.count(),
        DeliveryVerdict::Void => tally.void.count(),
        DeliveryVerdict::Asked => tally.audited.count(),
        DeliveryVerdict::Refused(_) | DeliveryVerdict::Differs(_) => tally.refused.count(),
    }
}

impl Crew for ExchangeCrew<'_> {
    fn slots(&self) -> usize {
        self.slots
    }

    fn offer(&mut self, block: Block) -> Result<(), PeerEnded> {
        self.fresh.push(OfferedBlock::new(&block, self.judges.check.ids).into());
        self.pending.insert(block.id.clone(), block);
        Ok(())
    }

    fn outcomes(&mut self, wait: Duration) -> Result<Vec<BlockOutcome>, PeerEnded> {
        let until = Instant::now() + wait;
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(PeerEnded);
            }
            let outcomes = self.trade();
            if !outcomes.is_empty() || Instant::now() >= until {
                return Ok(outcomes);
            }
            let since = self.traded.map_or(PAUSE, |traded| traded.elapsed());
            std::thread::sleep(PAUSE.saturating_sub(since));
        }
    }

    fn finish(&mut self) {}
}

//! A worker on its stay with a record on another machine: what it holds, when it asks, and how it comes back when the
//! record was away. What it does not hand in, somebody else plays.

use super::spool::{Spool, Spooled};
use super::tally::WorkerTally;
use crate::error::RunError;
use agon_games::AnyGame;
use agon_model::Paths;
use agon_record::board::{Claimed, Greeting, Lease, Link, LinkError, LinkResult};
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How much play is held at a time.
const AHEAD: Duration = Duration::from_secs(3);
/// The most blocks that are held.
const MOST: usize = 256;
/// The pause after an empty claim, and after a failure; both grow and are drawn anew each time, so that a thousand
/// workers do not come at once.
const IDLE: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));
pub(super) const AWAY: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(15));
/// The pause where this machine lacks something.
const LACKING: Duration = Duration::from_secs(10);
/// How often a stop is looked for in a pause.
const STEP: Duration = Duration::from_millis(50);
/// How long a worker may be silent before it knows what its ladder says.
const LEASE: Duration = Duration::from_secs(60);

/// What a worker comes with.
pub struct Joining<'a> {
    /// What it says of itself.
    pub greeting: Greeting,
    /// The games that it knows.
    pub games: &'a [&'a dyn AnyGame],
    /// Host and admission; `out` is where it keeps files.
    pub places: &'a Paths,
    /// Where it keeps what is not acknowledged.
    pub spool: PathBuf,
    /// The cores on which it plays.
    pub cores: Vec<usize>,
    /// How long blocks under way may take after a stop.
    pub grace: Duration,
    /// After how long without blocks it ends; `None` = never.
    pub idle: Option<Duration>,
    /// Ends it.
    pub stop: &'a AtomicBool,
    /// What is counted of it.
    pub tally: &'a WorkerTally,
    /// Whether it plays for ladders that ask for less than the full sandbox.
    pub allows_weaker: bool,
}

/// How much a sentence matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Importance {
    /// All is well.
    Progress,
    /// Something is to be looked at.
    Trouble,
}

/// Is told what happens.
pub type Telling<'a> = dyn FnMut(Importance, &str) + 'a;

/// What came of its stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stay {
    /// Blocks that were delivered and taken.
    pub blocks: u64,
    /// Deliveries that were refused.
    pub refused: u64,
    /// Whether it was told to go.
    pub drained: bool,
}

/// A worker on its stay.
pub struct Guest<'a> {
    pub(super) link: &'a mut dyn Link,
    pub(super) joining: &'a Joining<'a>,
    tell: &'a mut Telling<'a>,
    pub(super) spool: Spool,
    pub(super) unsent: VecDeque<Spooled>,
    pub(super) key: String,
    /// Claimed and not begun.
    pub(super) queue: VecDeque<Claimed>,
    /// Begun and not done, by block.
    pub(super) held: BTreeMap<String, Lease>,
    /// When it last said that it is there, and how often it must: the first time before anything is claimed.
    beaten: Option<Instant>,
    lease: Duration,
    /// Mean time of a block.
    pub(super) block: Option<Duration>,
    /// Not before this is the record asked again for blocks, or for anything.
    next_claim: Instant,
    next_try: Instant,
    pauses: (Duration, Duration),
    is_away: bool,
    /// When the last block was there.
    pub(super) busy: Instant,
    pub(super) stopped: Option<Instant>,
    drain: bool,
    /// The clients that cannot be opened here, each with why.
    lacks: BTreeMap<i64, String>,
    pub(super) stay: Stay,
}

impl<'a> Guest<'a> {
    pub(super) fn new(
        link: &'a mut dyn Link,
        joining: &'a Joining<'a>,
        (spool, unsent): (Spool, VecDeque<Spooled>),
        tell: &'a mut Telling<'a>,
    ) -> Guest<'a> {
        let now = Instant::now();
        Guest {
            link,
            joining,
            tell,
            spool,
            unsent,
            key: String::new(),
            queue: VecDeque::new(),
            held: BTreeMap::new(),
            beaten: None,
            lease: LEASE,
            block: None,
            next_claim: now,
            next_try: now,
            pauses: (IDLE.0, AWAY.0),
            is_away: false,
            busy: now,
            stopped: None,
            drain: false,
            lacks: BTreeMap::new(),
            stay: Stay::default(),
        }
    }

    /// Comes, waiting for a record that is away.
    pub(super) fn greet(&mut self) -> Result<(), RunError> {
        while !self.is_over() {
            match self.link.greet(&self.joining.greeting) {
                Ok(key) => {
                    self.key = key;
                    self.come_back();
                    let Greeting { name, jobs, .. } = &self.joining.greeting;
                    (self.tell)(
                        Importance::Progress,
                        &format!("worker {name} has joined and plays {jobs} at once; Ctrl-C ends it"),
                    );
                    return Ok(());
                }
                Err(LinkError::Refused(why)) => return Err(RunError::Internal(why)),
                Err(LinkError::Away(why)) if self.has_waited() => return Err(RunError::Internal(why)),
                Err(LinkError::Away(why)) => self.pause_away(&why),
            }
        }
        Ok(())
    }

    /// Whether nothing came for as long as it waits.
    fn has_waited(&self) -> bool {
        self.joining.idle.is_some_and(|idle| self.busy.elapsed() > idle)
    }

    /// Whether no more blocks begin.
    pub(super) fn is_over(&mut self) -> bool {
        if self.joining.stop.load(Ordering::Relaxed) {
            self.stopped.get_or_insert_with(Instant::now);
        }
        self.drain || self.stopped.is_some()
    }

    /// Waits until there is a block; by which terms it is played. `None` = it ends.
    pub(super) fn await_block(&mut self) -> Result<Option<i64>, RunError> {
        loop {
            if self.is_over() {
                return Ok(None);
            }
            if let Some(claimed) = self.queue.front() {
                return Ok(Some(claimed.terms));
            }
            self.see_to()?;
            self.claim()?;
            if self.queue.is_empty() {
                if self.has_waited() {
                    (self.tell)(Importance::Progress, "nothing came to play for a while");
                    self.drain = true;
                    return Ok(None);
                }
                std::thread::sleep(STEP.min(IDLE.0));
            }
        }
    }

    fn wants(&self) -> usize {
        wants(self.joining.cores.len(), self.block)
    }

    /// How many blocks it would claim now: none where it has enough, or where it is too early to ask.
    fn lacks(&self) -> usize {
        let (wants, has) = (self.wants(), self.queue.len() + self.held.len());
        let now = Instant::now();
        if is_short(has, wants) && now >= self.next_claim && now >= self.next_try { wants - has } else { 0 }
    }

    /// Claims blocks where it has few.
    pub(super) fn claim(&mut self) -> Result<(), RunError> {
        let lacks = self.lacks();
        if lacks > 0 {
            let answer = self.link.exchange(&[], lacks, self.wants());
            if let Some((_, claimed)) = self.heard(answer)? {
                self.take(claimed);
            }
        }
        Ok(())
    }

    /// Takes what it has claimed, which may be nothing.
    fn take(&mut self, claimed: Vec<Claimed>) {
        let now = Instant::now();
        if claimed.is_empty() {
            self.pauses.0 = (2 * self.pauses.0).min(IDLE.1);
            self.next_claim = now + jitter(self.pauses.0);
        } else {
            (self.pauses.0, self.busy) = (IDLE.0, now);
        }
        self.queue.extend(claimed);
    }

    /// Takes an answer; `None` while the record is away.
    pub(super) fn heard<T>(&mut self, answer: LinkResult<T>) -> Result<Option<T>, RunError> {
        match answer {
            Ok(answer) => {
                self.come_back();
                Ok(Some(answer))
            }
            Err(LinkError::Away(why)) => {
                self.go_away(&why);
                Ok(None)
            }
            Err(LinkError::Refused(why)) => Err(RunError::Internal(why)),
        }
    }

    fn come_back(&mut self) {
        self.pauses.1 = AWAY.0;
        if std::mem::take(&mut self.is_away) {
            (self.tell)(Importance::Trouble, "the record is there again");
        }
    }

    fn go_away(&mut self, why: &str) {
        if !std::mem::replace(&mut self.is_away, true) {
            (self.tell)(Importance::Trouble, &format!("waiting, and trying again now and then: {why}"));
        }
        self.next_try = Instant::now() + jitter(self.pauses.1);
        self.pauses.1 = (2 * self.pauses.1).min(AWAY.1);
    }

    pub(super) fn pause_away(&mut self, why: &str) {
        self.go_away(why);
        while Instant::now() < self.next_try && !self.is_over() {
            std::thread::sleep(STEP);
        }
    }

    /// This machine lacks something: others play what it holds, and it is there, but claims nothing for a while.
    pub(super) fn pause_lacking(&mut self, why: &str) -> Result<(), RunError> {
        (self.tell)(Importance::Trouble, &format!("claims nothing for {} s: {why}", LACKING.as_secs()));
        self.next_claim = Instant::now() + LACKING;
        let leases: Vec<i64> = self.queue.drain(..).map(|one| one.lease.number).collect();
        let released = self.link.release(&leases);
        self.heard(released).map(drop)
    }

    /// Hands in what is not acknowledged, and says that it is there, when that is due.
    pub(super) fn see_to(&mut self) -> Result<(), RunError> {
        self.show();
        if Instant::now() < self.next_try {
            return Ok(());
        }
        self.hand_in()?;
        if self.beaten.is_some_and(|beaten| beaten.elapsed() < self.lease / 3) || Instant::now() < self.next_try {
            return Ok(());
        }
        let orders = self.link.beat(self.wants());
        if let Some(orders) = self.heard(orders)? {
            (self.beaten, self.lease) = (Some(Instant::now()), orders.lease);
            orders.refusals.iter().for_each(|why| self.complain(why));
            if orders.drain && !std::mem::replace(&mut self.drain, true) {
                (self.tell)(Importance::Progress, "told to go: no new blocks are begun");
                self.stay.drained = true;
            }
        }
        Ok(())
    }

    /// Writes down for whoever looks on how it stands.
    fn show(&self) {
        let WorkerTally { delivered, refused, held, unsent, away } = self.joining.tally;
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

    /// Hands in what is not acknowledged, and claims on the same way what it lacks.
    fn hand_in(&mut self) -> Result<(), RunError> {
        while let Some(spooled) = self.unsent.pop_front() {
            let is_own = spooled.deliveries.iter().all(|one| one.key == self.key);
            let lacks = if is_own && !self.is_over() { self.lacks() } else { 0 };
            match self.link.exchange(&spooled.deliveries, lacks, self.wants()) {
                Ok((refusals, claimed)) => {
                    self.come_back();
                    if lacks > 0 {
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
                Err(LinkError::Refused(why)) => {
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

    /// What was not played goes back to the board.
    pub(super) fn give_back(&mut self) -> Result<(), RunError> {
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

    pub(super) fn decline(&mut self, terms: i64, why: &str) -> Result<(), RunError> {
        (self.tell)(Importance::Trouble, &format!("this machine does not play a ladder that is there: {why}"));
        self.queue.retain(|claimed| claimed.terms != terms);
        let declined = self.link.decline(terms, why);
        self.heard(declined).map(drop)
    }

    /// Leaves the blocks of clients that cannot be opened here to others.
    pub(super) fn lack(&mut self, lacking: &[(i64, String)]) -> Result<(), RunError> {
        let known = self.lacks.len();
        self.lacks.extend(lacking.iter().cloned());
        if self.lacks.is_empty() {
            return Ok(());
        }
        let why = self.lacks.values().map(String::as_str).collect::<Vec<_>>().join("; ");
        if self.lacks.len() > known {
            (self.tell)(Importance::Trouble, &format!("others play the blocks of some clients: {why}"));
        }
        let lacks = &self.lacks;
        self.queue.retain(|claimed| !claimed.block.lineup.iter().any(|client| lacks.contains_key(client)));
        let clients: Vec<i64> = lacks.keys().copied().collect();
        let told = self.link.lack(&clients, &why);
        self.heard(told).map(drop)
    }

    /// Whether a block is left to others; the record may not have heard yet that it should be.
    pub(super) fn leaves(&mut self, claimed: &Claimed) -> Result<bool, RunError> {
        let is_left = claimed.block.lineup.iter().any(|client| self.lacks.contains_key(client));
        if is_left {
            self.lack(&[])?;
        }
        Ok(is_left)
    }

    /// Hands in the last, and goes.
    pub(super) fn leave(&mut self) {
        self.next_try = Instant::now();
        // Whatever fails here is spooled or runs out.
        let _ = self.give_back();
        let _ = self.hand_in();
        let _ = self.link.leave();
        if !self.unsent.is_empty() {
            (self.tell)(
                Importance::Trouble,
                "the record is away: what was played is handed in when this worker is started again",
            );
        }
    }
}

/// How many blocks a worker would hold that plays so many at once, each for so long: some seconds of play.
pub(super) fn wants(jobs: usize, block: Option<Duration>) -> usize {
    let ahead = block.map_or(2.0, |block| AHEAD.as_secs_f64() / block.as_secs_f64().max(1e-4));
    ((jobs as f64 * ahead) as usize).clamp(2 * jobs, MOST.max(2 * jobs))
}

/// Whether it claims more: where it has half of that, so that it comes for several.
pub(super) fn is_short(has: usize, wants: usize) -> bool {
    2 * has <= wants
}

/// Between a half and all of it, drawn.
pub(super) fn jitter(pause: Duration) -> Duration {
    pause.mul_f64(0.5 + 0.5 * rand::random::<f64>())
}

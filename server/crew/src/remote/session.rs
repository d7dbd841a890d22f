//! A worker during its stay with a record on another machine: the blocks it holds, when it asks, and how it returns
//! after the record was away. Others play the blocks that it does not deliver.

mod presence;
mod reports;

pub use presence::Presence;

use super::spool::{Spool, Spooled};
use super::tally::WorkerTally;
use agon_games::AnyGame;
use agon_model::{EntrantId, Paths};
use agon_record::RunError;
use agon_record::exchange::{Claimed, Greeting, Lease, LinkError, LinkResult, WorkerLink};
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The amount of play held at a time.
const AHEAD: Duration = Duration::from_secs(3);
/// The most blocks held.
const MOST_HELD: usize = 256;
/// The pauses after an empty claim and after a failure. Both grow and are drawn anew each time, so that a thousand
/// workers do not come at once.
const IDLE: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));
/// The shortest and the longest pause while the record is away.
pub const AWAY: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(15));
/// The pause when this machine lacks something.
const LACKING: Duration = Duration::from_secs(10);
/// How often a pause looks for a stop.
const STEP: Duration = Duration::from_millis(50);

/// The settings of a worker that joins.
pub struct JoinOptions<'a> {
    /// The data that it sends about itself.
    pub greeting: Greeting,
    pub games: &'a [&'a dyn AnyGame],
    /// The paths of host and admission; `out` is for its files.
    pub paths: &'a Paths,
    /// The folder for unacknowledged results.
    pub spool: PathBuf,
    /// The cores on which it plays.
    pub cores: Vec<usize>,
    /// How long blocks under way may take after a stop.
    pub grace: Duration,
    /// The time without blocks after which it ends; `None` = never.
    pub idle: Option<Duration>,
    /// The flag that ends it.
    pub stop: &'a AtomicBool,
    pub tally: &'a WorkerTally,
    /// Whether it plays for ladders that require less than the full sandbox.
    pub allows_weaker: bool,
}

/// The importance of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Importance {
    Progress,
    /// Somebody should look at something.
    Trouble,
}

/// Receives messages about events.
pub type Tell<'a> = dyn FnMut(Importance, &str) + 'a;

/// The result of its stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stay {
    /// Blocks that were delivered and accepted.
    pub blocks: u64,
    /// Deliveries that were refused.
    pub refused: u64,
    /// Whether the coordinator told it to leave.
    pub drained: bool,
}

pub struct WorkerSession<'a> {
    pub(super) link: &'a mut dyn WorkerLink,
    pub(super) options: &'a JoinOptions<'a>,
    tell: &'a mut Tell<'a>,
    pub(super) spool: Spool,
    pub(super) unsent: VecDeque<Spooled>,
    pub(super) key: String,
    /// Blocks that are claimed and not begun.
    pub(super) queue: VecDeque<Claimed>,
    /// Blocks that are begun and not done, by id.
    pub(super) held: BTreeMap<String, Lease>,
    pub(super) presence: Presence,
    /// The mean time of a block.
    pub(super) mean_block_time: Option<Duration>,
    /// The earliest times to ask the record again for blocks, or for anything.
    next_claim: Instant,
    next_try: Instant,
    pauses: (Duration, Duration),
    is_away: bool,
    /// The time of the last block.
    pub(super) last_block: Instant,
    pub(super) stopped: Option<Instant>,
    drain: bool,
    /// The clients that cannot be opened here, each with the reason.
    unavailable: BTreeMap<EntrantId, String>,
    pub(super) stay: Stay,
}

impl<'a> WorkerSession<'a> {
    pub(super) fn new(
        link: &'a mut dyn WorkerLink,
        options: &'a JoinOptions<'a>,
        (spool, unsent): (Spool, VecDeque<Spooled>),
        tell: &'a mut Tell<'a>,
    ) -> WorkerSession<'a> {
        let now = Instant::now();
        WorkerSession {
            link,
            options,
            tell,
            spool,
            unsent,
            key: String::new(),
            queue: VecDeque::new(),
            held: BTreeMap::new(),
            presence: Presence::default(),
            mean_block_time: None,
            next_claim: now,
            next_try: now,
            pauses: (IDLE.0, AWAY.0),
            is_away: false,
            last_block: now,
            stopped: None,
            drain: false,
            unavailable: BTreeMap::new(),
            stay: Stay::default(),
        }
    }

    /// Joins, and waits for a record that is away.
    pub(super) fn greet(&mut self) -> Result<(), RunError> {
        while !self.is_over() {
            match self.link.greet(&self.options.greeting) {
                Ok(key) => {
                    self.key = key;
                    self.come_back();
                    let Greeting { name, jobs, .. } = &self.options.greeting;
                    (self.tell)(
                        Importance::Progress,
                        &format!("worker {name} has joined and plays {jobs} at once; Ctrl-C ends it"),
                    );
                    return Ok(());
                }
                Err(LinkError::Refused(why) | LinkError::Over(why)) => return Err(RunError::Internal(why)),
                Err(LinkError::Away(why)) if self.has_waited() => return Err(RunError::Internal(why)),
                Err(LinkError::Away(why)) => self.pause_away(&why),
            }
        }
        Ok(())
    }

    /// Whether nothing came during its whole waiting time.
    fn has_waited(&self) -> bool {
        self.options.idle.is_some_and(|idle| self.last_block.elapsed() > idle)
    }

    /// Whether no more blocks begin.
    pub(super) fn is_over(&mut self) -> bool {
        if self.options.stop.load(Ordering::Relaxed) {
            self.stopped.get_or_insert_with(Instant::now);
        }
        self.drain || self.stopped.is_some()
    }

    /// Waits for a block and returns the number of its terms. `None` = the stay ends.
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
        wants(self.options.cores.len(), self.mean_block_time)
    }

    /// The number of blocks that it would claim now: none if it has enough, or if it is too early to ask.
    fn claimable(&self) -> usize {
        let (wants, has) = (self.wants(), self.queue.len() + self.held.len());
        let now = Instant::now();
        if is_short(has, wants) && now >= self.next_claim && now >= self.next_try { wants - has } else { 0 }
    }

    /// Claims blocks if it has few.
    pub(super) fn claim(&mut self) -> Result<(), RunError> {
        let claimable = self.claimable();
        if claimable > 0 {
            let answer = self.link.exchange(&[], claimable, self.wants());
            if let Some((_, claimed)) = self.heard(answer)? {
                self.take(claimed);
            }
        }
        Ok(())
    }

    /// Takes the claimed blocks, which may be none.
    fn take(&mut self, claimed: Vec<Claimed>) {
        let now = Instant::now();
        if claimed.is_empty() {
            self.pauses.0 = (2 * self.pauses.0).min(IDLE.1);
            self.next_claim = now + jitter(self.pauses.0);
        } else {
            (self.pauses.0, self.last_block) = (IDLE.0, now);
            self.presence.exchanged(now);
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
            Err(LinkError::Over(why)) => {
                if !std::mem::replace(&mut self.drain, true) {
                    (self.tell)(Importance::Progress, &why);
                    self.stay.drained = true;
                }
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

    /// This machine lacks something: others play its blocks, and it stays present but claims nothing for a while.
    pub(super) fn pause_lacking(&mut self, why: &str) -> Result<(), RunError> {
        (self.tell)(Importance::Trouble, &format!("claims nothing for {} s: {why}", LACKING.as_secs()));
        self.next_claim = Instant::now() + LACKING;
        let leases: Vec<i64> = self.queue.drain(..).map(|one| one.lease.number).collect();
        let released = self.link.release(&leases);
        self.heard(released).map(drop)
    }
}

/// The number of blocks that a worker would hold for some seconds of play, by its jobs and the time of a block.
pub fn wants(jobs: usize, block: Option<Duration>) -> usize {
    let ahead = block.map_or(2.0, |block| AHEAD.as_secs_f64() / block.as_secs_f64().max(1e-4));
    ((jobs as f64 * ahead) as usize).clamp(2 * jobs, MOST_HELD.max(2 * jobs))
}

/// Whether it claims more: at half of that number, so that each request brings several.
pub fn is_short(has: usize, wants: usize) -> bool {
    2 * has <= wants
}

/// A random time between half the pause and the whole.
pub fn jitter(pause: Duration) -> Duration {
    pause.mul_f64(0.5 + 0.5 * rand::random::<f64>())
}

//! A machine with one core in steps of a millisecond, a client on it, and what the server reads there.

use super::{LATE_LOOK, SAMPLE, TICK};
use agon_player::clock::{Reading, Scheduled, Waits, Yields, doubtful, kept_off, unseen};
use std::time::Duration;

/// Who has the core for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A thread of the client, the one that waits longest.
    Client,
    /// A program that is no client.
    Others,
    /// The machine below; it charges the program that ran last.
    Below,
    /// The client waits for a page of a file, which the machine has put out of memory.
    Disk,
    /// The client waits for a lock in the kernel, whose holder is kept from the core by others.
    Lock,
}

/// Which threads of a client are ready for a while: a bit each.
pub type Readiness = u8;

/// A client: what it does is a program of its own, whatever the machine does.
#[derive(Clone, Debug)]
pub struct Client {
    /// Milliseconds, and the threads that are ready meanwhile. The last entry then lasts for ever.
    pub plan: Vec<(u64, Readiness)>,
    /// Answers when it has worked so long in all; `None` = never.
    pub work: Option<u64>,
}

/// A call under way, as the machine has it and as the server sees it.
#[derive(Default)]
pub struct Call {
    pub now: u64,
    pub worked: u64,
    pub used: u64,
    pub stolen: u64,
    pub threads: [Thread; 8],
    pub running: Option<usize>,
    /// Whether it waits for a page or for a lock.
    pub is_at_disk: bool,
    pub is_at_lock: bool,
    /// What the server has seen of such waits.
    pub at_disk: u64,
    /// For how long it was away, and nothing else tells what the client did.
    pub unseen: Duration,
    /// The same where the client gave up its core.
    pub doubtful: Duration,
    /// What the client was queued when it was last looked at.
    pub queued: Duration,
    /// How long the server has been ready and without the core since it looked last.
    pub own_delay: u64,
    /// How often the client gave up its core, where that is counted.
    pub yields: Option<Yields>,
    /// How often it did so other than for pages, when the server looked last.
    pub own_rests: u64,
    /// When the server looked last, and what was used then.
    pub looked: [u64; 2],
}

#[derive(Clone, Copy, Default)]
pub struct Thread {
    ran: u64,
    waited: u64,
    /// A wait under way, which the kernel has not counted yet.
    waits: u64,
}

impl Client {
    pub fn ready(&self, now: u64) -> Readiness {
        let mut until = 0;
        let found = self.plan.iter().find(|(length, _)| {
            until += length;
            now < until
        });
        found.or(self.plan.last()).map_or(0, |(_, ready)| *ready)
    }
}

impl Call {
    /// A millisecond of the machine.
    pub fn step(&mut self, client: &Client, turn: Turn) {
        let ready = client.ready(self.now);
        self.now += 1;
        let is_ready = |at: usize| ready & (1 << at) != 0;
        if turn == Turn::Below {
            // Both clocks charge it to whoever had the core.
            self.stolen += 1;
            if let Some(at) = self.running.filter(|&at| is_ready(at)) {
                (self.used, self.threads[at].ran) = (self.used + 1, self.threads[at].ran + 1);
            }
            return;
        }
        let next = (0..8).filter(|&at| is_ready(at)).max_by_key(|&at| self.threads[at].waits);
        self.running = next.filter(|_| turn == Turn::Client);
        self.is_at_lock = turn == Turn::Lock && next.is_some();
        self.is_at_disk = turn == Turn::Disk && next.is_some() || self.is_at_lock;
        for at in 0..8 {
            let thread = &mut self.threads[at];
            if Some(at) == self.running {
                thread.waited += std::mem::take(&mut thread.waits);
                thread.ran += 1;
                (self.used, self.worked) = (self.used + 1, self.worked + 1);
            } else if is_ready(at) && !self.is_at_disk {
                thread.waits += 1;
            } else {
                thread.waited += std::mem::take(&mut thread.waits);
            }
        }
    }

    /// What the server reads.
    pub fn read(&mut self, client: &Client) -> Reading {
        let ms = Duration::from_millis;
        let [gap, ran] = [self.now - self.looked[0], self.used - self.looked[1]];
        self.looked = [self.now, self.used];
        let is_ready = client.ready(self.now) != 0;
        let threads = self.threads.iter().map(|thread| Scheduled { ran: ms(thread.ran), waited: ms(thread.waited) });
        let used = ms(self.used);
        let queued = kept_off(threads, used);
        let own_rests = self.yields.map_or(0, |yields| yields.times - yields.pages);
        if is_ready && ran == 0 && self.is_at_disk {
            self.at_disk += gap;
        } else if ran > 0 {
            let late = if gap >= LATE_LOOK { gap - SAMPLE } else { 0 };
            // A single thread that gave up its core for nothing but pages was ready all the time that it did not run.
            let is_known = self.yields.is_some() && own_rests == self.own_rests;
            let away = if is_known { ms(gap) } else { ms(late.max(self.own_delay)) };
            let waited = queued.saturating_sub(self.queued);
            match own_rests > self.own_rests {
                true => self.doubtful += doubtful(ms(gap), away, ms(ran), waited),
                false => self.unseen += unseen(ms(gap), away, ms(ran), waited),
            }
            self.queued = queued;
        }
        self.own_rests = own_rests;
        self.own_delay = 0;
        let is_answered = client.work.is_some_and(|work| self.worked >= work);
        let waits = Waits { queued, at_disk: ms(self.at_disk), unseen: self.unseen, yields: self.yields };
        Reading {
            elapsed: ms(self.now),
            used,
            kept_off: waits.sum(ms(self.now), used, 1),
            taken: ms(self.stolen / TICK * TICK),
            out_of_turn: Duration::ZERO,
            doubtful: self.doubtful,
            is_answered,
            is_ready,
            is_queued: is_ready && ran == 0,
        }
    }

    /// What the kernel counts of one thread that gives up its core by itself.
    pub fn count_rests(&mut self, was_ready: bool, is_ready: bool, was_at_disk: bool) {
        let Some(yields) = &mut self.yields else { return };
        yields.times += u64::from(was_ready && !is_ready) + u64::from(!was_at_disk && self.is_at_disk);
        yields.pages += u64::from(!was_at_disk && self.is_at_disk && !self.is_at_lock);
    }
}

//! Compares the memory and threads of a running client, main thread included, with its limits.

use super::{EXIT_GRACE, Host};
use crate::Trouble;
use crate::groups::{THREADS_BESIDE, THREADS_OF_RUNTIME};
use crate::verdict::{self, Death, Moment};
use agon_model::Limits;
use std::time::Instant;

impl Host {
    /// Judges why the process ended, by itself or by the kernel.
    pub(super) fn judge_end(&mut self, death: Death, moment: Moment) -> Trouble {
        let killed = death == Death::Signal(libc::SIGKILL);
        let ended = self.group.as_mut().filter(|_| killed).and_then(|group| group.leaf()?.ended_for_memory());
        match ended {
            Some((used, limit)) => verdict::out_of_memory(moment, used, limit),
            None if self.talk.is_some() => {
                let what = verdict::program::end_words(death, &self.lines);
                self.blame_program(moment, &what)
            }
            None => verdict::died(death, moment, &self.lines),
        }
    }

    /// Looks at both, and whether any thread is left to answer.
    pub fn judge_holdings(&mut self, moment: Moment, limits: &Limits) -> Result<(), Trouble> {
        let memory = self.proc.memory();
        let resident = memory.all - if self.counts_files { 0 } else { memory.of_files.min(memory.all) };
        self.peak = self.peak.max(resident);
        if resident > limits.memory {
            return Err(verdict::out_of_memory(moment, resident, limits.memory));
        }
        self.judge_head(moment, memory.is_headless)?;
        let beside = if self.talk.is_some() { THREADS_OF_RUNTIME } else { THREADS_BESIDE };
        let (threads, most) = (self.proc.threads(), u64::from(limits.threads) + beside);
        if threads > most { Err(verdict::too_many_threads(moment, threads, limits.threads, beside)) } else { Ok(()) }
    }

    /// Only the main thread answers for a library. If it has ended while others go on, no answer can be honest. But it
    /// may end first in a process that ends too.
    fn judge_head(&mut self, moment: Moment, is_headless: bool) -> Result<(), Trouble> {
        if !is_headless || self.talk.is_some() || self.requests.is_none() {
            self.headless = None;
            return Ok(());
        }
        let since = *self.headless.get_or_insert_with(Instant::now);
        if since.elapsed() > EXIT_GRACE { Err(verdict::headless(moment)) } else { Ok(()) }
    }
}

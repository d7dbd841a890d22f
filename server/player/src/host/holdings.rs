//! What a client holds while it runs, held against what it may hold: memory and threads.

use super::Host;
use crate::Trouble;
use crate::groups::THREADS_BESIDE;
use crate::verdict::{self, Death, Moment};
use agon_model::Limits;

/// The same of a program: runtimes keep threads that compile and clean up, all charged to it.
const THREADS_OF_RUNTIME: u64 = 40;

impl Host {
    /// Why the process ended, which it did by itself or by the kernel.
    pub(super) fn judge_end(&mut self, death: Death, place: Moment) -> Trouble {
        let killed = death == Death::Signal(libc::SIGKILL);
        let ended = self.group.as_mut().filter(|_| killed).and_then(|group| group.leaf()?.ended_for_memory());
        match ended {
            Some((used, limit)) => verdict::out_of_memory(place, used, limit),
            None if self.talk.is_some() => {
                let what = verdict::program::end_words(death, &self.lines);
                self.blame_program(place, &what)
            }
            None => verdict::died(death, place, &self.lines),
        }
    }

    /// Looks at both.
    pub fn judge_holdings(&mut self, place: Moment, limits: &Limits) -> Result<(), Trouble> {
        let resident = self.proc.resident(self.counts_files).unwrap_or(0);
        self.peak = self.peak.max(resident);
        if resident > limits.memory {
            return Err(verdict::out_of_memory(place, resident, limits.memory));
        }
        let beside = if self.talk.is_some() { THREADS_OF_RUNTIME } else { THREADS_BESIDE };
        let (threads, most) = (self.proc.threads(), u64::from(limits.threads) + beside);
        if threads > most { Err(verdict::too_many_threads(place, threads, limits.threads, beside)) } else { Ok(()) }
    }
}

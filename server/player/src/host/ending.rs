//! The end of a host whose requests are closed: it ends by itself, and what its client still does then (destructors,
//! `atexit`) is kept to the same limits.

use super::{EXIT_GRACE, Host, SAMPLE};
use crate::Trouble;
use crate::verdict::{self, Death, Moment};
use agon_model::{Limits, Phase};
use rustix::process::WaitIdOptions;
use std::time::{Duration, Instant};

/// A process that is kept from its core by others gets longer than `EXIT_GRACE`, but no longer than this.
const LONGEST: Duration = Duration::from_secs(10);
/// Processor time of a client that is still at work; one that only waits says nothing.
const AT_WORK: Duration = Duration::from_millis(50);

impl Host {
    /// Closes the requests, upon which a sound host ends by itself, and makes sure. Says what its client did meanwhile
    /// that it must not.
    pub fn end(&mut self, ply: u32, limits: &Limits) -> Option<String> {
        self.requests = None;
        let place = Moment { phase: Phase::Finalize, ply };
        let trouble = self.await_exit(place, limits).err();
        self.kill();
        match trouble? {
            Trouble::Fault(fault) => {
                Some(fault.message.replacen(&place.words(), "after finalize, as its process ended", 1))
            }
            _ => None,
        }
    }

    fn await_exit(&mut self, place: Moment, limits: &Limits) -> Result<(), Trouble> {
        let (began, cpu_began) = (Instant::now(), self.clock.read());
        while !self.child.reaped {
            self.child.await_end(SAMPLE);
            if let Some(death) = self.child.reap(WaitIdOptions::NOHANG) {
                self.drain_all(place.phase, place.ply);
                return match death {
                    Death::Exit(_) => Ok(()),
                    Death::Signal(_) => Err(verdict::died(death, place, &self.lines)),
                };
            }
            self.drain_all(place.phase, place.ply); // or it would wait for room in a pipe
            self.judge_holdings(place, limits)?;
            let elapsed = began.elapsed();
            if elapsed > EXIT_GRACE {
                let used = self.clock.read().unwrap_or_default().saturating_sub(cpu_began.unwrap_or_default());
                let is_queued = elapsed < LONGEST && elapsed < EXIT_GRACE + self.waited();
                if used > AT_WORK || !is_queued {
                    return self.judge_late_end(place, used);
                }
            }
        }
        Ok(())
    }

    /// How long one of its threads has been ready and without a core, in its whole life.
    fn waited(&self) -> Duration {
        self.proc.scheduled().into_iter().map(|(_, thread)| thread.waited).max().unwrap_or_default()
    }

    /// A process that gives back much memory is at work, too, but has no code any more.
    fn judge_late_end(&self, place: Moment, used: Duration) -> Result<(), Trouble> {
        let runs_code = self.proc.resident(true).is_some_and(|bytes| bytes > 0);
        if used > AT_WORK && runs_code { Err(verdict::outlives(place, used)) } else { Ok(()) }
    }
}

//! The end of a host whose requests are closed. It ends by itself; the same limits apply to the last acts of its client
//! (destructors, `atexit`).

use super::{EXIT_GRACE, Host, SAMPLE};
use crate::Trouble;
use crate::proc::WaitsFor;
use crate::verdict::{self, Death, Moment};
use agon_model::{Limits, Phase};
use rustix::process::WaitIdOptions;
use std::time::{Duration, Instant};

/// A process that others keep from its core gets longer than `EXIT_GRACE`, but no longer than this: its answers have
/// all come.
const LONGEST_EXIT: Duration = Duration::from_secs(1);
/// Processor time that shows a client still at work.
const AT_WORK: Duration = Duration::from_millis(50);

impl Host {
    /// Closes the requests, upon which a sound host ends by itself, and makes sure of it. Returns what its client did
    /// wrong in between.
    pub fn end(&mut self, ply: u32, limits: &Limits) -> Option<String> {
        self.requests = None;
        let moment = Moment { phase: Phase::Finalize, ply };
        let trouble = self.await_exit(moment, limits).err();
        self.kill();
        match trouble? {
            Trouble::Fault(fault) => {
                Some(fault.message.replacen(&moment.words(), "after finalize, as its process ended", 1))
            }
            _ => None,
        }
    }

    fn await_exit(&mut self, moment: Moment, limits: &Limits) -> Result<(), Trouble> {
        let (began, cpu_began) = (Instant::now(), self.clock.read());
        let waited_before = self.waited();
        while !self.child.reaped {
            self.child.await_end(SAMPLE);
            if let Some(death) = self.child.reap(WaitIdOptions::NOHANG) {
                self.drain_all(moment.phase, moment.ply);
                return match death {
                    Death::Exit(_) => Ok(()),
                    Death::Signal(_) => Err(verdict::died(death, moment, &self.lines)),
                };
            }
            self.drain_all(moment.phase, moment.ply); // or it would wait for room in a pipe
            self.judge_holdings(moment, limits)?;
            let elapsed = began.elapsed();
            if elapsed > EXIT_GRACE {
                let used = self.clock.read().unwrap_or_default().saturating_sub(cpu_began.unwrap_or_default());
                let waited = self.waited().saturating_sub(waited_before);
                let waits_for = self.proc.waits_for();
                let is_kept_off = waits_for != WaitsFor::Itself || elapsed < EXIT_GRACE + waited;
                if used > AT_WORK || !is_kept_off || elapsed > LONGEST_EXIT {
                    return self.judge_late_end(moment, used, (elapsed, waits_for));
                }
            }
        }
        Ok(())
    }

    /// How long one of its threads has been ready and without a core, in its whole life.
    fn waited(&self) -> Duration {
        self.proc.scheduled().into_iter().map(|(_, thread)| thread.waited).max().unwrap_or_default()
    }

    /// Judges a process that ends late. One that gives back much memory is at work too, but runs no code any more.
    /// Nothing can be said of one that is ready, or waits for the disk.
    fn judge_late_end(
        &self,
        moment: Moment,
        used: Duration,
        (elapsed, waits_for): (Duration, WaitsFor),
    ) -> Result<(), Trouble> {
        match self.proc.memory().all > 0 {
            true if used > AT_WORK => Err(verdict::outlives(moment, used)),
            true if waits_for == WaitsFor::Itself => Err(verdict::lingers(moment, elapsed)),
            _ => Ok(()),
        }
    }
}

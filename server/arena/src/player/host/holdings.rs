//! What a client holds while it runs, held against what it may hold: memory and threads.

use super::Host;
use crate::player::Trouble;
use crate::player::verdict::{self, Place};
use agon_model::Limits;

/// Threads beside those that compute, which `[limits] threads` allows: that of the call, and what libraries keep asleep.
const THREADS_BESIDE: u64 = 8;

impl Host {
    /// Looks at both.
    pub fn judge_holdings(&mut self, place: Place, limits: &Limits) -> Result<(), Trouble> {
        let resident = self.proc.resident().unwrap_or(0);
        self.peak = self.peak.max(resident);
        if resident > limits.memory {
            return Err(verdict::out_of_memory(place, resident, limits.memory));
        }
        let (threads, most) = (self.proc.threads(), u64::from(limits.threads) + THREADS_BESIDE);
        if threads > most {
            Err(verdict::too_many_threads(place, threads, limits.threads, THREADS_BESIDE))
        } else {
            Ok(())
        }
    }
}

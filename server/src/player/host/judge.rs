//! What a client uses while it is asked and while it is not, held against what it may use: time, memory, the guard, idleness; and what
//! of it the machine is to blame for.

use super::Host;
use crate::clock::Allowance;
use crate::player::Trouble;
use crate::player::proc::own_run_delay;
use crate::player::verdict::{self, Place};
use crate::record::{ClockKind, Limits};
use std::time::{Duration, Instant};

/// Processor time that a client may use unasked: this, and a share of the time that passes.
const IDLE_FREE: Duration = Duration::from_millis(2);
const IDLE_SHARE: u32 = 20;
/// So often in one match it may be more, though never by much: a core that stands still just after an answer is charged to the client
/// that had it.
const IDLE_EXCUSED: u32 = 2;
const IDLE_BURST: Duration = Duration::from_millis(100);

impl Host {
    /// Looks at time, memory and guard while the client thinks.
    pub(super) fn sample(&mut self, place: Place, limits: &Limits) -> Result<(), Trouble> {
        let now = Instant::now();
        self.call.sampled = now;
        self.theft.sample();
        let elapsed = now.duration_since(self.call.began);
        let Some(cpu) = self.clock.read() else { return Ok(()) };
        self.call.cpu_sampled = cpu;
        let used = cpu.saturating_sub(self.call.cpu_began);
        let Allowance { clock, call_us, guard_us, .. } = self.call.allowance;
        let judged = match clock {
            ClockKind::Cpu => used,
            // What is not to be charged is worked out only where it matters.
            ClockKind::Wall if call_us.is_none_or(|limit| elapsed.as_micros() as u64 <= limit) => elapsed,
            ClockKind::Wall => elapsed.saturating_sub(self.waited(elapsed, used, limits)),
        };
        let judged_us = judged.as_micros() as u64;
        if let Some(limit_us) = call_us.filter(|limit| judged_us > *limit) {
            self.theft.end(elapsed);
            // One that will never answer has what was taken from it, and no more.
            if !self.theft.explains(Duration::from_micros(judged_us - limit_us), clock) {
                return Err(verdict::too_slow(place, clock, judged_us, limit_us));
            }
        }
        self.judge_holdings(place, limits)?;
        let delay = self.delay();
        let before = *self.call.run_delay.get_or_insert(delay);
        if elapsed > Duration::from_micros(guard_us) {
            return Err(self.judge_stall(place, elapsed, used, delay.saturating_sub(before)));
        }
        Ok(())
    }

    /// A client that has answered late, but by no more than what other machines took in its calls: nobody can tell whether it was late.
    pub(super) fn judge_theft(&mut self, place: Place, used_us: u64) -> Result<(), Trouble> {
        let Allowance { clock, call_us, .. } = self.call.allowance;
        let Some(limit_us) = call_us.filter(|limit_us| used_us > *limit_us) else { return Ok(()) };
        if !self.theft.explains(Duration::from_micros(used_us - limit_us), clock) {
            return Ok(());
        }
        Err(verdict::robbed(place, clock, used_us, limit_us, self.theft.taken()))
    }

    /// At the guard: blocked or stopped is the client's doing; runnable but kept off the core is ours.
    fn judge_stall(&self, place: Place, elapsed: Duration, used: Duration, delay: Duration) -> Trouble {
        let state = self.proc.state().unwrap_or('?');
        let wanted = Duration::from_micros(self.call.allowance.call_us.unwrap_or(u64::MAX));
        if state == 'R' && used + delay >= wanted {
            let (waited, kept) = (elapsed.as_secs_f64(), delay.as_secs_f64());
            return Trouble::Void(format!(
                "a client {} was ready for {waited:.1} s and kept off its core for {kept:.1} s; help: run fewer jobs",
                place.words()
            ));
        }
        verdict::stalled(place, elapsed, state)
    }

    /// Whether the client has kept using processor time while it was not asked: since its last reply, and before in this match.
    pub fn judge_idleness(&mut self, place: Place) -> Result<(), Trouble> {
        let Some(cpu) = self.clock.read() else { return Ok(()) };
        let (cpu_then, then) = self.mark;
        let (used, elapsed) = (cpu.saturating_sub(cpu_then), then.elapsed());
        if used <= IDLE_FREE + elapsed / IDLE_SHARE {
            return Ok(());
        }
        self.mark = (cpu, then + elapsed);
        self.restless += 1;
        if used > IDLE_BURST || self.restless > IDLE_EXCUSED {
            return Err(verdict::out_of_turn(place, used, elapsed, self.restless));
        }
        tracing::debug!("{used:?} of processor time used {} and excused", place.words());
        Ok(())
    }

    /// Where wall time judges, how much of `elapsed` the client or this thread was ready to run and had no core. The kernel books a
    /// wait when it is over; a client that still waits for its core is known by its state. Time in which it has computed is no wait,
    /// though this thread may have waited for the client's core meanwhile.
    pub(super) fn waited(&self, elapsed: Duration, used: Duration, limits: &Limits) -> Duration {
        let Some(before) = self.call.run_delay.filter(|_| self.call.allowance.clock == ClockKind::Wall) else {
            return Duration::ZERO;
        };
        let booked = self.delay().saturating_sub(before);
        let idle = elapsed.saturating_sub(used / limits.threads.max(1));
        if self.proc.state() == Some('R') { idle } else { booked.min(idle) }
    }

    /// How long the client's threads and this one have been ready and not running.
    pub(super) fn delay(&self) -> Duration {
        self.proc.run_delay() + own_run_delay()
    }
}

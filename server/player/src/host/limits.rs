//! Compares a client's use of time, memory and the guard with its limits, while it is asked and while it is
//! not; and finds the machine's share.

use super::{Call, CallTime, FirstLook, Host, SAMPLE};
use crate::Trouble;
use crate::clock::{Finding, Reading, Scheduled, Waits, Yields, doubtful, judge_time, kept_off, unseen};
use crate::proc::{WaitsFor, own_run_delay, tell_kernel_wait};
use crate::verdict::{self, Moment};
use agon_model::{ClockKind, Limits};
use std::time::{Duration, Instant};

/// Processor time that a client may use out of turn: this, and a share of the passing time.
const OUT_OF_TURN_FREE: Duration = Duration::from_millis(2);
const OUT_OF_TURN_SHARE: u32 = 20;
/// How often in one match it may be more, though never by much: a core that stalls just after an answer is charged to
/// that client.
const OUT_OF_TURN_EXCUSED: u32 = 2;
const OUT_OF_TURN_BURST: Duration = Duration::from_millis(100);
/// In quicker calls, waits for a core are measured only where that costs nothing.
const QUICK: Duration = Duration::from_millis(10);

/// A wait in the kernel is reported each time this number of seconds has passed.
const LONG_WAIT: u64 = 30;

/// A look this long after the previous one is late, although this thread looked at others as well. It had no core,
/// waited for the disk itself, or the machine stood still.
const LATE_LOOK: Duration = Duration::from_millis(50);
/// An absence too short to ask the scheduler about.
const SHORT: Duration = Duration::from_micros(200);

impl Host {
    /// Looks at time, memory and guard while the client thinks.
    pub(super) fn sample(&mut self, moment: Moment, limits: &Limits) -> Result<(), Trouble> {
        let now = Instant::now();
        let gap = now.duration_since(std::mem::replace(&mut self.call.sampled, now));
        let own_delay = self.steal.sample();
        let Some(cpu) = self.clock.read() else { return Ok(()) };
        self.look_at_wait(gap, cpu.saturating_sub(self.call.cpu_sampled));
        self.count_absence(gap, cpu, own_delay, false);
        if self.call.first.is_none() {
            self.call.first = Some(FirstLook { used: cpu, threads: self.proc.scheduled() });
        }
        // If one late look finds too much memory and too much time, the memory is the more helpful message.
        self.judge_holdings(moment, limits)?;
        let (elapsed, used) = (now.duration_since(self.call.began), cpu.saturating_sub(self.call.cpu_began));
        self.judge(moment, Reading { elapsed, used, ..Reading::default() }, cpu, limits)?;
        (self.call.cpu_sampled, self.call.own_delay) = (cpu, own_delay);
        Ok(())
    }

    /// Finds what keeps the client from going on, if it did not run since the last look or if wall time judges. This
    /// comes before the kernel is asked for finished waits: one that ends in between is then counted there.
    fn look_at_wait(&mut self, gap: Duration, ran: Duration) {
        (self.call.is_ready, self.call.is_queued) = (false, false);
        if !ran.is_zero() && self.call.allowance.clock == ClockKind::Cpu {
            return;
        }
        let waits_for = self.proc.waits_for();
        self.call.is_ready = waits_for != WaitsFor::Itself;
        self.call.is_queued = self.call.is_ready && ran.is_zero();
        if waits_for == WaitsFor::Disk && ran.is_zero() {
            let before = self.call.at_disk;
            self.call.at_disk += gap;
            if before.as_secs() / LONG_WAIT < self.call.at_disk.as_secs() / LONG_WAIT {
                tell_kernel_wait(self.child.pid, self.call.at_disk, "does not go on");
            }
        }
    }

    /// Counts how long this thread was away since the last look. A client that sleeps and has not run has slept all the
    /// time; the scheduler reports on one that is ready.
    fn count_absence(&mut self, gap: Duration, cpu: Duration, own_delay: Duration, is_answered: bool) {
        let (then, now) = (self.call.yielded, self.call.yielded.and_then(|_| self.proc.yields()));
        self.call.yielded = now;
        let ran = cpu.saturating_sub(self.call.cpu_sampled);
        let late = if gap >= LATE_LOOK { gap.saturating_sub(SAMPLE) } else { Duration::ZERO };
        let yields = then.zip(now).map(|(then, now)| now.since(then, is_answered));
        let is_doubtful = yields.is_some_and(Yields::are_own);
        let away = match yields {
            Some(yields) if !yields.are_own() && self.proc.threads() == 1 => gap,
            _ => late.max(own_delay.saturating_sub(self.call.own_delay)),
        };
        let is_ready = self.call.is_ready || now.is_some_and(|now| !now.is_away);
        if ran.is_zero() || is_ready && !is_answered || away < SHORT {
            return;
        }
        let queued = self.queued(cpu);
        let waited = queued.saturating_sub(self.call.queued);
        if is_doubtful {
            self.call.doubtful += doubtful(gap, away, ran, waited)
        } else {
            self.call.unseen += unseen(gap, away, ran, waited)
        }
        self.call.queued = queued;
    }

    /// Judges the time of an answered call.
    pub(super) fn judge_reply(
        &mut self,
        moment: Moment,
        elapsed: Duration,
        cpu: Duration,
        limits: &Limits,
    ) -> Result<CallTime, Trouble> {
        let used = cpu.saturating_sub(self.call.cpu_began);
        let out_of_turn = self.call.out_of_turn;
        let mut reading = Reading { elapsed, used, out_of_turn, is_answered: true, ..Reading::default() };
        if elapsed > QUICK || self.call.allowance.clock == ClockKind::Wall {
            let gap = (self.call.began + elapsed).saturating_duration_since(self.call.sampled);
            self.count_absence(gap, cpu, own_run_delay(), true);
            reading.kept_off = self.kept_off(&reading, cpu, limits);
        }
        self.is_slow = elapsed > QUICK;
        self.steal.end(elapsed);
        self.judge(moment, reading, cpu, limits)?;
        let us = |time: Duration| time.as_micros() as u64;
        let wall = match self.call.allowance.clock {
            ClockKind::Cpu => elapsed,
            ClockKind::Wall => reading.charged(ClockKind::Wall),
        };
        Ok(CallTime { cpu_us: us(used + out_of_turn), wall_us: us(wall), kept_off_us: us(reading.kept_off) })
    }

    /// Compares a reading with the limit; it looks for excuses only where they matter.
    fn judge(&mut self, moment: Moment, mut reading: Reading, cpu: Duration, limits: &Limits) -> Result<(), Trouble> {
        let allowance = self.call.allowance;
        (reading.out_of_turn, reading.doubtful) = (self.call.out_of_turn, self.call.doubtful);
        if judge_time(&allowance, &reading) == Finding::InTime {
            return Ok(());
        }
        if !reading.is_answered {
            reading.kept_off = self.kept_off(&reading, cpu, limits);
            (reading.is_queued, reading.is_ready) = (self.call.is_queued, self.call.is_ready);
        }
        let finding = judge_time(&allowance, &reading);
        if let Finding::Late(_) | Finding::Idle = finding {
            self.steal.end(reading.elapsed);
            reading.taken = match finding {
                Finding::Late(overrun) => self.steal.taken(overrun.by(), &allowance),
                _ => self.steal.taken_from_call(),
            };
        }
        verdict::of_call(moment, &allowance, &reading, || self.proc.state())
    }

    /// The part of a call that is not the client's doing.
    fn kept_off(&self, reading: &Reading, cpu: Duration, limits: &Limits) -> Duration {
        let Call { at_disk, unseen, .. } = self.call;
        let waits = Waits { queued: self.queued(cpu), at_disk, unseen, yields: self.yields(reading, cpu) };
        waits.sum(reading.elapsed, reading.used, limits.threads)
    }

    /// How often the client gave up its core by itself in this call, if only its main thread exists and has run. Both
    /// numbers of the time run come from one counter, so they agree to the nanosecond.
    fn yields(&self, reading: &Reading, cpu: Duration) -> Option<Yields> {
        let (before, first) = (self.call.yields?, self.call.first.as_ref()?);
        let [(_, then)] = first.threads[..] else { return None };
        let yields = self.proc.yields()?.since(before, reading.is_answered);
        let ran = self.proc.main_scheduled()?.ran.saturating_sub(then.ran);
        (self.proc.threads() == 1 && cpu.saturating_sub(first.used) <= ran).then_some(yields)
    }

    /// How long others had the client's core since the first look.
    fn queued(&self, cpu: Duration) -> Duration {
        self.call.first.as_ref().map_or(Duration::ZERO, |first| self.kept_off_since(first, cpu))
    }

    /// How long the client was ready and others had its core since the first look.
    fn kept_off_since(&self, first: &FirstLook, cpu: Duration) -> Duration {
        let threads = self.proc.scheduled();
        let since_first = |(number, now): &(u32, Scheduled)| {
            let then =
                first.threads.iter().find(|(other, _)| other == number).map(|(_, then)| *then).unwrap_or_default();
            Scheduled { ran: now.ran.saturating_sub(then.ran), waited: now.waited.saturating_sub(then.waited) }
        };
        kept_off(threads.iter().map(since_first), cpu.saturating_sub(first.used))
    }

    /// Judges whether the client has used processor time while it was not asked: since its last reply, and earlier in
    /// this match. Returns its whole processor time, as read for this.
    pub fn judge_out_of_turn(&mut self, moment: Moment) -> Result<Option<Duration>, Trouble> {
        let Some(cpu) = self.clock.read() else { return Ok(None) };
        let (cpu_then, then) = self.mark;
        let (used, elapsed) = (cpu.saturating_sub(cpu_then), then.elapsed());
        if used <= OUT_OF_TURN_FREE + elapsed / OUT_OF_TURN_SHARE {
            return Ok(Some(cpu));
        }
        self.mark = (cpu, then + elapsed);
        self.out_of_turn_count += 1;
        self.out_of_turn_time += used;
        if used > OUT_OF_TURN_BURST || self.out_of_turn_count > OUT_OF_TURN_EXCUSED {
            return Err(verdict::out_of_turn(moment, used, elapsed, self.out_of_turn_count));
        }
        tracing::debug!("{used:?} of processor time used {} and excused", moment.words());
        Ok(Some(cpu))
    }
}

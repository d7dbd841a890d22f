//! The budget of a seat in one match: the time it has left, and the wall time of its moves.

use super::{Allowance, guard_us};
use agon_model::{ClockKind, TimeControl};

/// The time that one seat has left.
#[derive(Clone, Debug)]
pub struct Budget {
    control: TimeControl,
    left_us: Option<u64>,
    /// The number of calls that were charged.
    moves: u64,
    wall: WallTime,
}

/// The wall time of one seat in a match, without the machine's share, compared with a multiple of the time that its
/// clock gave.
#[derive(Clone, Debug, Default)]
struct WallTime {
    moves: u64,
    waited_us: u64,
    is_told: bool,
    /// The wall time, whichever clock judges, and its part without computing.
    spent_us: u64,
    idle_us: u64,
    idleness_told: bool,
}

/// The verdict on the wall time of all moves so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WallTimeVerdict {
    /// There is nothing new to report.
    Fine,
    /// The time exceeds the allowed time for the first time: time used and time allowed, microseconds.
    Told(u64, u64),
    /// The time exceeds twice the allowed time: time used and time allowed, microseconds.
    TooMuch(u64, u64),
}

/// Quicker moves do not count: for so short a time, nothing measures what keeps a client from its core.
const QUICK_US: u64 = 10_000;
/// A client that computes nothing for this long, and hardly anything otherwise, sleeps or waits.
const IDLE_US: u64 = 1_000_000;
/// Wall time that every seat has in addition.
const FREE_US: u64 = 1_000_000;

impl Budget {
    /// Begins with a full budget.
    pub fn new(control: &TimeControl) -> Budget {
        Budget { left_us: control.total_us, control: control.clone(), moves: 0, wall: WallTime::default() }
    }

    /// The time for the next call when `asked` seats think at once. They may share one core, so the guard grows with
    /// their number.
    #[inline]
    pub fn allowance(&self, asked: usize) -> Allowance {
        let call_us = self.call_us();
        Allowance {
            clock: self.control.clock,
            call_us,
            total_us: self.left_us,
            moves_left: self.control.moves_left(self.moves),
            guard_us: guard_us(call_us, asked),
        }
    }

    #[inline]
    fn call_us(&self) -> Option<u64> {
        match (self.control.per_move_us, self.left_us) {
            (Some(call), Some(left)) => Some(call.min(left)),
            (call, left) => call.or(left),
        }
    }

    /// Charges a call that was in time, and adds the time given after it.
    #[inline]
    pub fn charge(&mut self, cpu_us: u64, wall_us: u64) {
        let used_us = self.control.clock.charged(cpu_us, wall_us);
        self.moves += 1;
        let given_us = self.control.given_after(self.moves);
        self.left_us = self.left_us.map(|left| left.saturating_sub(used_us).saturating_add(given_us));
    }

    /// Counts the wall time of a move, without the machine's share, because others wait for it. The wall clock charges
    /// it anyway.
    #[inline]
    pub fn count_wall_time(&mut self, wall_us: u64) -> WallTimeVerdict {
        self.wall.moves += 1;
        let (clock, factor) = (self.control.clock, self.control.wall_factor);
        if wall_us <= QUICK_US || clock == ClockKind::Wall || factor == 0 {
            return WallTimeVerdict::Fine;
        }
        self.wall.waited_us += wall_us;
        let Some(given_us) = self.given_us() else { return WallTimeVerdict::Fine };
        let allowed_us = given_us.saturating_mul(u64::from(factor)).saturating_add(FREE_US);
        let waited_us = self.wall.waited_us;
        if waited_us > allowed_us.saturating_mul(2) {
            return WallTimeVerdict::TooMuch(waited_us, allowed_us);
        }
        if waited_us <= allowed_us || std::mem::replace(&mut self.wall.is_told, true) {
            return WallTimeVerdict::Fine;
        }
        WallTimeVerdict::Told(waited_us, allowed_us)
    }

    /// Counts the part of such a move without computing. If that is nearly all of its time, and a second or more, it
    /// returns this part and the whole, once, unless `count_wall_time` has reported more.
    #[inline]
    pub fn idle(&mut self, wall_us: u64, cpu_us: u64) -> Option<(u64, u64)> {
        if wall_us <= QUICK_US || self.control.wall_factor == 0 || self.wall.is_told {
            return None;
        }
        let wall = &mut self.wall;
        wall.idle_us += wall_us.saturating_sub(cpu_us);
        wall.spent_us += wall_us;
        let WallTime { idle_us, spent_us, .. } = *wall;
        let is_idle = idle_us >= IDLE_US && idle_us >= spent_us / 10 * 9;
        (is_idle && !std::mem::replace(&mut wall.idleness_told, true)).then_some((idle_us, spent_us))
    }

    /// The time that the clock has given for the moves so far.
    fn given_us(&self) -> Option<u64> {
        let TimeControl { total_us, increment_us, per_move_us, period, .. } = self.control;
        let moves = self.wall.moves;
        let totals = 1 + period.map_or(0, |period| (moves - 1) / u64::from(period.max(1)));
        let total =
            total_us.map(|total| total.saturating_mul(totals).saturating_add(increment_us.saturating_mul(moves - 1)));
        let single = per_move_us.map(|us| us.saturating_mul(moves));
        total.into_iter().chain(single).min()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Finding, MOST_GUARDS, Overrun, Reading, judge_time};
    use super::*;
    use agon_model::{Excuse, TimeScale};
    use std::time::Duration;

    fn control(total_us: Option<u64>, increment_us: u64, per_move_us: Option<u64>) -> TimeControl {
        let second = 1_000_000;
        TimeControl {
            clock: ClockKind::Cpu,
            total_us,
            increment_us,
            period: None,
            per_move_us,
            load_us: second,
            initialize_us: second,
            finalize_us: second,
            wall_factor: 4,
            scale: TimeScale::Off,
        }
    }

    /// Judges an answer after this processor time.
    fn finding(budget: &Budget, cpu_us: u64) -> Finding {
        let used = Duration::from_micros(cpu_us);
        judge_time(&budget.allowance(1), &Reading { used, is_answered: true, ..Reading::default() })
    }

    #[test]
    fn a_total_shrinks_and_the_increment_returns() {
        let mut budget = Budget::new(&control(Some(100), 10, None));
        assert_eq!(finding(&budget, 40), Finding::InTime);
        budget.charge(40, 1_000);
        assert_eq!(budget.allowance(1).call_us, Some(70));
        assert_eq!(finding(&budget, 71), Finding::Late(Overrun { used_us: 71, limit_us: 70 }));
    }

    /// Three moves of 100 in all, 10 after each: the rest is kept when the total comes again.
    #[test]
    fn a_total_is_given_again_after_each_period() {
        let mut budget = Budget::new(&TimeControl { period: Some(3), ..control(Some(100), 10, None) });
        let mut seen = Vec::new();
        for used in [40, 30, 20, 0, 200] {
            let allowance = budget.allowance(1);
            seen.push((allowance.call_us, allowance.moves_left));
            budget.charge(used, 0);
        }
        let expected = [(100, 3), (70, 2), (50, 1), (140, 3), (150, 2)];
        assert_eq!(seen, expected.map(|(left, moves)| (Some(left), Some(moves))));
        // A client that used too much has lost; it cannot borrow from the next period.
        assert_eq!((budget.allowance(1).call_us, budget.allowance(1).moves_left), (Some(10), Some(1)));
    }

    #[test]
    fn a_client_that_sleeps_is_told_once() {
        let mut budget = Budget::new(&control(None, 0, Some(1_000_000)));
        let told: Vec<_> = (0..6).map(|_| budget.idle(300_000, 1_000)).collect();
        assert_eq!(told[..3], [None; 3]);
        assert_eq!(told[3..], [Some((1_196_000, 1_200_000)), None, None]);
        let mut busy = Budget::new(&control(None, 0, Some(1_000_000)));
        assert!((0..100).all(|_| busy.idle(300_000, 40_000).is_none() && busy.idle(QUICK_US, 0).is_none()));
    }

    #[test]
    fn what_is_given_again_is_waited_for() {
        let mut budget = Budget::new(&TimeControl { period: Some(2), ..control(Some(1_000_000), 0, None) });
        let waits: Vec<_> = (0..5).map(|_| budget.count_wall_time(3_000_000)).collect();
        // 4 s a period and 1 s: 3 of 5, 6 of 5, 9 of 9 after the report, 12 of 9, 15 of 13.
        assert_eq!(
            waits[..3],
            [WallTimeVerdict::Fine, WallTimeVerdict::Told(6_000_000, 5_000_000), WallTimeVerdict::Fine]
        );
        assert_eq!(waits[3..], [WallTimeVerdict::Fine, WallTimeVerdict::Fine]);
    }

    #[test]
    fn a_single_move_has_its_own_limit() {
        let mut budget = Budget::new(&control(None, 0, Some(50)));
        for _ in 0..3 {
            assert_eq!(finding(&budget, 50), Finding::InTime);
            budget.charge(50, 50);
        }
        assert_eq!(finding(&budget, 51), Finding::Late(Overrun { used_us: 51, limit_us: 50 }));
    }

    /// No answer came in eight guards. The machine's possible share excuses only a client beyond its limit.
    #[test]
    fn who_used_more_than_it_may_was_not_kept_from_going_on() {
        let allowance = Budget::new(&control(None, 0, Some(50))).allowance(1);
        let elapsed = Duration::from_micros(allowance.guard_us) * (MOST_GUARDS + 1);
        let after = |used_us| {
            let used = Duration::from_micros(used_us);
            judge_time(&allowance, &Reading { elapsed, used, kept_off: elapsed, taken: used, ..Reading::default() })
        };
        let overrun = |used_us| Overrun { used_us, limit_us: 50 };
        assert_eq!(after(51), Finding::Excused(Excuse::Taken, overrun(51)));
        assert_eq!(after(50), Finding::Excused(Excuse::KeptOff, overrun(50)));
    }

    #[test]
    fn who_sleeps_in_every_move_is_told_and_then_lost() {
        let mut budget = Budget::new(&control(None, 0, Some(20_000)));
        let mut waits: Vec<WallTimeVerdict> = (0..3).map(|_| budget.count_wall_time(1_000_000)).collect();
        assert_eq!(waits.remove(0), WallTimeVerdict::Fine);
        assert_eq!(
            waits,
            [WallTimeVerdict::Told(2_000_000, 1_160_000), WallTimeVerdict::TooMuch(3_000_000, 1_240_000)]
        );
        let mut budget = Budget::new(&control(Some(1_000_000), 0, None));
        assert!((0..1000).all(|_| budget.count_wall_time(QUICK_US) == WallTimeVerdict::Fine));
        assert_eq!((0..11).filter(|_| budget.count_wall_time(1_000_000) != WallTimeVerdict::Fine).count(), 2);
        let mut budget = Budget::new(&TimeControl { wall_factor: 0, ..control(None, 0, Some(20_000)) });
        assert!((0..1000).all(|_| budget.count_wall_time(1_000_000) == WallTimeVerdict::Fine));
    }
}

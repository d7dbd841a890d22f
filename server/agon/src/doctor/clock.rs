//! The clocks: how fine they are, what reading one costs, how late a short sleep ends, and what other machines take
//! from this one.

use super::{Finding, State};
use agon_player::clock::{ProcessClock, Ticks};
use rustix::time::{ClockId, clock_getres};
use std::time::{Duration, Instant};

/// The number of short sleeps that are timed.
const SLEEPS: usize = 200;
/// How often sleeps are timed before a machine is called too busy, and the pause between.
const TRIES: usize = 3;
const PAUSE: Duration = Duration::from_millis(300);
/// The number of times that the process clock is read.
const READS: u32 = 20_000;

pub(super) fn look() -> Vec<Finding> {
    let before = Ticks::read();
    let mut findings = vec![resolution(), sleep()];
    findings.extend(reading());
    findings.push(steal(before));
    findings
}

fn resolution() -> Finding {
    let found = clock_getres(ClockId::Monotonic);
    let ns = found.tv_sec as u64 * 1_000_000_000 + found.tv_nsec as u64;
    let state = if ns > 1_000 { State::Bad } else { State::Good };
    let help = "times are too coarse to judge by; help: a kernel with high-resolution timers";
    Finding::new("clock", state, format!("{ns} ns"), "fine enough for budgets of microseconds", help)
}

/// How late a sleep of 1 ms ends: what a referee that waits, or an engine that watches the time, must expect.
fn sleep() -> Finding {
    let (mut median, mut worst) = measure_sleeps();
    // One busy moment is no fault of the machine.
    for _ in 1..TRIES {
        if !is_bad(median, worst) {
            break;
        }
        std::thread::sleep(PAUSE);
        (median, worst) = measure_sleeps();
    }
    let found = format!("1 ms sleeps end {median} us late, at worst {worst} us");
    let state = match (median, worst) {
        _ if is_bad(median, worst) => State::Bad,
        (200.., _) | (_, 2_000..) => State::Note,
        _ => State::Good,
    };
    let help = "the machine is busy; budgets of processor time stay fair, wall time does not; help: stop other programs, or \
                fewer [run] jobs";
    Finding::new("jitter", state, found, "quiet enough for wall time, too", help)
}

/// Whether sleeps end too late for wall time, us.
fn is_bad(median: u128, worst: u128) -> bool {
    median >= 1_000 || worst >= 20_000
}

/// How late sleeps of 1 ms end: the median and the worst, us.
fn measure_sleeps() -> (u128, u128) {
    const NAP: Duration = Duration::from_millis(1);
    let mut late: Vec<Duration> = (0..SLEEPS)
        .map(|_| {
            let began = Instant::now();
            std::thread::sleep(NAP);
            began.elapsed().saturating_sub(NAP)
        })
        .collect();
    late.sort();
    (late[SLEEPS / 2].as_micros(), late[SLEEPS - 1].as_micros())
}

/// The cost of reading the clock by which clients are judged.
fn reading() -> Option<Finding> {
    let own = ProcessClock::of(rustix::process::getpid()).ok()?;
    let began = Instant::now();
    (0..READS).for_each(|_| {
        std::hint::black_box(own.read());
    });
    let ns = began.elapsed().as_nanos() as u64 / u64::from(READS);
    let state = if ns > 5_000 { State::Note } else { State::Good };
    let help = "short games are slowed by it; nothing is less fair";
    Some(Finding::new(
        "process clock",
        state,
        format!("{ns} ns a reading"),
        "clients are judged by it at little cost",
        help,
    ))
}

fn steal(before: Option<Ticks>) -> Finding {
    let share = |now: Ticks, then: Ticks| {
        100.0 * now.stolen.saturating_sub(then.stolen) as f64 / now.all.saturating_sub(then.all).max(1) as f64
    };
    let (Some(now), Some(before)) = (Ticks::read(), before) else {
        return Finding::new(
            "steal time",
            State::Note,
            "not told",
            "",
            "this kernel does not say whether others take time",
        );
    };
    let (lately, ever) = (share(now, before), share(now, Ticks { stolen: 0, all: 0 }));
    let state = if lately > 5.0 || ever > 5.0 { State::Note } else { State::Good };
    let help = "other guests of this machine take time; budgets of processor time may count it; help: another machine for a rating";
    let means = "nobody else takes time from this machine";
    Finding::new("steal time", state, format!("{lately:.1} % now, {ever:.1} % since it started"), means, help)
}

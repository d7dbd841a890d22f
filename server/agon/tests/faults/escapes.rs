//! A client that would rather have no result than a loss: nothing that it can bring about by itself makes a match void,
//! alone and on a busy machine, with one job and with two. And one that only keeps the others waiting.

use super::act::client_that;
use crate::builder::{Arena, Load, Shown, has_program};

/// Plays a client that does this in its second move, with 20 ms a move, against a sound one: one block for each job.
fn play(code: &str, jobs: u32, is_busy: bool, more: &str) -> (Vec<Shown>, String) {
    let arena = Arena::new();
    let act = client_that(code);
    act.build(&arena, "good", &[]);
    act.build(&arena, "bad", &[&format!("-DAT_PLAY={code}")]);
    let time = if more.is_empty() { "per_move = '20ms'" } else { more };
    arena.ladder_toml(&format!(
        "[ladder]\nname = 'escapes'\ngame = 'amazons'\nopenings = {jobs}\nseed = 1\n[options]\nboard = 'square:5'\n\
         [time]\n{time}\n[limits]\nmemory = '64MiB'\n[run]\njobs = {jobs}\n"
    ));
    let load = is_busy.then(Load::one_a_core);
    let ran = arena.agon(["ladder"]).well();
    drop(load);
    (arena.all_shown(), ran.stderr)
}

/// Ticks that other machines took from all cores of this one.
fn stolen() -> u64 {
    let text = std::fs::read_to_string("/proc/stat").unwrap();
    text.split_whitespace().nth(8).unwrap().parse().unwrap()
}

/// It loses every match by one of these faults, the first time, in each of these circumstances.
fn loses_by(code: &str, kinds: &[&str], more: &str) {
    if !has_program("cc") {
        return;
    }
    let cores = std::thread::available_parallelism().unwrap().get() as u32;
    for (jobs, is_busy) in [(1, false), (1, true), (2.min(cores), false), (2.min(cores), true)] {
        let before = stolen();
        let (shown, said) = play(code, jobs, is_busy, more);
        let place = format!("{code}, {jobs} jobs, busy: {is_busy}");
        // What other machines did take on this one may be given back.
        assert!(!said.contains("void") || stolen() > before, "{place}: {said}");
        assert_eq!(shown.len(), 2 * jobs as usize, "{place}");
        for shown in shown {
            let bad = shown.seat_of("bad");
            let kind = bad.fault.as_ref().map_or("none", |fault| fault.kind.as_str());
            assert!(kinds.contains(&kind) && bad.rank == 2, "{place}: {kind}, {:#}", shown.json["events"]);
        }
    }
}

const BY_TIME: &[&str] = &["cpu-time", "stalled"];
/// Where more threads are started than a client may have, that may be seen first.
const BY_MANY: &[&str] = &["cpu-time", "too-many-threads"];

#[test]
fn an_endless_loop_in_many_threads() {
    loses_by("spin_in_threads(8)", &["cpu-time"], "");
    loses_by("spin_in_threads(32)", BY_MANY, "");
}

#[test]
fn a_sleep_until_just_before_the_guard_and_then_many_threads_at_once() {
    loses_by("sleep_us(1060000); spin_in_threads(8)", BY_TIME, "");
}

#[test]
fn a_sleep_until_just_before_the_guard_and_then_one_thread() {
    loses_by("sleep_us(1070000); spin_in_threads(1)", BY_TIME, "");
}

#[test]
fn threads_that_queue_the_server_on_its_core_and_then_a_late_answer() {
    loses_by("spin_together(7, 0.2)", &["cpu-time"], "");
    loses_by("spin_together(24, 0.1)", BY_MANY, "");
    loses_by("for (int i = 0; i < 20; i++) spin_together(7, 0.01)", &["cpu-time"], "");
}

#[test]
fn a_sleep_beyond_the_time_and_then_work_under_the_clock_that_passes() {
    loses_by("sleep_us(300000); spin_in_threads(2)", &["wall-time"], "per_move = '100ms'\nclock = 'wall'");
    loses_by("sleep_us(300000); spin(0.01)", &["wall-time"], "per_move = '100ms'\nclock = 'wall'");
}

#[test]
fn a_sleep_in_every_move_is_told_and_then_lost() {
    if !has_program("cc") {
        return;
    }
    for is_busy in [false, true] {
        let arena = Arena::new();
        let act = client_that("");
        act.build(&arena, "good", &[]);
        act.build(&arena, "bad", &["-DAT_EVERY_PLAY=sleep_us(700000)"]);
        arena.ladder_toml(
            "[ladder]\nname = 'dawdler'\ngame = 'amazons'\nseed = 1\n[options]\nboard = 'square:5'\n[time]\nper_move = '20ms'\n",
        );
        let load = is_busy.then(Load::one_a_core);
        arena.agon(["ladder", "--quiet"]).well();
        drop(load);
        for shown in arena.all_shown() {
            let bad = shown.seat_of("bad");
            let fault = bad.fault.as_ref().unwrap();
            assert!(
                fault.kind == "stalled" && fault.message.contains(" s allowed, without waits"),
                "{}",
                fault.message
            );
            let notices: Vec<_> = bad.notices.iter().filter(|notice| notice.kind == "dawdling").collect();
            assert_eq!(notices.len(), 1, "{:#}", shown.json["events"]);
            assert!(notices[0].message.contains("beyond twice that it loses"), "{}", notices[0].message);
            assert_eq!(shown.seat_of("good").rank, 1);
        }
    }
}

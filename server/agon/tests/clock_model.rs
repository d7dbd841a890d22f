//! A simulated machine takes time at random from clients and from the server, and the server's own rules judge what it
//! would read there. An honest client never loses. A slow client, or one that never answers, loses within a stated time.
//! Nobody is excused more than twice for one cause. By the wall clock, the server waits for the one core, too.

mod machine;

use agon_arena::referee::Excuses;
use agon_model::{ClockKind, Excuse};
use agon_player::clock::{Allowance, Finding, MOST_GUARDS, Yields, guard_us, judge_time};
use machine::{Call, Client, Readiness, Turn};
use proptest::prelude::*;

/// What a client may use, milliseconds.
const LIMIT: u64 = 100;
/// How often the server looks.
const SAMPLE: u64 = 5;
/// A look that comes so long after the last one is late.
const LATE_LOOK: u64 = 50;
/// The kernel tells of steal in hundredths of a second.
const TICK: u64 = 10;

fn allowance() -> Allowance {
    let call_us = Some(LIMIT * 1_000);
    Allowance { clock: ClockKind::Cpu, call_us, total_us: None, moves_left: None, guard_us: guard_us(call_us, 1) }
}

/// The longest that a call may take, milliseconds: stated in docs/reference/ladder.md, and a look of the server that came late.
fn bound() -> u64 {
    u64::from(MOST_GUARDS) * allowance().guard_us / 1_000 + SAMPLE + 40
}

/// Plays one call: whose turn it is, and how late the server looks, come around again and again.
fn play(client: &Client, machine: &[(u64, Turn)], delays: &[u64]) -> (Finding, u64) {
    let mut turns = machine.iter().cycle().flat_map(|&(length, turn)| (0..length).map(move |_| turn));
    let mut delays = delays.iter().cycle();
    let mut call = Call::default();
    loop {
        let until = call.now + SAMPLE + delays.next().unwrap();
        let is_done = |call: &Call| client.work.is_some_and(|work| call.worked >= work);
        while call.now < until && !is_done(&call) {
            call.step(client, turns.next().unwrap());
        }
        let reading = call.read(client);
        match judge_time(&allowance(), &reading) {
            Finding::InTime if !reading.is_answered => assert!(call.now <= bound(), "{} ms", call.now),
            finding => return (finding, call.now),
        }
    }
}

/// Plays one call of a client with one thread by the wall clock. The server looks when its time has come, or the answer
/// is there, and others leave it the core.
fn play_by_wall(client: &Client, machine: &[(u64, Turn)]) -> Finding {
    let allowance = Allowance { clock: ClockKind::Wall, ..allowance() };
    let mut turns = machine.iter().cycle().flat_map(|&(length, turn)| (0..length).map(move |_| turn));
    let mut call = Call { yields: Some(Yields::default()), ..Call::default() };
    loop {
        let turn = turns.next().unwrap();
        let is_done = client.work.is_some_and(|work| call.worked >= work);
        let is_due = is_done || call.now >= call.looked[0] + SAMPLE;
        // It waits behind a client that runs, for some milliseconds at a time.
        let is_behind = !is_done && turn == Turn::Client && client.ready(call.now) != 0 && !call.now.is_multiple_of(4);
        if is_due && !is_behind && turn != Turn::Others && turn != Turn::Lock {
            let reading = call.read(client);
            match judge_time(&allowance, &reading) {
                Finding::InTime if !reading.is_answered => assert!(call.now <= bound() + LIMIT, "{} ms", call.now),
                finding => return finding,
            }
        }
        if is_done {
            (call.now, call.own_delay) = (call.now + 1, call.own_delay + 1);
            continue;
        }
        let (was_ready, was_at_disk) = (client.ready(call.now) != 0, call.is_at_disk);
        call.own_delay += u64::from(is_due);
        call.step(client, turn);
        call.count_rests(was_ready, client.ready(call.now) != 0, was_at_disk);
    }
}

/// Plays a call until it is decided, as a ladder plays a block again: how it ended, and how often it was excused for
/// each cause.
fn decide(client: &Client, machine: &[(u64, Turn)], delays: &[u64]) -> (Finding, [usize; 2]) {
    let (excuses, mut given) = (Excuses::default(), [0; 2]);
    for again in 0..8 {
        // Another time the machine is elsewhere in its doings.
        let machine = [&machine[again % machine.len()..], machine].concat();
        let (finding, _) = play(client, &machine, delays);
        match finding {
            Finding::Excused(excuse, _) if excuses.claim(0, excuse) => given[excuse as usize] += 1,
            finding => return (finding, given),
        }
    }
    panic!("void for ever: {given:?}");
}

/// A machine that leaves a client at least an eightieth of its time, far less than the guard alone would allow for, and
/// takes at most a fifth of what its programs are charged.
fn fair_machine() -> impl Strategy<Value = Vec<(u64, Turn)>> {
    let round = (5u64..60, 0u64..400, 0u64..2).prop_map(|(own, others, below)| {
        let below = below * own / 5;
        vec![(own, Turn::Client), (below, Turn::Below), (others * own / 5, Turn::Others)]
    });
    prop::collection::vec(round, 1..12).prop_map(|rounds| rounds.concat())
}

/// The same, that also keeps a client waiting for pages, each time for longer than it may be idle.
fn machine_with_a_slow_disk() -> impl Strategy<Value = Vec<(u64, Turn)>> {
    let part = (20u64..60, 0u64..3_000).prop_map(|(own, disk)| vec![(own, Turn::Client), (disk, Turn::Disk)]);
    prop::collection::vec(part, 1..4).prop_map(|parts| parts.concat())
}

/// Short turns of everybody: programs that come and go, writes that wait for the disk, pages that it must bring.
fn a_mixed_machine() -> impl Strategy<Value = Vec<(u64, Turn)>> {
    let own = (1u64..8).prop_map(|own| (own, Turn::Client));
    let others = (1u64..30).prop_map(|others| (others, Turn::Others));
    let disk = (1u64..20).prop_map(|disk| (disk, Turn::Disk));
    let turn = prop_oneof![2 => own, 2 => others, 1 => disk];
    prop::collection::vec(turn, 1..30).prop_map(|turns| [turns, vec![(2, Turn::Client)]].concat())
}

/// Any machine: others may have the core for a second at a time.
fn any_machine() -> impl Strategy<Value = Vec<(u64, Turn)>> {
    let turn = prop_oneof![Just(Turn::Client), Just(Turn::Others), Just(Turn::Below), Just(Turn::Disk)];
    let round = (prop_oneof![1u64..20, 1u64..200, 1u64..1000], turn);
    // However busy it is, the client has the core now and then.
    prop::collection::vec(round, 1..20).prop_map(|rounds| [rounds, vec![(3, Turn::Client)]].concat())
}

fn delays() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(prop_oneof![4 => 0u64..3, 1 => 0u64..40], 1..20)
}

/// Any program of up to eight threads.
fn any_plan() -> impl Strategy<Value = Vec<(u64, Readiness)>> {
    let line = (prop_oneof![1u64..30, 1u64..1_500], prop_oneof![Just(0u8), Just(1), Just(255), any::<u8>()]);
    prop::collection::vec(line, 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    /// It is ready until it answers, in one thread or in several, after at most 60 % of its time.
    #[test]
    fn an_honest_client_never_loses(
        work in 1..=LIMIT * 6 / 10,
        ready in prop_oneof![Just(1u8), Just(2), Just(0b111), Just(255)],
        machine in fair_machine(),
        delays in delays(),
    ) {
        let client = Client { plan: vec![(1, ready)], work: Some(work) };
        let (finding, given) = decide(&client, &machine, &delays);
        prop_assert_eq!(finding, Finding::InTime);
        prop_assert!(given.iter().all(|count| *count <= 2));
    }

    /// However long the machine takes for a page, and however late the server looks: the answer needs at most a few
    /// turns of such a machine, so that it comes before everybody is given up.
    #[test]
    fn who_waits_for_the_disk_never_loses(
        work in 1..=LIMIT / 2,
        machine in machine_with_a_slow_disk(),
        delays in prop_oneof![delays(), prop::collection::vec(0u64..2_000, 1..20)],
    ) {
        let client = Client { plan: vec![(1, 1)], work: Some(work) };
        let (finding, given) = decide(&client, &machine, &delays);
        prop_assert_eq!(finding, Finding::InTime);
        prop_assert!(given.iter().all(|count| *count <= 2));
    }

    /// Whatever its threads do, on whatever machine.
    #[test]
    fn one_that_never_answers_always_loses(plan in any_plan(), machine in any_machine(), delays in delays()) {
        let client = Client { plan, work: None };
        let (finding, given) = decide(&client, &machine, &delays);
        prop_assert!(finding != Finding::InTime);
        prop_assert!(given.iter().all(|count| *count <= 2));
    }

    /// Where the machine below takes nothing, one that answers late has lost the first time, whatever its threads do
    /// and whoever else has the core.
    #[test]
    fn a_late_answer_is_never_excused_by_a_queue(
        work in LIMIT + 1..2 * LIMIT,
        plan in any_plan(),
        machine in any_machine(),
        delays in delays(),
    ) {
        let machine: Vec<_> = machine.into_iter().filter(|(_, turn)| *turn != Turn::Below).collect();
        let (finding, given) = decide(&Client { plan, work: Some(work) }, &machine, &delays);
        prop_assert!(matches!(finding, Finding::Late(_) | Finding::Idle | Finding::Excused(Excuse::KeptOff, _)));
        prop_assert_eq!(given[Excuse::Taken as usize], 0);
    }

    /// Where others leave the core alone, nothing at all is excused.
    #[test]
    fn nothing_that_a_client_does_by_itself_is_excused(plan in any_plan(), delays in delays()) {
        let client = Client { plan, work: None };
        let (finding, took) = play(&client, &[(10, Turn::Client)], &delays);
        prop_assert!(matches!(finding, Finding::Late(_) | Finding::Idle));
        prop_assert!(took <= allowance().guard_us / 1_000 + LIMIT + SAMPLE + 40, "{} ms", took);
    }

    /// By the wall clock, next to programs that come and go, builds and a slow disk, however short its waits are: none
    /// is charged, in whatever order they come.
    #[test]
    fn an_honest_client_never_loses_by_the_wall_clock(
        work in 1..=LIMIT,
        machine in a_mixed_machine(),
    ) {
        let client = Client { plan: vec![(1, 1)], work: Some(work) };
        let finding = play_by_wall(&client, &machine);
        prop_assert!(matches!(finding, Finding::InTime | Finding::Excused(Excuse::KeptOff, _)), "{finding:?}");
    }

    /// Nor where it waits once for a lock whose holder has no core, and the server has none either.
    #[test]
    fn who_waits_for_a_lock_unseen_never_loses_by_the_wall_clock(
        work in 1..=LIMIT / 2,
        before in 1..=LIMIT / 2,
        others in 0..LIMIT,
        lock in LIMIT / 2..4 * LIMIT,
    ) {
        let others = (others, Turn::Others);
        let machine = [(before, Turn::Client), others, (lock, Turn::Lock), others, (LIMIT, Turn::Client)];
        let client = Client { plan: vec![(1, 1)], work: Some(work) };
        let finding = play_by_wall(&client, &machine);
        prop_assert!(matches!(finding, Finding::InTime | Finding::Excused(Excuse::KeptOff, _)), "{finding:?}");
    }

    /// One that sleeps for longer than its time is charged, where nobody kept the server from looking.
    #[test]
    fn sleep_is_charged_by_the_wall_clock(work in 2..LIMIT, before in 1..LIMIT, sleep in LIMIT..4 * LIMIT) {
        let before = before.min(work - 1);
        let client = Client { plan: vec![(before, 1), (sleep, 0), (1, 1)], work: Some(work) };
        let finding = play_by_wall(&client, &[(10, Turn::Client)]);
        prop_assert!(matches!(finding, Finding::Late(_)), "{finding:?}");
    }

    /// Nor can it sleep between its work where nobody else needs the core, though the server waits behind its work.
    #[test]
    fn sleep_between_work_is_charged_by_the_wall_clock(own in 1u64..9, naps in 2u64..5, work in LIMIT / 2..LIMIT) {
        let plan = [(own, 1), (naps * own, 0)].repeat(LIMIT as usize);
        let finding = play_by_wall(&Client { plan, work: Some(work) }, &[(10, Turn::Client)]);
        prop_assert!(matches!(finding, Finding::Late(_)), "{finding:?}");
    }

    /// Nor does any mix of sleep, of threads and of the disk give more processor time than the limit.
    #[test]
    fn nobody_computes_longer_than_the_wall_clock_allows(
        work in LIMIT + 1..3 * LIMIT,
        plan in any_plan(),
        machine in a_mixed_machine(),
    ) {
        let plan = plan.into_iter().map(|(length, ready)| (length, ready & 1)).chain([(1, 1)]).collect();
        let finding = play_by_wall(&Client { plan, work: Some(work) }, &machine);
        prop_assert!(!matches!(finding, Finding::InTime), "{finding:?}");
    }
}

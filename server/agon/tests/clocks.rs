//! Nobody loses on time because the machine is busy: clients that use 60 % of their time, with as many jobs as cores,
//! alone and at twice the load, under both clocks. And what the server adds to their moves, and does between two
//! matches.

use crate::builder;
use crate::builder::{Arena, Load, MixedLoad, Ran, has_program};
use agon_model::NoticeKind;
use agon_record::{Record, RecordError, SqliteRecord, StoredBlock};
use std::thread::sleep;
use std::time::Duration;

/// Matches of each of four kinds. 20,000 in all: `AGON_CLOCK_MATCHES=5000 cargo test --release -p agon clocks:: --
/// --nocapture`
fn matches() -> u64 {
    std::env::var("AGON_CLOCK_MATCHES").map_or(40, |count| count.parse().unwrap())
}

/// What came of a ladder of two clients that take 10 ms a move.
struct Played {
    /// Matches lost on time.
    lost: u64,
    /// Moves that were kept waiting beyond their time.
    waited: usize,
    /// What was charged for each move beyond the 10 ms that it took, microseconds.
    added: Vec<f64>,
    /// How long a worker was at something else between two matches, microseconds.
    pauses: Vec<f64>,
}

/// Plays so many matches, on a busy machine or not; `None` without a compiler.
fn play(clock: &str, matches: u64, is_busy: bool) -> Option<Played> {
    if !has_program("cc") {
        return None;
    }
    let arena = Arena::new();
    for name in ["one", "two"] {
        arena.c_client_with(name, "server/agon/tests/clocks/steady.c", &[]).unwrap();
    }
    arena.ladder_toml(&format!(
        "[ladder]\nname = \"steady\"\ngame = \"grundy\"\nclients = [\"clients/*.so\"]\nopenings = {}\nseed = 1\n\
         [options]\nheaps = \"8\"\n[time]\ntotal = \"50ms\"\nclock = \"{clock}\"\n\
         [run]\nisolation = \"reuse\"\nlogs = \"none\"\n",
        matches / 2
    ));
    let load = is_busy.then(Load::one_a_core);
    let mut command = arena.command(["ladder", "--json", "--log-json", "log.jsonl"]);
    let ran = Ran::from(command.env("AGON_LOG", "agon_crew::workers=trace").output().unwrap()).well();
    drop(load);
    ran.stderr.lines().filter(|line| line.contains("void")).for_each(|line| println!("{line}"));
    let (lost, counted) = faults_of(&ran);
    assert_eq!(counted, matches, "{}", ran.stderr);
    let (added, waited) = of_moves(&arena, clock);
    println!("{clock} clock: {matches} matches, {lost} lost on time, {waited} moves kept waiting beyond their time");
    let pauses = pauses(&arena);
    Some(Played { lost, waited, added, pauses })
}

/// Of a table in JSON: the matches lost by a fault, and all matches.
fn faults_of(ran: &Ran) -> (u64, u64) {
    let table: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let faults = |client: &serde_json::Value| -> u64 {
        client["faults"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum()
    };
    let lost = table["clients"].as_array().unwrap().iter().map(faults).sum();
    (lost, table["matches"].as_u64().unwrap())
}

#[test]
fn nobody_loses_on_time_under_the_processor_clock() {
    for is_busy in [false, true] {
        let Some(played) = play("cpu", matches(), is_busy) else { return };
        assert_eq!(played.lost, 0);
    }
}

#[test]
fn nobody_loses_on_time_under_the_wall_clock() {
    for is_busy in [false, true] {
        let Some(played) = play("wall", matches(), is_busy) else { return };
        assert_eq!(played.lost, 0);
        let least = played.added.into_iter().fold(f64::INFINITY, f64::min);
        assert!(least > -10.0, "time in which a client has computed is not a wait: {least} us");
    }
}

/// Matches of Grundy's game in which both clients have 1,600 ms a move and take so many; during the first move the
/// server stands still for 2 s: it cannot know that its machine did not. What was said on stderr, and the faults in the
/// table.
fn play_through_a_standstill(move_ms: u64) -> Option<(String, String)> {
    if !has_program("cc") {
        return None;
    }
    let arena = Arena::new();
    for name in ["one", "two"] {
        let flags = [format!("-DMOVE_MS={move_ms}")];
        arena.c_client_with(name, "server/agon/tests/clocks/steady.c", &[&flags[0]]).unwrap();
    }
    arena.ladder_toml(
        "[ladder]\nname = \"standstill\"\ngame = \"grundy\"\nclients = [\"clients/*.so\"]\nseed = 1\n\
         [options]\nheaps = \"8\"\n[time]\nper_move = \"1600ms\"\n[run]\njobs = 1\n",
    );
    let mut server = arena.start(["ladder"]);
    while !has_used_ticks(&arena, server.id(), 5) {
        assert!(server.try_wait().unwrap().is_none(), "{:?}", server.wait_with_output());
        sleep(Duration::from_millis(1));
    }
    let pid = rustix::process::Pid::from_child(&server);
    rustix::process::kill_process(pid, rustix::process::Signal::STOP).unwrap();
    sleep(Duration::from_secs(2));
    rustix::process::kill_process(pid, rustix::process::Signal::CONT).unwrap();
    let ran = builder::finish(server).well();
    Some((ran.stderr, ran.stdout))
}

/// Whether a process of this arena other than the server has used so many hundredths of a second.
fn has_used_ticks(arena: &Arena, server: u32, least: u64) -> bool {
    let used = |process: &String| -> Option<u64> {
        let number = process.split(' ').next().filter(|number| *number != server.to_string())?;
        let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        let in_and_for_it = stat.rsplit(')').next()?.split(' ').skip(12).take(2);
        Some(in_and_for_it.filter_map(|ticks| ticks.parse::<u64>().ok()).sum())
    };
    let hosts = arena.traces().processes.into_iter().filter(|process| process.contains("agon-host"));
    hosts.filter_map(|process| used(&process)).any(|ticks| ticks >= least)
}

#[test]
fn a_client_that_answers_late_when_time_was_taken_plays_again() {
    let Some((said, table)) = play_through_a_standstill(2_000) else { return };
    assert!(said.contains("other machines took"), "{said}");
    assert!(table.contains("faults: cpu-time 2;"), "{table}");
}

#[test]
fn a_client_that_never_answers_loses_whatever_was_taken() {
    let Some((said, table)) = play_through_a_standstill(3_600_000) else { return };
    assert!(!said.contains("other machines took"), "{said}");
    assert!(table.contains("faults: cpu-time 2;"), "{table}");
}

/// Of all moves of an arena's newest ladder: what was added to each, and how many were kept waiting beyond their time.
fn of_moves(arena: &Arena, clock: &str) -> (Vec<f64>, usize) {
    let store = SqliteRecord::open_existing(&arena.path("agon-out")).unwrap();
    let ladder = store.newest_ladder().unwrap().unwrap();
    let (mut added, mut waited) = (Vec::new(), 0);
    let each = &mut |block: &StoredBlock| -> Result<(), RecordError> {
        for played in &block.matches {
            let steps = played.steps.iter().filter(|step| step.by_client);
            added.extend(steps.map(|step| if clock == "cpu" { step.cpu_us } else { step.wall_us } as f64 - 10_000.0));
            for fault in played.seats.iter().filter_map(|seat| seat.fault.as_ref()) {
                let steps =
                    played.steps.iter().map(|step| format!("{} {} {}", step.seat + 1, step.cpu_us, step.wall_us));
                println!(
                    "{}; turns before (seat, cpu us, wall us): {}",
                    fault.message,
                    steps.collect::<Vec<_>>().join(", ")
                );
                let notices = played.seats.iter().flat_map(|seat| &seat.notices);
                notices.for_each(|notice| println!("    ply {}: {}", notice.ply, notice.message));
            }
            let notices = played.seats.iter().flat_map(|seat| &seat.notices);
            waited += notices.filter(|notice| notice.kind == NoticeKind::KeptWaiting).count();
        }
        Ok(())
    };
    store.each_block(ladder.id, each).unwrap();
    (added, waited)
}

/// What the workers told the program's log of the time between matches.
fn pauses(arena: &Arena) -> Vec<f64> {
    let log = std::fs::read_to_string(arena.path("log.jsonl")).unwrap();
    let lines = log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    lines.filter_map(|line| line["fields"]["pause_us"].as_f64()).collect()
}

/// Median, 99th percentile and maximum, for a table.
fn spread(mut seen: Vec<f64>) -> String {
    seen.sort_by(f64::total_cmp);
    let at = |part: f64| seen[((seen.len() - 1) as f64 * part).round() as usize];
    let show = |us: f64| if us.abs() < 1e4 { format!("{us:.0} us") } else { format!("{:.1} ms", us / 1e3) };
    [at(0.5), at(0.99), at(1.0)].map(show).join(" | ")
}

/// The table of docs/notebook/performance.md: `AGON_CLOCK_MATCHES=5000 cargo test --release -p agon clocks::timing --
/// --ignored --nocapture`
#[test]
#[ignore = "a benchmark: a minute and a half for 200 matches of each kind"]
fn timing_quality() {
    let mut table = "| clock, load | added to a move: median | p99 | most | between matches: median | p99 | most | lost on time | kept waiting |\n\
                     |---|---|---|---|---|---|---|---|---|\n".to_owned();
    let matches = std::env::var("AGON_CLOCK_MATCHES").map_or(200, |_| matches());
    for clock in ["cpu", "wall"] {
        for (load, is_busy) in [("1x", false), ("2x", true)] {
            let Some(played) = play(clock, matches, is_busy) else { return };
            let Played { lost, waited, added, pauses } = played;
            let (added, pauses) = (spread(added), spread(pauses));
            table += &format!("| {clock}, {load} | {added} | {pauses} | {lost} | {waited} |\n");
        }
    }
    println!("{matches} matches of each kind\n{table}");
}

/// The shipped clients that search, on five boards from drawn openings, on a machine with twice as many programs at
/// work as cores: `cargo test --release -p agon clocks::searching_clients_never_lose_on_time -- --ignored --nocapture`
#[test]
#[ignore = "a benchmark: half an hour"]
fn searching_clients_never_lose_on_time() {
    let mut lost = Vec::new();
    for (time, openings) in
        [("per_move = \"10ms\"", 20), ("total = \"1s\"", 20), ("per_move = \"100ms\"", 20), ("total = \"10s\"", 2)]
    {
        let arena = Arena::new();
        ["alphabeta", "mcts"].iter().for_each(|name| drop(arena.rust_client(name)));
        arena.ladder_toml(&format!(
            "[ladder]\nname = \"searching\"\ngame = \"amazons\"\nclients = [\"clients/*.so\"]\nopenings = {openings}\nseed = 1\n\
             [options]\nboard = [\"square:6\", \"square:8\", \"donut:9\", \"clover:10\", \"lagoon\"]\nopening = 2\n\
             [time]\n{time}\n[limits]\nmemory = \"256MiB\"\n[run]\nisolation = \"reuse\"\nlogs = \"none\"\n"
        ));
        let load = Load::one_a_core();
        let ran = Ran::from(arena.command(["ladder", "--json", "--quiet"]).output().unwrap()).well();
        drop(load);
        let (losses, matches) = faults_of(&ran);
        assert_eq!(matches, openings * 5 * 2, "{}", ran.stderr);
        ran.stderr.lines().filter(|line| line.contains("void")).for_each(|line| println!("{line}"));
        println!("{time}: {matches} matches, {losses} lost on time");
        lost.push(losses);
    }
    assert!(lost.iter().all(|lost| *lost == 0), "{lost:?}");
}

/// The shipped clients with 20 ms a move by both clocks, while the machine computes, starts programs, writes and builds:
/// `AGON_CLOCK_MATCHES=200 AGON_CLOCK_LOAD=4 cargo test -p agon clocks::searching_clients_never_lose_under -- --ignored --nocapture`
#[test]
#[ignore = "a benchmark: minutes"]
fn searching_clients_never_lose_under_a_mixed_load() {
    let times = std::env::var("AGON_CLOCK_LOAD").map_or(1, |times| times.parse().unwrap());
    for (clock, isolation) in [("wall", "process"), ("cpu", "process"), ("wall", "reuse"), ("cpu", "reuse")] {
        let arena = Arena::new();
        ["alphabeta", "mcts", "greedy"].iter().for_each(|name| drop(arena.rust_client(name)));
        arena.ladder_toml(&format!(
            "[ladder]\nname = \"mixed\"\ngame = \"amazons\"\nclients = [\"clients/*.so\"]\nopenings = {}\nseed = 1\n\
             [options]\nboard = \"square:6\"\nopening = 2\n[time]\nper_move = \"20ms\"\nclock = \"{clock}\"\n\
             [run]\nisolation = \"{isolation}\"\nlogs = \"none\"\n",
            matches().div_ceil(6)
        ));
        let load = MixedLoad::times(times, &arena.path("."));
        let ran = Ran::from(arena.command(["ladder", "--json"]).output().unwrap()).well();
        let load_average = std::fs::read_to_string("/proc/loadavg").unwrap();
        drop(load);
        let (lost, played) = faults_of(&ran);
        let voids = ran.stderr.lines().filter(|line| line.contains("void:")).inspect(|line| println!("{line}")).count();
        let (_, waited) = of_moves(&arena, clock);
        println!(
            "{clock} clock, {isolation}, load {}: {lost} lost of {played}, {voids} voids, {waited} moves kept waiting",
            load_average.trim()
        );
        assert!(lost == 0 && voids as u64 * 10 <= played, "{}", ran.stderr);
    }
}

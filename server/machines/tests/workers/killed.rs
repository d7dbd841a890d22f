//! Workers, coordinators and databases that die: nothing is lost, and nothing is played twice.

use super::{coordinate, coordinate_impatiently, end, join, on_disk, results, row_of};
use crate::builder::{Arena, finish};
use crate::cluster::Cluster;
use crate::held::{pairs, table, wait_until};
use agon_postgres::PostgresRecord;
use agon_record::Record;
use rustix::process::{Pid, Signal, kill_process};
use std::process::Child;
use std::time::{Duration, Instant};

/// Who is killed when: so many workers all the time, in so many steps; and at which of them the database and the
/// coordinator.
struct Kills {
    workers: usize,
    steps: u64,
    database: &'static [u64],
    coordinator: &'static [u64],
}

#[test]
fn nothing_is_lost_and_nothing_twice_whoever_is_killed() {
    kill_again_and_again(250, &Kills { workers: 4, steps: 8, database: &[2, 6], coordinator: &[4] });
}

/// 12,000 blocks: some minutes, in `tools/nightly`.
#[test]
#[ignore = "some minutes"]
fn nothing_is_lost_and_nothing_twice_in_a_long_night() {
    kill_again_and_again(4000, &Kills { workers: 8, steps: 44, database: &[5, 20, 35], coordinator: &[12, 27, 40] });
}

fn kill_again_and_again(rounds: u32, kills: &Kills) {
    let Some(cluster) = Cluster::own() else { return };
    let (here, there) = (pairs(rounds), pairs(rounds));
    here.agon(["ladder", "--quiet"]).well();
    let url = cluster.database();
    let mut ladder = coordinate_impatiently(&there, &url);
    let mut workers: Vec<Child> = (0..kills.workers).map(|worker| join(&there, &url, &format!("w{worker}"))).collect();
    for step in 1..=kills.steps {
        wait_for_blocks(&url, step * 3 * u64::from(rounds) / (kills.steps + 4));
        let victim = step as usize % workers.len();
        workers[victim].kill().unwrap();
        workers[victim].wait().unwrap();
        workers[victim] = join(&there, &url, &format!("w{victim}"));
        if kills.database.contains(&step) {
            cluster.crash();
        }
        if kills.coordinator.contains(&step) {
            ladder = kill_coordinator(ladder, &there, &url);
        }
    }
    assert_eq!(finish(ladder).well().stdout, table(&here));
    assert_eq!(results(&PostgresRecord::open(&url).unwrap()), on_disk(&here));
    let list = there.agon(["worker", "list", "--record", &url, "--json"]).json();
    for row in list["workers"].as_array().unwrap() {
        assert_eq!(row["faults"].as_u64(), Some(0), "{row}");
    }
    workers.into_iter().for_each(|worker| drop(end(worker)));
}

fn wait_for_blocks(url: &str, least: u64) {
    wait_until(&format!("{least} blocks are kept"), || {
        let Ok(record) = PostgresRecord::open(url) else { return false };
        let row = record.ladder("pairs").ok().flatten();
        row.is_some_and(|row| record.count_blocks(row.id).is_ok_and(|count| count >= least))
    });
}

/// The one that comes after it.
fn kill_coordinator(mut ladder: Child, arena: &Arena, url: &str) -> Child {
    ladder.kill().unwrap();
    ladder.wait().unwrap();
    // Its lock goes with its connection, which the server has yet to miss.
    wait_until("the coordinator's lock is free", || PostgresRecord::open_to_play(url, "pairs").is_ok());
    let mut owner = postgres::Client::connect(url, postgres::NoTls).unwrap();
    let mut holder =
        || -> Option<String> { owner.query_one("SELECT holder::text FROM agon.exchange", &[]).unwrap().get(0) };
    let before = holder();
    ladder = coordinate_impatiently(arena, url);
    // What is not reached when a ladder begins is told at once and not waited for.
    wait_until("the next one coordinates", || holder() != before);
    ladder
}

#[test]
fn what_one_has_for_too_long_is_offered_to_another_too() {
    let Some(cluster) = Cluster::shared() else { return };
    let (here, there) = (pairs(100), pairs(100));
    here.agon(["ladder", "--quiet"]).well();
    let url = cluster.database();
    // No lease ends before the test does.
    let ladder = there.start(["ladder", "--quiet", "--jobs", "0", "--lease", "3600", "--record", &url]);
    let slow = join(&there, &url, "slow");
    let signal = |signal| kill_process(Pid::from_child(&slow), signal).unwrap();
    wait_for_blocks(&url, 20);
    wait_until("it stands still with blocks in its hands", || {
        signal(Signal::STOP);
        // What it sent before it stood still is seen by now.
        std::thread::sleep(Duration::from_millis(200));
        let is_holding = row_of(&url, "slow").is_some_and(|row| row.holds > 0);
        if !is_holding {
            signal(Signal::CONT);
        }
        is_holding
    });
    let quick = join(&there, &url, "quick");
    assert_eq!(finish(ladder).well().stdout, table(&here));
    assert_eq!(results(&PostgresRecord::open(&url).unwrap()), on_disk(&here));
    signal(Signal::CONT);
    wait_until("what it has is late", || row_of(&url, "slow").is_some_and(|row| row.late > 0));
    let (slow_row, quick_row) = (row_of(&url, "slow").unwrap(), row_of(&url, "quick").unwrap());
    assert_eq!((slow_row.faults, quick_row.faults), (0, 0), "to be late is not a fault");
    assert_eq!(slow_row.blocks + quick_row.blocks, 300, "each counts once");
    [slow, quick].into_iter().for_each(|worker| drop(end(worker)));
}

/// How long a dead worker's blocks may wait for somebody else, beyond its lease.
const SOON: Duration = Duration::from_secs(5);

#[test]
fn what_a_dead_worker_had_is_played_by_another_soon() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (pairs(100_000), cluster.database());
    let lease = Duration::from_secs(3);
    let mut ladder = arena.start(["ladder", "--quiet", "--jobs", "0", "--lease", "3", "--record", &url]);
    let other = join(&arena, &url, "other");
    // A machine that does a lot besides may be late, but not again and again.
    let mut waits = (0..4).map(|number| wait_after_death(&arena, &url, &format!("dead{number}")));
    let wait = waits.find(|wait| *wait <= lease + SOON);
    println!("blocks of a dead worker were played {wait:?} later, with a lease of {lease:?}");
    assert!(wait.is_some(), "blocks of dead workers wait for longer than the lease and {SOON:?}, four times");
    end(other);
    ladder.kill().unwrap();
    ladder.wait().unwrap();
}

/// How long it takes until somebody else has played all that one had when it was killed.
fn wait_after_death(arena: &Arena, url: &str, name: &str) -> Duration {
    let mut dead = join(arena, url, name);
    let mut owner = postgres::Client::connect(url, postgres::NoTls).unwrap();
    let held = "SELECT id FROM agon.offer WHERE worker = (SELECT id FROM agon.worker WHERE name = $1)";
    let mut ids: Vec<String> = Vec::new();
    wait_until("it plays", || row_of(url, name).is_some_and(|row| row.blocks > 0));
    wait_until("it has blocks in its hands", || {
        kill_process(Pid::from_child(&dead), Signal::STOP).unwrap();
        // What it sent before it stood still is seen by now.
        std::thread::sleep(Duration::from_millis(200));
        ids = owner.query(held, &[&name]).unwrap().iter().map(|row| row.get(0)).collect();
        if ids.is_empty() {
            kill_process(Pid::from_child(&dead), Signal::CONT).unwrap();
        }
        !ids.is_empty()
    });
    dead.kill().unwrap();
    let died = Instant::now();
    dead.wait().unwrap();
    let played = "SELECT count(*) FROM agon.block WHERE id = ANY ($1)";
    wait_until("all of them are played", || {
        owner.query_one(played, &[&ids]).unwrap().get::<_, i64>(0) == ids.len() as i64
    });
    died.elapsed()
}

#[test]
fn what_the_database_forgot_is_offered_again() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (pairs(10), cluster.database());
    let ladder = coordinate(&arena, &url);
    let mut owner = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    // As a crash does it to what was committed just before and not yet written.
    wait_until("blocks are offered and forgotten", || {
        owner.execute("DELETE FROM agon.offer WHERE worker IS NULL", &[]).is_ok_and(|count| count > 0)
    });
    let worker = join(&arena, &url, "late");
    let ran = finish(ladder).well();
    assert!(ran.stdout.contains("60 matches"), "{ran:?}");
    end(worker);
}

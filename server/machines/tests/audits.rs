//! A worker that does not play but delivers matches by the rules with other moves: found by having others play its
//! blocks again, and what it has in the record taken out of it.

use crate::builder;
use crate::builder::Arena;
use crate::cluster::Cluster;
use crate::held::{pairs, pairs_toml, table, wait_until};
use crate::simulated::{Simulation, simulate};
use agon_model::WorkerState;
use agon_postgres::{PostgresLink, PostgresRecord};
use agon_record::Record;
use agon_record::database::Roster as _;
use agon_record::exchange::WorkerRow;
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// A ladder that is looked at so closely, and its coordinator.
fn coordinate(audits: &str, rounds: u32, url: &str) -> (Arena, Child) {
    let arena = pairs(rounds);
    arena.ladder_toml(&(pairs_toml(rounds) + &format!("[run]\naudits = {audits}\n")));
    let ladder = arena.start(["ladder", "--quiet", "--jobs", "0", "--record", url]);
    (arena, ladder)
}

/// A worker that delivers at once, without playing, until it is dropped.
struct Forger {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Forger {
    fn begin(url: &str) -> Forger {
        let (stop, url) = (Arc::new(AtomicBool::new(false)), url.to_owned());
        let stopped = Arc::clone(&stop);
        let play = move || {
            let simulation = Simulation {
                workers: 1,
                connections: 1,
                block: Duration::from_millis(1),
                greeting: Simulation::greeting("forger"),
                idle: None,
                stop: &stopped,
            };
            // It is refused when it is found.
            let _ = simulate(&simulation, &|| Ok(Box::new(PostgresLink::new(&url)?)));
        };
        Forger { stop, thread: Some(std::thread::spawn(play)) }
    }
}

impl Drop for Forger {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().into_iter().for_each(|thread| thread.join().unwrap());
    }
}

fn join(arena: &Arena, url: &str, name: &str) -> Child {
    arena.start(["worker", "run", url, "--jobs", "1", "--name", name, "--cache", name])
}

fn end(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

fn row(url: &str, name: &str) -> Option<WorkerRow> {
    let rows = PostgresRecord::open(url).ok()?.workers().ok()?;
    rows.into_iter().find(|row| row.name == name)
}

fn kept(url: &str) -> u64 {
    let record = PostgresRecord::open(url).unwrap();
    record.ladder("pairs").unwrap().map_or(0, |row| record.count_blocks(row.id).unwrap())
}

#[test]
fn a_worker_that_forges_is_found_and_gets_nothing_more() {
    let Some(cluster) = Cluster::shared() else { return };
    let (here, url) = (pairs(200), cluster.database());
    here.agon(["ladder", "--quiet"]).well();
    let (there, ladder) = coordinate("1.0", 200, &url);
    wait_until("the exchange is there", || PostgresRecord::open(&url).is_ok_and(|record| record.workers().is_ok()));
    let honest = ["one", "two"].map(|name| join(&there, &url, name));
    // Where nobody else is there, nobody can play again what it delivers.
    wait_until("the others are there", || ["one", "two"].iter().all(|name| row(&url, name).is_some()));
    let forger = Forger::begin(&url);
    let ended = builder::finish(ladder).well();
    assert_eq!(ended.stdout, table(&here), "nothing forged is in the table");
    assert!(ended.stderr.contains("worker forger-0 ("), "{}", ended.stderr);
    let found = row(&url, "forger-0").unwrap();
    assert!(found.state == WorkerState::Draining && found.faults >= 1 && found.blocks == 0, "{found:?}");
    assert!(found.why.as_ref().unwrap().contains("came to the same, and this worker did not"), "{found:?}");
    for name in ["one", "two"] {
        let honest = row(&url, name).unwrap();
        assert_eq!((honest.faults, honest.state), (0, WorkerState::Active), "{honest:?}");
    }
    drop(forger);
    honest.into_iter().for_each(end);
    // It is known by its key, under whatever name it comes.
    let mut owner = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    owner.batch_execute("UPDATE agon.worker SET strikes = 3 WHERE name = 'two'").unwrap();
    let come = |name: &str| there.agon(["worker", "run", &url, "--name", name, "--cache", "two", "--idle", "0"]);
    let again = come("other");
    assert!(
        again.stderr.contains("gets nothing more to play; help: ask the operator of the ladder"),
        "{}",
        again.stderr
    );
    there.agon(["worker", "pardon", "two", "--record", &url]).well();
    come("other").well();
    there.agon(["worker", "pardon", "forger-0", "--record", &url]).well();
    let nobody = there.agon(["worker", "pardon", "one", "--record", &url]);
    assert!(nobody.status == Some(2) && nobody.stderr.contains("nothing stands against"), "{nobody:?}");
}

#[test]
fn what_a_worker_played_is_taken_out_of_the_record_and_played_again() {
    let Some(cluster) = Cluster::shared() else { return };
    let (here, url) = (pairs(60), cluster.database());
    here.agon(["ladder", "--quiet"]).well();
    let (there, mut ladder) = coordinate("0", 60, &url);
    wait_until("the exchange is there", || PostgresRecord::open(&url).is_ok_and(|record| record.workers().is_ok()));
    let forger = Forger::begin(&url);
    wait_until("forged blocks are in the record", || kept(&url) >= 20);
    let refused = there.agon(["worker", "void", "forger-0", "--record", &url]);
    assert!(refused.stderr.contains("another agon is running the ladder pairs"), "{refused:?}");
    ladder.kill().unwrap();
    ladder.wait().unwrap();
    wait_until("its lock is free", || PostgresRecord::open_to_play(&url, "pairs").is_ok());
    let voided = there.agon(["worker", "void", "forger-0", "--record", &url]).well();
    assert!(voided.stderr.contains("(forger-0) played out of the record"), "{voided:?}");
    assert_eq!(kept(&url), 0);
    let honest = join(&there, &url, "honest");
    let ladder = there.start(["ladder", "--quiet", "--jobs", "0", "--record", &url]);
    let ended = builder::finish(ladder).well();
    assert_eq!(ended.stdout, table(&here));
    assert_eq!(row(&url, "honest").unwrap().blocks, 180);
    drop(forger);
    end(honest);
    let nobody = there.agon(["worker", "void", "nobody", "--record", &url]);
    assert!(nobody.status == Some(2) && nobody.stderr.contains("no worker nobody is known"), "{nobody:?}");
}

#[test]
fn what_a_forger_played_before_it_is_found_is_played_again_among_machines_of_one_line() {
    let Some(cluster) = Cluster::shared() else { return };
    let (here, url) = (pairs(100), cluster.database());
    here.agon(["ladder", "--quiet"]).well();
    let (there, ladder) = coordinate("0.3", 100, &url);
    wait_until("the exchange is there", || PostgresRecord::open(&url).is_ok_and(|record| record.workers().is_ok()));
    there.agon(["worker", "invite", "lab", "--record", &url]).well();
    let line = url.replace("user=agon", "user=agon_lab");
    // It comes first, so that the record has blocks of it when it is found.
    let _forger = Forger::begin(&line);
    wait_until("it is there", || row(&url, "forger-0").is_some());
    let honest = ["one", "two", "three"].map(|name| join(&there, &line, name));
    let ended = builder::finish(ladder).well();
    assert_eq!(ended.stdout, table(&here), "{}", ended.stderr);
    assert!(ended.stderr.contains("worker forger-0 ("), "{}", ended.stderr);
    let played: i64 = postgres::Client::connect(&url, postgres::NoTls)
        .unwrap()
        .query_one(
            "SELECT count(*) FROM agon.played_by JOIN agon.worker ON worker.id = played_by.worker WHERE name LIKE 'forger%'",
            &[],
        )
        .unwrap()
        .get(0);
    assert_eq!(played, 0, "nothing of it is in the record");
    honest.into_iter().for_each(end);
}

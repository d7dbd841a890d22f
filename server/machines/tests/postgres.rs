//! A ladder whose record is on PostgreSQL: the same table as on disk, whoever is killed on the way.

use crate::builder;
use crate::builder::Arena;
use crate::cluster::Cluster;
use crate::held::{pairs, table};
use agon_postgres::PostgresRecord;
use agon_record::Record;
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::time::Duration;

/// How often the server is killed.
const KILLS: u32 = 6;
/// Each time it lives a little longer.
const LIFE: Duration = Duration::from_millis(120);

/// Every match of the newest ladder by its id: its seats' entrants and ranks.
fn results(record: &dyn Record) -> BTreeMap<String, Vec<(usize, u32)>> {
    let ladder = record.newest_ladder().unwrap().unwrap();
    let mut results = BTreeMap::new();
    let mut add = |outcome: &agon_model::MatchOutcome| {
        let seats = outcome.seats.iter().map(|seat| (seat.entrant, seat.rank)).collect();
        assert!(results.insert(outcome.id.clone(), seats).is_none(), "{} is there twice", outcome.id);
    };
    record.each_outcome(ladder.id, &mut add).unwrap();
    results
}

#[test]
fn a_ladder_comes_to_the_same_as_on_disk_however_often_it_is_killed() {
    let Some(cluster) = Cluster::shared() else { return };
    let on_disk = pairs(30);
    on_disk.agon(["ladder", "--quiet"]).well();
    let (killed, url) = (pairs(30), cluster.database());
    for kill in 1..=KILLS {
        let mut server = killed.start(["ladder", "--quiet", "--record", &url]);
        std::thread::sleep(LIFE * kill);
        server.kill().unwrap();
        server.wait().unwrap();
    }
    let on = killed.agon(["ladder", "--quiet", "--record", &url]).well().stdout;
    assert_eq!(on, table(&on_disk));
    assert_eq!(killed.agon(["standings", "--record", &url]).well().stdout, table(&on_disk));
    for more in ["--ratings", "--crosstable", "--json"] {
        let there = killed.agon(["standings", more, "--record", &url]).well().stdout;
        assert_eq!(there, on_disk.agon(["standings", more]).well().stdout, "{more}");
    }
    let disk = agon_record::SqliteRecord::open_existing(&on_disk.path("agon-out")).unwrap();
    assert_eq!(results(&PostgresRecord::open(&url).unwrap()), results(&disk));
    assert!(!killed.path("agon-out/record.sqlite").exists(), "nothing is kept in the folder");
}

#[test]
fn one_ladder_is_played_by_one_server_at_a_time_and_the_next_one_stands_by() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (pairs(2), cluster.database());
    let held = PostgresRecord::open_to_play(&url, "pairs").unwrap();
    let mut standby = arena.start(["ladder", "--quiet", "--record", &url]);
    let mut said = BufReader::new(standby.stderr.take().unwrap()).lines().map_while(Result::ok);
    let sentence = "another agon is running the ladder pairs; this one stands by and takes over";
    assert!(said.any(|line| line.contains(sentence)), "it does not say that it stands by");
    drop(held);
    assert!(said.any(|line| line.contains("going on")), "it does not take over");
    let ended = builder::finish(standby).well();
    assert_eq!(ended.stdout, arena.agon(["standings", "--record", &url]).well().stdout);
}

/// A process that stands by, and what it says from then on.
fn stand_by(arena: &Arena, url: &str) -> (std::process::Child, impl Iterator<Item = String> + use<>) {
    let mut standby = arena.start(["ladder", "--quiet", "--record", url]);
    let mut said = BufReader::new(standby.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert!(said.any(|line| line.contains("this one stands by and takes over")), "it does not stand by");
    (standby, said)
}

#[test]
fn who_stands_by_ends_well_and_outlives_a_restart_of_the_database() {
    let Some(cluster) = Cluster::own() else { return };
    let (arena, url) = (pairs(2), cluster.database());
    let held = PostgresRecord::open_to_play(&url, "pairs").unwrap();
    let (mut standby, _said) = stand_by(&arena, &url);
    kill_process(Pid::from_child(&standby), Signal::TERM).unwrap();
    assert_eq!(standby.wait().unwrap().code(), Some(0));
    // The database is away again and again, and with it goes whoever has the lock.
    let (standby, mut said) = stand_by(&arena, &url);
    for _ in 0..3 {
        cluster.crash();
        std::thread::sleep(Duration::from_millis(300));
    }
    assert!(said.any(|line| line.contains("going on")), "it does not take over");
    drop(said);
    assert!(builder::finish(standby).well().stdout.contains("12 matches"));
    drop(held);
}

#[test]
fn what_is_no_database_is_told() {
    let arena = Arena::new();
    let nobody = arena.agon(["standings", "--record", "postgres://me:secret@127.0.0.1:1/agon"]);
    assert_eq!(nobody.status, Some(1));
    assert!(nobody.stderr.contains("the record postgres://me@127.0.0.1:1/agon: "), "{}", nobody.stderr);
    assert!(nobody.stderr.contains("help: look whether the server runs") && !nobody.stderr.contains("secret"));
}

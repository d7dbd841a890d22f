//! The exchange of a record on PostgreSQL, asked by a coordinator and by workers that do not play: whatever comes back
//! is found again, wherever claims begin to look, and nobody waits for ever.

mod found_again;

use crate::cluster::Cluster;
use crate::hands;
use crate::hands::{Worker, begin, offers};
use agon_model::{EntrantId, WorkerState};
use agon_postgres::{PostgresExchange, PostgresRecord};
use agon_record::database::Roster as _;
use agon_record::exchange::{Delivered, DeliveryVerdict, Exchange, LinkError, Offer, Settled, WorkerLink};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

fn again(id: &str) -> Offer {
    let number = u64::from_str_radix(id, 16).unwrap();
    offers(number..number + 1).remove(0)
}

/// Four workers claim, deliver, give back and fall silent at the same time, two of them for what others have, too.
#[test]
fn nobody_waits_for_ever_where_all_come_at_once() {
    const BLOCKS: u64 = 1500;
    let Some(cluster) = Cluster::shared() else { return };
    let url = cluster.database();
    let (_, mut exchange) = begin(&url, Duration::from_secs(1));
    let (done, kept) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for number in 0..4u64 {
            let (url, done) = (&url, &done);
            scope.spawn(move || come_and_go(url, number, done));
        }
        let mut open: BTreeSet<String> = BTreeSet::new();
        let (mut offered, began, mut looked) = (0, Instant::now(), Instant::now());
        while kept.load(Ordering::Relaxed) < BLOCKS && began.elapsed() < Duration::from_secs(120) {
            let _ = coordinate(&mut exchange, &mut open, &mut offered, &kept, &mut looked);
            std::thread::sleep(Duration::from_millis(5));
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(kept.into_inner() >= BLOCKS, "blocks are not played any more");
}

/// One round of a coordinator; what is locked by somebody else is done later.
fn coordinate(
    exchange: &mut PostgresExchange,
    open: &mut BTreeSet<String>,
    offered: &mut u64,
    kept: &AtomicU64,
    looked: &mut Instant,
) -> agon_record::Result<()> {
    if open.len() < 100 {
        let fresh = offers(*offered..*offered + 50);
        exchange.offer(&fresh)?;
        open.extend(fresh.into_iter().map(|offer| offer.block.id));
        *offered += 50;
    }
    if looked.elapsed() > Duration::from_millis(300) {
        *looked = Instant::now();
        exchange.crowd()?;
        exchange.offer_twice(Duration::from_millis(100))?;
        let blocks: Vec<&str> = open.iter().map(String::as_str).collect();
        let forgotten: Vec<Offer> = exchange.forgotten(&blocks)?.iter().map(|id| again(id)).collect();
        exchange.offer(&forgotten)?;
    }
    let delivered = exchange.deliveries()?;
    let settled = delivered.into_iter().filter(|one| open.contains(&one.id));
    let settled = settled.map(|one| Settled { id: one.id, worker: one.worker, verdict: DeliveryVerdict::Kept });
    let settled: Vec<Settled> = settled.collect();
    exchange.settle(&settled, &[])?;
    kept.fetch_add(settled.len() as u64, Ordering::Relaxed);
    settled.iter().for_each(|one| _ = open.remove(&one.id));
    Ok(())
}

/// What is away now is asked again.
fn come_and_go(url: &str, number: u64, done: &AtomicBool) {
    let mut worker = Worker::come(url, &format!("w{number}"));
    let mut turn = number;
    while !done.load(Ordering::Relaxed) {
        turn += 1;
        match worker.link.exchange(&[], 1 + (turn % 7) as usize, 8) {
            Ok((_, claimed)) => worker.holds.extend(claimed),
            Err(LinkError::Away(_)) => continue,
            Err(error) => panic!("{error}"),
        }
        // In another order than they were claimed, as they are played.
        if turn.is_multiple_of(2) {
            worker.holds.reverse();
        }
        if worker.holds.len() > 20 || turn.is_multiple_of(5) {
            let leases: Vec<i64> = worker.holds.drain(..).take(3).map(|one| one.lease.number).collect();
            let _ = worker.link.release(&leases);
        }
        let deliveries = worker.deliveries(&worker.holds);
        match worker.link.exchange(&deliveries, 0, 8) {
            Ok(_) => worker.holds.clear(),
            Err(LinkError::Away(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// Takes so much from all leases, and returns the least that is left, seconds.
fn shorten(url: &str, by: &str) -> f64 {
    let mut owner = postgres::Client::connect(url, postgres::NoTls).unwrap();
    let held = "agon.offer WHERE worker IS NOT NULL";
    owner.batch_execute(&format!("UPDATE agon.offer SET until = until - interval '{by}' WHERE worker > 0")).unwrap();
    let left = format!("SELECT extract(epoch FROM min(until) - clock_timestamp())::float8 FROM {held}");
    owner.query_one(&left, &[]).unwrap().get(0)
}

#[test]
fn who_delivers_is_there_and_keeps_its_other_blocks() {
    let Some(cluster) = Cluster::shared() else { return };
    let url = cluster.database();
    let (_, mut exchange) = begin(&url, Duration::from_secs(600));
    exchange.offer(&offers(0..5)).unwrap();
    let mut worker = Worker::come(&url, "slow");
    assert_eq!(worker.claim(3), 3);
    for (passed, left) in [("90 s", 510.0), ("30 s", 600.0)] {
        shorten(&url, passed);
        assert!(worker.deliver(1).is_empty());
        let found = shorten(&url, "0 s");
        assert!((left - 20.0..=left).contains(&found), "{passed}: {found}");
    }
    shorten(&url, "500 s");
    assert_eq!(worker.claim(1), 1);
    assert!(shorten(&url, "0 s") > 580.0, "whoever claims is there, too");
}

/// The leases of all are over, and nobody looked for so long.
fn pass_by(url: &str, gap: &str) {
    let mut owner = postgres::Client::connect(url, postgres::NoTls).unwrap();
    owner.batch_execute("UPDATE agon.offer SET until = now() - interval '1 s' WHERE worker IS NOT NULL").unwrap();
    owner.batch_execute(&format!("UPDATE agon.board SET looked = now() - interval '{gap}'")).unwrap();
}

#[test]
fn an_outage_ends_no_lease_and_a_late_delivery_counts_while_its_block_is_open() {
    let Some(cluster) = Cluster::shared() else { return };
    let url = cluster.database();
    let (ladder, mut exchange) = begin(&url, Duration::from_secs(4));
    exchange.offer(&offers(0..3)).unwrap();
    let (mut first, mut other) = (Worker::come(&url, "first"), Worker::come(&url, "other"));
    assert_eq!(first.claim(3), 3);
    pass_by(&url, "1 hour");
    exchange.crowd().unwrap();
    assert_eq!(other.claim(3), 0, "after an outage all leases begin again");
    // A coordinator that begins after one looks for the first time, too.
    pass_by(&url, "1 hour");
    let (_, mut exchange) = hands::begin_again(&url, ladder, Duration::from_secs(4));
    assert_eq!(other.claim(3), 0);
    exchange.offer(&offers(0..3)).unwrap();
    assert_eq!(first.deliver(1), [""; 0]);
    // While somebody looks, whoever is silent loses its blocks; what comes late all the same is taken.
    exchange.crowd().unwrap();
    pass_by(&url, "1 s");
    exchange.crowd().unwrap();
    assert_eq!(other.claim(1), 1);
    let mut late = first.deliveries(&first.holds);
    assert_eq!(first.deliver(2), [""; 0]);
    let refused = other.deliver(1);
    assert!(refused.len() == 1 && refused[0].ends_with("was delivered before"), "{refused:?}");
    let delivered = exchange.deliveries().unwrap();
    assert_eq!(delivered.len(), 3);
    // What is to be played by another does not come from the first once more.
    let asked = |one: &Delivered| Settled { id: one.id.clone(), worker: one.worker, verdict: DeliveryVerdict::Void };
    let again: Vec<Offer> = delivered.iter().map(|one| again(&one.id)).collect();
    exchange.settle(&delivered.iter().map(asked).collect::<Vec<_>>(), &again).unwrap();
    let (refused, _) = first.link.exchange(&late.split_off(0), 0, 1).unwrap();
    assert!(refused.len() == 2 && refused[0].ends_with("is to be played by another worker"), "{refused:?}");
    assert_eq!(other.claim(3), 3);
}

#[test]
fn after_an_outage_workers_have_a_lease_to_come_back_before_an_audited_block_is_given_up() {
    let Some(cluster) = Cluster::shared() else { return };
    let (url, lease) = (cluster.database(), Duration::from_secs(3));
    let (ladder, mut exchange) = begin(&url, lease);
    exchange.offer(&offers(0..1)).unwrap();
    let (mut first, _other) = (Worker::come(&url, "first"), Worker::come(&url, "other"));
    assert_eq!((first.claim(1), first.deliver(1)), (1, Vec::new()));
    let delivered = exchange.deliveries().unwrap().remove(0);
    let id = delivered.id.as_str();
    let audited = [Offer { not_to: vec![delivered.worker], ..again(id) }];
    let asked = Settled { id: id.to_owned(), worker: delivered.worker, verdict: DeliveryVerdict::Asked };
    exchange.settle(&[asked], &audited).unwrap();
    exchange.crowd().unwrap();
    assert!(exchange.deserted(&[id]).unwrap().is_empty(), "another one is there");
    let be_away = || {
        pass_by(&url, "1 hour");
        let mut owner = postgres::Client::connect(&url, postgres::NoTls).unwrap();
        owner.batch_execute("UPDATE agon.worker SET seen = now() - interval '1 hour'").unwrap();
    };
    be_away();
    exchange.crowd().unwrap();
    assert!(exchange.deserted(&[id]).unwrap().is_empty(), "nobody could come back yet");
    // Another coordinator that begins after the outage waits as long.
    be_away();
    let (_, mut exchange) = hands::begin_again(&url, ladder, lease);
    exchange.offer(&audited).unwrap();
    exchange.crowd().unwrap();
    assert!(exchange.deserted(&[id]).unwrap().is_empty(), "nobody could come back yet");
    std::thread::sleep(lease);
    exchange.crowd().unwrap();
    assert_eq!(exchange.deserted(&[id]).unwrap(), [id], "nobody came back");
}

#[test]
fn blocks_of_a_client_that_one_machine_cannot_open_are_left_to_others() {
    let Some(cluster) = Cluster::shared() else { return };
    let url = cluster.database();
    let (ladder, mut exchange) = begin(&url, Duration::from_secs(60));
    let mut owner = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    let entrant = "INSERT INTO agon.entrant (ladder, hash, options, copy, label, file, team, version, present)
        SELECT $1, 'hash', '{}', n, 'client' || n, 'file', 'team', 1, true FROM generate_series(1, 3) AS n RETURNING id";
    let ids: Vec<EntrantId> =
        owner.query(entrant, &[&ladder.0]).unwrap().iter().map(|row| EntrantId(row.get(0))).collect();
    let mut all = offers(0..4);
    all.iter_mut().take(2).for_each(|offer| offer.block.lineup = vec![ids[0], ids[1]]);
    all.iter_mut().skip(2).for_each(|offer| offer.block.lineup = vec![ids[1], ids[2]]);
    exchange.offer(&all).unwrap();
    let mut poor = Worker::come(&url, "poor");
    assert_eq!(poor.claim(4), 4);
    poor.link.lack(&[ids[0]], "client client1 cannot be opened on this machine: libgsl.so.27 is missing").unwrap();
    let note = exchange.crowd().unwrap().notes.concat();
    assert!(note.starts_with("no worker that is there can open client client1"), "{note}");
    assert!(note.contains("libgsl.so.27 is missing"), "{note}");
    let mut whole = Worker::come(&url, "whole");
    assert_eq!((poor.claim(4), whole.claim(4)), (0, 2), "what it had of this client is free for others");
    assert!(exchange.crowd().unwrap().notes.is_empty());
}

#[test]
fn a_full_line_is_told_and_shared_out() {
    let Some(cluster) = Cluster::shared() else { return };
    let url = cluster.database();
    let (_, mut exchange) = begin(&url, Duration::from_secs(60));
    PostgresRecord::open(&url).unwrap().invite("narrow").unwrap();
    let mut owner = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    owner.batch_execute("ALTER ROLE agon_narrow CONNECTION LIMIT 3").unwrap();
    let line = url.replace("user=agon", "user=agon_narrow");
    let mut worker = Worker::come(&line, "worker");
    let idle: Vec<postgres::Client> =
        (0..2).map(|_| postgres::Client::connect(&line, postgres::NoTls).unwrap()).collect();
    let mut link = agon_postgres::PostgresLink::new(&line).unwrap();
    let Err(LinkError::Away(why)) = link.greet(&hands::greeting("late")) else { panic!("the line has room") };
    assert!(why.contains("the line is full") && why.contains("worker invite NAME"), "{why}");
    let note = |exchange: &mut PostgresExchange| exchange.crowd().unwrap().notes.concat();
    let told = note(&mut exchange);
    assert!(told.contains("the line of agon_narrow is full: it has room for 3 sessions; help: "), "{told}");
    let began = Instant::now();
    while !note(&mut exchange).contains("2 of them were ended") {
        assert!(began.elapsed() < Duration::from_secs(60), "idle sessions keep a line full");
        std::thread::sleep(Duration::from_millis(500));
    }
    assert_eq!(worker.claim(1), 0, "who plays keeps its session");
    link.greet(&hands::greeting("late")).unwrap();
    drop(idle);
}

#[test]
fn what_who_has_a_line_changes_of_it_for_all_does_not_last() {
    let Some(cluster) = Cluster::shared() else { return };
    let url = cluster.database();
    let (_, mut exchange) = begin(&url, Duration::from_secs(60));
    PostgresRecord::open(&url).unwrap().invite("shared").unwrap();
    let line = url.replace("user=agon", "user=agon_shared");
    let mut guest = postgres::Client::connect(&line, postgres::NoTls).unwrap();
    let verifier = "SELECT rolpassword FROM pg_authid WHERE rolname = 'agon_shared'";
    let mut owner = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    let before: String = owner.query_one(verifier, &[]).unwrap().get(0);
    let spoil = "ALTER ROLE agon_shared SET statement_timeout = 1; ALTER ROLE agon_shared PASSWORD 'mine';
        ALTER ROLE agon_shared SET default_transaction_read_only = on";
    guest.batch_execute(spoil).unwrap();
    // Sessions of agon ask for something else, and so play on meanwhile.
    exchange.offer(&offers(0..2)).unwrap();
    let mut worker = Worker::come(&line, "worker");
    assert_eq!((worker.claim(2), worker.deliver(2)), (2, vec![]));
    let notes = exchange.crowd().unwrap().notes;
    assert!(notes[0].contains("changed settings") && notes[1].contains("changed its password"), "{notes:?}");
    let settings =
        "SELECT count(*) FROM pg_db_role_setting JOIN pg_roles ON oid = setrole WHERE rolname = 'agon_shared'";
    assert_eq!(owner.query_one(settings, &[]).unwrap().get::<_, i64>(0), 0);
    assert_eq!(owner.query_one(verifier, &[]).unwrap().get::<_, String>(0), before);
    for denied in ["ALTER ROLE agon_shared CONNECTION LIMIT -1", "SET temp_file_limit = -1"] {
        let error = guest.batch_execute(denied).unwrap_err();
        assert_eq!(error.code(), Some(&postgres::error::SqlState::INSUFFICIENT_PRIVILEGE), "{denied}: {error}");
    }
}

#[test]
fn what_is_delivered_together_is_judged_one_by_one() {
    let Some(cluster) = Cluster::shared() else { return };
    let url = cluster.database();
    let (_, mut exchange) = begin(&url, Duration::from_secs(3600));
    exchange.offer(&offers(0..8)).unwrap();
    let mut worker = Worker::come(&url, "lab");
    assert_eq!(worker.claim(8), 8);
    let mut all = worker.deliveries(&worker.holds);
    all[1].lease.proof = "f".repeat(64);
    all[2].content = Ok("x".repeat((1 << 20) + 1));
    all[4].content = Err("the disk is full".to_owned());
    all[5].content = Err("x".repeat(2001));
    // The same twice: the first counts.
    all.push(all[0].clone());
    let (refusals, _) = worker.link.exchange(&all, 0, 8).unwrap();
    let id = |number: u64| format!("block {number:016x}");
    let expected = [
        format!("{} was never leased to this worker", id(1)),
        format!("what came of {} has more than 1 MiB, or its cause more than 2,000 bytes", id(2)),
        format!("what came of {} has more than 1 MiB, or its cause more than 2,000 bytes", id(5)),
        format!("{} was delivered before", id(0)),
    ];
    assert_eq!(refusals, expected);
    let taken: Vec<(String, bool)> =
        exchange.deliveries().unwrap().into_iter().map(|one| (one.id, one.content.is_ok())).collect();
    let number = |number: u64, is_played| (format!("{number:016x}"), is_played);
    assert_eq!(taken, [number(0, true), number(3, true), number(4, false), number(6, true), number(7, true)]);
    let row = PostgresRecord::open(&url).unwrap().workers().unwrap().remove(0);
    assert_eq!((row.faults, row.late, row.holds), (3, 1, 1), "the one with another proof is still held");
    // Refusals and blocks come by one way.
    exchange.offer(&offers(8..10)).unwrap();
    let mut other = Worker::come(&url, "other");
    assert_eq!(other.claim(1), 1);
    let mut forged = other.deliveries(&other.holds);
    forged[0].lease.proof = "f".repeat(64);
    let (refusals, claimed) = other.link.exchange(&forged, 3, 3).unwrap();
    assert_eq!(refusals, [format!("{} was never leased to this worker", id(other.holds[0].block.number))]);
    let claimed: BTreeSet<u64> = claimed.iter().chain(&other.holds).map(|one| one.block.number).collect();
    assert_eq!(claimed, BTreeSet::from([2, 5, 8, 9]), "those that were refused are offered again");
}

/// The number of strikes that exclude a worker stands in the database only: another one holds for all that count them.
#[test]
fn one_number_of_strikes_excludes_a_worker() {
    let Some(cluster) = Cluster::shared() else { return };
    let url = cluster.database();
    let (_, mut exchange) = begin(&url, Duration::from_secs(60));
    let mut owner = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    let number =
        "CREATE OR REPLACE FUNCTION agon.strikes_to_ban() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 4'";
    owner.batch_execute(number).unwrap();
    exchange.offer(&offers(0..9)).unwrap();
    let mut settle = |worker: &mut Worker, verdict: DeliveryVerdict| {
        assert_eq!(worker.claim(1), 1, "{} gets a block", worker.name);
        let holds = std::mem::take(&mut worker.holds);
        let deliveries = worker.deliveries(&holds);
        assert_eq!(worker.link.exchange(&deliveries, 0, 8).unwrap().0, [""; 0]);
        let settled = |one: Delivered| Settled { id: one.id, worker: one.worker, verdict: verdict.clone() };
        let settled: Vec<Settled> = exchange.deliveries().unwrap().into_iter().map(settled).collect();
        exchange.settle(&settled, &[]).unwrap();
        let rows = PostgresRecord::open(&url).unwrap().workers().unwrap();
        rows.into_iter().find(|row| row.name == worker.name).unwrap().state
    };
    let [mut forger, mut refused] = ["forger", "refused"].map(|name| Worker::come(&url, name));
    assert_eq!(settle(&mut forger, DeliveryVerdict::Differs("it differs".to_owned())), WorkerState::Draining);
    for last in [WorkerState::Active, WorkerState::Active, WorkerState::Active, WorkerState::Draining] {
        assert_eq!(settle(&mut refused, DeliveryVerdict::Refused("it is refused".to_owned())), last);
    }
}

#[test]
fn whoever_hands_in_too_many_void_blocks_gets_nothing_more() {
    let Some(cluster) = Cluster::shared() else { return };
    let url = cluster.database();
    let (_, mut exchange) = begin(&url, Duration::from_secs(60));
    let mut worker = Worker::come(&url, "lab");
    // How many of these are played or void before nothing more comes.
    let mut hand_in = |worker: &mut Worker, numbers: std::ops::Range<u64>, verdict: DeliveryVerdict| {
        let many = numbers.clone().take_while(|number| {
            exchange.offer(&offers(*number..number + 1)).unwrap();
            if worker.claim(1) == 0 {
                return false;
            }
            let holds = std::mem::take(&mut worker.holds);
            let mut deliveries = worker.deliveries(&holds);
            if verdict == DeliveryVerdict::Void {
                deliveries[0].content = Err("no host starts".to_owned());
            }
            assert_eq!(worker.link.exchange(&deliveries, 0, 8).unwrap().0, [""; 0]);
            let settled = |one: Delivered| Settled { id: one.id, worker: one.worker, verdict: verdict.clone() };
            let settled: Vec<Settled> = exchange.deliveries().unwrap().into_iter().map(settled).collect();
            exchange.settle(&settled, &[]).unwrap();
            true
        });
        many.count()
    };
    assert_eq!(hand_in(&mut worker, 0..60, DeliveryVerdict::Kept), 60);
    // Five and one of twenty are nobody's fault; the three after them are strikes.
    assert_eq!(hand_in(&mut worker, 60..120, DeliveryVerdict::Void), 5 + 60 / 20 + 3);
    assert!(worker.link.beat(1).unwrap().refusals.iter().all(|why| why.contains("could not be played")));
    let row = &PostgresRecord::open(&url).unwrap().workers().unwrap()[0];
    assert_eq!((row.blocks, row.voids, row.state), (60, 11, WorkerState::Draining));
    assert!(row.why.as_ref().unwrap().starts_with("11 of 71 blocks could not be played"), "{row:?}");
}

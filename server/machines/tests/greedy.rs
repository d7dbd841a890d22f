//! Invited workers that send more than honest ones do: they are refused in a sentence, and others go on.

use crate::builder::Arena;
use crate::cluster::Cluster;
use crate::hands;
use crate::held::wait_until;
use crate::https::{address, answer, cluster, delivered, free_port, invite, request, serve, stop};
use agon_postgres::{HttpsLink, PostgresLink, PostgresRecord};
use agon_record::database::Roster as _;
use agon_record::exchange::{Claimed, Delivery, Exchange as _, LinkError, WorkerLink};
use agon_record::over_http::{WorkerAct, WorkerRequest};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::Duration;

/// A worker, its key, and its blocks.
fn claim(url: &str, name: &str, many: usize) -> (PostgresLink, String, Vec<Claimed>) {
    let mut link = PostgresLink::new(url).unwrap();
    let key = link.greet(&hands::greeting(name)).unwrap();
    let claimed = link.exchange(&[], many, many).unwrap().1;
    assert_eq!(claimed.len(), many);
    (link, key, claimed)
}

fn count(owner: &mut postgres::Client, table: &str) -> i64 {
    owner.query_one(&format!("SELECT count(*) FROM agon.{table}"), &[]).unwrap().get(0)
}

/// An exchange of two blocks, each of which is named twice, with these contents and causes.
fn twice(key: &str, claimed: &[Claimed], contents: &str, causes: &str) -> String {
    let column = |of: fn(&Claimed) -> String| {
        let values: Vec<String> = claimed.iter().chain(claimed).map(of).collect();
        format!("'{{{}}}'", values.join(","))
    };
    let (ladders, ids) = (column(|one| one.lease.ladder.to_string()), column(|one| one.lease.block.clone()));
    let (leases, proofs) = (column(|one| one.lease.number.to_string()), column(|one| one.lease.proof.clone()));
    format!(
        "SELECT refusal FROM agon.worker_exchange('{key}', {ladders}, {ids}, {leases}, {proofs}, {contents}, {causes},
            0, 1)"
    )
}

#[test]
fn arrays_with_other_bounds_hide_no_large_delivery_and_no_empty_one() {
    let Some(cluster) = Cluster::shared() else { return };
    let url = cluster.database();
    let (_, mut exchange) = hands::begin(&url, Duration::from_secs(3600));
    exchange.offer(&hands::offers(0..2)).unwrap();
    let (mut link, key, claimed) = claim(&url, "greedy", 2);
    let mut owner = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    let nulls = "'{NULL,NULL,NULL,NULL}'";
    let huge = "('[-1:2]={ok,ok,' || repeat('x', 3000000) || ',' || repeat('x', 3000000) || '}')::text[]";
    for (contents, causes) in [
        (huge, nulls),
        (nulls, huge),
        ("'[-1:2]={ok,ok,NULL,NULL}'", nulls),
        ("'[2:5]={ok,ok,ok,ok}'", nulls),
        ("'{{ok,ok},{ok,ok}}'", nulls),
    ] {
        let told = owner.query(&twice(&key, &claimed, contents, causes), &[]);
        let error = told.err().unwrap_or_else(|| panic!("{contents} is taken"));
        assert_eq!(error.code().map(|code| code.code()), Some("AG001"), "{contents}: {error}");
        assert_eq!((count(&mut owner, "inbox"), count(&mut owner, "offer")), (0, 2), "{contents}");
    }
    // Whatever the functions let pass, the table does not take.
    for odd in ["repeat('x', 1048577), NULL", "NULL, repeat('x', 2001)", "NULL, NULL", "'x', 'x'"] {
        let insert = format!("INSERT INTO agon.inbox (ladder, id, worker, content, cause) VALUES (1, 'x', 1, {odd})");
        let error = owner.batch_execute(&insert).unwrap_err();
        assert_eq!(error.code(), Some(&postgres::error::SqlState::CHECK_VIOLATION), "{odd}");
    }
    // What is as it should be is taken all the same.
    let whole: Vec<Delivery> = claimed.iter().map(|one| delivered(one, &key)).collect();
    assert_eq!(link.exchange(&whole, 0, 1).unwrap().0, [""; 0]);
    assert_eq!(exchange.deliveries().unwrap().len(), 2);
}

#[test]
fn large_deliveries_are_read_in_parts_and_none_is_left() {
    let Some(cluster) = Cluster::shared() else { return };
    let url = cluster.database();
    let (_, mut exchange) = hands::begin(&url, Duration::from_secs(3600));
    exchange.offer(&hands::offers(0..40)).unwrap();
    let (mut link, key, claimed) = claim(&url, "large", 40);
    for one in &claimed {
        let whole = Delivery { content: Ok("x".repeat(1 << 20)), ..delivered(one, &key) };
        assert_eq!(link.exchange(&[whole], 0, 1).unwrap().0, [""; 0]);
    }
    let parts: Vec<usize> =
        std::iter::repeat_with(|| exchange.deliveries().unwrap().len()).take_while(|many| *many > 0).collect();
    assert_eq!(parts, [32, 8]);
}

#[test]
fn a_request_delivers_128_blocks_at_most_and_a_worker_hands_in_more_by_several() {
    let Some(cluster) = cluster() else { return };
    let (arena, url, port) = (Arena::new(), cluster.database(), free_port());
    let (_, mut exchange) = hands::begin(&url, Duration::from_secs(3600));
    exchange.offer(&hands::offers(0..300)).unwrap();
    let key = invite(&arena, &url, "lab");
    let served = serve(&arena, &url, port);
    let mut link = HttpsLink::new(&address(port, &key)).unwrap();
    let own = link.greet(&hands::greeting("one")).unwrap();
    let mut claimed = link.exchange(&[], 256, 300).unwrap().1;
    claimed.extend(link.exchange(&[], 44, 300).unwrap().1);
    let played: Vec<Delivery> = claimed.iter().map(|one| delivered(one, &own)).collect();
    assert_eq!(played.len(), 300);
    let many = WorkerAct::Exchange { deliveries: played[..129].to_vec(), many: 0, wants: 1 };
    let body = serde_json::to_string(&WorkerRequest { key: own, act: many }).unwrap();
    let (bearer, length) = (format!("authorization: Bearer {key}"), format!("content-length: {}", body.len()));
    let told = answer(port, &request(port, &[&bearer, "agon-protocol: 4", &length], &body), false).unwrap();
    assert!(told.0 == 413 && told.1.contains("at most 128 blocks") && told.1.contains("nothing was taken"), "{told:?}");
    assert_eq!(exchange.deliveries().unwrap().len(), 0);
    assert_eq!(link.exchange(&played, 0, 1).unwrap().0, [""; 0]);
    let parts = std::iter::repeat_with(|| exchange.deliveries().unwrap().len()).take_while(|many| *many > 0);
    assert_eq!(parts.sum::<usize>(), 300);
    stop(served);
}

#[test]
fn one_address_that_joins_again_and_again_locks_no_other_out() {
    let Some(cluster) = cluster() else { return };
    let (arena, url, port) = (Arena::new(), cluster.database(), free_port());
    drop(hands::begin(&url, Duration::from_secs(60)));
    let key = invite(&arena, &url, "lab");
    let listen = port.to_string();
    let mut serve =
        arena.command(["serve", "--record", &url, "--listen", &listen, "--url", "https://course.example.org"]);
    let served = serve.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("the pages are served", || TcpStream::connect(("127.0.0.1", port)).is_ok());
    let bearer = format!("authorization: Bearer {key}");
    // As a proxy passes it on, from this machine.
    let greet = |from: &str| {
        let act = WorkerAct::Greet(Box::new(hands::greeting("guest")));
        let body = serde_json::to_string(&WorkerRequest { key: String::new(), act }).unwrap();
        let (from, length) = (format!("x-forwarded-for: {from}"), format!("content-length: {}", body.len()));
        answer(port, &request(port, &[&bearer, &from, "agon-protocol: 4", &length], &body), false).unwrap()
    };
    for number in 0..300 {
        let told = greet("203.0.113.1");
        assert_eq!(told.0, 200, "{number}: {told:?}");
    }
    let told = greet("203.0.113.1");
    assert!(told.0 == 429 && told.1.contains("300 workers") && told.1.contains("help: "), "{told:?}");
    assert_eq!(greet("203.0.113.2").0, 200, "another machine joins by the same line");
    assert_eq!(PostgresRecord::open(&url).unwrap().workers().unwrap().len(), 301);
    stop(served);
}

#[test]
fn workers_wait_while_a_line_has_had_a_thousand_in_an_hour() {
    let Some(cluster) = cluster() else { return };
    let (arena, url, port) = (Arena::new(), cluster.database(), free_port());
    drop(hands::begin(&url, Duration::from_secs(60)));
    let key = invite(&arena, &url, "lab");
    let served = serve(&arena, &url, port);
    let mut owner = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    let many = "INSERT INTO agon.worker (name, role, build, games, layers, cores, jobs, party)
        SELECT 'guest', 'agon_lab', '0', '{}', '{}', 1, 1, 'party' || n FROM generate_series(1, 1000) AS n";
    owner.batch_execute(many).unwrap();
    let mut link = HttpsLink::new(&address(port, &key)).unwrap();
    let told = link.greet(&hands::greeting("honest")).unwrap_err();
    assert!(matches!(&told, LinkError::Away(why) if why.contains("a thousand workers came")), "{told:?}");
    // An hour later.
    owner.batch_execute("UPDATE agon.worker SET began = began - interval '1 hour' WHERE name = 'guest'").unwrap();
    link.greet(&hands::greeting("honest")).unwrap();
    stop(served);
}

//! Workers that come over HTTP, by the pages of a record: they play what others play, and a stranger gets nothing.

use crate::builder::{Arena, finish, finish_within};
use crate::cluster::Cluster;
use crate::hands;
use crate::held::{pairs, table, wait_until};
use agon_postgres::{HttpsLink, PostgresRecord};
use agon_record::Record as _;
use agon_record::database::Roster as _;
use agon_record::exchange::{Claimed, Delivery, Exchange as _, LinkError, WorkerLink};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A server whose invited roles need their passwords.
pub fn cluster() -> Option<Cluster> {
    let cluster = Cluster::own()?;
    cluster.ask_for_passwords();
    Some(cluster)
}

/// A port that nobody has just now.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// The key of an invited line, as the line to paste has it.
pub fn invite(arena: &Arena, url: &str, name: &str) -> String {
    let words = ["worker", "invite", name, "--record", url, "--url", "https://course.example.org"];
    let line = arena.agon(words).well().stdout;
    let key = line.trim().strip_prefix("agon worker run 'https://course.example.org/worker#").unwrap();
    key.strip_suffix('\'').unwrap().to_owned()
}

pub fn address(port: u16, key: &str) -> String {
    format!("http://127.0.0.1:{port}/worker#{key}")
}

/// The pages of a record, which answer at this port.
pub fn serve(arena: &Arena, url: &str, port: u16) -> Child {
    let listen = port.to_string();
    let mut serve = arena.command(["serve", "--record", url, "--listen", &listen]);
    let child = serve.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("the pages are served", || TcpStream::connect(("127.0.0.1", port)).is_ok());
    child
}

pub fn stop(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

fn join(arena: &Arena, url: &str, name: &str) -> Child {
    arena.start(["worker", "run", url, "--jobs", "1", "--name", name, "--cache", name])
}

/// The hash of every match by its id.
fn matches(record: &dyn agon_record::Record) -> BTreeMap<String, u64> {
    let ladder = record.newest_ladder().unwrap().unwrap();
    let mut matches = BTreeMap::new();
    let mut add = |outcome: &agon_model::MatchOutcome| {
        assert!(matches.insert(outcome.id.clone(), outcome.moves_hash).is_none(), "{} is there twice", outcome.id);
    };
    record.each_outcome(ladder.id, &mut add).unwrap();
    matches
}

fn on_disk(arena: &Arena) -> BTreeMap<String, u64> {
    matches(&agon_record::SqliteRecord::open_existing(&arena.path("agon-out")).unwrap())
}

#[test]
fn workers_over_http_and_over_postgresql_play_what_one_machine_would() {
    let Some(cluster) = cluster() else { return };
    let here = pairs(100);
    here.agon(["ladder", "--quiet"]).well();
    for is_mixed in [false, true] {
        let (there, url, port) = (pairs(100), cluster.database(), free_port());
        let record = PostgresRecord::open(&url).unwrap();
        let key = invite(&there, &url, if is_mixed { "mixed" } else { "web" });
        let served = format!("--serve={port}");
        let ladder = there.start(["ladder", "--quiet", "--jobs", "0", &served, "--record", &url]);
        let mut workers: Vec<Child> = ["web-1", "web-2"].map(|name| join(&there, &address(port, &key), name)).into();
        let blocks = |begin: &str| {
            let rows = record.workers().unwrap();
            rows.iter().filter(|row| row.name.starts_with(begin)).map(|row| row.blocks).sum::<u64>()
        };
        if is_mixed {
            wait_until("they play over HTTP", || blocks("web") > 0);
            workers.extend(["direct-1", "direct-2"].map(|name| join(&there, &url, name)));
        }
        assert_eq!(finish(ladder).well().stdout, table(&here));
        assert_eq!(matches(&record), on_disk(&here));
        let (web, direct) = (blocks("web"), blocks("direct"));
        assert!(web > 0 && (direct > 0) == is_mixed && web + direct == 300, "{web} over HTTP, {direct} directly");
        for row in record.workers().unwrap() {
            let is_web = row.name.starts_with("web");
            assert_eq!((row.faults, row.role.starts_with("agon_")), (0, is_web), "{row:?}");
        }
        workers.into_iter().for_each(stop);
    }
}

/// The status and the text of the answer to these bytes, after which a cut request ends; nothing if the server hangs up.
pub fn answer(port: u16, bytes: &[u8], is_cut: bool) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    // Who refuses may be gone before all is sent.
    let _ = stream.write_all(bytes);
    if is_cut {
        let _ = stream.shutdown(Shutdown::Write);
    }
    let mut told = Vec::new();
    let _ = stream.read_to_end(&mut told);
    let told = String::from_utf8_lossy(&told).into_owned();
    let (head, body) = told.split_once("\r\n\r\n")?;
    Some((head.split(' ').nth(1)?.parse().ok()?, body.to_owned()))
}

/// A request with these lines in its head.
pub fn request(port: u16, lines: &[&str], body: &str) -> Vec<u8> {
    let lines: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
    format!("POST /worker HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n{lines}\r\n{body}").into_bytes()
}

#[test]
fn who_has_no_key_learns_nothing_and_hostile_bytes_do_nothing() {
    let Some(cluster) = cluster() else { return };
    let (arena, url, port) = (Arena::new(), cluster.database(), free_port());
    let (_, mut exchange) = hands::begin(&url, Duration::from_secs(60));
    exchange.offer(&hands::offers(0..10)).unwrap();
    let key = invite(&arena, &url, "lab");
    let served = serve(&arena, &url, port);
    let good = format!("authorization: Bearer {key}");
    let another = "0".repeat(64);
    let (wrong, unknown) = (format!("Bearer lab:{another}"), format!("Bearer nobody:{another}"));
    let owner = format!("Bearer agon:{another}");
    let mut refusals = Vec::new();
    for key in [&*wrong, &unknown, &owner] {
        let (began, key) = (Instant::now(), format!("authorization: {key}"));
        refusals
            .push(answer(port, &request(port, &[&key, "agon-protocol: 4", "content-length: 2"], "{}"), false).unwrap());
        assert!(began.elapsed() >= Duration::from_millis(250), "a wrong key takes as long as a right one");
    }
    assert!(refusals.iter().all(|refusal| refusal.0 == 401 && *refusal == refusals[0]), "{refusals:?}");
    let length = |bytes: usize| format!("content-length: {bytes}");
    let (large, deep) = (length((4 << 20) + 1), "[".repeat(100_000));
    for (lines, body, expected) in [
        (&["agon-protocol: 4", "content-length: 2"][..], "{}", Some(401)),
        (&["authorization: Bearer \u{e4}", "agon-protocol: 4", "content-length: 2"], "{}", Some(401)),
        (&[&good, "content-length: 2"], "{}", Some(403)),
        (&[&good, "agon-protocol: 3", "content-length: 2"], "{}", Some(403)),
        (&[&good, "agon-protocol: 4", "origin: http://127.0.0.1", "content-length: 2"], "{}", Some(403)),
        (&[&good, "agon-protocol: 4", "transfer-encoding: chunked"], "2\r\n{}\r\n0\r\n\r\n", Some(411)),
        (&[&good, "agon-protocol: 4", &large], "{}", Some(413)),
        (&[&good, "agon-protocol: 4", "content-length: 2"], "{}", Some(400)),
        (&[&good, "agon-protocol: 4", &length(deep.len())], &deep, Some(400)),
        (&[&good, "agon-protocol: 4", "content-length: 35"], r#"{"key":"x","act":{"terms":1}}      "#, Some(403)),
        (&[&good, "agon-protocol: 4", "content-length: 100"], r#"{"key":"#, None),
    ] {
        let told = answer(port, &request(port, lines, body), expected.is_none());
        // Who hangs up in the middle may hear that, or nothing.
        let fits = told.as_ref().map(|told| told.0) == expected
            || expected.is_none() && told.as_ref().is_some_and(|told| told.0 == 400);
        assert!(fits, "{lines:?}: {told:?}");
        assert!(told.is_none_or(|(_, text)| !text.contains(key.split(':').nth(1).unwrap())));
    }
    let head = format!("GET /worker HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n\r\n");
    let got = answer(port, head.as_bytes(), false);
    assert_eq!(got.unwrap().0, 405);
    let mut link = HttpsLink::new(&address(port, &key)).unwrap();
    link.greet(&hands::greeting("honest")).unwrap();
    assert_eq!(link.exchange(&[], 3, 3).unwrap().1.len(), 3, "all goes on");
    assert!(matches!(link.file("no such file"), Err(LinkError::Refused(_))));
    ban(&arena, &url, port, &key, &mut link);
    stop(served);
}

/// A banned line gets no more answers, in the sessions that were there and in new ones.
fn ban(arena: &Arena, url: &str, port: u16, key: &str, link: &mut HttpsLink) {
    arena.agon(["worker", "ban", "lab", "--record", url]).well();
    // Its session was ended first, which a worker takes for a restart.
    let told = link.beat(1).and_then(|_| link.beat(1)).or_else(|error| match error {
        LinkError::Away(_) => link.beat(1),
        error => Err(error),
    });
    let told = told.unwrap_err();
    assert!(matches!(&told, LinkError::Refused(why) if why.contains("banned")), "{told:?}");
    let worker = arena.start(["worker", "run", &address(port, key), "--jobs", "1", "--cache", "banned"]);
    let ran = finish_within(worker, Duration::from_secs(60));
    assert!(ran.status == Some(1) && ran.stderr.contains("banned"), "{}", ran.stderr);
    // The line is invited again: another key, and the one before is not known any more.
    let again = invite(arena, url, "lab");
    assert_ne!(again, key);
    let mut new = HttpsLink::new(&address(port, &again)).unwrap();
    new.greet(&hands::greeting("again")).unwrap();
    let mut old = HttpsLink::new(&address(port, key)).unwrap();
    let told = old.greet(&hands::greeting("old")).unwrap_err();
    assert!(matches!(&told, LinkError::Refused(why) if why.contains("not known here")), "{told:?}");
}

#[test]
fn a_database_that_checks_no_passwords_lets_nobody_in_by_the_pages_and_its_operator_reads_it_once() {
    let Some(cluster) = Cluster::own() else { return };
    let (arena, url, port) = (Arena::new(), cluster.database(), free_port());
    drop(hands::begin(&url, Duration::from_secs(60)));
    let key = invite(&arena, &url, "lab");
    let listen = port.to_string();
    let mut serve = arena.command(["serve", "--record", &url, "--listen", &listen]);
    let mut served = serve.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("the pages are served", || TcpStream::connect(("127.0.0.1", port)).is_ok());
    for _ in 0..3 {
        let mut link = HttpsLink::new(&address(port, &key)).unwrap();
        let told = link.greet(&hands::greeting("any")).unwrap_err();
        assert!(matches!(&told, LinkError::Away(_)), "{told:?}");
    }
    served.kill().unwrap();
    let said = String::from_utf8(served.wait_with_output().unwrap().stderr).unwrap();
    assert_eq!(said.matches("does not check the key of agon_lab").count(), 1, "{said}");
}

pub fn delivered(claimed: &Claimed, key: &str) -> Delivery {
    Delivery { key: key.to_owned(), lease: claimed.lease.clone(), content: Ok("\"played\"".to_owned()) }
}

#[test]
fn pages_that_end_and_begin_again_lose_nothing_that_was_claimed() {
    let Some(cluster) = cluster() else { return };
    let (arena, url, port) = (Arena::new(), cluster.database(), free_port());
    let (_, mut exchange) = hands::begin(&url, Duration::from_secs(60));
    exchange.offer(&hands::offers(0..10)).unwrap();
    let key = invite(&arena, &url, "lab");
    let served = serve(&arena, &url, port);
    let mut link = HttpsLink::new(&address(port, &key)).unwrap();
    let own = link.greet(&hands::greeting("one")).unwrap();
    let claimed = link.exchange(&[], 4, 4).unwrap().1;
    let played: Vec<Delivery> = claimed.iter().map(|one| delivered(one, &own)).collect();
    stop(served);
    assert!(matches!(link.exchange(&played, 4, 4), Err(LinkError::Away(_))));
    let served = serve(&arena, &url, port);
    let (refused, more) = link.exchange(&played, 4, 4).unwrap();
    assert_eq!((claimed.len(), refused.len(), more.len()), (4, 0, 4));
    assert_eq!(exchange.deliveries().unwrap().len(), 4);
    // It does no harm to deliver twice, when the answer did not come.
    let (refused, _) = link.exchange(&played, 0, 4).unwrap();
    assert!(refused.len() == 4 && refused.iter().all(|why| why.contains("was delivered before")), "{refused:?}");
    assert_eq!(exchange.deliveries().unwrap().len(), 0);
    stop(served);
}

#[test]
fn a_worker_waits_for_pages_that_are_killed_while_it_plays() {
    let Some(cluster) = cluster() else { return };
    let (here, there, url, port) = (pairs(100), pairs(100), cluster.database(), free_port());
    here.agon(["ladder", "--quiet"]).well();
    drop(PostgresRecord::open(&url).unwrap());
    let key = invite(&there, &url, "lab");
    let ladder = there.start(["ladder", "--quiet", "--jobs", "0", "--record", &url]);
    let mut served = serve(&there, &url, port);
    let worker = join(&there, &address(port, &key), "lab-1");
    for least in [30, 100, 170] {
        wait_until("blocks are kept", || {
            let record = PostgresRecord::open(&url).unwrap();
            record.ladder("pairs").unwrap().is_some_and(|row| record.count_blocks(row.id).unwrap() >= least)
        });
        stop(served);
        std::thread::sleep(Duration::from_millis(300));
        served = serve(&there, &url, port);
    }
    assert_eq!(finish(ladder).well().stdout, table(&here));
    let record = PostgresRecord::open(&url).unwrap();
    assert_eq!(matches(&record), on_disk(&here));
    assert!(record.workers().unwrap().iter().all(|row| row.faults == 0));
    [worker, served].into_iter().for_each(stop);
}

//! `--metrics`: a ladder and its workers in numbers, as Prometheus asks for them; and how much all play, as progress.

#[allow(dead_code)]
use crate::browser::server;
use crate::builder;

use crate::builder::Arena;
use crate::cluster::Cluster;
use crate::held::{pairs, wait_until};
use rustix::process::Signal;
use server::Running;

fn ladder(arena: &Arena, url: &str) -> Running {
    let words = ["ladder", "--quiet", "--jobs", "0", "--record", url, "--metrics", "127.0.0.1:0"];
    Running::start(arena.command(words))
}

fn worker(arena: &Arena, url: &str) -> Running {
    let words = ["worker", "run", url, "--jobs", "1", "--name", "lab", "--cache", "lab", "--metrics", "0"];
    Running::start(arena.command(words))
}

/// The numbers of an answer: it has the form that Prometheus reads, and is whole.
#[track_caller]
fn numbers(answer: &str) -> Vec<(&str, f64)> {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    assert!(head.contains("content-type: application/openmetrics-text; version=1.0.0; charset=utf-8"), "{head}");
    assert!(body.ends_with("\n# EOF\n"), "{body}");
    let samples = body.lines().filter(|line| !line.starts_with("# "));
    samples.map(|line| line.rsplit_once(' ').unwrap()).map(|(name, value)| (name, value.parse().unwrap())).collect()
}

/// The number of this name, whatever its label.
#[track_caller]
fn number(server: &Running, name: &str) -> f64 {
    let answer = server.get("/metrics");
    let numbers = numbers(&answer);
    let found = numbers.iter().find(|(named, _)| named.split('{').next() == Some(name));
    found.unwrap_or_else(|| panic!("no {name} in {answer}")).1
}

#[test]
fn a_ladder_and_its_worker_are_told_in_numbers() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (pairs(20_000), cluster.database());
    let ladder = ladder(&arena, &url);
    let worker = worker(&arena, &url);
    wait_until("blocks of the worker are told", || number(&ladder, "agon_worker_blocks_kept_total") >= 5.0);
    wait_until("the worker tells them", || number(&worker, "agon_worker_delivered_blocks_total") >= 5.0);
    // Who is there is looked at once a second, and by then a quick worker may have played.
    let is_seen = || number(&ladder, "agon_workers") == 1.0 && number(&ladder, "agon_worker_slots") >= 2.0;
    wait_until("the worker is seen", is_seen);
    assert!(worker.get("/metrics").contains("agon_worker_record_away{worker=\"lab\"} 0\n"));
    worker.signal(Signal::TERM);
    assert_eq!(worker.end(), Some(130));
    let of = |name: &str| number(&ladder, name);
    wait_until("all that it played is told", || of("agon_workers") == 0.0 && of("agon_matches_recorded") > 0.0);
    let blocks = of("agon_blocks_total");
    for (name, expected) in [
        ("agon_worker_blocks_kept_total", blocks),
        ("agon_matches_total", 2.0 * blocks),
        ("agon_match_duration_seconds_count", 2.0 * blocks),
        ("agon_matches_recorded", 2.0 * blocks),
        ("agon_matches_planned", 120_000.0),
        ("agon_void_blocks_total", 0.0),
        ("agon_worker_blocks_refused_total", 0.0),
    ] {
        wait_until(&format!("{name} is {expected}"), || of(name) == expected);
    }
    let told = ladder.get("/metrics");
    assert!(numbers(&told).iter().all(|(name, _)| name.contains("ladder=\"pairs\"")), "{told}");
    ladder.signal(Signal::INT);
    assert_eq!(ladder.end(), Some(130));
}

#[test]
fn what_is_no_question_for_numbers_is_refused() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (pairs(20_000), cluster.database());
    let ladder = ladder(&arena, &url);
    for (request, status) in [
        ("GET / HTTP/1.1\r\nHost: localhost\r\n", "404"),
        ("GET /metrics/x HTTP/1.1\r\nHost: localhost\r\n", "404"),
        ("POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n", "405"),
        ("GET /metrics HTTP/1.1\r\nHost: evil.example\r\n", "421"),
        ("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:9\r\n", "200"),
    ] {
        let answer = ladder.ask(&format!("{request}Connection: close\r\n\r\n"));
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {answer}");
    }
    let taken = format!("127.0.0.1:{}", ladder.port());
    let second = arena.agon(["worker", "run", &url, "--cache", "lab", "--metrics", &taken]);
    assert_eq!(second.status, Some(1));
    assert!(second.stderr.contains(&format!("{taken} cannot be listened on: ")), "{}", second.stderr);
}

#[test]
fn progress_says_how_much_all_play() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (pairs(100), cluster.database());
    let ladder = arena.start(["ladder", "--jobs", "0", "--record", &url]);
    let worker = worker(&arena, &url);
    let ran = builder::finish(ladder).well();
    let lines: Vec<&str> = ran.stderr.lines().filter(|line| line.contains(" s left")).collect();
    assert!(lines.len() >= 10 && lines.iter().all(|line| line.contains(" blocks/s in all, ")), "{}", ran.stderr);
    assert!(lines.last().unwrap().contains(" blocks/s in all, 1 worker  "), "{}", ran.stderr);
    drop(worker);
    let alone = arena.agon(["ladder", "--fresh"]).well();
    assert!(alone.stderr.contains(" matches/s  ") && !alone.stderr.contains("blocks/s"), "{}", alone.stderr);
}

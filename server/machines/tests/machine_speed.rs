//! Times that follow the speed of the machine that plays: what clients are given, and which machines play at all.

use crate::builder;
use crate::builder::Arena;
use crate::cluster::Cluster;
use crate::held::{pairs, pairs_toml, wait_until};
use agon_postgres::PostgresRecord;
use agon_record::database::Roster as _;
use rustix::process::{Pid, Signal, kill_process};

/// The most processor time that a move of the last match took, microseconds.
fn slowest_move(arena: &Arena) -> u64 {
    let moves = arena.agon(["show", "last", "--export", "csv"]).well().stdout;
    moves.lines().skip(1).map(|line| line.split(',').nth(6).unwrap().parse::<u64>().unwrap()).max().unwrap()
}

/// `alphabeta` against `random` for a few moves, at 40 ms a move of the reference.
fn thinking() -> Arena {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.rust_client("alphabeta");
    arena.ladder_toml(
        "[ladder]\nname = \"thinking\"\ngame = \"amazons\"\nseed = 1\nopenings = 1\n[options]\nboard = \"square:6\"\n\
         [time]\nper_move = \"40ms\"\nscale = \"reference\"\n[run]\njobs = 1\n",
    );
    arena
}

#[test]
fn a_slow_machine_gives_as_much_more_time() {
    let took = |speed: &str| {
        let arena = thinking();
        arena.agon(["ladder", "--quiet", "--speed", speed]).well();
        slowest_move(&arena)
    };
    let (slow, fast) = (took("0.5"), took("2"));
    assert!((41_000..=80_000).contains(&slow), "80 ms are given, and it took {slow} us");
    assert!(fast <= 20_000, "20 ms are given, and it took {fast} us");
}

#[test]
fn results_under_times_that_follow_the_machine_stand_apart() {
    let arena = thinking();
    arena.agon(["ladder", "--quiet", "--speed", "1"]).well();
    let same = arena.agon(["ladder", "--quiet", "--speed", "1.5"]).well();
    assert!(!same.stderr.contains("time.scale"), "another speed is another machine, not other terms: {same:?}");
    arena.ladder_toml(&std::fs::read_to_string(arena.path("ladder.toml")).unwrap().replace("reference", "off"));
    let other = arena.agon(["ladder", "--quiet"]);
    assert!(other.stderr.contains("time.scale: was reference, is now off"), "{other:?}");
}

#[test]
fn a_machine_that_is_too_slow_does_not_play() {
    let arena = thinking();
    let slow = arena.agon(["ladder", "--quiet", "--speed", "0.2"]);
    assert_eq!(slow.status, Some(3), "{slow:?}");
    assert!(slow.stderr.contains("this machine is 0.20 times as fast as the reference"), "{slow:?}");
    for wrong in ["0", "-1", "x", "1e9"] {
        assert_eq!(arena.agon(["ladder", "--speed", wrong]).status, Some(2), "{wrong}");
    }
}

#[test]
fn workers_say_how_fast_they_are_and_the_slow_ones_decline() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (pairs(4), cluster.database());
    arena.ladder_toml(&pairs_toml(4).replace("per_move = \"5s\"", "per_move = \"5s\"\nscale = \"reference\""));
    let ladder = arena.start(["ladder", "--quiet", "--jobs", "0", "--record", &url]);
    wait_until("the record is made", || PostgresRecord::open(&url).is_ok_and(|record| record.workers().is_ok()));
    let join = |name: &str, speed: &str| {
        arena.start(["worker", "run", &url, "--jobs", "1", "--name", name, "--cache", name, "--speed", speed])
    };
    let row = |name: &str| {
        let rows = PostgresRecord::open(&url).ok()?.workers().ok()?;
        rows.into_iter().find(|row| row.name == name)
    };
    let slow = join("slow", "0.25");
    let declined = || row("slow").and_then(|row| row.why).is_some_and(|why| why.contains("0.25 times as fast"));
    wait_until("the slow one has declined", declined);
    let quick = join("quick", "1.75");
    builder::finish(ladder).well();
    let (slow_row, quick_row) = (row("slow").unwrap(), row("quick").unwrap());
    assert_eq!((slow_row.blocks, quick_row.blocks), (0, 12));
    let speed = quick_row.speed.unwrap();
    assert!((speed.relative - 1.75).abs() < 1e-9 && !speed.class.is_empty(), "{speed:?}");
    let listed = arena.agon(["worker", "list", "--record", &url]).well();
    assert!(listed.stdout.contains("1.75") && listed.stdout.contains("0.25"), "{listed:?}");
    let compared = arena.agon(["worker", "list", "--record", &url, "--compare"]).well();
    assert!(compared.stdout.contains("ladder pairs, 12 blocks: clients fared alike"), "{compared:?}");
    let compared = arena.agon(["worker", "list", "--record", &url, "--compare", "--json"]).json();
    assert_eq!(compared["differences"].as_array().map(Vec::len), Some(0));
    for worker in [slow, quick] {
        kill_process(Pid::from_child(&worker), Signal::TERM).unwrap();
        builder::finish(worker);
    }
}

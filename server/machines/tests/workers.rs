//! A ladder that workers of other machines play, as processes of their own: the same matches as on one machine, whoever
//! is killed on the way.

mod killed;

use crate::builder::{Arena, finish};
use crate::cluster::Cluster;
use crate::held;
use crate::held::{pairs, table, wait_until};
use agon_postgres::PostgresRecord;
use agon_record::Record;
use agon_record::database::Roster as _;
use agon_record::exchange::WorkerRow;
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::process::Child;
use std::time::Duration;

/// A match: the hashes of its start and its moves, its seats' entrants and ranks.
type Result = (u64, u64, Vec<(usize, u32)>);

/// Every match of the newest ladder by its id.
fn results(record: &dyn Record) -> BTreeMap<String, Result> {
    let ladder = record.newest_ladder().unwrap().unwrap();
    let mut results = BTreeMap::new();
    let mut add = |outcome: &agon_model::MatchOutcome| {
        let seats = outcome.seats.iter().map(|seat| (seat.entrant, seat.rank)).collect();
        let result = (outcome.start, outcome.moves_hash, seats);
        assert!(results.insert(outcome.id.clone(), result).is_none(), "{} is there twice", outcome.id);
    };
    record.each_outcome(ladder.id, &mut add).unwrap();
    results
}

fn on_disk(arena: &Arena) -> BTreeMap<String, Result> {
    results(&agon_record::SqliteRecord::open_existing(&arena.path("agon-out")).unwrap())
}

fn coordinate(arena: &Arena, url: &str) -> Child {
    arena.start(["ladder", "--quiet", "--jobs", "0", "--record", url])
}

/// Blocks of workers that are killed go to others soon.
fn coordinate_impatiently(arena: &Arena, url: &str) -> Child {
    arena.start(["ladder", "--quiet", "--jobs", "0", "--lease", "2", "--record", url])
}

/// A worker in a folder of its own, which is another machine's as far as it can tell.
fn join(arena: &Arena, url: &str, name: &str) -> Child {
    arena.start(["worker", "run", url, "--jobs", "1", "--name", name, "--cache", name])
}

#[track_caller]
fn end(child: Child) -> String {
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    finish(child).stderr
}

#[test]
fn a_worker_plays_what_one_machine_would_and_so_do_both_together() {
    let Some(cluster) = Cluster::shared() else { return };
    let (here, there, both) = (pairs(10), pairs(10), pairs(10));
    here.agon(["ladder", "--quiet"]).well();
    let url = cluster.database();
    let ladder = coordinate(&there, &url);
    let worker = join(&there, &url, "lab-1");
    assert_eq!(finish(ladder).well().stdout, table(&here));
    assert_eq!(results(&PostgresRecord::open(&url).unwrap()), on_disk(&here));
    let workers = there.agon(["worker", "list", "--record", &url, "--json"]).json();
    let row = &workers["workers"][0];
    assert_eq!((row["worker"].as_str(), row["blocks"].as_u64()), (Some("lab-1"), Some(30)), "{workers}");
    assert_eq!((row["faults"].as_u64(), row["late"].as_u64()), (Some(0), Some(0)), "{workers}");
    assert!(end(worker).contains("30 blocks were played and delivered"));

    let url = cluster.database();
    let ladder = both.start(["ladder", "--quiet", "--jobs", "1", "--record", &url]);
    // Nobody but its owner need read the address.
    both.file("address", format!("{url}\n"));
    let worker = join(&both, "@address", "lab-2");
    assert_eq!(finish(ladder).well().stdout, table(&here));
    end(worker);
}

#[test]
fn matches_that_both_clients_call_decided_end_alike_wherever_they_are_played() {
    let Some(cluster) = Cluster::shared() else { return };
    let (here, there) = (Arena::new(), Arena::new());
    for (name, value) in [("sure", "9000"), ("meek", "-9000")] {
        let flag = format!("-DAT_EVERY_PLAY=agon_log(\"value\", \"{value}\")");
        let Some(file) = here.c_client_with(name, "server/agon/tests/clients/sound.c", &[&flag]) else { return };
        // Built twice they would be two clients.
        there.add(&file);
    }
    for arena in [&here, &there] {
        arena.ladder_toml(
            "[ladder]\nname = \"cut\"\ngame = \"amazons\"\nclients = [\"clients/*.so\"]\nopenings = 10\nseed = 5\n\
             [options]\nboard = \"square:6\"\n[adjudication]\nmoves = 4\nchecked = 0.5\n",
        );
    }
    here.agon(["ladder", "--quiet"]).well();
    let url = cluster.database();
    let ladder = coordinate(&there, &url);
    let worker = join(&there, &url, "lab-1");
    let told = finish(ladder).well().stdout;
    assert_eq!(told, table(&here));
    assert!(told.contains("adjudication: ") && told.contains("\nchecked: "), "{told}");
    assert_eq!(results(&PostgresRecord::open(&url).unwrap()), on_disk(&here));
    end(worker);
}

#[test]
fn a_sequential_test_comes_to_the_same_wherever_its_pairs_are_played() {
    let Some(cluster) = Cluster::shared() else { return };
    let words = "sprt tirs:strategy=level1 tirs:strategy=naive -g tirs_croises -o size=4 --elo1 60 -s 5 --quiet --json";
    let (here, there, url) = (Arena::new(), Arena::new(), cluster.database());
    [&here, &there].into_iter().for_each(|arena| drop(arena.rust_client("tirs")));
    let alone = here.agon(words.split(' ').chain(["--jobs", "1"])).verdict();
    let test = there.start(words.split(' ').chain(["--jobs", "0", "--record", &url]));
    let workers = ["one", "two"].map(|name| join(&there, &url, name));
    assert_eq!(finish(test).verdict(), alone);
    // What was under way at the end is kept, too.
    let (there_played, here_played) = (results(&PostgresRecord::open(&url).unwrap()), on_disk(&here));
    let pairs = alone["pairs"].as_u64().unwrap() as usize;
    let same = here_played.iter().filter(|(id, one)| there_played.get(*id) == Some(*one)).count();
    assert!(same >= 2 * pairs, "{same} matches of {pairs} pairs are the same");
    workers.into_iter().for_each(|worker| drop(end(worker)));
    let refused = there.agon(words.split(' ').chain(["--jobs", "0"]));
    assert!(refused.stderr.contains("--jobs 0: nobody would play"), "{}", refused.stderr);
    let refused = there.agon(words.split(' ').chain(["--open", "--record", &url]));
    assert!(refused.stderr.contains("leave --open out, and invite workers"), "{}", refused.stderr);
}

#[test]
fn a_tuning_comes_to_the_same_wherever_its_pairs_are_played() {
    let Some(cluster) = Cluster::shared() else { return };
    let words = "tune tirs:strategy=naive -p mistakes=0..100:50 -g tirs_croises -o size=4 --steps 3 --pairs 4 --test 4 -s 5 --quiet";
    let (here, there, url) = (Arena::new(), Arena::new(), cluster.database());
    [&here, &there].into_iter().for_each(|arena| drop(arena.rust_client("tirs")));
    let alone = here.agon(words.split(' ').chain(["--jobs", "1", "--json"])).json();
    let tuned = there.start(words.split(' ').chain(["--jobs", "0", "--json", "--record", &url]));
    let workers = ["one", "two"].map(|name| join(&there, &url, name));
    assert_eq!(finish(tuned).json(), alone);
    let record = PostgresRecord::open(&url).unwrap();
    assert_eq!(record.workers().unwrap().iter().map(|row| row.blocks).sum::<u64>(), 12, "three steps of four pairs");
    workers.into_iter().for_each(|worker| drop(end(worker)));
    let refused = there.agon(words.split(' ').chain(["--jobs", "0"]));
    assert!(refused.stderr.contains("--jobs 0: nobody would play"), "{}", refused.stderr);
}

#[test]
fn a_match_is_the_same_whoever_plays_it() {
    let Some(cluster) = Cluster::shared() else { return };
    let words = "match tirs:strategy=level1 tirs:strategy=naive -g tirs_croises -o size=4 -n 8 -s 5 --quiet";
    let (here, there, url) = (Arena::new(), Arena::new(), cluster.database());
    [&here, &there].into_iter().for_each(|arena| drop(arena.rust_client("tirs")));
    here.agon(words.split(' ').chain(["--jobs", "1"])).well();
    let played = there.start(words.split(' ').chain(["--jobs", "0", "--record", &url]));
    let worker = join(&there, &url, "one");
    let told = finish(played).well().stdout;
    assert!(told.contains("strategy=naive") && !there.path("agon-out/record.sqlite").exists(), "{told}");
    assert_eq!(results(&PostgresRecord::open(&url).unwrap()), on_disk(&here));
    end(worker);
    let refused = there.agon(words.split(' ').chain(["--jobs", "0"]));
    assert!(refused.stderr.contains("--jobs 0: nobody would play"), "{}", refused.stderr);
}

/// What the record says of a worker.
fn row_of(url: &str, name: &str) -> Option<WorkerRow> {
    let rows = PostgresRecord::open(url).ok()?.workers().ok()?;
    rows.into_iter().rev().find(|row| row.name == name)
}

#[test]
fn a_worker_is_drained_banned_and_told_what_is_wrong() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (pairs(4000), cluster.database());
    let early = arena.agon(["worker", "run", &url, "--cache", "early", "--idle", "0"]);
    assert_eq!(early.status, Some(1));
    assert!(early.stderr.contains("there is no record for workers there"), "{}", early.stderr);
    let mut ladder = coordinate(&arena, &url);
    wait_until("the record is made", || PostgresRecord::open(&url).is_ok_and(|record| record.workers().is_ok()));
    let worker = join(&arena, &url, "old");
    let has_come = |name: &str| {
        let rows = PostgresRecord::open(&url).unwrap().workers().unwrap();
        rows.iter().any(|row| row.name == name && row.blocks > 0)
    };
    wait_until("it plays", || has_come("old"));
    arena.agon(["worker", "drain", "old", "--record", &url]).well();
    assert!(finish(worker).well().stderr.contains("told to go"));
    let worker = join(&arena, &url, "bad");
    wait_until("it plays", || has_come("bad"));
    arena.agon(["worker", "ban", "bad", "--record", &url]).well();
    let banned = finish(worker);
    assert_eq!(banned.status, Some(1));
    assert!(banned.stderr.contains("worker bad is banned here"), "{}", banned.stderr);
    let again = arena.agon(["worker", "run", &url, "--name", "bad", "--cache", "bad"]);
    assert!(again.stderr.contains("worker bad is banned here"), "{}", again.stderr);
    let nobody = arena.agon(["worker", "drain", "nobody", "--record", &url]);
    assert_eq!(nobody.status, Some(2));
    let worker = join(&arena, &url, "tired");
    wait_until("it plays", || has_come("tired"));
    assert!(end(worker).contains("finishing the blocks under way"));
    let rows = PostgresRecord::open(&url).unwrap().workers().unwrap();
    let states: Vec<(&str, &str, u64)> = rows.iter().map(|row| (&*row.name, row.state.name(), row.holds)).collect();
    assert_eq!(states, [("old", "gone", 0), ("bad", "banned", 0), ("tired", "gone", 0)]);
    ladder.kill().unwrap();
    ladder.wait().unwrap();
}

#[test]
fn nobody_plays_where_nobody_could_say_so() {
    let arena = pairs(2);
    let alone = arena.agon(["ladder", "--jobs", "0"]);
    assert_eq!(alone.status, Some(2));
    assert!(alone.stderr.contains("--jobs 0: nobody would play; help: "), "{}", alone.stderr);
    let file = arena.agon(["worker", "run", "@nowhere"]);
    assert!(file.stderr.contains("nowhere: No such file"), "{}", file.stderr);
    let away = arena.agon(["worker", "run", "agon-out"]);
    assert!(away.stderr.contains("or postgres://USER@HOST/DATABASE"), "{}", away.stderr);
    let Some(cluster) = Cluster::shared() else { return };
    let url = cluster.database();
    let off = pairs(2);
    off.ladder_toml(&(held::pairs_toml(2) + "[run]\nsandbox = \"off\"\n"));
    let mut ladder = coordinate(&off, &url);
    wait_until("the record is made", || PostgresRecord::open(&url).is_ok_and(|record| record.workers().is_ok()));
    let worker = join(&off, &url, "careful");
    let why = || PostgresRecord::open(&url).unwrap().workers().unwrap().first().and_then(|row| row.why.clone());
    wait_until("it has declined", || {
        why().is_some_and(|why| why.contains("less than the full sandbox: the sandbox is off"))
    });
    std::thread::sleep(Duration::from_millis(200));
    assert!(end(worker).contains("this machine does not play a ladder that is there: it asks for less than"));
    ladder.kill().unwrap();
    ladder.wait().unwrap();
}

#[test]
fn who_meets_whom_and_when_it_ends_does_not_depend_on_who_plays() {
    let Some(cluster) = Cluster::shared() else { return };
    let ladder = |keys: &str, stop: &str| {
        let arena = pairs(4000);
        let text = held::pairs_toml(4000).replacen("openings = 4000", keys, 1);
        arena.ladder_toml(&text.replacen("[time]", &format!("{stop}\n[time]"), 1));
        arena
    };
    for (keys, stop) in [
        ("pairing = \"swiss\"\nrounds = 3\nopenings = 3", ""),
        ("pairing = \"knockout\"\nopenings = 2\nseeding = \"listed\"", ""),
        ("pairing = \"continuous\"\nblocks = 40\nopenings = 2", ""),
        ("pairing = \"gauntlet\"\ngauntlet = [\"moves\"]\nopenings = 5", ""),
        ("openings = 4000", "[stop]\nerror = 0.05"),
    ] {
        let (here, there, url) = (ladder(keys, stop), ladder(keys, stop), cluster.database());
        here.agon(["ladder", "--quiet"]).well();
        let coordinator = coordinate(&there, &url);
        let workers = ["one", "two"].map(|name| join(&there, &url, name));
        assert_eq!(finish(coordinator).well().stdout, table(&here), "{keys}");
        assert_eq!(results(&PostgresRecord::open(&url).unwrap()), on_disk(&here), "{keys}");
        workers.into_iter().for_each(|worker| drop(end(worker)));
    }
}

//! A client with a time of its own, for handicaps and odds: it is judged and told by it wherever it plays, every table
//! names it, and results under another time stand apart.

use crate::builder::{Arena, Ran, finish};
use crate::cluster::Cluster;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

/// Takes 90 ms of processor time a move, and prints the time and the options that it is told of.
const STEADY: &str = r#"
#include <agon/grundy.h>
#include <stdio.h>
#include <time.h>
static double used_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}
const char *get_player_name(void) { return "steady"; }
int initialize(const grundy_setup *setup) {
    const grundy_setup *s = setup;
    printf("given %llu+%llu <%s>\n", (unsigned long long)s->head.total_us, (unsigned long long)s->head.increment_us,
           s->head.options);
    return s->num_heaps == 0;
}
void finalize(void) {}
grundy_move play(const grundy_turn *turn) {
    for (double begun = used_ms(); used_ms() - begun < 90;) {}
    for (uint32_t heap = 0; heap < turn->num_heaps; heap++)
        for (uint32_t split = 1; split < turn->heaps[heap]; split++)
            if (grundy_may_split(turn->heaps[heap], split)) return (grundy_move){heap, split};
    return (grundy_move){0, 0};
}
AGON_CLIENT(grundy)
"#;

/// Two players with one file: `a` has the ladder's time, `b` the keys given.
fn ladder(arena: &Arena, own: &str) {
    arena.ladder_toml(&format!(
        "[ladder]\nname = \"odds\"\ngame = \"grundy\"\nseed = 1\n[options]\nheaps = \"14\"\n[time]\ntc = \"0.6\"\n\
         [[client]]\nname = \"a\"\nfile = \"clients/steady.so\"\n\
         [[client]]\nname = \"b\"\nfile = \"clients/steady.so\"\n{own}\n"
    ));
}

fn arena() -> Option<Arena> {
    let arena = Arena::new();
    arena.c_client("steady", STEADY)?;
    Some(arena)
}

/// The faults of each client in a table as JSON, by its name.
fn faults(table: &Value) -> Vec<(String, Value)> {
    let line = |client: &Value| (client["client"].as_str().unwrap().to_owned(), client["faults"].clone());
    table["clients"].as_array().unwrap().iter().map(line).collect()
}

/// With a third of the time that all need, `b` loses each match by it, and `a` none.
fn lost_by_time(arena: &Arena, args: &[&str]) -> Ran {
    let table = arena.agon([&["standings", "--json"], args].concat()).json();
    let expected = [("a".to_owned(), json!({})), ("b".to_owned(), json!({"cpu-time": 2}))];
    assert_eq!(faults(&table), expected, "{table}");
    assert_eq!(table["own_times"], json!([{"client": "b", "time": "0.2"}]));
    let told = arena.agon([&["standings"], args].concat()).well();
    assert!(told.stdout.contains("\ntime: b has 0.2; all others have 0.6\n"), "{told:?}");
    told
}

#[test]
fn a_client_has_a_third_of_the_time() {
    let Some(arena) = arena() else { return };
    ladder(&arena, "time = \"0:00.2\"");
    let ran = arena.agon(["ladder", "--quiet"]).well();
    let told = lost_by_time(&arena, &[]);
    assert!(told.stdout.contains("cpu-time"), "{ran:?}");
    let shown = arena.agon(["show", "last"]).well().stdout;
    assert!(shown.contains("own time") && shown.contains("given 200000+0 <>"), "{shown}");
    assert!(shown.contains("given 600000+0 <>"), "{shown}");
    let replay = arena.agon(["replay", "last"]).well().stdout;
    assert!(replay.contains("left of its own 0.2"), "{replay}");
    let again = arena.agon(["rerun", "last", "--verify"]).well().stdout;
    assert!(again.contains("the same fault"), "{again}");
    let lines = arena.agon(["show", "last", "--jsonl"]).well().stdout;
    assert!(lines.contains(r#""options":{"time":"0.2"}"#), "{lines}");
    arena.agon(["report", "--out", "site"]).well();
    let pages = std::fs::read_to_string(arena.path("site/index.html")).unwrap();
    assert!(pages.contains("time of <bdi>b</bdi>"), "{pages}");
}

#[test]
fn another_time_is_another_version_and_the_same_is_not() {
    let Some(arena) = arena() else { return };
    ladder(&arena, "time = \"0.2\"");
    arena.agon(["ladder", "--quiet"]).well();
    let before = arena.agon(["standings", "--json"]).json();
    // The same in other words.
    ladder(&arena, "time = \"tc=0:0.20\"");
    arena.agon(["ladder", "--quiet"]).well();
    assert_eq!(arena.agon(["standings", "--json"]).json(), before);
    ladder(&arena, "");
    arena.agon(["ladder", "--quiet"]).well();
    let after = arena.agon(["standings", "--json"]).json();
    assert_eq!(faults(&after).iter().filter(|(_, faults)| *faults != json!({})).count(), 0, "{after}");
    assert_eq!((after["own_times"].clone(), after["set_aside"][0]["client"].clone()), (Value::Null, json!("b@1")));
}

#[test]
fn a_seat_of_a_match_has_its_own_time() {
    let Some(arena) = arena() else { return };
    let words = ["match", "steady", "steady:time=0.2", "-g", "grundy", "-o", "heaps=14", "-q"];
    arena.agon([&words[..], &["--tc", "0:00.6"]].concat()).well();
    let table = arena.agon(["standings", "--json"]).json();
    let expected = [("steady".to_owned(), json!({})), ("steady:time=0.2".to_owned(), json!({"cpu-time": 2}))];
    assert_eq!(faults(&table), expected);
    // Each plays with 1 s more after each move, from the first one on; the other has a second for each.
    arena.agon(["match", "steady:time=0+1", "steady:time=st=1", "-g", "grundy", "-o", "heaps=14", "-q"]).well();
    let shown = arena.agon(["show", "last"]).well().stdout;
    assert!(shown.contains("given 1000000+1000000 <>") && shown.contains("given 0+0 <>"), "{shown}");
    for (word, said) in [
        ("steady:time=soon", "\"soon\" is not a time control"),
        ("steady:time=1,time=2", "a client has two times"),
        ("steady:time=100ms", "write seconds without a unit: 0.1 instead of 100ms"),
    ] {
        let ran = arena.agon(["match", "steady", word, "-g", "grundy"]);
        assert!(ran.status == Some(3) && ran.stderr.contains(said), "{ran:?}");
    }
}

#[test]
fn a_bad_time_is_named_where_it_stands() {
    let Some(arena) = arena() else { return };
    for (own, said) in [
        ("time = \"soon\"", "\"soon\" is not a time control"),
        ("time = 5", "write \"5\""),
        ("options = { time = \"5\" }", "the option \"time\" is reserved"),
    ] {
        ladder(&arena, own);
        let ran = arena.agon(["ladder", "--dry-run"]);
        assert!(ran.status == Some(3) && ran.stderr.contains(said), "{ran:?}");
    }
}

#[test]
fn a_worker_judges_by_it_too() {
    let (Some(cluster), Some(arena)) = (Cluster::shared(), arena()) else { return };
    ladder(&arena, "time = \"0.2\"");
    let url = cluster.database();
    let coordinator = arena.start(["ladder", "--quiet", "--jobs", "0", "--record", &url]);
    let worker = arena.start(["worker", "run", &url, "--jobs", "1", "--name", "lab", "--cache", "lab"]);
    finish(coordinator).well();
    lost_by_time(&arena, &["--record", &url]);
    kill_process(Pid::from_child(&worker), Signal::TERM).unwrap();
    finish(worker);
}

//! A partial round robin: many clients at large tables play equally often without the full schedule; new versions and
//! newcomers take part, and workers play the same.

use crate::builder::{Arena, finish};
use crate::cluster::Cluster;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::collections::BTreeMap;

/// A ladder of clients of one file; `notes` tells their versions apart.
fn ladder(arena: &Arena, rounds: &str, notes: &[(&str, u32)]) {
    let mut text = format!(
        "[ladder]\nname = \"many\"\ngame = \"six_qui_prend\"\nseats = 5\nseed = 3\n{rounds}\n[time]\nper_move = \"5s\"\n\
         [run]\nisolation = \"reuse\"\nlogs = \"none\"\n"
    );
    for (name, note) in notes {
        let client =
            format!("name = \"{name}\"\nfile = \"clients/six-simple.so\"\noptions = {{ note = \"{name}{note}\" }}\n");
        text += &format!("[[client]]\n{client}");
    }
    arena.ladder_toml(&text);
}

fn arena() -> Arena {
    let arena = Arena::new();
    arena.rust_client("six-simple");
    arena
}

/// Matches of each client whose results count.
fn matches(table: &Value) -> BTreeMap<String, u64> {
    let of = |client: &Value| (client["client"].as_str().unwrap().to_owned(), client["matches"].as_u64().unwrap());
    table["clients"].as_array().unwrap().iter().map(of).collect()
}

const NAMES: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
const DRAWN: &str = "pairing = \"partial-round-robin\"\nrounds = 3";

#[test]
fn everybody_plays_equally_often_whatever_was_submitted_before() {
    let (arena, fresh) = (arena(), arena());
    ladder(&arena, DRAWN, &NAMES.map(|name| (name, 1)));
    let plan = arena.agon(["ladder", "--dry-run"]).well().stdout;
    // 12 clients in 3 rounds are 36 seats: 8 tables of 5, and four clients sit once more.
    assert!(plan.contains("partial round robin of 3 rounds: 8 line-ups"), "{plan}");
    assert!(plan.contains("a client 15 to 20 matches"), "{plan}");
    assert!(plan.contains("if a match has") && plan.contains("with "), "{plan}");
    arena.agon(["ladder", "--quiet"]).well();
    let counts = matches(&arena.agon(["standings", "--json"]).json());
    assert!(counts.len() == 12 && counts.values().all(|count| [15, 20].contains(count)), "{counts:?}");

    // A new version takes the place of the old one: only its own line-ups are played anew.
    let newer = NAMES.map(|name| (name, if name == "c" { 2 } else { 1 }));
    ladder(&arena, DRAWN, &newer);
    arena.agon(["ladder", "--quiet"]).well();
    let again = arena.agon(["standings", "--json"]).json();
    let total = |counts: &BTreeMap<String, u64>| counts.values().sum::<u64>();
    assert_eq!(total(&matches(&again)), total(&counts), "{again}");
    assert_eq!(matches(&again)["c@2"], counts["c"]);
    ladder(&fresh, DRAWN, &newer);
    fresh.agon(["ladder", "--quiet"]).well();
    let points = |table: &Value| -> BTreeMap<String, String> {
        let of = |client: &Value| {
            let name = client["client"].as_str().unwrap().trim_end_matches("@2").to_owned();
            (name, format!("{} {}", client["points"], client["matches"]))
        };
        table["clients"].as_array().unwrap().iter().map(of).collect()
    };
    assert_eq!(points(&again), points(&fresh.agon(["standings", "--json"]).json()));

    // More rounds begin with the same ones.
    ladder(&arena, &DRAWN.replace('3', "5"), &newer);
    arena.agon(["ladder", "--quiet"]).well();
    let longer = matches(&arena.agon(["standings", "--json"]).json());
    assert!(longer.values().all(|count| *count == 25), "{longer:?}");

    // A newcomer plays as often as the drawing says; nothing that was played goes.
    let mut more = newer.to_vec();
    more.push(("m", 1));
    ladder(&arena, &DRAWN.replace('3', "5"), &more);
    arena.agon(["ladder", "--quiet"]).well();
    let joined = matches(&arena.agon(["standings", "--json"]).json());
    assert_eq!(joined["m"], 25);
    assert!(longer.iter().all(|(client, count)| joined[client] >= *count), "{joined:?}");
}

#[test]
fn a_full_schedule_that_is_very_long_says_how_to_draw_one() {
    let arena = arena();
    let names: Vec<String> = (0..30).map(|number| format!("s{number:02}")).collect();
    let all: Vec<(&str, u32)> = names.iter().map(|name| (name.as_str(), 1)).collect();
    ladder(&arena, "", &all);
    let plan = arena.agon(["ladder", "--dry-run"]).well();
    assert!(plan.stderr.contains("142506 line-ups; pairing = \"partial-round-robin\" with rounds = 29"), "{plan:?}");
    assert!(plan.stdout.contains("a client 118755 matches"), "{plan:?}");
    ladder(&arena, "pairing = \"partial-round-robin\"\nrounds = 29", &all);
    let plan = arena.agon(["ladder", "--dry-run"]).well();
    assert!(!plan.stderr.contains("line-ups") && plan.stdout.contains("a client 145 matches"), "{plan:?}");
    // Of a few clients more than half of all line-ups are all of them.
    ladder(&arena, "pairing = \"partial-round-robin\"\nrounds = 29", &all[..6]);
    let plan = arena.agon(["ladder", "--dry-run"]).well().stdout;
    assert!(plan.contains(": 6 line-ups") && plan.contains("a client 25 matches"), "{plan}");
    for (keys, said) in [
        ("pairing = \"partial-round-robin\"", "help: add rounds = 20"),
        ("pairing = \"partial-round-robin\"\nrounds = 20000", "at most 10000"),
        ("pairing = \"partial-round-robin\"\nrounds = 2\nlineup = [\"s00\"]", "lineup has no meaning"),
    ] {
        ladder(&arena, keys, &all);
        let ran = arena.agon(["ladder", "--dry-run"]);
        assert!(ran.status == Some(3) && ran.stderr.contains(said), "{ran:?}");
    }
}

#[test]
fn workers_play_the_same() {
    let Some(cluster) = Cluster::shared() else { return };
    let (here, there) = (arena(), arena());
    for arena in [&here, &there] {
        ladder(arena, DRAWN, &NAMES.map(|name| (name, 1)));
    }
    here.agon(["ladder", "--quiet"]).well();
    let url = cluster.database();
    let coordinator = there.start(["ladder", "--quiet", "--jobs", "0", "--record", &url]);
    let worker = there.start(["worker", "run", &url, "--jobs", "2", "--name", "lab", "--cache", "lab"]);
    finish(coordinator).well();
    kill_process(Pid::from_child(&worker), Signal::TERM).unwrap();
    finish(worker);
    let table = |words: &[&str]| there.agon([&["standings", "--json"], words].concat()).json()["clients"].clone();
    assert_eq!(table(&["--record", &url]), here.agon(["standings", "--json"]).json()["clients"]);
}

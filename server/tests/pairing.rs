//! Pairings in real ladders: the same tournament whatever the jobs and after `kill -9`, and nobody who leaves breaks one.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod builder;
#[path = "record/held.rs"]
#[allow(dead_code)] // each test file uses its part
mod held;

use agon::record::{Stage, StageKind};
use agon::store::{Store, StoredStage};
use builder::Arena;
use held::{assert_no_host, assert_whole, games, matches, table, wait_until};
use std::collections::{BTreeMap, BTreeSet};

/// `count` players of one file, each with options of its own, on the smallest square.
fn arena(count: usize, keys: &str) -> Arena {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.ladder_toml(&toml(count, keys));
    arena
}

fn toml(count: usize, keys: &str) -> String {
    let client = |number: usize| {
        let style = ["queen", "move"][number % 2];
        format!(
            "[[client]]\nname = \"p{number}\"\nfile = \"clients/random.so\"\n\
             options = {{ style = \"{style}\", note = \"{number}\" }}\n"
        )
    };
    let clients: String = (1..=count).map(client).collect();
    format!(
        "[ladder]\nname = \"drawn\"\ngame = \"amazons\"\nclients = []\nseed = 5\n{keys}\n[options]\nboard = \"square:5\"\n\
         [time]\nper_move = \"5s\"\n[run]\nlogs = \"none\"\n{clients}"
    )
}

const SWISS: &str = "pairing = \"swiss\"\nrounds = 4\nopenings = 3";
const KNOCKOUT: &str = "pairing = \"knockout\"\nopenings = 2\nseeding = \"listed\"";
const CONTINUOUS: &str = "pairing = \"continuous\"\nblocks = 60\nopenings = 2";

/// What was drawn, with the points of closed stages.
fn stages(arena: &Arena) -> Vec<StoredStage> {
    let store = Store::open_existing(&arena.path("agon-out")).unwrap();
    let ladder = store.newest_ladder().unwrap().unwrap();
    store.stages(ladder.id).unwrap()
}

#[test]
fn in_a_gauntlet_all_others_meet_the_base() {
    let arena = arena(5, "pairing = \"gauntlet\"\ngauntlet = [\"p3\"]\nopenings = 2");
    arena.agon(["ladder", "--quiet"]).well();
    let games = games(&arena);
    assert_eq!(games.len(), 4 * 2 * 2);
    assert!(games.values().all(|game| game.clients.contains(&"p3".to_owned())));
    let mut seats = BTreeMap::new();
    games.values().for_each(|game| *seats.entry((game.clients[0].clone(), 0)).or_insert(0) += 1);
    assert_eq!(seats[&("p3".to_owned(), 0)], 8, "on each seat as often");
    arena.ladder_toml(&toml(5, "pairing = \"round-robin\""));
    let refused = arena.agon(["ladder"]);
    assert_eq!(refused.status, Some(3));
    assert!(refused.stderr.contains("ladder.pairing: was gauntlet, is now round-robin"), "{}", refused.stderr);
    arena.ladder_toml(&toml(5, "pairing = \"gauntlet\"\ngauntlet = [\"p3\", \"p4\"]"));
    arena.agon(["ladder", "--quiet"]).well();
}

#[test]
fn a_swiss_goes_round_by_round() {
    let arena = arena(5, SWISS);
    let ran = arena.agon(["ladder"]).well();
    assert!(ran.stderr.contains("5 clients, 48 matches; "), "{}", ran.stderr);
    assert!(ran.stderr.contains("round 4: 2 meetings, a bye for p"), "{}", ran.stderr);
    assert_eq!(games(&arena).len(), 48);
    assert_whole(&arena, 2);
    let stages = stages(&arena);
    assert_eq!(stages.len(), 4);
    let mut met = BTreeSet::new();
    let mut byes = BTreeSet::new();
    for (number, (stage, scores)) in stages.iter().enumerate() {
        assert_eq!((stage.opening, stage.openings), (3 * number as u64, 3));
        for (meeting, scores) in stage.meetings.iter().zip(scores.as_ref().unwrap()) {
            assert_eq!(scores.iter().sum::<i64>(), 6_000, "three openings from both seats");
            let pair: BTreeSet<i64> = meeting.iter().copied().collect();
            assert!(met.insert(pair), "no rematch, and no second bye");
            byes.extend(stage.byes());
        }
    }
    assert_eq!(byes.len(), 4);
    let again = arena.agon(["ladder"]).well();
    assert!(again.stderr.contains("48 matches, 48 of them already played"), "{}", again.stderr);
    // A round more: what was played stays.
    arena.ladder_toml(&toml(5, &SWISS.replace("rounds = 4", "rounds = 5")));
    let more = arena.agon(["ladder"]).well();
    assert!(more.stderr.contains("60 matches, 48 of them already played"), "{}", more.stderr);
    arena.ladder_toml(&toml(5, &SWISS.replace("openings = 3", "openings = 2")));
    let refused = arena.agon(["ladder"]);
    assert!(refused.stderr.contains("ladder.openings: was 3, is now 2"), "{}", refused.stderr);
}

#[test]
fn a_knockout_ends_with_one() {
    let arena = arena(6, KNOCKOUT);
    let ran = arena.agon(["ladder"]).well();
    assert!(ran.stderr.contains("round 1: 2 meetings, a bye for p1, p2"), "{}", ran.stderr);
    let stages = stages(&arena);
    let rounds: Vec<&Stage> = stages.iter().map(|(stage, _)| stage).filter(|s| s.kind == StageKind::Round).collect();
    assert_eq!(rounds.iter().map(|stage| stage.played_meetings()).collect::<Vec<_>>(), [2, 2, 1]);
    assert!(stages.iter().all(|(_, scores)| scores.is_some()));
    assert_whole(&arena, 2);
}

#[test]
fn a_continuous_ladder_ends_with_its_blocks_and_places_newcomers() {
    let arena = arena(4, CONTINUOUS);
    let ran = arena.agon(["ladder"]).well();
    assert!(ran.stderr.contains("4 clients, 120 matches; "), "{}", ran.stderr);
    assert_eq!(matches(&arena), 120);
    arena.ladder_toml(&toml(5, &CONTINUOUS.replace("60", "80")));
    let more = arena.agon(["ladder"]).well();
    assert!(more.stderr.contains("placement 1: 1 meeting"), "{}", more.stderr);
    assert_eq!(matches(&arena), 160);
    let last = stages(&arena).pop().unwrap().0;
    assert_eq!(last.order.len(), 5);
}

/// What a ladder came to.
fn outcome(arena: &Arena) -> (BTreeMap<String, held::Game>, Vec<StoredStage>, String) {
    (games(arena), stages(arena), table(arena))
}

#[test]
fn jobs_and_kills_do_not_change_a_tournament() {
    let jobs: &[&str] = if std::thread::available_parallelism().unwrap().get() < 2 { &["1"] } else { &["1", "2"] };
    for keys in [SWISS, KNOCKOUT, CONTINUOUS] {
        let undisturbed = arena(6, keys);
        undisturbed.agon(["ladder", "--quiet", "--jobs", "1"]).well();
        let expected = outcome(&undisturbed);
        for jobs in jobs {
            let killed = arena(6, keys);
            let (mut kept, mut kills) = (0, 0);
            // Whenever some more matches are in the record, at whatever moment of a round that is.
            for more in [3, 8, 7, 12] {
                let mut server = killed.start(["ladder", "--quiet", "--jobs", jobs]);
                let wanted = kept + more;
                wait_until("some more is played", || {
                    matches(&killed) >= wanted || server.try_wait().unwrap().is_some()
                });
                kills += u32::from(server.try_wait().unwrap().is_none());
                // One that is over already is killed once too often.
                let _ = server.kill();
                server.wait().unwrap();
                assert_no_host(&killed);
                kept = matches(&killed);
            }
            assert!(kills > 1, "{keys}: it was over before it was killed twice");
            killed.agon(["ladder", "--quiet", "--jobs", jobs]).well();
            assert_whole(&killed, 2);
            assert_eq!(outcome(&killed), expected, "{keys} with {jobs} jobs, killed {kills} times");
        }
    }
}

#[test]
fn who_is_gone_loses_what_is_drawn_and_is_not_paired_again() {
    let arena = arena(6, "pairing = \"swiss\"\nrounds = 5\nopenings = 20");
    let mut server = arena.start(["ladder", "--quiet"]);
    wait_until("the first round is played", || matches(&arena) >= 6);
    server.kill().unwrap();
    server.wait().unwrap();
    arena.agon(["clients", "--withdraw", "p2"]).well();
    let ran = arena.agon(["ladder"]).well();
    assert!(ran.stderr.contains("round 2: 2 meetings, a bye for p"), "{}", ran.stderr);
    let members = Store::open_existing(&arena.path("agon-out")).unwrap();
    let roster = members.roster(members.newest_ladder().unwrap().unwrap().id).unwrap();
    let gone = roster.iter().find(|member| member.entrant.label == "p2").unwrap().id;
    let stages = stages(&arena);
    assert_eq!(stages.len(), 5);
    let of_first = stages[0].0.meetings.iter().position(|meeting| meeting.contains(&gone)).unwrap();
    let scores = &stages[0].1.as_ref().unwrap()[of_first];
    assert_eq!(scores.iter().sum::<i64>(), 40_000, "what was not played is won by the other: {scores:?}");
    assert!(stages[1..].iter().all(|(stage, _)| !stage.meetings.concat().contains(&gone)));

    arena.agon(["clients", "--let-back", "p2"]).well();
    arena.ladder_toml(&toml(6, "pairing = \"swiss\"\nrounds = 6\nopenings = 20"));
    let back = arena.agon(["ladder"]).well();
    assert!(back.stderr.contains("round 6: 3 meetings"), "{}", back.stderr);
    assert_eq!(self::stages(&arena)[..5], stages, "what is closed stays");
}

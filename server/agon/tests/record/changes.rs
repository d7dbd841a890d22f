//! What changes between two runs: settings are refused, clients come and go, a second server waits, jobs do not matter.

use crate::builder::Arena;
use crate::held::{assert_no_host, assert_whole, games, matches, pairs, pairs_toml, table, wait_until};
use std::fs;

#[test]
fn a_second_server_is_refused_with_the_number_of_the_first() {
    let arena = pairs(20_000);
    let mut first = arena.start(["ladder", "--quiet"]);
    wait_until("the first plays", || matches(&arena) > 0);
    let second = arena.agon(["ladder"]);
    assert_eq!(second.status, Some(1));
    let said = format!("process {} is running the ladder pairs; help: wait until it is done", first.id());
    assert!(second.stderr.contains(&said), "{}", second.stderr);
    let beside = arena.agon(["match", "random", "greedy", "--board", "square:5"]);
    assert_eq!(beside.status, Some(0), "another ladder of the same record may run: {}", beside.stderr);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_no_host(&arena);
    assert_whole(&arena, 2);
}

#[test]
fn changed_settings_are_refused_with_two_ways_out() {
    let arena = pairs(2);
    arena.agon(["ladder", "--quiet"]).well();
    let (before, kept) = (table(&arena), games(&arena));
    arena
        .ladder_toml(&pairs_toml(2).replace("\"5s\"", "\"6s\"").replace("square:5", "donut:6").replace("= 11", "= 12"));
    let refused = arena.agon(["ladder"]);
    assert_eq!(refused.status, Some(3));
    for said in [
        "time.per_move: was 5s, is now 6s",
        "options.1.board: was square:5, is now donut:6",
        "ladder.seed: was 11, is now 12",
        "help: undo the change; or begin anew by --fresh",
        "or record elsewhere: --record DIR, or another name in the ladder file",
    ] {
        assert!(refused.stderr.contains(said), "{said} is not in: {}", refused.stderr);
    }
    assert_eq!(table(&arena), before, "nothing happened to the record");

    let fresh = arena.agon(["ladder", "--fresh"]).well();
    assert!(fresh.stderr.contains("the old results are kept as ladder pairs~1"), "{}", fresh.stderr);
    assert_ne!(table(&arena), before);
    let aside = arena.agon(["standings", "--ladder", "pairs~1"]).well().stdout;
    assert_eq!(aside.replace("pairs~1:", "pairs:"), before);
    let list = arena.agon(["matches", "--ladder", "pairs~1", "--json"]).json();
    let ids: Vec<&str> = list["matches"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), kept.len());
    for id in ids {
        assert!(kept.contains_key(id) && arena.agon(["show", id]).well().stdout.contains(", ladder \"pairs~1\""));
    }
    arena.agon(["ladder", "--quiet"]).well();
    arena.ladder_toml(&pairs_toml(2).replace("\"pairs\"", "\"others\""));
    arena.agon(["ladder", "--quiet"]).well();
    assert!(table(&arena).starts_with("others: "), "the other way out");
}

#[test]
fn clients_join_and_leave_between_runs() {
    let arena = pairs(2);
    arena.agon(["ladder", "--quiet"]).well();
    let before = games(&arena);
    assert_eq!(before.len(), 3 * 2 * 2, "greedy and two kinds of random");

    let late = "[[client]]\nname = \"late\"\nfile = \"clients/random.so\"\noptions = { note = \"another\" }\n";
    arena.ladder_toml(&(pairs_toml(2) + late));
    let joined = arena.agon(["ladder"]).well();
    let after = games(&arena);
    let added: Vec<_> = after.iter().filter(|(id, _)| !before.contains_key(*id)).collect();
    assert!(added.iter().all(|(_, game)| game.clients.iter().any(|client| client == "late")), "{added:?}");
    assert!(before.iter().all(|(id, game)| after[id] == *game), "what was played stays");
    assert!(joined.stderr.contains("24 matches, 12 of them already played"), "{}", joined.stderr);

    arena.ladder_toml(&pairs_toml(2));
    fs::remove_file(arena.path("clients/greedy.so")).unwrap();
    let left = arena.agon(["ladder"]).well();
    assert!(left.stderr.contains("4 matches, 4 of them already played"), "{}", left.stderr);
    assert_eq!(games(&arena), after, "what the others have played stays");
    assert!(table(&arena).contains("greedy") && table(&arena).contains("late"));
    // The table is that of the record, though nobody could play now.
    let before = arena.agon(["standings", "ladder.toml"]).well().stdout;
    fs::remove_file(arena.path("clients/random.so")).unwrap();
    assert_eq!(arena.agon(["standings", "ladder.toml"]).well().stdout, before);
    arena.agon(["clients", "ladder.toml"]).well();
    let both = arena.agon(["standings", "ladder.toml", "--ladder", "pairs"]);
    assert!(both.stderr.contains("cannot be used with"), "{}", both.stderr);
    let nobody = arena.agon(["matches", "--client", "nobody"]);
    assert!(nobody.stderr.contains("is called \"nobody\"; there are: queens, "), "{}", nobody.stderr);
    let full = arena.command(["matches"]).stdout(fs::File::create("/dev/full").unwrap()).output().unwrap();
    let told = String::from_utf8_lossy(&full.stderr);
    assert!(full.status.code() == Some(1) && told.starts_with("error: writing the answer: "), "{told}");
}

#[test]
fn more_rounds_are_added_to_what_was_played() {
    let (grown, whole) = (pairs(1), pairs(3));
    grown.agon(["ladder", "--quiet"]).well();
    grown.ladder_toml(&pairs_toml(3));
    grown.agon(["ladder", "--quiet"]).well();
    whole.agon(["ladder", "--quiet"]).well();
    assert_eq!(games(&grown), games(&whole));
    assert_eq!(table(&grown), table(&whole));
}

#[test]
fn the_same_seed_gives_the_same_games_whatever_the_jobs() {
    if std::thread::available_parallelism().unwrap().get() < 2 {
        agon_skips::skip_here("two jobs need two cores");
        return;
    }
    let played = |jobs: &str, arena: Arena| {
        let ran = arena.agon(["ladder", "--jobs", jobs]).well();
        assert!(ran.stderr.contains(&format!("{jobs} at once")), "{}", ran.stderr);
        (games(&arena), table(&arena))
    };
    assert_eq!(played("1", pairs(4)), played("2", pairs(4)));
    assert_eq!(played("1", crate::held::sixes(3)), played("2", crate::held::sixes(3)));
    let other = pairs(4);
    other.ladder_toml(&pairs_toml(4).replace("seed = 11", "seed = 13"));
    assert_ne!(played("1", pairs(4)).0, played("1", other).0, "another seed, other games");
}

//! A record on PostgreSQL is cared for as one in a folder is: it moves with its rounds and suspensions,
//! damage is found, and what nobody needs is cleaned away.

use crate::builder::Arena;
use crate::cluster::Cluster;
use crate::held::{pairs, pairs_toml, table};
use agon_model::Excuse;
use agon_record::{Record, SqliteRecord};
use postgres::{Client, NoTls};
use std::fs;

fn swiss(rounds: u32) -> String {
    let pairing = format!("pairing = \"swiss\"\nrounds = {rounds}\nopenings = 3");
    pairs_toml(3).replacen("openings = 3", &pairing, 1)
}

fn owner(url: &str) -> Client {
    Client::connect(url, NoTls).unwrap()
}

fn lines(text: &str, kind: &str) -> usize {
    text.lines().filter(|line| line.contains(&format!("\"t\":\"{kind}\""))).count()
}

#[test]
fn rounds_and_suspensions_move_along_both_ways() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (pairs(3), cluster.database());
    arena.ladder_toml(&swiss(2));
    arena.agon(["ladder", "--quiet"]).well();
    for words in [["--bench", "moves"], ["--let-back", "moves"], ["--bench", "queens"]] {
        arena.agon([&["clients"], &words[..]].concat()).well();
    }
    excuse_twice(&arena);
    let export = |record: &str, file: &str| {
        arena.agon(["record", "export", "jsonl", "--record", record, "--out", file]).well();
        fs::read_to_string(arena.path(file)).unwrap()
    };
    let here = export("agon-out", "here.jsonl");
    assert_eq!((lines(&here, "stage"), lines(&here, "suspension")), (2, 2));
    assert!(here.contains("\"let_back\":null") && here.contains("\"scores\":[["));
    assert!(here.contains("\"cause\":\"kept-off\",\"times\":2"), "{here}");
    arena.agon(["record", "import", "here.jsonl", "--record", &url]).well();
    assert_eq!(export(&url, "there.jsonl"), here);
    arena.agon(["record", "import", "there.jsonl", "--record", "back"]).well();
    assert_eq!(export("back", "back.jsonl"), here);
    arena.agon(["record", "import", "here.jsonl", "--record", &url]).well();
    assert_eq!(export(&url, "twice.jsonl"), here, "what is there has its own");
    // It goes on as it would have.
    arena.ladder_toml(&swiss(3));
    arena.agon(["ladder", "--quiet"]).well();
    arena.agon(["ladder", "--quiet", "--record", &url]).well();
    let there = |words: &[&str]| arena.agon(words.iter().copied().chain(["--record", &url])).well().stdout;
    assert_eq!(there(&["standings"]), table(&arena));
    assert_eq!(there(&["clients"]), arena.agon(["clients"]).well().stdout);
    let anonymous = arena.agon(["record", "export", "jsonl", "--anonymise"]).well().stdout;
    assert!(lines(&anonymous, "stage") == 3 && !anonymous.contains("greedy"));
}

/// As a machine does that keeps a client from its core.
fn excuse_twice(arena: &Arena) {
    let store = SqliteRecord::open(&arena.path("agon-out")).unwrap();
    let ladder = store.newest_ladder().unwrap().unwrap();
    let entrant = store.members(ladder.id).unwrap()[0].id;
    store.keep_excuses(ladder.id, &[(entrant, Excuse::KeptOff), (entrant, Excuse::KeptOff)]).unwrap();
}

#[test]
fn stages_that_cannot_be_are_refused() {
    let arena = pairs(3);
    arena.ladder_toml(&swiss(2));
    arena.agon(["ladder", "--quiet"]).well();
    excuse_twice(&arena);
    let text = arena.agon(["record", "export", "jsonl"]).well().stdout;
    for (from, to, why) in [
        ("\"order\":[\"", "\"order\":[\"nobody\",\"", "no line tells of client \"nobody\""),
        ("\"scores\":[[", "\"scores\":[[1],[", "openings, meetings or points that cannot be"),
        ("\"openings\":\"3\"", "\"openings\":\"18446744073709551615\"", "openings, meetings or points that cannot be"),
        ("\"kind\":\"round\"", "\"kind\":\"dance\"", "unknown variant"),
        ("\"times\":2", "\"times\":200000", "excused more often than can be"),
        ("\"cause\":\"kept-off\"", "\"cause\":\"bad luck\"", "unknown variant"),
    ] {
        let wrong = text.replacen(from, to, 1);
        assert_ne!(wrong, text, "{from}");
        arena.file("wrong.jsonl", wrong);
        let refused = arena.agon(["record", "import", "wrong.jsonl", "--record", "other"]);
        assert!(refused.status != Some(0) && refused.stderr.contains(why), "{}", refused.stderr);
    }
}

fn looked_at(arena: &Arena, url: &str) -> (Option<i32>, String) {
    let ran = arena.agon(["doctor", "--record", url]);
    (ran.status, ran.stdout)
}

#[test]
fn damage_is_found_wherever_it_is() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (pairs(3), cluster.database());
    arena.ladder_toml(&swiss(2));
    arena.agon(["ladder", "--quiet", "--record", &url]).well();
    arena.agon(["clients", "--bench", "moves", "--record", &url]).well();
    let (status, said) = looked_at(&arena, &url);
    assert!(status == Some(0) && said.contains("ok    record  6 blocks"), "{said}");
    let mut owner = owner(&url);
    for (damage, repair, told) in [
        (
            "UPDATE seat SET score = score + 1 WHERE match = 3",
            "UPDATE seat SET score = score - 1 WHERE match = 3",
            "block ",
        ),
        (
            "UPDATE match SET ending = 'odd' WHERE number = 2",
            "UPDATE match SET ending = 'over' WHERE number = 2",
            "block ",
        ),
        ("UPDATE ladder SET seed = seed + 1", "UPDATE ladder SET seed = seed - 1", "ladder 1 is not"),
        ("UPDATE stage SET content = content || ' '", "UPDATE stage SET content = rtrim(content)", "stage 1 0 is not"),
        (
            "UPDATE suspension SET at = at + '1 s'",
            "UPDATE suspension SET at = at - '1 s'::interval",
            "suspension 1 is not",
        ),
    ] {
        let unseen = |change: &str| format!("SET search_path = agon; SET session_replication_role = replica; {change}");
        owner.batch_execute(&unseen(&damage.replace("'1 s'", "'1 s'::interval"))).unwrap();
        let (status, said) = looked_at(&arena, &url);
        assert!(status == Some(5) && said.contains("BAD ") && said.contains(told), "{damage}: {said}");
        owner.batch_execute(&unseen(repair)).unwrap();
        assert_eq!(looked_at(&arena, &url).0, Some(0), "{repair}");
    }
    // What is changed in the ordinary way is sound, but not what was damaged before.
    owner.batch_execute("SET session_replication_role = origin; UPDATE agon.ladder SET used = used + 1").unwrap();
    assert_eq!(looked_at(&arena, &url).0, Some(0));
}

#[test]
fn what_nobody_needs_goes_from_the_database_and_the_folder() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (pairs(2), cluster.database());
    let play = |words: &[&str]| arena.agon([&["ladder", "--quiet", "--record", &url], words].concat()).well();
    play(&[]);
    arena.ladder_toml(&pairs_toml(1).replace("seed = 11", "seed = 12"));
    play(&["--fresh"]);
    let clean = |words: &[&str]| arena.agon([&["record", "clean", "--record", &url], words].concat()).well().stdout;
    assert_eq!(clean(&[]), "nothing to remove\n");
    let mut owner = owner(&url);
    owner.execute("INSERT INTO agon.file VALUES (repeat('ab', 32), 'old bytes')", &[]).unwrap();
    arena.file("agon-out/matches/0123456789abcdef-a.jsonl", "{}");
    let shown = arena.agon(["standings", "--record", &url]).well().stdout;
    let dry = clean(&["--aside", "--logs"]);
    for line in [
        "       1 files      9 B  copies of clients' files in the database that no ladder names\n",
        "      12 matches         ladder pairs~1, set aside\n",
        "       6 files",
        "nothing is removed yet",
    ] {
        assert!(dry.contains(line), "{line} is not in {dry}");
    }
    assert!(clean(&["--aside", "--logs", "--yes"]).ends_with("removed\n"));
    assert_eq!(clean(&["--aside", "--logs"]), "nothing to remove\n");
    assert_eq!(arena.agon(["standings", "--record", &url]).well().stdout, shown);
    assert_eq!(looked_at(&arena, &url).0, Some(0));
    assert_eq!(owner.query_one("SELECT count(*) FROM agon.file", &[]).unwrap().get::<_, i64>(0), 2);
    let _playing = agon_postgres::PostgresRecord::open_to_play(&url, "pairs").unwrap();
    let refused = arena.agon(["record", "clean", "--yes", "--record", &url]);
    assert_eq!(refused.status, Some(1));
    assert!(refused.stderr.contains("another agon is running the ladder pairs"), "{}", refused.stderr);
}

#[test]
fn a_record_of_another_version_is_refused_untouched() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (Arena::new(), cluster.database());
    drop(agon_postgres::PostgresRecord::open(&url).unwrap());
    let mut owner = owner(&url);
    for (version, way_out) in
        [(17, "by agon record export jsonl, and import that into another database"), (99, "use the agon that wrote it")]
    {
        owner.execute("UPDATE agon.version SET version = $1", &[&version]).unwrap();
        let refused = arena.agon(["standings", "--record", &url]);
        assert_eq!(refused.status, Some(1));
        let why = format!("its version is {version}, this agon knows ");
        assert!(refused.stderr.contains(&why) && refused.stderr.contains(way_out), "{}", refused.stderr);
        let kept: i32 = owner.query_one("SELECT max(version) FROM agon.version", &[]).unwrap().get(0);
        assert_eq!(kept, version);
    }
}

#[test]
fn a_schema_is_made_whole_or_not_at_all() {
    let Some(cluster) = Cluster::shared() else { return };
    let url = cluster.database();
    let mut owner = owner(&url);
    owner.batch_execute("CREATE SCHEMA agon; CREATE TABLE agon.secret (secret uuid)").unwrap();
    assert!(agon_postgres::PostgresRecord::open(&url).is_err());
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'agon'";
    assert_eq!(owner.query_one(tables, &[]).unwrap().get::<_, i64>(0), 1);
    owner.batch_execute("DROP TABLE agon.secret").unwrap();
    drop(agon_postgres::PostgresRecord::open(&url).unwrap());
    assert!(owner.query_one(tables, &[]).unwrap().get::<_, i64>(0) > 20);
}

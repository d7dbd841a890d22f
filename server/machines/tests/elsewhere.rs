//! A record on PostgreSQL is read and cared for as one in a folder: the same words, the same bytes, both ways.

use crate::builder::Arena;
use crate::cluster::Cluster;
use crate::held;
use crate::held::games;
use crate::talker;
use agon_model::FaultKind;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;

/// Commands that read; `ID` is the id of a match with faults and outputs.
const READERS: &[&str] = &[
    "standings",
    "standings --json",
    "standings --csv --lineups",
    "standings --ratings",
    "standings --ratings --like bayeselo",
    "standings --crosstable",
    "standings --for annika",
    "standings --table course",
    "matches",
    "matches --json --limit 7",
    "matches --fault illegal-move",
    "matches --client greedy",
    "matches --client nobody",
    "matches --lost annika",
    "matches --lost annika --against greedy --longer 0 --ending fault",
    "matches -b mini-9",
    "matches --sort turns",
    "matches --client greedy --sort turns --limit 5",
    "clients",
    "clients --json",
    "show last",
    "show ID --moves",
    "show ID --json",
    "show ID --jsonl",
    "show ID --svg 1",
    "show ID --export csv",
    "show zz",
    "show 0",
    "replay ID --text --ascii",
    "rerun ID",
    "record export jsonl",
    "record export csv",
    "record export json --anonymise",
    "record export text --ladder talk",
    "record export text --ladder other",
];

/// A ladder that was exported, in a folder and on PostgreSQL, and the address of that.
fn both() -> Option<(Arena, String)> {
    let (cluster, arena) = (Cluster::shared()?, talker::talk()?);
    let url = cluster.database();
    arena.agon(["record", "export", "jsonl", "--out", "talk.jsonl"]).well();
    // An export leaves paths out: both records are to be of one.
    for part in ["record.sqlite", "record.sqlite-wal", "record.sqlite-shm"] {
        let _ = fs::remove_file(arena.path("agon-out").join(part));
    }
    arena.agon(["record", "import", "talk.jsonl"]).well();
    let said = arena.agon(["record", "import", "talk.jsonl", "--record", &url]).well().stdout;
    assert_eq!(said, "ladder talk: 24 matches imported\n");
    Some((arena, url))
}

/// The id of a match in which somebody was at fault.
fn faulted(arena: &Arena) -> String {
    let list = arena.agon(["matches", "--json", "--fault", FaultKind::IllegalMove.name()]).json();
    list["matches"][0]["id"].as_str().unwrap().to_owned()
}

/// Every file below a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.display().to_string().replace("there", "here"), fs::read(&path).unwrap());
        }
    }
    found
}

#[test]
fn every_command_that_reads_says_the_same() {
    let Some((arena, url)) = both() else { return };
    let id = faulted(&arena);
    for words in READERS {
        let words: Vec<&str> = words.split(' ').map(|word| if word == "ID" { &id } else { word }).collect();
        let (here, there) = (arena.agon(&words), arena.agon(words.iter().copied().chain(["--record", &url])));
        assert_eq!((here.status, &here.stderr), (there.status, &there.stderr), "{words:?}");
        // Times of a match that was played again are its own.
        if words[0] != "rerun" {
            assert_eq!(here.stdout, there.stdout, "{words:?}");
        }
        assert!(here.stdout.len() + here.stderr.len() > 10, "{words:?} says nothing");
    }
    for (place, record) in [("here", "agon-out"), ("there", &url)] {
        let html = format!("{place}.html");
        let mut replay = vec!["replay", id.as_str(), "--html", &html];
        replay.extend((place == "there").then_some(["--record", record]).into_iter().flatten());
        arena.agon(&replay).well();
        arena.agon(["report", "--record", record, "--out", place]).well();
    }
    let page = |name: &str| fs::read_to_string(arena.path(name)).unwrap();
    assert_eq!(page("here.html"), page("there.html"));
    assert_eq!(files(&arena.path("here")), files(&arena.path("there")));
}

#[test]
fn a_ladder_goes_there_and_back_unchanged() {
    let Some((arena, url)) = both() else { return };
    let text = |name: &str| fs::read(arena.path(name)).unwrap();
    arena.agon(["record", "export", "jsonl", "--record", &url, "--out", "there.jsonl"]).well();
    assert_eq!(text("talk.jsonl"), text("there.jsonl"));
    let again = arena.agon(["record", "import", "talk.jsonl", "--record", &url]).well().stdout;
    assert_eq!(again, "ladder talk: 0 matches imported, 24 it had already\n");
    arena.agon(["record", "import", "there.jsonl", "--record", "back"]).well();
    arena.agon(["record", "export", "jsonl", "--record", "back", "--out", "back.jsonl"]).well();
    assert_eq!(text("talk.jsonl"), text("back.jsonl"));
    // What is wrong in the last line of a file leaves nothing.
    let cut = String::from_utf8(text("talk.jsonl")).unwrap().trim_end().rsplit_once('\n').unwrap().0.to_owned();
    arena.file("cut.jsonl", cut + "\n");
    let refused = arena.agon(["record", "import", "cut.jsonl", "--ladder", "cut", "--record", &url]);
    assert!(refused.stderr.contains("the file ends within a block"), "{}", refused.stderr);
    let nothing = arena.agon(["standings", "--ladder", "cut", "--record", &url]);
    assert!(nothing.stderr.contains("the record has nothing of ladder cut"), "{}", nothing.stderr);
    // Nothing of it is played again.
    arena.agon(["ladder", "--quiet", "--record", &url]).well();
    assert_eq!(arena.agon(["standings", "--record", &url]).well().stdout, held::table(&arena));
}

#[test]
fn suspended_and_forgotten_clients_are_so_there_too() {
    let Some((arena, url)) = both() else { return };
    let there = |words: &[&str]| arena.agon(words.iter().copied().chain(["--record", &url]));
    for words in
        [["clients", "--bench", "greedy"], ["clients", "--bench", "greedy"], ["clients", "--let-back", "greedy"]]
    {
        let (here, there) = (arena.agon(words), there(&words));
        assert_eq!((here.stdout, here.stderr), (there.stdout, there.stderr), "{words:?}");
    }
    let dump = |table: &str| {
        let mut client = ::postgres::Client::connect(&url, ::postgres::NoTls).unwrap();
        let row =
            client.query_one(&format!("SELECT coalesce(string_agg({table}::text, ' '), '') FROM agon.{table}"), &[]);
        row.unwrap().get::<_, String>(0)
    };
    let tables = ["ladder", "entrant", "look", "suspension", "void", "block", "match", "seat", "terms", "offer"];
    assert!(tables.iter().any(|table| dump(table).contains("annika")), "the search finds what is there");
    there(&["ladder", "--quiet", "--fresh"]).well();
    let said = there(&["record", "forget", "annika", "--yes"]).well().stdout;
    assert!(
        said.contains("annika: 2 versions in ladders talk, talk~1, 32 matches, which stay under another"),
        "{said}"
    );
    for table in tables {
        let left = dump(table);
        for word in ["annika", talker::NAME, "northtower"] {
            assert!(!left.contains(word), "{word} in {table}: {left}");
        }
    }
    for (_, id) in (0..).zip(games(&arena).into_keys()).take(3) {
        arena.agon(["show", &id]).well();
    }
    // What is exported is what was written: every block has the digest of what it is now.
    there(&["record", "export", "jsonl", "--out", "nameless.jsonl"]).well();
    there(&["record", "forget", "random", "--yes", "--matches", "--ladder", "talk"]).well();
    let left = there(&["matches", "--json"]).json();
    assert_eq!(left["matches"].as_array().unwrap().len(), 8, "those of greedy against whoever is forgotten");
}

#[test]
fn a_ladder_file_names_its_record_and_nobody_is_told_the_password() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (held::pairs(2), cluster.database());
    arena.file("place", format!("{url}&password=secret\n"));
    let text = format!("{}\n[output]\nrecord = \"@place\"\n", held::pairs_toml(2));
    arena.ladder_toml(&text);
    let played = arena.agon(["ladder", "--quiet"]).well();
    assert!(!arena.path("agon-out/record.sqlite").exists(), "nothing is kept in the folder");
    for words in [&["standings", "ladder.toml"][..], &["matches", "ladder.toml"], &["show", "last", "ladder.toml"]] {
        arena.agon(words).well();
    }
    assert_eq!(arena.agon(["standings", "ladder.toml"]).well().stdout, played.stdout);
    for (record, said) in [
        ("@nowhere", "No such file or directory"),
        ("somewhere", "write postgres://USER@HOST/DATABASE"),
        ("postgres://me:secret@127.0.0.1:1/x\" \"", "*"),
        ("postgres://me:secret@127.0.0.1:1/x", "the record postgres://me@127.0.0.1:1/x: "),
    ] {
        arena.ladder_toml(&text.replace("@place", record));
        let refused = arena.agon(["standings", "ladder.toml"]);
        assert!(refused.status != Some(0) && refused.stderr.contains(said), "{record}: {}", refused.stderr);
        assert!(!refused.stderr.contains("secret"), "{}", refused.stderr);
    }
}

/// The lines of a log that tell what clients said and what went wrong, and the texts of its moves.
fn said(log: &str) -> Vec<serde_json::Value> {
    let lines = log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let told = lines.filter(|line| ["io", "event", "move"].contains(&line["t"].as_str().unwrap()));
    told.map(|line| if line["t"] == "move" { line["text"].clone() } else { line }).collect()
}

#[test]
fn matches_of_a_worker_leave_the_logs_of_matches_of_this_machine() {
    let Some(cluster) = Cluster::shared() else { return };
    let Some(arena) = talker::talk() else { return };
    let url = cluster.database();
    let here = files(&arena.path("agon-out/matches"));
    fs::remove_dir_all(arena.path("agon-out/matches")).unwrap();
    let mut worker = arena.start(["worker", "run", &url, "--jobs", "1", "--name", "lab", "--cache", "lab"]);
    arena.agon(["ladder", "--quiet", "--jobs", "0", "--record", &url]).well();
    worker.kill().unwrap();
    worker.wait().unwrap();
    let there = files(&arena.path("agon-out/matches"));
    assert_eq!(here.keys().collect::<Vec<_>>(), there.keys().collect::<Vec<_>>());
    assert_eq!(there.len(), 24);
    for (name, log) in &there {
        let (here, log) = (String::from_utf8_lossy(&here[name]), String::from_utf8_lossy(log));
        assert_eq!(said(&here), said(&log), "{name}");
        let id = Path::new(name).file_stem().unwrap().to_str().unwrap();
        assert_eq!(arena.agon(["show", id, "--jsonl", "--record", &url]).well().stdout, log);
    }
    let all: String = there.values().map(|log| String::from_utf8_lossy(log).into_owned()).collect();
    assert!(all.contains("annika at northtower") && all.contains("annika's"), "what it printed and logged is there");
}

#[test]
fn pages_are_served_from_there_and_backups_are_left_to_others() {
    let Some((arena, url)) = both() else { return };
    let mut served =
        arena.command(["serve", "--record", &url, "--listen", "0"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    BufReader::new(served.stdout.take().unwrap()).read_line(&mut said).unwrap();
    let link = said.split_whitespace().find_map(|word| word.strip_prefix("http://")).unwrap();
    let host = link.trim_end_matches(|c: char| !c.is_ascii_digit());
    let get = |path: &str| {
        let mut stream = TcpStream::connect(host).unwrap();
        let ask = format!("GET /ladder/1/{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(ask.as_bytes()).unwrap();
        let mut page = String::new();
        stream.read_to_string(&mut page).unwrap();
        page
    };
    let page = get("index.html");
    let listed = arena.agon(["matches", "--json", "--record", &url]).well().json();
    let ids = listed["matches"].as_array().unwrap().iter().map(|found| found["id"].as_str().unwrap());
    let ids: Vec<&str> = ids.collect();
    let (newest, older) = (get("matches.html"), get(&format!("matches/{}.html", ids[ids.len() - 1])));
    for (number, id) in ids.iter().rev().enumerate() {
        let (is_newest, is_older) = (number < 50, (1..51).contains(&number));
        assert_eq!(newest.contains(&format!("match/{id}.html")), is_newest, "{number}: {newest}");
        assert_eq!(older.contains(&format!("match/{id}.html")), is_older, "{number}: {older}");
    }
    served.kill().unwrap();
    served.wait().unwrap();
    assert!(page.contains("greedy") && page.contains("annika"), "{page}");
    let refused = arena.agon(["record", "backup", "copy.sqlite", "--record", &url]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("help: pg_dump --format=custom --file=FILE URL"), "{}", refused.stderr);
}

//! A client is forgotten: nothing of it is left in any byte of the output folder, and the others' results count on.

use crate::builder::Arena;
use crate::held::{assert_whole, games, matches, table};
use crate::talker::{self, talk};
use std::fs;
use std::path::Path;

/// Every file below a folder in which one of the texts stands.
fn traces(folder: &Path, texts: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.extend(traces(&path, texts));
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let has = |text: &&&str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        found.extend(texts.iter().filter(has).map(|text| format!("{text} in {}", path.display())));
    }
    found
}

/// The hash of its file, as the record has it.
fn hash(arena: &Arena) -> String {
    let clients = arena.agon(["clients", "--json"]).json();
    let of_talker = |client: &&serde_json::Value| client["client"] == "annika";
    clients["clients"].as_array().unwrap().iter().find(of_talker).unwrap()["sha256"].as_str().unwrap().to_owned()
}

/// Lines of the table about the others, without places, which may move.
fn of_others(arena: &Arena) -> Vec<String> {
    let shown = table(arena);
    let lines = shown.lines().filter(|line| line.contains("random  ") || line.contains("greedy  "));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn nothing_is_left_of_a_client_and_the_others_results_count_on() {
    let Some(arena) = talk() else { return };
    let (all, others, hash) = (matches(&arena), of_others(&arena), hash(&arena));
    let told = ["annika", talker::NAME, "northtower", hash.as_str()];
    let out = arena.path("agon-out");
    assert!(traces(&out, &told).len() > 4, "the search finds what is there");
    let said = arena.agon(["record", "forget", "annika", "--yes"]).well().stdout;
    assert!(said.contains("annika: 1 version in ladder talk, 16 matches, which stay under another name"), "{said}");
    assert!(said.contains("forgotten; removed: 1 copy of a file and 16 logs"), "{said}");
    assert_eq!(traces(&out, &told), Vec::<String>::new());
    assert_eq!((matches(&arena), of_others(&arena)), (all, others));
    assert_whole(&arena, 2);
    assert!(table(&arena).contains("forgotten-"), "{}", table(&arena));
    for id in games(&arena).into_keys() {
        arena.agon(["show", &id]).well();
    }
    fs::remove_file(arena.path("clients/annika.so")).unwrap();
    arena.agon(["ladder", "--quiet"]).well();
    assert_eq!(matches(&arena), all, "nothing is played again");
}

#[test]
fn results_that_counted_for_nobody_do_not_come_back() {
    let Some(arena) = talk() else { return };
    let counted = of_others(&arena);
    arena.agon(["clients", "--withdraw", "annika"]).well();
    let others = of_others(&arena);
    assert_ne!(others, counted);
    arena.agon(["record", "forget", "annika", "--yes"]).well();
    assert_eq!(of_others(&arena), others);
}

#[test]
fn its_matches_go_too_where_that_is_wished() {
    let Some(arena) = talk() else { return };
    let all = matches(&arena);
    arena.agon(["record", "forget", "annika", "--yes", "--matches"]).well();
    assert_eq!(matches(&arena), all - 16);
    assert_whole(&arena, 2);
    assert!(!table(&arena).contains("forgotten"), "{}", table(&arena));
    arena.agon(["ladder", "--quiet"]).well();
    assert_eq!(matches(&arena), all, "its file is still there: it takes part anew");
}

#[test]
fn who_comes_back_takes_nobodys_place() {
    let arena = Arena::new();
    arena.rust_client("random");
    let client = |name: &str| format!("[[client]]\nname = \"{name}\"\nfile = \"clients/random.so\"\n");
    let head =
        "[ladder]\nname = \"twins\"\ngame = \"amazons\"\nclients = []\nseed = 3\n[options]\nboard = \"square:5\"\n";
    arena.ladder_toml(&[head, "[time]\nper_move = \"5s\"\n", &client("one"), &client("two")].concat());
    arena.agon(["ladder", "--quiet"]).well();
    let played = games(&arena);
    arena.agon(["record", "forget", "one", "--yes"]).well();
    let left = games(&arena);
    arena.agon(["ladder", "--quiet"]).well();
    let again = games(&arena);
    assert_eq!((played.len(), again.len()), (2, 4));
    for (id, game) in left {
        assert!(game.clients.contains(&"two".to_owned()), "{:?}", game.clients);
        assert_eq!(again.get(&id), Some(&game), "what two has played stays its own");
    }
    for game in again.values().filter(|game| game.clients.contains(&"one".to_owned())) {
        assert!(game.clients.contains(&"two".to_owned()), "{:?}", game.clients);
    }
    let clients = arena.agon(["clients", "--json"]).json();
    let of = |name: &str| clients["clients"].as_array().unwrap().iter().find(|client| client["client"] == name);
    let word = |client: &serde_json::Value| (client["status"].clone(), client["matches"].clone());
    assert_eq!(of("one").map(word), Some(("playing".into(), 2.into())));
    assert_eq!(of("two").map(word), Some(("playing".into(), 4.into())));
    let forgotten = clients["clients"].as_array().unwrap().iter().find(|client| client["status"] == "forgotten");
    assert_eq!(forgotten.unwrap()["matches"], 2, "{clients}");
    let shown = table(&arena);
    assert!(shown.contains("forgotten: by agon record forget"), "{shown}");
}

#[test]
fn nobody_is_forgotten_by_mistake() {
    let Some(arena) = talk() else { return };
    let before = table(&arena);
    let unasked = arena.agon(["record", "forget", "annika"]);
    assert_eq!(unasked.status, Some(2));
    assert!(unasked.stderr.contains("nothing was changed; help: --yes"), "{}", unasked.stderr);
    for words in [
        ["record", "forget", "anika", "--yes", "--matches"].as_slice(),
        &["record", "forget", "annika", "--yes", "--ladder", "x"],
    ] {
        let unknown = arena.agon(words);
        assert_eq!(unknown.status, Some(2));
        assert!(unknown.stderr.contains("no client of this record is called"), "{}", unknown.stderr);
    }
    assert_eq!(table(&arena), before);
}

#[test]
fn tests_that_are_called_after_it_lose_its_name() {
    let Some(arena) = talk() else { return };
    let test = |new: &str, base: &str, more: &[&str]| {
        let words = ["sprt", new, base, "-g", "amazons", "-o", "board=square:5", "--most", "1", "-q"];
        assert_eq!(arena.agon(words.iter().chain(more)).status, Some(8), "one pair answers nothing");
    };
    test("annika", "random", &[]);
    test("annika", "random", &["--fresh"]);
    test("clients/annika.so", "random:style=queen", &[]);
    test("greedy", "annika", &[]);
    test("greedy", "random", &[]);
    let out = arena.path("agon-out");
    assert!(out.join("sprt annika random.lock").exists());
    let said = arena.agon(["record", "forget", "annika", "--yes"]).well().stdout;
    assert!(said.contains("ladder sprt annika random is called sprt forgotten-"), "{said}");
    assert_eq!(traces(&out, &["annika"]), Vec::<String>::new());
    let names = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut locks: Vec<String> = names.filter(|name| name.ends_with(".lock")).collect();
    locks.sort();
    assert_eq!(locks, ["sprt greedy random.lock", "talk.lock"]);
    let db = rusqlite::Connection::open(out.join("record.sqlite")).unwrap();
    let mut select = db.prepare("SELECT name FROM ladder WHERE name LIKE 'sprt %' ORDER BY id").unwrap();
    let names: Vec<String> = select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let ends = [" random~2", " random", " random:style=queen", "", ""];
    for (name, end) in names.iter().zip(ends) {
        assert!(name.ends_with(end), "{names:?}");
        arena.agon(["standings", "--ladder", name]).well();
    }
    assert!(names[..3].iter().all(|name| name.starts_with("sprt forgotten-")), "{names:?}");
    assert!(names[3].starts_with("sprt greedy forgotten-") && names[4] == "sprt greedy random", "{names:?}");
    test("annika", "random", &[]);
    arena.agon(["record", "forget", "annika", "--yes", "--matches"]).well();
    assert_eq!(traces(&out, &["annika"]), Vec::<String>::new());
}

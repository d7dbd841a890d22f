//! All commands alike: those that read a ladder take it in the same way, what they list is there for programs, and they
//! end alike where something is missing.

use crate::builder::{Arena, Ran};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Every command that reads a ladder.
const READERS: &[&str] = &[
    "matches",
    "matches --limit 3",
    "matches --lost random --against greedy -b mini-3 --longer 2 --ending over",
    "standings",
    "standings --ratings",
    "standings --crosstable",
    "standings --for random",
    "clients",
    "show last",
    "show last --moves",
    "replay last --text",
    "analyse last@1",
    "rerun last --verify",
    "record export jsonl",
    "record export csv",
    "report --out pages",
];

/// Every command that lists something, but for those that need a database.
const LISTS: &[&str] = &[
    "matches",
    "standings",
    "standings --ratings",
    "clients",
    "teams ladder.toml",
    "show last",
    "record export json",
    "explain",
    "explain cpu-time",
    "doctor",
    "doctor --record kept",
    "elo --counts 1,2,3",
    "analyse -b mini-3",
    "analyse last@1",
    "analyse -b mini-3 -c random",
    "check clients/random.so -n 1 -o board=mini-3",
    "match random greedy -b mini-3 -n 2 -q",
    "ladder -q",
];

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// Two ladders of one record, of which the one that is not in `ladder.toml` was worked on last.
fn two_ladders() -> Arena {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.rust_client("greedy");
    let text = |name: &str, openings: u32, board: &str| {
        format!(
            "[ladder]\nname = \"{name}\"\ngame = \"amazons\"\nclients = [\"clients/*.so\"]\nopenings = {openings}\nseed = {openings}\n\
             [options]\nboard = \"{board}\"\n[output]\ndir = \"kept\"\n"
        )
    };
    arena.ladder_toml(&text("mine", 2, "mini-3"));
    arena.file("other.toml", text("other", 1, "mini-4"));
    // One at a time: which match is the last one, and what was played in it, is then always the same.
    arena.agon(["ladder", "-q", "--jobs", "1"]).well();
    arena.agon(["ladder", "other.toml", "-q", "--jobs", "1"]).well();
    arena
}

fn answer(ran: &Ran) -> (Option<i32>, String) {
    // Times of a match that was played again are its own.
    let own = |line: &&str| !line.contains("written") && !line.contains(" us ");
    (ran.status, ran.stdout.lines().filter(own).collect::<Vec<_>>().join("\n"))
}

#[test]
fn a_ladder_is_named_in_the_same_ways_by_all() {
    let arena = two_ladders();
    for reader in READERS {
        let run = |more: &str| arena.agon([words(reader), words(more)].concat());
        let by_file = run("ladder.toml").well();
        assert!(by_file.stdout.len() > 10, "{reader}: {by_file:?}");
        // Feedback names the file by which its author finds the ladder.
        let of_file = if reader.contains("--for") { " ladder.toml" } else { "" };
        for more in ["--ladder mine --record kept", "ladder.toml --record kept"] {
            let (status, text) = answer(&run(more));
            let (expected, by_file) = answer(&by_file);
            let is_same = text.replace(of_file, "") == by_file.replace(of_file, "");
            assert!(status == expected && is_same, "{reader} {more}:\n{text}\n{by_file}");
        }
        // A report says only where it is.
        let newest = answer(&run("--record kept")).1;
        assert!(reader.starts_with("report") || newest != answer(&by_file).1, "{reader}: the newest is the other");
        assert_eq!(answer(&run("kept")), answer(&run("--record kept")), "{reader}: by its folder");
        let ended = |more: &str| run(more).status;
        assert_eq!(ended("no.toml"), Some(3), "{reader}: no ladder file");
        assert_eq!(ended("--ladder none --record kept"), Some(2), "{reader}: no such ladder");
        assert_eq!(ended("--record nowhere"), Some(1), "{reader}: no record");
        assert_eq!(ended("ladder.toml --ladder mine"), Some(2), "{reader}: named twice");
        assert_eq!(ended("--no-such-word"), Some(2), "{reader}: no such word");
    }
}

#[test]
fn what_is_listed_is_there_for_programs() {
    let arena = two_ladders();
    let mut schemas = BTreeSet::new();
    for list in LISTS {
        let reads = READERS.contains(list) || *list == "record export json";
        let more = if reads { " ladder.toml" } else { "" };
        let json = if *list == "record export json" { "" } else { " --json" };
        let ran = arena.agon(words(&format!("{list}{more}{json}")));
        assert!(matches!(ran.status, Some(0 | 5)), "{list}: {ran:?}");
        let document: serde_json::Value =
            serde_json::from_str(&ran.stdout).unwrap_or_else(|why| panic!("{list}: {why}: {}", ran.stdout));
        let schema = document["schema"].as_str().unwrap_or_else(|| panic!("{list} has no schema")).to_owned();
        let version = schema.strip_prefix("agon.").and_then(|name| name.split_once('/')?.1.parse::<u32>().ok());
        assert!(version.is_some(), "{list}: {schema}");
        schemas.insert(schema);
    }
    assert!(schemas.len() > 9, "{schemas:?}");
}

#[test]
fn so_many_matches_are_played_as_were_asked_for() {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.rust_client("greedy");
    for (wanted, played) in [("1", 2), ("5", 6), ("6", 6)] {
        let ran = arena.agon(["match", "random", "greedy", "-b", "mini-3", "-q", "-n", wanted]).well();
        assert!(ran.stdout.contains(&format!(", {played} matches in ")), "{}", ran.stdout);
        assert!(!ran.stderr.contains("stopped by"), "{}", ran.stderr);
    }
    let ran = arena.agon(["match", "random", "greedy", "-b", "mini-3", "-q", "--openings", "3"]).well();
    assert!(ran.stdout.contains(", 6 matches in 3 blocks"), "{}", ran.stdout);
}

/// The words of `agon` that a page has in its commands.
fn spoken(page: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(page).unwrap();
    let commands = text.split('`').filter(|part| part.starts_with("agon ")).map(str::to_owned);
    let indented = text.lines().filter_map(|line| line.strip_prefix("    agon ")).map(str::to_owned);
    let all: Vec<String> = commands.chain(indented).collect();
    let of = |line: &String| {
        line.split_whitespace().filter(|word| word.starts_with('-')).map(str::to_owned).collect::<Vec<_>>()
    };
    all.iter().flat_map(of).collect()
}

#[test]
fn pages_in_french_have_the_words_of_those_in_english() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules");
    let french: Vec<_> = fs::read_dir(&rules)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(".fr.md"))
        .collect();
    assert!(french.len() >= 5);
    for page in french {
        let english = page.to_string_lossy().replace(".fr.md", ".md");
        assert_eq!(spoken(&page), spoken(Path::new(&english)), "{}", page.display());
    }
}

#[test]
fn matches_are_narrowed_by_who_lost_to_whom_where_and_how_long() {
    let arena = two_ladders();
    let ids = |more: &str, keeps: &dyn Fn(&serde_json::Value) -> bool| {
        let list = arena.agon(words(&format!("matches ladder.toml --json{more}"))).json();
        let matches = list["matches"].as_array().unwrap().clone();
        matches.iter().filter(|one| keeps(one)).map(|one| one["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let lost = |name: &'static str| {
        move |one: &serde_json::Value| {
            let mut seats = one["seats"].as_array().unwrap().iter();
            seats.any(|seat| seat["label"] == name && seat["rank"] != 1)
        }
    };
    let all = ids("", &|_| true);
    assert_eq!(all.len(), 4);
    for name in ["random", "greedy"] {
        assert_eq!(ids(&format!(" --lost {name}"), &|_| true), ids("", &lost(name)), "{name}");
    }
    assert_eq!(ids(" --lost random", &|_| true).len() + ids(" --lost greedy", &|_| true).len(), 4);
    assert_eq!(ids(" --client random --against greedy -b mini-3", &|_| true), all);
    let shortest = arena.agon(words("matches ladder.toml --json")).json()["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["plies"].as_u64().unwrap())
        .min()
        .unwrap();
    let longer = |one: &serde_json::Value| one["plies"].as_u64().unwrap() > shortest;
    assert_eq!(ids(&format!(" --longer {shortest}"), &|_| true), ids("", &longer));
    assert_eq!(ids(&format!(" --longer {}", shortest - 1), &|_| true), all);
    let is_over = |one: &serde_json::Value| one["ending"] == "over";
    assert_eq!(ids(" --ending over", &|_| true), ids("", &is_over));
    // A stable sort of those in played order: the newer one of two that are as long comes last.
    let list = arena.agon(words("matches ladder.toml --json --sort played")).json();
    let mut sorted = list["matches"].as_array().unwrap().clone();
    sorted.sort_by_key(|one| one["plies"].as_u64());
    let sorted: Vec<&str> = sorted.iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(ids(" --sort turns", &|_| true), sorted);
    assert_eq!(ids(" --sort turns --limit 2", &|_| true), sorted[2..]);
    for (more, message) in [
        ("--ending void", "no ending is called so"),
        ("--lost nobody", "no client of ladder mine is called \"nobody\"; there are: "),
        ("-b donut:9", "nothing of ladder mine is played on \"donut:9\"; there are: mini-3"),
    ] {
        let ran = arena.agon(words(&format!("matches ladder.toml {more}")));
        assert!(ran.status == Some(2) && ran.stderr.contains(message), "{more}: {ran:?}");
    }
}

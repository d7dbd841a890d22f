//! `--anonymise`: no output of a record tells a name, a file or a word of a client, and numbers do not follow names.

use crate::browser::Running;
use crate::builder::{Arena, has_program};
use rustix::process::Signal;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Says who it is wherever it can, and fails as the macro FAIL says.
const TELLTALE: &str = r#"
#include <agon/amazons.h>
#include <stdio.h>
#include <stdlib.h>
const char *get_player_name(void) { return "quagmire " WHO; }
int initialize(const amazons_setup *setup) { (void)setup; fputs("quagmire out " WHO "\n", stdout); agon_log("quagmire", WHO); return 0; }
amazons_move play(const amazons_turn *turn) {
    amazons_move mv = {(uint32_t)turn->head.ply, 0x71756167, 0x71756167};
    fputs("quagmire err " WHO "\n", stderr);
    FAIL;
    return mv;
}
void finalize(void) {}
AGON_CLIENT(amazons)
"#;

/// Of what none may stand in any output: parts of names, files, options, words, and the bytes of a refused move.
const SECRETS: [&str; 9] =
    ["quagmire", "aardvark", "bumblebee", "cormorant", "dormouse", "echidna", "ferret", "style=queen", "67617571"];

/// Five clients with names of animals, of which some fail, one is refused and two are suspended.
fn zoo() -> Option<Arena> {
    let arena = Arena::new();
    let client = |name: &str, fail: &str| {
        arena.c_client_with(name, TELLTALE, &[&format!("-DWHO=\"{name}\""), &format!("-DFAIL={fail}")])
    };
    client("aardvark", "(void)0")?;
    client("bumblebee", "abort()")?;
    client("cormorant", "(void)0")?;
    fs::copy(arena.rust_client("random"), arena.path("clients/dormouse.so")).unwrap();
    fs::remove_file(arena.path("clients/random.so")).unwrap();
    arena.file("clients/echidna.so", "ferret, and no library");
    arena.ladder_toml(
        "[ladder]\nname = \"zoo\"\ngame = \"amazons\"\nseed = 7\nopenings = 2\nclients = [\"clients/*.so\"]\n\
         [options]\nboard = \"mini-3\"\n[output]\ndir = \"out\"\n[run]\nlogs = \"all\"\n",
    );
    let _ = arena.agon(["ladder", "--quiet"]);
    arena.agon(["clients", "--record", "out", "--withdraw", "aardvark"]).well();
    arena.agon(["clients", "--record", "out", "--bench", "bumblebee"]).well();
    Some(arena)
}

#[track_caller]
fn assert_silent(what: &str, text: &str) {
    let text = text.to_lowercase();
    for secret in SECRETS {
        assert!(!text.contains(secret), "{what} tells {secret}: {}", around(&text, secret));
    }
}

fn around<'a>(text: &'a str, secret: &str) -> &'a str {
    let at = text.find(secret).unwrap();
    let from = (0..=at.saturating_sub(100)).rev().find(|from| text.is_char_boundary(*from)).unwrap();
    let to = (at..=(at + 100).min(text.len())).rev().find(|to| text.is_char_boundary(*to)).unwrap();
    &text[from..to]
}

/// Every file below a folder, with its path.
fn all_below(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            found.extend(all_below(&entry.path()));
        } else {
            let text = String::from_utf8_lossy(&fs::read(entry.path()).unwrap()).into_owned();
            found.push((entry.path().display().to_string(), text));
        }
    }
    found
}

#[test]
fn no_output_tells_a_name_or_a_word_of_a_client() {
    if !has_program("cc") {
        return;
    }
    let arena = zoo().unwrap();
    let named = arena.agon(["record", "export", "jsonl", "--record", "out"]).well().stdout;
    for secret in ["quagmire", "aardvark", "bumblebee", "cormorant", "dormouse", "67617571"] {
        assert!(named.contains(secret), "the record has {secret}, so that its absence means something");
    }
    for format in ["jsonl", "csv", "json", "text"] {
        for words in [&["-q"][..], &["-vv"]] {
            let words =
                [&["record", "export", format, "--record", "out", "--anonymise", "--out", "export"], &words[1..]]
                    .concat();
            let ran = arena.agon(words).well();
            assert_silent(&format!("export {format} while it is written"), &(ran.stdout + &ran.stderr));
            assert_silent(&format!("export {format}"), &fs::read_to_string(arena.path("export")).unwrap());
            fs::remove_file(arena.path("export")).unwrap();
        }
    }
    let ran =
        arena.agon(["report", "--record", "out", "--anonymise", "--replays", "all", "--out", "pages", "-vv"]).well();
    assert_silent("report while it is written", &(ran.stdout + &ran.stderr));
    let pages = all_below(&arena.path("pages"));
    assert!(pages.iter().any(|(path, _)| path.contains("/match/")) && pages.len() > 10, "{}", pages.len());
    assert!(pages.iter().any(|(_, text)| text.contains("client-4")), "all are there");
    let root = arena.path("").display().to_string();
    for (path, text) in &pages {
        assert_silent(path, &(path.replace(&root, "") + text));
    }
    let served = Running::start(arena.command(["serve", "--record", "out", "--anonymise", "--listen", "127.0.0.1:0"]));
    let mut asked: BTreeSet<String> = BTreeSet::new();
    let mut next = vec!["/".to_owned(), "/ladders".to_owned(), "/ladder/1/standings.json".to_owned()];
    next.push("/ladder/1/matches.html".to_owned());
    while let Some(path) = next.pop().filter(|_| asked.len() < 400) {
        if !asked.insert(path.clone()) {
            continue;
        }
        let answer = served.get(&path);
        assert_silent(&path, &answer);
        let links =
            answer.split(&['"', ' ', '>', '='][..]).filter(|word| word.contains(".html") || word.contains(".txt"));
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        let here = links.map(|link| link.split(['#', '?']).next().unwrap());
        next.extend(here.map(|link| match link.strip_prefix("../") {
            Some(up) => format!("{}/{up}", folder.rsplit_once('/').map_or("", |(up, _)| up)),
            None if link.starts_with('/') => link.to_owned(),
            None => format!("{folder}/{link}"),
        }));
        if let Some(id) = path.strip_prefix("/ladder/1/match/").and_then(|name| name.strip_suffix(".html")) {
            next.push(format!("/ladder/1/match/{id}.txt"));
        }
    }
    assert!(asked.len() > 20, "{asked:?}");
    served.signal(Signal::INT);
    assert_eq!(served.end(), Some(0));
}

/// The animals in the order of their numbers: who is who is found by what they achieved, as only whoever has both
/// exports can.
fn order(arena: &Arena, record: &str) -> Vec<String> {
    let lines = |words: &[&str]| -> Vec<serde_json::Value> {
        let text = arena.agon([&["record", "export", "jsonl", "--record", record], words].concat()).well().stdout;
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let (named, hidden) = (lines(&[]), lines(&["--anonymise"]));
    let seats = |lines: &[serde_json::Value]| -> Vec<String> {
        let matches = lines.iter().filter(|line| line["t"] == "match");
        matches
            .flat_map(|line| line["seats"].as_array().unwrap().clone())
            .map(|seat| seat["client"].to_string())
            .collect()
    };
    let pairs: BTreeSet<(String, String)> = seats(&hidden).into_iter().zip(seats(&named)).collect();
    let clients: Vec<String> =
        hidden.iter().filter(|line| line["t"] == "client").map(|line| line["client"].to_string()).collect();
    let numbers: Vec<String> = (1..=clients.len()).map(|number| format!("\"client-{number}\"")).collect();
    assert_eq!(clients, numbers, "they stand in the order of their numbers");
    pairs.into_iter().map(|(_, name)| name).collect()
}

#[test]
fn numbers_do_not_follow_names_and_stay() {
    if !has_program("cc") {
        return;
    }
    let (mut orders, arena) = (BTreeSet::new(), zoo().unwrap());
    let standings = || {
        arena.agon(["report", "--record", "out", "--anonymise", "--out", "pages"]).well();
        fs::read_to_string(arena.path("pages/standings.json")).unwrap()
    };
    for _ in 0..6 {
        let (drawn, pages) = (order(&arena, "out"), standings());
        assert_eq!((&order(&arena, "out"), &standings()), (&drawn, &pages), "the same in each output of one record");
        orders.insert(drawn);
        use std::os::unix::fs::PermissionsExt;
        let secret = arena.path("out/anonymous.secret");
        assert_eq!(fs::metadata(&secret).unwrap().permissions().mode() & 0o777, 0o600);
        fs::remove_file(&secret).unwrap();
    }
    assert!(orders.len() > 2, "another secret, other numbers: {orders:?}");
}

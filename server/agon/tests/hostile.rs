//! Names and words of strangers in every output of every command: none of them reaches a terminal, a spreadsheet or a
//! page as more than text.

use crate::builder::{Arena, Ran};
use std::fs;

/// Moves the cursor, colours, rings, turns the direction, hides, is a formula, is HTML, is a link, is a version.
const NAMES: [&str; 8] = [
    "\u{1b}[31mred\u{7}",
    "\u{9b}2J\u{7f}clear",
    "turn\u{202e}ed\u{200b}\u{e0041}",
    "=HYPERLINK(1)",
    "@SUM(A1)",
    "<img src=x>",
    "[click](javascript:1)|x",
    "random@2",
];

const CLIENT: &str = r#"
#include <agon/amazons.h>
#include <stdio.h>
const char *get_player_name(void) { return "=\u202etold|<b>"; }
int initialize(const amazons_setup *setup) {
    (void)setup;
    printf("\x1b[2Jprinted\u202e\n");
    fprintf(stderr, "\x1b]0;title\x07<script>\n");
    agon_log("k\x1b[1m", "v\x1b[31m\u200b=1");
    return 0;
}
amazons_move play(const amazons_turn *turn) { (void)turn; amazons_move none = {99, 99, 99}; return none; }
void finalize(void) {}
AGON_CLIENT(amazons)
"#;

/// What no output may have.
fn is_hostile(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e0fff}' | '\u{feff}')
}

#[track_caller]
fn assert_harmless(what: &str, text: &str) {
    if let Some(line) = text.lines().find(|line| line.contains(is_hostile)) {
        panic!("{what}: {line:?}");
    }
}

/// Runs a command, and looks at all it says.
#[track_caller]
fn check(arena: &Arena, words: &[&str]) -> Ran {
    let ran = arena.agon(words);
    assert_harmless(&format!("{words:?}"), &ran.stdout);
    assert_harmless(&format!("{words:?} on stderr"), &ran.stderr);
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    ran
}

/// A ladder of clients with such names, one of which says such things; it has been played.
fn played() -> Option<Arena> {
    let arena = Arena::new();
    let random = arena.rust_client("random");
    let odd = arena.c_client("odd", CLIENT)?;
    for (number, name) in NAMES.iter().enumerate() {
        let from = if number % 4 == 3 { &odd } else { &random };
        fs::copy(from, arena.path("clients").join(format!("{name}.so"))).unwrap();
    }
    fs::write(arena.path("clients/\u{1b}[5mbad\u{202e}.so"), "no library").unwrap();
    let lib = "-Wl,-soname,lib\u{1b}[31m\u{202e}.so";
    arena.c_client_with("lib", "int depth(void) { return 3; }", &[lib])?;
    let needy = CLIENT.replace("(void)setup;", "int depth(void); (void)setup; depth();");
    let library = arena.path("clients/lib.so");
    arena.c_client_with("needy", &needy, &[library.to_str().unwrap()])?;
    fs::remove_file(library).unwrap();
    arena.ladder_toml(
        "[ladder]\nname = \"lad\u{202e}der=<b>\"\ngame = \"amazons\"\nseed = 1\n[options]\nboard = \"square:5\"\n",
    );
    assert_eq!(check(&arena, &["ladder"]).status, Some(0));
    Some(arena)
}

#[test]
fn no_command_shows_what_a_stranger_wrote_as_more_than_text() {
    let Some(arena) = played() else { return };
    let told = check(&arena, &["clients"]).stdout;
    assert!(told.contains("\\x1b[31mred") && told.contains("needs lib\\x1b[31m"), "{told}");
    let list = check(&arena, &["matches", "--json"]).json();
    let id = list["matches"][0]["id"].as_str().unwrap().to_owned();
    for words in [
        &["ladder"][..],
        &["ladder", "--dry-run"],
        &["standings"],
        &["standings", "--json"],
        &["standings", "--csv"],
        &["standings", "--markdown"],
        &["standings", "--for", "needy"],
        &["standings", "--ratings"],
        &["standings", "--ratings", "--csv"],
        &["standings", "--crosstable"],
        &["standings", "--lineups"],
        &["clients"],
        &["clients", "--json"],
        &["matches"],
        &["matches", "--fault"],
        &["show", "last"],
        &["show", "last", "--json", "--moves"],
        &["show", "last", "--jsonl"],
        &["show", &id, "--log"],
        &["replay", "last", "--text"],
        &["rerun", "last"],
        &["record", "export", "jsonl"],
        &["record", "export", "json"],
        &["record", "export", "csv"],
        &["record", "export", "text"],
        &["record", "backup", "copy\u{1b}[1m.sqlite"],
        &["record", "clean"],
        &["record", "forget", "\u{1b}[31mred\u{7}"],
        &["show", "\u{1b}[31mnone"],
        &["standings", "--ladder", "\u{202e}none"],
        &["standings", "no\u{1b}[1m.toml"],
        &["match", "\u{1b}[31mred\u{7}", "=HYPERLINK(1)"],
        &[
            "add",
            "clients/needy.so",
            "clients/\u{1b}[31mred\u{7}.so",
            "clients/\u{1b}[5mbad\u{202e}.so",
            "--out",
            "to\u{1b}[1m",
        ],
        &["--\u{1b}[1mno"],
        &["\u{1b}[1mno"],
    ] {
        check(&arena, words);
    }
    let logs = fs::read_dir(arena.path("agon-out/matches")).into_iter().flatten();
    for log in logs.map(|entry| entry.unwrap().path()) {
        assert_harmless(&log.display().to_string(), &fs::read_to_string(&log).unwrap());
    }
}

#[test]
fn json_keeps_every_value() {
    let Some(arena) = played() else { return };
    let clients = check(&arena, &["clients", "--json"]).json();
    let labels: Vec<_> =
        clients["clients"].as_array().unwrap().iter().map(|one| one["client"].as_str().unwrap()).collect();
    for name in &NAMES[..7] {
        assert!(labels.contains(name), "{name:?} is not in {labels:?}");
    }
    // It would pass for the second version of random.
    assert!(labels.contains(&"random-2") && !labels.contains(&"random@2"), "{labels:?}");
    check(&arena, &["record", "export", "jsonl", "--out", "all.jsonl"]).well();
    let taken = check(&arena, &["record", "import", "all.jsonl", "--record", "other"]);
    assert_eq!(taken.status, Some(0), "{}", taken.stderr);
}

#[test]
fn a_sheet_runs_nothing_and_a_page_links_nowhere() {
    let Some(arena) = played() else { return };
    for words in [&["standings", "--csv"][..], &["standings", "--crosstable", "--csv"], &["record", "export", "csv"]] {
        let sheet = check(&arena, words).well().stdout;
        assert!(sheet.contains("'=HYPERLINK(1)") && sheet.contains("'@SUM(A1)"), "{sheet}");
        for field in sheet.lines().flat_map(|line| line.split([',', ';'])) {
            assert!(!field.trim_matches('"').trim_start().starts_with(['=', '@']), "{words:?}: {field}");
        }
    }
    let page = check(&arena, &["standings", "--markdown"]).well().stdout;
    for cell in ["`<img src=x>`", "`[click](javascript:1)\\|x`"] {
        assert!(page.contains(cell), "{page}");
    }
}

#[test]
fn mistakes_in_files_are_quoted_as_text() {
    let arena = Arena::new();
    arena.rust_client("random");
    for toml in [
        "[ladder]\ngame = \"ama\u{202e}zons\"\n",
        "[ladder]\ngame = \u{1b}[31m\n",
        "[lad\u{200b}der]\ngame = \"amazons\"\n",
        "[ladder]\ngame = \"amazons\"\n[options]\nboard = \"sq\u{202e}uare\"\n",
        "[ladder]\ngame = \"amazons\"\n[[client]]\nfile = \"clients/\u{202e}.so\"\n",
        "[ladder]\ngame = \"amazons\"\nclients = [\"\u{202e}/*.so\"]\n",
    ] {
        arena.ladder_toml(toml);
        let ran = check(&arena, &["ladder", "--dry-run"]);
        assert_eq!(ran.status, Some(3), "{toml:?}: {}", ran.stderr);
    }
    arena.file("bad.jsonl", "{\"t\":\"\u{202e}x\",\"schema\":\"\u{1b}\"}\n");
    assert_ne!(check(&arena, &["record", "import", "bad.jsonl"]).status, Some(0));
    arena.file("map\u{1b}.toml", "picture = \"\u{202e}\u{1b}\"\n");
    assert_ne!(check(&arena, &["boards", "show", "map\u{1b}.toml"]).status, Some(0));
}

/// The words that a shell makes of a line.
fn shell_words(arena: &Arena, line: &str) -> Vec<String> {
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", &format!("printf '%s\\0' {line}")]).current_dir(arena.path("")).output().unwrap();
    String::from_utf8(output.stdout).unwrap().split_terminator('\0').map(str::to_owned).collect()
}

#[test]
fn a_suggested_command_does_what_it_says_and_nothing_else() {
    let arena = Arena::new();
    let random = arena.rust_client("random");
    let names = ["$(touch PWN)", "--help", "a b", "it's", "*", "`id`", "two\nlines", "-rf"];
    for name in names {
        fs::copy(&random, arena.path("clients").join(format!("{name}.so"))).unwrap();
    }
    arena.ladder_toml(
        "[ladder]\nname = \"odd; names\"\ngame = \"amazons\"\nseed = 7\nclients = [\"clients/*.so\"]\n\
         [options]\nboard = \"mini-2\"\n[stop]\nmatches = 2\n",
    );
    check(&arena, &["ladder", "--quiet"]).well();
    for name in names {
        check(&arena, &["clients", &format!("--withdraw={name}")]).well();
        let told = check(&arena, &["standings"]).well().stdout;
        let (_, rest) = told.split_once("; agon clients ").unwrap_or_else(|| panic!("{name:?}: {told}"));
        let command = rest.split(" lets it play again").next().unwrap();
        let words = shell_words(&arena, command);
        let last = words.last().unwrap();
        assert_eq!(last.strip_prefix("--let-back=").unwrap_or(last), name, "{command}");
        let words: Vec<&str> = std::iter::once("clients").chain(words.iter().map(String::as_str)).collect();
        check(&arena, &words).well();
        assert!(!check(&arena, &["standings"]).well().stdout.contains("--let-back"), "{name:?} is back");
    }
    let advice = check(&arena, &["check", "./clients/a b.so", "-g", "amazons", "-n", "1"]).stdout;
    let next = advice.lines().find_map(|line| line.split_once("next: agon match ")).map(|(_, words)| words.to_owned());
    if let Some(next) = next {
        assert_eq!(shell_words(&arena, &next)[0], "a b", "{next}");
    }
    assert!(!arena.path("PWN").exists(), "a name was run");
}

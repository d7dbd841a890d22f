//! Runs that nobody looks at: who is told what, what a closed terminal leaves, and what a script can tell by the end.

use crate::builder;
use crate::builder::{Arena, has_program};
use crate::held::{assert_no_host, assert_whole, matches, pairs, pairs_toml, wait_until};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Writes a line for each event, with what it is told, as data.
const NOTIFY: &str = r#"printf '%s|%s|%s\n' "$AGON_EVENT" "$AGON_LADDER" "$AGON_MESSAGE" >> told.txt"#;

/// Gives up at once; its name is no friend of shells.
const QUITTER: &str = "#include <agon/amazons.h>
const char *get_player_name(void) { return \"$(touch owned)\"; }
int initialize(const amazons_setup *setup) { return setup != 0; }
amazons_move play(const amazons_turn *turn) { amazons_move none = {0, 0, turn == 0}; return none; }
void finalize(void) {}
AGON_CLIENT(amazons)
";

fn told(arena: &Arena) -> Vec<String> {
    let text = fs::read_to_string(arena.path("told.txt")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_command_is_told_of_benched_clients_and_of_the_end() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    arena.rust_client("random");
    arena.c_client("$(touch owned)", QUITTER).unwrap();
    arena.ladder_toml(
        "[ladder]\nname = \"night\"\ngame = \"amazons\"\nseed = 3\nopenings = 100\n[options]\nboard = \"square:5\"\n\
         [run]\nbench_after = 3\n",
    );
    arena.agon(["ladder", "--quiet", "--notify", NOTIFY]).well();
    let told = told(&arena);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("benched|night|$(touch owned) is benched from block "), "{told:?}");
    assert!(told[1].starts_with("ended|night|has ended: "), "{told:?}");
    assert!(!arena.path("owned").exists(), "what a client is called is data");
}

#[test]
fn a_command_is_told_of_a_failure_and_one_that_fails_is_told() {
    let arena = pairs(1);
    fs::write(arena.path("agon-out"), "no folder").unwrap();
    let ran = arena.agon(["ladder", "--quiet", "--notify", NOTIFY]);
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    let told = told(&arena);
    assert!(told.len() == 1 && told[0].starts_with("trouble|pairs|"), "{told:?}");
    fs::remove_file(arena.path("agon-out")).unwrap();
    let ran = arena.agon(["ladder", "--quiet", "--notify", "exit 3"]).well();
    assert!(ran.stderr.contains("--notify: the command ended with exit status: 3"), "{}", ran.stderr);
}

#[test]
fn a_terminal_that_closes_ends_a_ladder_as_a_request_to_end_does() {
    let arena = pairs(20_000);
    let server = arena.start(["ladder", "--quiet", "--notify", NOTIFY]);
    wait_until("something is played", || matches(&arena) >= 2);
    kill_process(Pid::from_child(&server), Signal::HUP).unwrap();
    let ran = builder::finish(server);
    assert!(ran.status == Some(130) && ran.stderr.contains("Go on with: agon ladder ladder.toml"), "{ran:?}");
    assert!(told(&arena)[0].starts_with("ended|pairs|was stopped: "), "{:?}", told(&arena));
    assert_no_host(&arena);
    arena.ladder_toml(&pairs_toml(1));
    arena.agon(["ladder", "--quiet"]).well();
    assert_whole(&arena, 2);
}

#[test]
fn a_match_with_a_file_that_cannot_play_is_refused_and_not_recorded() {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.rust_client("greedy");
    arena.file("clients/essay.so", "How I would have played.\n");
    let words = ["match", "random", "greedy", "-b", "mini-3", "-q"];
    arena.agon(words).well();
    let played = arena.agon(["matches"]).well().stdout;
    fs::create_dir(arena.path("clients/folder.so")).unwrap();
    std::os::unix::fs::symlink("nowhere", arena.path("clients/dangling.so")).unwrap();
    for (name, why) in [
        ("essay", "essay (essay.so): a text file, not a compiled library"),
        ("folder", "there is no file \"clients/folder.so\""),
        ("dangling", "there is no file \"clients/dangling.so\""),
        ("nobody", "there is no file \"clients/nobody.so\""),
        ("./nobody.so", "there is no file \"./nobody.so\""),
    ] {
        for command in ["match", "sprt"] {
            let ran = arena.agon([command, "random", name, "-b", "mini-3", "-o", "opening=2", "-q"]);
            assert!(ran.status == Some(4) && ran.stderr.contains(why), "{command} {name}: {ran:?}");
        }
    }
    assert_eq!(arena.agon(["matches"]).well().stdout, played, "nothing was recorded, and nothing was set aside");
    let ran = arena.agon(["match", "random", "essay", "-o", "opening=nothing"]);
    assert_eq!(ran.status, Some(3), "an option is wrong as well: {ran:?}");
}

#[test]
fn a_command_that_there_is_not_is_answered_with_the_nearest() {
    let arena = Arena::new();
    let ran = arena.agon(["laddr"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("did you mean agon ladder?"), "{}", ran.stderr);
    let ran = arena.agon(["pertf", "square:5"]);
    assert!(ran.stderr.contains("did you mean agon perft?"), "{}", ran.stderr);
    let ran = arena.agon(["win"]);
    assert!(ran.stderr.contains("agon --help lists them"), "{}", ran.stderr);
}

#[test]
fn warnings_have_colours_on_a_terminal_only() {
    let arena = pairs(1);
    let ran = arena.agon(["ladder", "-vv"]).well();
    assert!(ran.stderr.contains("TRACE"), "there are lines that could have colours: {:?}", ran.stderr);
    assert!(!ran.stderr.contains('\u{1b}'), "{:?}", ran.stderr);
}

#[test]
fn verbose_tells_each_match_and_very_verbose_each_ply() {
    let arena = Arena::new();
    let random = arena.rust_client("random").display().to_string();
    let arguments = ["match", &random, &random, "-b", "mini-3", "-n", "2"];
    let told = |words: &[&str]| arena.agon([&arguments, words].concat()).well().stderr;
    let is_match =
        |line: &&str| line.contains("DEBUG") && line.contains("random (1)") && line.contains(": over plies=");
    let is_ply = |line: &&str| line.contains("TRACE") && line.contains(": random plays ") && line.contains(" ply=");
    for (words, matches, has_plies) in [(&[][..], 0, false), (&["-v"], 2, false), (&["-vv"], 2, true)] {
        let told = told(words);
        assert_eq!(told.lines().filter(is_match).count(), matches, "{words:?}: {told}");
        assert_eq!(told.lines().any(|line| is_ply(&line)), has_plies, "{words:?}: {told}");
    }
}

/// Every status that the code has is in the table of docs/reference/exit-status.md, and no other.
#[test]
fn the_table_of_exit_statuses_is_that_of_the_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let code = fs::read_to_string(root.join("server/command/src/status.rs")).unwrap();
    let page = fs::read_to_string(root.join("docs/reference/exit-status.md")).unwrap();
    let constant = |line: &str| line.strip_prefix("pub const ")?.split_once("u8 = ")?.1.strip_suffix(';')?.parse().ok();
    let row = |line: &str| line.strip_prefix("| ")?.split_once(" |")?.0.parse().ok();
    let coded: BTreeSet<u8> = code.lines().filter_map(constant).collect();
    let listed: BTreeSet<u8> = page.lines().filter_map(row).collect();
    assert!(coded.len() >= 10 && coded == listed, "{coded:?} in the code, {listed:?} in the table");
}

/// The end of a command tells that nobody could play, and that a file was refused, whoever reads on.
#[test]
fn a_script_learns_that_nobody_played() {
    for system in ["", "pairing = \"swiss\"\nrounds = 1\n"] {
        let arena = pairs(1);
        arena.ladder_toml(&pairs_toml(1).replace("openings", &format!("{system}openings")));
        assert_eq!(arena.agon(["ladder", "--quiet"]).status, Some(0), "{system}");
        let all = arena.agon(["clients", "--json"]).json()["clients"].as_array().unwrap().clone();
        for client in &all {
            arena.agon(["clients", "--withdraw", client["client"].as_str().unwrap()]).well();
        }
        let ran = arena.agon(["ladder", "--quiet"]);
        assert_eq!(ran.status, Some(6), "{system}: {ran:?}");
        assert!(ran.stderr.contains("no match can be played: 0 clients left, and a match needs 2; help: "), "{ran:?}");
    }
    let arena = Arena::new();
    arena.rust_client("random");
    arena.file("bad.so", "no library");
    for (words, status) in
        [("match ./bad.so random -n 2 -q", 4), ("match nobody random -n 2 -q", 4), ("match random random -n 2 -q", 0)]
    {
        let mut command = arena.command(words.split(' '));
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ended = command.stdout(writer).stderr(std::process::Stdio::null()).status().unwrap();
        assert_eq!(ended.code(), Some(status), "{words}: nobody reads what it prints");
    }
    arena.file("mybot.c", "int x;");
    for words in ["match mybot.c random", "match random ./mybot.c", "sprt mybot.c random"] {
        let before = fs::read_dir(arena.path("agon-out")).unwrap().count();
        let ran = arena.agon(words.split(' ').chain(["--record", "new"]));
        assert!(ran.status == Some(4) && ran.stderr.contains("mybot.c is a source"), "{words}: {ran:?}");
        assert!(ran.stderr.contains("help: cc -O2 -g -shared -fPIC -I include -o clients/mybot.so"), "{ran:?}");
        assert!(!arena.path("new").exists(), "nothing is recorded");
        assert_eq!(fs::read_dir(arena.path("agon-out")).unwrap().count(), before);
    }
}

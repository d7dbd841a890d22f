//! `agon new` and `agon demo`: from an empty folder to the first win, in every language and game.

use crate::builder::{Arena, Ran, has_command, has_program};
use crate::starters::share_what_cargo_builds;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const GAMES: [&str; 5] = ["amazons", "grundy", "mastermind", "six_qui_prend", "tirs_croises"];

/// An arena with shipped clients beside the program, as after a build.
fn arena(clients: &[&str]) -> Arena {
    let arena = Arena::new();
    for client in clients {
        let file = arena.rust_client(client);
        fs::rename(file, arena.path(format!("bin/lib{}.so", client.replace('-', "_")))).unwrap();
    }
    arena
}

/// Makes, builds and checks a client of each game, whose file ends so.
fn each_game_is_legal(language: &str, ending: &str, with: &[&str]) {
    let arena = arena(&[]);
    for game in GAMES {
        let name = format!("{language}-{}", game.replace('_', "-"));
        // In any order of the words.
        arena.agon(["new", &name, game, language]).well();
        let built = make(&arena.path(&name), with).well();
        assert!(!built.stderr.contains("warning"), "{name}: {}", built.stderr);
        let file = arena.path(&name).join(format!("clients/{name}.{ending}"));
        let ran = arena.agon(["check", file.to_str().unwrap(), "-g", game, "-n", "8"]).well();
        assert!(ran.stdout.ends_with("it can play\n"), "{name}: {}", ran.stdout);
    }
}

/// How many matches a client has won by the table of two.
fn wins(ran: &Ran, client: &str) -> u64 {
    // The matches stand before the table, and a match may be named with any digit.
    let mut table = ran.stdout.lines().skip_while(|line| !line.starts_with("#  client"));
    let line = table.find(|line| line.contains(&format!(" {client} "))).unwrap();
    line.split_whitespace().nth(5).unwrap().parse().unwrap()
}

/// `make` in a folder of the arena, with nothing of the tests' own flags.
fn make(folder: &Path, targets: &[&str]) -> Ran {
    let mut command = Command::new("make");
    command.args(targets).current_dir(folder).stdin(Stdio::null()).env_remove("MAKEFLAGS").env_remove("CFLAGS");
    Ran::from(command.output().unwrap())
}

#[test]
fn from_an_empty_folder_to_the_first_win() {
    if !has_program("cc") || !has_program("make") {
        return;
    }
    let arena = arena(&["random", "greedy"]);
    let ran = arena.agon(["new", "c", "amazons", "anna"]).well();
    for step in ["cd anna", "make test", "make play"] {
        assert!(ran.stdout.contains(step), "{}", ran.stdout);
    }
    let folder = arena.path("anna");
    let built = make(&folder, &[]).well();
    assert!(!built.stderr.contains("warning"), "{}", built.stderr);
    assert!(make(&folder, &["test"]).well().stdout.contains("it can play"));
    let played = make(&folder, &["play"]).well();
    assert!(wins(&played, "anna") > 0, "of ten matches against moves drawn at random one is won: {played:?}");
    let mut ladder = arena.command(["ladder", "-q"]);
    let ran = Ran::from(ladder.current_dir(&folder).output().unwrap()).well();
    assert!(["anna", "random", "greedy"].iter().all(|name| ran.stdout.contains(name)), "{}", ran.stdout);
}

/// A starter in which what its comments advise is done, word by word: what follows `next:` takes the place of the line
/// above it.
fn followed(source: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in source.lines() {
        match line.trim().strip_prefix("/* next: ").and_then(|rest| rest.strip_suffix(" */")) {
            Some(code) => {
                lines.pop();
                lines.push(code);
            }
            None => lines.push(line),
        }
    }
    lines.join("\n")
}

#[test]
fn a_starter_that_is_followed_word_by_word_beats_the_next_opponent() {
    if !has_program("cc") || !has_program("c++") || !has_program("make") {
        return;
    }
    let arena = arena(&["random", "greedy"]);
    for language in ["c", "cpp"] {
        let name = format!("next-{language}");
        arena.agon(["new", language, "amazons", &name]).well();
        let (folder, file) = (arena.path(&name), arena.path(format!("{name}/{name}.{language}")));
        let source = fs::read_to_string(&file).unwrap();
        let better = followed(&source);
        assert_ne!(better, source, "{name} has no advice");
        fs::write(&file, better).unwrap();
        let built = make(&folder, &[]).well();
        assert!(!built.stderr.contains("warning"), "{name}: {}", built.stderr);
        for opponent in ["random", "greedy"] {
            let mut words = arena.command([
                "match",
                &name,
                opponent,
                "-n",
                "20",
                "-q",
                "-s",
                "1",
                "-o",
                "opening=2",
                "-b",
                "standard-8",
            ]);
            let ran = Ran::from(words.current_dir(&folder).output().unwrap()).well();
            assert!(wins(&ran, &name) >= 15, "{name} against {opponent}: {}", ran.stdout);
        }
    }
}

#[test]
fn each_game_has_a_client_in_c_and_cpp_that_is_legal() {
    if !has_program("cc") || !has_program("c++") || !has_program("make") {
        return;
    }
    each_game_is_legal("c", "so", &[]);
    each_game_is_legal("cpp", "so", &[]);
}

#[test]
fn each_game_has_a_client_in_zig_that_is_legal() {
    if !has_command("zig", &["python3", "-m", "ziglang", "version"]) || !has_program("make") {
        return;
    }
    each_game_is_legal("zig", "so", &["ZIG=python3 -m ziglang"]);
}

#[test]
fn each_game_has_a_client_in_go_that_is_legal() {
    if !has_command("go", &["go", "version"]) || !has_program("make") {
        return;
    }
    each_game_is_legal("go", "bin", &[]);
}

#[test]
fn whoever_lacks_a_language_is_told_what_to_install() {
    let arena = arena(&[]);
    for (language, told) in [
        ("go", "this needs go, which is not on this machine: apt-get install golang-go"),
        ("zig", "this needs zig, which is not on this machine: https://ziglang.org, or: pip install ziglang"),
        ("c", "this needs cc, which is not on this machine"),
    ] {
        let ran =
            Ran::from(arena.command(["new", language, &format!("in-{language}")]).env("PATH", "").output().unwrap())
                .well();
        assert!(ran.stdout.contains(told), "{ran:?}");
    }
}

#[test]
fn a_client_in_rust_is_legal() {
    if !has_program("cargo") || !has_program("make") {
        return;
    }
    let arena = arena(&["random"]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    arena.agon(["new", "rust", "anna", "--api", root.join("client-api").to_str().unwrap()]).well();
    let folder = arena.path("anna");
    share_what_cargo_builds(&folder);
    for game in GAMES {
        // The folder of the first game builds all: what they need is the same.
        let other = arena.path(format!("of-{}", game.replace('_', "-")));
        let api = root.join("client-api");
        arena.agon(["new", "rust", game, other.to_str().unwrap(), "--api", api.to_str().unwrap()]).well();
        fs::copy(other.join("src/lib.rs"), folder.join("src/lib.rs")).unwrap();
        let mut command = Command::new("make");
        command
            .current_dir(&folder)
            .env("CARGO_NET_OFFLINE", "true")
            // What is right does not hang on how fast it is.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("MAKEFLAGS");
        let built = Ran::from(command.output().unwrap()).well();
        assert!(!built.stderr.contains("warning: unused"), "{}", built.stderr);
        let file = folder.join("clients/anna.so");
        let ran = arena.agon(["check", file.to_str().unwrap(), "-g", game]).well();
        assert!(ran.stdout.ends_with("it can play\n"), "{game}: {}", ran.stdout);
        if game == GAMES[0] {
            let played = arena.agon(["match", file.to_str().unwrap(), "random", "-n", "10", "-q"]).well();
            assert!(wins(&played, "anna") > 5, "it is better than moves drawn at random: {played:?}");
        }
    }
}

#[test]
fn words_that_mean_nothing_or_too_much_are_told() {
    let arena = arena(&[]);
    let wrong: [(&[&str], &str); 6] = [
        (&["new", "c", "cpp"], "\"cpp\" is a second language; help: languages are c, cpp, rust, zig, go and python"),
        (&["new", "anna", "berta"], "neither \"anna\" nor \"berta\" is a language or a game"),
        (&["new", "a b"], "\"a b\" cannot be the name of a client; help: "),
        (&["new", "c", "mastermnd"], "did you mean \"mastermind\"? For a folder of that name, write ./mastermnd"),
        (&["new", "phyton", "grundy"], "\"phyton\" is neither a language nor a game; help: did you mean \"python\"?"),
        (&["new", "c", "clients"], "clients is there and has something in it; help: name another folder"),
    ];
    arena.file("clients/other", "");
    for (words, said) in wrong {
        let ran = arena.agon(words);
        assert!(ran.status == Some(2) && ran.stderr.contains(said), "{words:?}: {ran:?}");
    }
}

#[test]
fn a_folder_may_be_called_nearly_like_a_language_or_a_game() {
    let arena = arena(&[]);
    for folder in ["rusty", "grundy2", "./mastermnd", "gou"] {
        arena.agon(["new", "c", folder]).well();
        assert!(arena.path(folder).join("Makefile").exists(), "{folder}");
    }
}

#[test]
fn a_short_word_for_a_game_is_that_game_and_a_short_name_is_a_folder() {
    let arena = arena(&[]);
    let made = arena.agon(["new", "c", "six", "sixbot"]).well();
    assert!(made.stdout.contains("made folder sixbot/: a client of 6 qui prend"), "{made:?}");
    for folder in ["rbot", "gobot", "cbot", "pbot"] {
        arena.agon(["new", "c", folder]).well();
        assert!(arena.path(folder).join("Makefile").exists(), "{folder}");
    }
}

#[test]
fn the_game_is_that_of_the_clients() {
    let arena = arena(&["grundy", "six-simple", "mastermind"]);
    for (words, head) in [
        (&["match", "mastermind", "-q"][..], "match: mastermind, 1 seat,"),
        (&["match", "grundy", "grundy:version=random", "-q"], "match: grundy, 2 seats,"),
        (&["match", "six-simple", "six-simple", "-q"], "match: six_qui_prend, 2 seats,"),
        (&["analyse", "-c", "mastermind"], "mastermind plays "),
    ] {
        let ran = arena.agon(words).well();
        assert!(ran.stdout.contains(head), "{words:?}: {}", ran.stdout);
    }
    let ran =
        arena.agon(["sprt", "grundy:version=5", "grundy:version=random", "--most", "2", "--these-openings", "-q"]);
    assert!(
        ran.status == Some(8)
            && ran.stdout.contains("undecided: the limit of pairs (--most) came before the test was sure"),
        "{ran:?}"
    );
    let ran = arena.agon(["match", "grundy", "six-simple"]);
    let said = "grundy plays grundy, six-simple plays six_qui_prend: they cannot meet; help: name clients of one game";
    assert!(ran.status == Some(2) && ran.stderr.contains(said), "{ran:?}");
    let ran = arena.agon(["play", "--against", "grundy", "six-simple", "mastermind"]);
    let said =
        "they cannot meet; help: --against took mastermind as a client; write the game first, or as -g mastermind";
    assert!(ran.status == Some(2) && ran.stderr.contains(said), "{ran:?}");
    // A secret of the other client does not vary by the option that draws it.
    for (option, is_named) in [("secret=1 5 0 0", true), ("maker=client", false)] {
        let ran = arena.agon(["match", "mastermind:level=2", "mastermind:level=3", "-o", option, "-q"]).well();
        let advice = ran.stdout.contains("--openings 10 -o secret=drawn");
        assert!(ran.stdout.contains("--openings 10") && advice == is_named, "{option}: {}", ran.stdout);
    }
    // What a word says counts more than what clients do.
    let ran = arena.agon(["match", "grundy", "grundy", "-g", "amazons", "-b", "mini-3", "-q"]);
    assert!(ran.status == Some(4) && ran.stderr.contains("it plays grundy, not amazons"), "{ran:?}");
}

#[test]
fn a_mistyped_option_of_a_client_is_told() {
    let arena = arena(&["grundy", "random", "greedy"]);
    let declines = |client: &str, said: &str| {
        let ran = arena.agon(["match", client, client.split(':').next().unwrap(), "-q"]);
        assert!(ran.stdout.contains("declined"), "{client}: {ran:?}");
        let shown = arena.agon(["show", "last"]).well();
        assert!(shown.stdout.contains(said), "{client}: {}", shown.stdout);
    };
    declines("grundy:versoin=2", "it has no option versoin, only level, mistakes, table, version");
    declines("random:x=1", "it has no option x, only style");
    declines("greedy:x=1", "the option x is not known: this client has none");
    let ran = arena.agon(["match", "random:note=a", "random:note=b", "-b", "mini-3", "-q"]).well();
    assert!(!ran.stdout.contains("declined"), "{}", ran.stdout);
    let ran = arena.agon(["match", "random:style", "greedy"]);
    assert!(ran.stderr.contains("the client's option \"style\" needs a value"), "{ran:?}");
    let ran = arena.agon(["match", "randon", "greedy"]);
    assert!(ran.stderr.contains("did you mean \"random\"? If not, name the file of a client"), "{ran:?}");
    let ran = arena.agon(["match", "random", "greedy", "random"]);
    assert!(ran.stderr.contains("name 2 clients; to let all clients play each other, use agon ladder"), "{ran:?}");
}

#[test]
fn a_client_that_came_with_agon_is_found_by_its_name() {
    let arena = arena(&["random", "six-simple"]);
    let ran = arena.agon(["match", "random", "random:style=queen", "-b", "mini-3", "-q"]).well();
    assert!(ran.stdout.contains("random:style=queen "), "{}", ran.stdout);
    arena.agon(["match", "six-simple", "six-simple", "-g", "six_qui_prend", "-q"]).well();
    for name in ["classic", "nobody", "../bin/librandom"] {
        let ran = arena.agon(["match", "random", name, "-b", "mini-3", "-q"]);
        let told = ran.stderr.matches("error: ").count() + ran.stderr.matches("help: ").count();
        assert!(ran.status == Some(4) && told == 2 && ran.stderr.contains("agon add FILE.so"), "{name}: {ran:?}");
    }
}

#[test]
fn a_demo_needs_nothing_and_leaves_a_page() {
    let arena = arena(&["random", "greedy"]);
    let ran = arena.agon(["demo"]).well();
    assert!(ran.stdout.contains("open     agon-demo.html"), "{ran:?}");
    let page = fs::read_to_string(arena.path("agon-demo.html")).unwrap();
    assert!(page.contains("greedy") && page.contains("random") && page.contains("<svg"), "{} bytes", page.len());
    arena.agon(["demo"]).well();
    assert!(!arena.path("agon-out").exists(), "nothing is recorded");
    let ran = arena.agon(["demo", "grundy"]);
    assert!(ran.status == Some(6) && ran.stderr.contains("help: keep bin/ and libexec/ together"), "{ran:?}");
}

#[test]
fn a_workflow_plays_a_change_against_its_base() {
    let arena = arena(&[]);
    for (game, command) in [
        ("amazons", "agon sprt clients/anna.py clients/base.py -g amazons -o opening=4 --elo1 20 --most 200 "),
        ("grundy", "agon sprt clients/anna.py clients/base.py -g grundy --elo1 20 --most 200 "),
        ("mastermind", "agon match clients/anna.py clients/base.py -g mastermind -n 40 "),
    ] {
        let folder = format!("{game}-ci/anna");
        arena.agon(["new", "python", game, &folder, "--ci"]).well();
        let text = fs::read_to_string(arena.path(&folder).join(".github/workflows/agon.yml")).unwrap();
        assert!(text.contains(command), "{game}: {text}");
        let is_gap = |word: &str| word.len() > 2 && word.starts_with('@') && word.ends_with('@');
        assert!(!text.split_whitespace().any(is_gap), "{game}: {text}");
        assert!(text.contains("agon check clients/anna.py") && text.contains("agon replay last --html"), "{text}");
    }
    arena.agon(["new", "python", "plain"]).well();
    assert!(!arena.path("plain/.github").exists(), "only if it is asked for");
}

#[test]
fn an_editor_builds_tests_and_debugs_by_its_keys() {
    let arena = arena(&["random"]);
    arena.agon(["new", "c", "amazons", "anna"]).well();
    let read = |file: &str| -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(arena.path("anna/.vscode").join(file)).unwrap()).unwrap()
    };
    assert_eq!(read("tasks.json")["tasks"][0]["command"], "make");
    let debugged = read("launch.json")["configurations"][0].clone();
    assert_eq!((&debugged["program"], &debugged["args"][1]), (&"/usr/bin/env".into(), &"match".into()), "{debugged}");
    if !has_program("cc") || !has_program("make") {
        return;
    }
    make(&arena.path("anna"), &[]).well();
    let words: Vec<&str> =
        debugged["args"].as_array().unwrap()[1..].iter().map(|word| word.as_str().unwrap()).collect();
    let played = Ran::from(arena.command(words).current_dir(arena.path("anna")).output().unwrap()).well();
    assert!(played.stdout.contains(" anna "), "{played:?}");
    arena.agon(["new", "python", "berta"]).well();
    assert!(!arena.path("berta/.vscode/launch.json").exists(), "a program runs apart from the match");
}

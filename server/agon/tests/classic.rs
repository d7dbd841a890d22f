//! Clients of the original course, compiled without any header of agon: all play as docs/guides/classic.md says, on every
//! shape.

use crate::builder::{Arena, Event, Ran, has_program};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// Each is a file in `classic/` that says what it does.
const CLIENTS: [&str; 12] = [
    "get",
    "copy",
    "keep",
    "shrink",
    "lazy",
    "print",
    "leak",
    "early_name",
    "nonsense",
    "reserve",
    "resize",
    "functions",
];
/// Those that allocate, free, resize or keep what others do not.
const MEMORY: [&str; 8] = ["get", "copy", "keep", "shrink", "leak", "early_name", "resize", "functions"];
const BOARDS: [&str; 4] = ["square:10", "donut:12", "clover:10", "eight:12"];

/// A ladder in which each client meets the next, on each board.
fn ring(clients: &[&str], boards: &[&str], more: &str) -> String {
    let pairs: Vec<_> = (0..clients.len()).map(|at| [clients[at], clients[(at + 1) % clients.len()]]).collect();
    format!("[ladder]\ngame = \"amazons\"\nseed = 1\nlineup = {pairs:?}\n[options]\nboard = {boards:?}\n{more}")
}

#[track_caller]
fn said(ran: &Ran, words: &str) {
    let all = format!("{}{}", ran.stdout, ran.stderr);
    assert!(all.contains(words), "no {words:?} in:\n{all}");
}

#[test]
fn every_kind_of_client_plays_on_every_shape() {
    let Some(arena) = Arena::of_the_course(&CLIENTS) else { return };
    arena.ladder_toml(&ring(&CLIENTS, &BOARDS, ""));
    arena.agon(["ladder", "-q"]).well();
    let played = arena.all_shown();
    assert_eq!(played.len(), 2 * CLIENTS.len() * BOARDS.len());
    for shown in &played {
        assert_eq!(shown.ending(), "over");
        for seat in &shown.seats {
            assert!(seat.fault.is_none() && seat.notices.is_empty(), "{seat:?}");
            assert_eq!(seat.layers.len(), 4, "{seat:?}");
            let name = seat.client.replace('_', " ");
            assert!(seat.told_name.starts_with(&name), "{seat:?}");
        }
    }
    let printed = arena.agon(["matches", "--client", "print", "--limit", "1", "--json"]).json();
    let shown = arena.agon(["show", printed["matches"][0]["id"].as_str().unwrap()]).well();
    said(&shown, "statistics 99");
    said(&shown, "played ");
}

#[test]
fn seven_gigabytes_may_be_reserved_on_a_large_board() {
    let Some(arena) = Arena::of_the_course(&["reserve"]) else { return };
    arena.agon(["match", "reserve", "reserve", "-b", "square:20", "--memory", "64MiB"]).well();
    assert_eq!(arena.shown("last").ending(), "over");
}

#[test]
fn any_name_is_taken() {
    let Some(arena) = Arena::of_the_course(&["chance"]) else { return };
    arena.agon(["match", "chance", "chance", "-b", "square:5"]).well();
    let seat = &arena.shown("last").seats[0];
    assert_eq!((seat.told_name.as_str(), seat.notices[0].kind.as_str()), ("chance", "bad-name"));
    for (name, shown) in [
        (r#""\xe9l\xe8ve\t7""#, "\u{fffd}l\u{fffd}ve 7"),
        (r#""0123456789012345678901234567890123456789""#, "01234567890123456789012345678901"),
    ] {
        arena.classic_client("chance", "chance", &[&format!("-DNAME={name}")]);
        arena.agon(["match", "chance", "chance", "-b", "square:5"]).well();
        let seat = &arena.shown("last").seats[0];
        assert_eq!(seat.told_name, shown);
        assert!(seat.fault.is_none() && seat.notices.is_empty(), "{seat:?}");
    }
}

#[test]
fn chance_follows_from_the_seed() {
    let Some(arena) = Arena::of_the_course(&["chance"]) else { return };
    let play = |seed: &str| {
        arena.agon(["match", "chance", "chance", "-b", "square:6", "-s", seed]).well();
        let texts = |moves: &serde_json::Value| {
            let moves = moves.as_array().unwrap().iter();
            moves.map(|mv| mv["text"].as_str().unwrap()).collect::<Vec<_>>().join(" ")
        };
        let games: Vec<String> = arena.all_shown().iter().map(|shown| texts(&shown.json["moves"])).collect();
        assert!(games.iter().all(|game| game.len() > 30), "{games:?}");
        games
    };
    let first = play("7");
    assert_eq!(first, play("7"));
    let games: BTreeSet<String> = [first, play("8"), play("9")].concat().into_iter().collect();
    assert!(games.len() > 3, "{games:?}");
}

#[test]
fn other_boards_are_declined_with_the_reason() {
    let Some(arena) = Arena::of_the_course(&["keep"]) else { return };
    arena.rust_client("random");
    arena.file("begun.toml", "title = \"Begun\"\npicture = \"\"\"\n1...x\n.....\n.....\n.....\n....2\n\"\"\"\n");
    arena.file(
        "graph.toml",
        "title = \"Graph\"\nvertices = 4\nqueens = [[0], [3]]\n\
        [[edge]]\nfrom = \"0\"\nto = \"1\"\ndirection = \"E\"\n[[edge]]\nfrom = \"3\"\nto = \"2\"\ndirection = \"W\"\n",
    );
    for (board, reason) in [
        ("lagoon", "square grids only, and this board is 11 x 9 squares"),
        ("begun.toml", "knows no arrows at the start, and here are 1"),
        ("graph.toml", "square grids only, and this board is not a grid"),
    ] {
        let ran = arena.agon(["match", "keep", "random", "-b", board]);
        said(&ran, reason);
        let shown = arena.shown("last");
        let fault = shown.seat_of("keep").fault.clone().unwrap();
        assert_eq!((fault.kind.as_str(), fault.phase.as_str()), ("declined", "initialize"));
        assert!(fault.message.contains(reason), "{fault:?}");
    }
}

#[test]
fn what_cannot_be_opened_is_declined_with_the_loader_s_words() {
    let Some(arena) = Arena::of_the_course(&["keep"]) else { return };
    arena.classic_client("lazy", "lazy", &["-Wl,-z,now"]);
    let ran = arena.agon(["match", "keep", "lazy"]);
    said(&ran, "cannot be opened");
    said(&ran, "forgotten_evaluation");
}

#[test]
fn the_adapter_is_part_of_the_entrant_and_must_be_there() {
    let Some(arena) = Arena::of_the_course(&["keep"]) else { return };
    let added = arena.agon(["add", "clients/keep.so", "bin/libclassic.so", "--out", "put"]).well();
    said(&added, "left out bin/libclassic.so");
    assert_eq!(fs::read_dir(arena.path("put")).unwrap().count(), 1);

    arena.agon(["match", "keep", "keep"]).well();
    let hash = arena.shown("last").json["seats"][0]["sha256"].as_str().unwrap().to_owned();
    let (file, adapter) = hash.split_once('+').unwrap();
    for half in [file, adapter] {
        assert!(arena.path(format!("agon-out/files/{half}.so")).is_file());
    }
    arena.ladder_toml(&ring(
        &["keep", "keep"],
        &["square:5"],
        "[[client]]\nfile = \"clients/keep.so\"\noptions = { file = \"x\" }\n",
    ));
    let reserved = arena.agon(["ladder"]);
    assert_eq!(reserved.status, Some(3));
    said(&reserved, "the option \"file\" is reserved");

    fs::remove_file(arena.path("bin/libclassic.so")).unwrap();
    let ran = arena.agon(["match", "keep", "keep", "--record", "other"]);
    said(&ran, "a client of the original course (no descriptor)");
    said(&ran, "libclassic.so");
}

#[test]
fn memory_is_handled_as_valgrind_likes_it() {
    let Some(arena) = Arena::of_the_course(&MEMORY) else { return };
    if !has_program("valgrind") {
        return;
    }
    let valgrind = Command::new("sh").args(["-c", "command -v valgrind"]).output().unwrap();
    let valgrind = String::from_utf8(valgrind.stdout).unwrap();
    let logs = arena.path("logs");
    fs::create_dir(&logs).unwrap();
    let quiet = format!("-q --suppressions={}/tests/classic/valgrind.supp", env!("CARGO_MANIFEST_DIR"));
    // No host is forked by another, so that each has a log of its own.
    let only_hosts = "[ \"$1\" = --fork-server ] && exit 1";
    let watched = format!("{only_hosts}\nexec {} {quiet} --log-file={}/%p.log", valgrind.trim(), logs.display());
    arena.wrap("bin/agon-host", &watched);
    let limits = "[time]\nload = \"60s\"\ninitialize = \"60s\"\nfinalize = \"60s\"\nper_move = \"60s\"\n\
                  [limits]\nmemory = \"2GiB\"\n[run]\nsandbox = \"off\"\n";
    let lineup = |pairs: &[[&str; 2]]| format!("[ladder]\ngame = \"amazons\"\nseed = 1\nlineup = {pairs:?}\n");
    let boards = "[options]\nboard = [\"donut:6\", \"clover:5\", \"eight:8\"]\n";
    arena.ladder_toml(&(lineup(MEMORY.as_chunks().0) + boards + limits));
    arena.agon(["ladder", "-q"]).well();
    for shown in arena.all_shown() {
        assert_eq!(shown.ending(), "over");
        // Valgrind itself blocks all signals at times, and then the process that it runs is seen to.
        let is_well = |notices: &[Event]| notices.iter().all(|notice| notice.kind == "blocked-signals");
        assert!(shown.seats.iter().all(|seat| seat.fault.is_none() && is_well(&seat.notices)), "{:?}", shown.seats);
    }
    let logs: Vec<_> = fs::read_dir(logs).unwrap().map(|log| log.unwrap().path()).collect();
    assert_eq!(logs.len(), 2 * 3 * MEMORY.len(), "one process for each seat of a match");
    for log in logs {
        let errors = fs::read_to_string(log).unwrap();
        // Lines that begin otherwise are remarks of valgrind about itself.
        assert!(!errors.lines().any(|line| line.starts_with("==")), "{errors}");
    }
}

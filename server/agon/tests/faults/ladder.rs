//! A ladder of broken clients goes on to its end, tells what was wrong with each, and holds on to nothing.

use super::act::client_that;
use crate::builder::{Arena, Traces, has_program, users};
use crate::held::wait_until;
use std::fs;
use std::io::Read;
use std::process::Child;

/// Name, what it does, and the fault that it is known by.
const BROKEN: [(&str, &str, &str); 5] = [
    ("aborts", "-DAT_PLAY=abort()", "crash"),
    ("exits", "-DAT_INITIALIZE=exit(1)", "early-exit"),
    ("connects", "-DAT_PLAY=socket(AF_INET, SOCK_STREAM, 0)", "forbidden-call"),
    ("hoards", "-DAT_PLAY=fill(malloc)", "out-of-memory"),
    ("cheats", "-DANSWER=last", "illegal-move"),
];

const LADDER: &str = "[ladder]\nname = 'broken'\ngame = 'amazons'\nopenings = 4\nseed = 1\n[options]\nboard = 'square:5'\n\
                      [time]\nper_move = '100ms'\n[limits]\nmemory = '32MiB'\n";

/// More than a server of two workers with two clients each ever needs; a leak of one a match would pass it.
const MOST_DESCRIPTORS: usize = 64;

#[test]
fn a_ladder_of_broken_clients_runs_to_its_end() {
    if !has_program("cc") {
        return;
    }
    for user in users() {
        let arena = Arena::new().as_user(user);
        for name in ["random", "greedy"] {
            arena.rust_client(name);
        }
        for (name, does, _) in BROKEN {
            client_that("").build(&arena, name, &[does]);
        }
        arena.file("clients/empty.so", "");
        arena.file("clients/homework.so", "int main(void) { return 0; }\n");
        arena.ladder_toml(LADDER);
        let before = arena.traces();
        let mut server = arena.start(["ladder", "--json", "--quiet"]);
        let (most, text) = watch(&mut server);
        assert!(server.wait().unwrap().success(), "{text}");
        assert!((5..MOST_DESCRIPTORS).contains(&most), "{most} descriptors");
        arena.traces().nothing_beyond(&before);
        check(&serde_json::from_str(&text).unwrap(), &arena.agon(["standings"]).well().stdout);
    }
}

/// The text for an author and the tables name faults in the order in which they were played.
#[test]
fn faults_are_named_in_the_order_of_the_record() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    arena.rust_client("random");
    client_that("").build(&arena, "cheats", &["-DANSWER=last"]);
    arena.ladder_toml(&LADDER.replace("openings = 4", "openings = 6"));
    arena.agon(["ladder", "--quiet", "--jobs", "1"]).well();
    let list = arena.agon(["matches", "--fault", "--json"]).json();
    let ids: Vec<&str> = list["matches"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 12);
    let text = arena.agon(["standings", "--for", "cheats"]).well().stdout;
    assert!(text.contains("12 matches ended by faults of it; the newest 5:"), "{text}");
    let named: Vec<&str> = ids.iter().copied().filter(|id| text.contains(*id)).collect();
    assert_eq!(named, ids[7..], "{text}");
    let of_cheats = |command: &str| {
        let all = arena.agon([command, "--json"]).json();
        all["clients"].as_array().unwrap().iter().find(|row| row["client"] == "cheats").unwrap().clone()
    };
    assert_eq!(of_cheats("standings")["first_fault"], ids[0]);
    assert_eq!(of_cheats("clients")["last_fault"]["match"], ids[11]);
}

/// The most descriptors that the server had open, and all it said.
fn watch(server: &mut Child) -> (usize, String) {
    let folder = format!("/proc/{}/fd", server.id());
    let mut stdout = server.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        stdout.read_to_string(&mut text).map(|_| text).unwrap()
    });
    let mut most = 0;
    while !reader.is_finished() {
        most = most.max(fs::read_dir(&folder).map_or(0, Iterator::count));
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    (most, reader.join().unwrap())
}

fn check(json: &serde_json::Value, table: &str) {
    // Seven clients that play: 21 pairs, 4 rounds, both seats.
    assert_eq!(json["matches"], 21 * 4 * 2);
    let clients = json["clients"].as_array().unwrap();
    for (name, _, kind) in BROKEN {
        let row = clients.iter().find(|row| row["client"] == name).unwrap();
        assert_eq!(row["faults"].as_object().unwrap().keys().collect::<Vec<_>>(), [kind], "{name}");
    }
    for name in ["random", "greedy"] {
        let row = clients.iter().find(|row| row["client"] == name).unwrap();
        assert_eq!(row["faults"], serde_json::json!({}), "{name}");
    }
    let line =
        |word: &str| table.lines().position(|line| line.contains(word)).unwrap_or_else(|| panic!("{word}: {table}"));
    let last_playing = BROKEN.iter().map(|(name, ..)| line(name)).max().unwrap();
    assert!(line("the file is empty") > last_playing && line("a text file") > last_playing, "{table}");
}

#[test]
fn no_client_outlives_a_killed_server() {
    for (without, expected) in [("[]", 0), ("['privileges']", 1)] {
        if !has_program("cc") {
            return;
        }
        let arena = Arena::new();
        client_that("").build(&arena, "bad", &["-DAT_PLAY=for (;;) sleep_us(1000)"]);
        arena.rust_client("random");
        arena.ladder_toml(
            &LADDER.replace("100ms", "1h").replace("[limits]", &format!("[run]\nwithout = {without}\n[limits]")),
        );
        let mut server = arena.start(["ladder", "--quiet"]);
        let playing = |traces: &Traces| traces.processes.iter().filter(|words| words.contains("agon-host")).count();
        wait_until("both clients play", || playing(&arena.traces()) >= 2);
        std::thread::sleep(std::time::Duration::from_millis(100));
        server.kill().unwrap();
        server.wait().unwrap();
        if expected == 0 {
            wait_until("nobody is left", || playing(&arena.traces()) == 0);
        } else {
            std::thread::sleep(std::time::Duration::from_millis(100));
            assert_ne!(playing(&arena.traces()), 0, "the layer is about nothing");
        }
        for process in arena.traces().processes {
            let number = process.split(' ').next().unwrap().parse().unwrap();
            let _ = rustix::process::kill_process(
                rustix::process::Pid::from_raw(number).unwrap(),
                rustix::process::Signal::KILL,
            );
        }
    }
}

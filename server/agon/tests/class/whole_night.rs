//! A ladder that is left alone for a night while the disk fills up, new files come and the closing time passes.

use super::{BROKEN, class, clients, ladder, submit};
use crate::builder::{Arena, SmallDisk, moment};
use crate::held::{assert_no_host, assert_whole, matches, wait_until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::process::{Child, Stdio};

/// A ladder that waits for new files until its closing time, so many seconds from now.
fn night_ladder(arena: &Arena, closes_in: i64) {
    ladder(arena, 2, "bench_after = 5\nwatch = true\n[grades]\nsteps = [\"0: 1\", \"0.5: 2\"]\notherwise = \"none\"\n");
    let text = fs::read_to_string(arena.path("ladder.toml")).unwrap();
    arena.ladder_toml(&text.replace("[options]", &format!("closing = \"{}\"\n[options]", moment(closes_in))));
}

/// The ladder as somebody leaves it in the evening; what it says is added to `said.txt`.
fn leave_alone(arena: &Arena) -> Child {
    let said = fs::File::options().append(true).create(true).open(arena.path("said.txt")).unwrap();
    let told = "printf '%s\\n' \"$AGON_EVENT\" >> told.txt";
    let mut command = arena.command(["ladder", "--quiet", "--jobs", "2", "--notify", told]);
    command.stdout(Stdio::null()).stderr(said).spawn().unwrap()
}

fn has_played(arena: &Arena, label: &str) -> bool {
    let all = arena.agon(["clients", "--json"]);
    all.status == Some(0)
        && all.json()["clients"].as_array().unwrap().iter().any(|one| one["client"] == label && one["matches"] != 0)
}

/// Takes all room that is left on a disk, until the server waits for it, and gives it back.
fn fill_up_once(arena: &Arena) {
    let said = || fs::read_to_string(arena.path("said.txt")).unwrap();
    let file = arena.path("agon-out/filler");
    let mut filler = fs::File::create(&file).unwrap();
    wait_until("the ladder waits for room", || {
        while filler.write_all(&[0; 4096]).is_ok() {}
        said().contains("waiting, and trying again")
    });
    drop(filler);
    fs::remove_file(file).unwrap();
    wait_until("it goes on", || said().contains("going on: "));
}

/// A class hands in all night; the terminal closes, the disk is full, the machine is switched off. In the morning one
/// command has the table, the grades and a text for each author.
#[test]
fn a_whole_night() {
    let Some(arena) = class() else { return };
    let disk = SmallDisk::over_output_of(&arena, 40 << 10);
    night_ladder(&arena, 3600);
    let mut server = leave_alone(&arena);
    wait_until("something is played", || matches(&arena) > 20);
    submit(&arena, "team-02", 77, 16, 0);
    submit(&arena, "late", 78, 4, 0);
    wait_until("the new version plays", || has_played(&arena, "team-02@2"));
    wait_until("the newcomer plays", || has_played(&arena, "late"));
    kill_process(Pid::from_child(&server), Signal::HUP).unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(130));
    assert_no_host(&arena);
    server = leave_alone(&arena);
    let played = matches(&arena);
    if disk.is_some() {
        fill_up_once(&arena);
    }
    wait_until("it plays on", || matches(&arena) > played);
    // Nothing is asked and nothing is ended: the machine is gone.
    server.kill().unwrap();
    server.wait().unwrap();
    assert_no_host(&arena);
    night_ladder(&arena, 12);
    submit(&arena, "team-03", 79, 16, 0);
    server = leave_alone(&arena);
    assert!(server.wait().unwrap().success(), "{}", fs::read_to_string(arena.path("said.txt")).unwrap());
    assert_whole(&arena, 2);
    let told = fs::read_to_string(arena.path("told.txt")).unwrap();
    assert!(told.lines().filter(|line| *line == "benched").count() >= 4 && told.ends_with("ended\n"), "{told}");

    let morning = arena.agon(["standings", "ladder.toml", "--for-all", "morning"]).well();
    assert!(morning.stderr.contains("one for each client"), "{}", morning.stderr);
    let playing: Vec<Value> = clients(&arena).into_iter().filter(|client| client["status"] == "playing").collect();
    assert_eq!(playing.len(), 26, "all but the broken ones, and the newcomer");
    for client in &playing {
        let (label, least) = (client["client"].as_str().unwrap(), 2 * 2 * 25);
        assert!(client["matches"].as_u64().unwrap() >= least, "it has met everybody: {client}");
        assert!(morning.stdout.contains(label), "{label}\n{}", morning.stdout);
        let team = label.split('@').next().unwrap();
        let text = fs::read_to_string(arena.path(format!("morning/clients/{team}.md"))).unwrap();
        assert!(text.contains("Grade: **") && text.contains("Place **"), "{text}");
    }
    for (name, _) in BROKEN {
        let text = fs::read_to_string(arena.path(format!("morning/clients/{name}.md"))).unwrap();
        assert!(text.contains("Grade: **"), "{text}");
        assert!(text.contains("It could not play") == (name == "essay"), "{text}");
    }
    let csv = fs::read_to_string(arena.path("morning/table.csv")).unwrap();
    assert!(csv.lines().next().unwrap().ends_with(",grade,status,why") && csv.lines().count() > 31, "{csv}");
    assert!(fs::read_to_string(arena.path("morning/table.md")).unwrap().contains("| late "));
    // Another morning replaces what this wrote, and nothing else.
    arena.agon(["standings", "ladder.toml", "--for-all", "morning"]).well();
    let refused = arena.agon(["standings", "ladder.toml", "--for-all", "teams"]);
    assert!(refused.status == Some(2) && refused.stderr.contains("help: choose another folder"), "{refused:?}");
}

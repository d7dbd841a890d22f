//! Opened folders that are away: matches wait, end and play again, and a folder that comes back is open.

use super::{HEAD, arena};
use crate::builder::finish;
use crate::cluster::Cluster;
use crate::held::wait_until;
use agon_postgres::PostgresRecord;
use agon_record::database::Roster as _;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

#[test]
fn a_folder_that_is_away_makes_matches_wait_and_a_link_in_its_place_opens_nothing() {
    let Some(arena) = arena() else { return };
    let long = HEAD.replace("seed = 1\n", "seed = 1\nopenings = 1000\n");
    arena.ladder_toml(&format!("{long}[run]\nlibraries = [\"network/lib\"]\n"));
    let ladder = arena.start(["ladder", "--quiet"]);
    let played = || {
        let table = arena.agon(["standings", "--json"]);
        if table.status == Some(0) { table.json()["matches"].as_u64().unwrap() } else { 0 }
    };
    wait_until("matches are played", || played() > 10);
    let (lib, away) = (arena.path("network/lib"), arena.path("network/away"));
    fs::rename(&lib, &away).unwrap();
    std::os::unix::fs::symlink(&away, &lib).unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let before = played();
    std::thread::sleep(Duration::from_secs(1));
    assert!(before < 2000 && played() == before, "{before} of 2000");
    // A disk that is not mounted leaves an empty folder behind.
    fs::remove_file(&lib).unwrap();
    fs::create_dir(&lib).unwrap();
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(played(), before, "of 2000");
    fs::remove_dir(&lib).unwrap();
    fs::rename(&away, &lib).unwrap();
    let ran = finish(ladder).well();
    assert!(ran.stderr.contains("that the ladder opens cannot be reached"), "{ran:?}");
    let table = arena.agon(["standings", "--json"]).json();
    assert_eq!(table["matches"], 2000, "{table}");
    let faults = arena.agon(["matches", "--fault", "any", "-n", "1"]);
    assert!(!faults.stdout.contains("load-failure"), "{faults:?}");
}

#[test]
fn a_program_that_ends_because_its_folder_is_away_plays_again() {
    let Some(arena) = arena() else { return };
    fs::create_dir_all(arena.path("tools")).unwrap();
    let words = arena.path("tools/words");
    fs::write(&words, "go\n").unwrap();
    let words = words.display();
    let script = format!(
        "#!/bin/sh\nread line < {words}\necho \"$line\" >&2\n[ \"$line\" = go ] || while read line < {words}; do :; done\nexit 3\n"
    );
    let file = arena.file("clients/linked.sh", script);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    let client = "[[client]]\nname = \"script\"\nfile = \"clients/linked.sh\"\n";
    let head = HEAD.replace("\"linked\"", "\"script\"").replace("seed = 1\n", "seed = 1\nopenings = 100\n");
    let time = "load = \"20s\"\ninitialize = \"20s\"\n";
    arena.ladder_toml(&format!("{head}{time}[run]\nprograms = true\nruntimes = [\"tools\"]\n{client}"));
    let ladder = arena.start(["ladder", "-q", "--fresh"]);
    wait_until("matches are played", || {
        let table = arena.agon(["standings", "--json"]);
        table.status == Some(0) && table.json()["matches"].as_u64().unwrap() > 0
    });
    fs::write(arena.path("tools/words"), "wait\n").unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let (tools, away) = (arena.path("tools"), arena.path("away"));
    fs::rename(&tools, &away).unwrap();
    std::thread::sleep(Duration::from_secs(1));
    fs::write(away.join("words"), "go\n").unwrap();
    fs::rename(&away, &tools).unwrap();
    let ran = finish(ladder).well();
    let voids: Vec<_> = ran.stderr.lines().filter(|line| line.contains("void: ")).collect();
    assert!(!voids.is_empty() && voids.iter().all(|line| line.contains("a folder that the ladder opens")), "{ran:?}");
    // The end while the folder was away is in no match: in each the script read the second word.
    let table = arena.agon(["standings", "--json"]).json();
    assert_eq!(table["matches"], 200, "{table}");
    for shown in arena.all_shown() {
        let text = shown.json.to_string();
        assert!(text.contains("status 3") && !text.contains("wait"), "{text}");
    }
}

/// Reads a file of the opened folder in each move, of which it makes five a second.
const READER: &str = "#include <agon/grundy.h>
#include <stdio.h>
#include <stdlib.h>
const char *get_player_name(void) { return \"reader\"; }
int initialize(const grundy_setup *setup) { return setup->num_heaps == 0; }
void finalize(void) {}
grundy_move play(const grundy_turn *turn) {
    uint64_t begun = agon_cpu_us();
    while (agon_cpu_us() - begun < 200000) { }
    FILE *file = fopen(FOLDER \"/words\", \"r\");
    if (!file) abort();
    fclose(file);
    for (uint32_t heap = 0; heap < turn->num_heaps; heap++)
        for (uint32_t split = 1; split < turn->heaps[heap]; split++)
            if (grundy_may_split(turn->heaps[heap], split)) return (grundy_move){heap, split};
    return (grundy_move){0, 0};
}
AGON_CLIENT(grundy)
";

#[test]
fn a_client_that_ends_in_its_match_because_its_folder_is_away_plays_again() {
    let Some(arena) = arena() else { return };
    let (tools, away) = (arena.path("tools"), arena.path("away"));
    fs::create_dir_all(&tools).unwrap();
    fs::write(tools.join("words"), "go\n").unwrap();
    let Some(_) = arena.c_client_with("reader", READER, &[&format!("-DFOLDER=\"{}\"", tools.display())]) else {
        return;
    };
    let head = HEAD.replace("\"linked\"", "\"reader\"").replace("seed = 1\n", "seed = 1\nopenings = 4\n");
    for isolation in ["process", "reuse"] {
        arena.ladder_toml(&format!("{head}[run]\nisolation = \"{isolation}\"\nlibraries = [\"tools\"]\n"));
        // What an earlier ladder left must not be taken for the beginning of this one.
        let _ = fs::remove_dir_all(arena.path("agon-out"));
        let ladder = arena.start(["ladder", "-q"]);
        wait_until("matches are played", || {
            let table = arena.agon(["standings", "--json"]);
            table.status == Some(0) && table.json()["matches"].as_u64().unwrap() > 0
        });
        fs::rename(&tools, &away).unwrap();
        std::thread::sleep(Duration::from_secs(1));
        fs::rename(&away, &tools).unwrap();
        finish(ladder).well();
        let table = arena.agon(["standings", "--json"]).json();
        assert_eq!(table["matches"], 8, "{table}");
        let shown = arena.all_shown();
        for seat in shown.iter().flat_map(|shown| &shown.seats) {
            assert!(seat.fault.is_none(), "{isolation}: {seat:?}");
        }
    }
}

/// Mounts a disk in memory with a folder, whose device and numbers are those of the one before it; false if nobody may
/// mount.
fn mount(disk: &Path) -> bool {
    let mounted = Command::new("mount").args(["-t", "tmpfs", "none"]).arg(disk).output();
    let is_mounted = mounted.is_ok_and(|mounted| mounted.status.success());
    if is_mounted {
        fs::create_dir(disk.join("new")).unwrap();
        fs::write(disk.join("new/words"), "go\n").unwrap();
        fs::rename(disk.join("new"), disk.join("tools")).unwrap();
    } else {
        agon_skips::skip_here("only root may mount, and not in every container");
    }
    is_mounted
}

#[test]
fn a_folder_that_is_mounted_anew_is_open_again() {
    let Some(arena) = arena() else { return };
    let disk = arena.path("disk");
    fs::create_dir_all(&disk).unwrap();
    let Some(_) = arena.c_client_with("reader", READER, &[&format!("-DFOLDER=\"{}\"", disk.join("tools").display())])
    else {
        return;
    };
    let unmount = || Command::new("umount").arg("-l").arg(&disk).status().unwrap();
    let head = HEAD.replace("\"linked\"", "\"reader\"").replace("seed = 1\n", "seed = 1\nopenings = 4\n");
    for isolation in ["process", "reuse"] {
        if !mount(&disk) {
            return;
        }
        arena.ladder_toml(&format!("{head}[run]\nisolation = \"{isolation}\"\nlibraries = [\"disk/tools\"]\n"));
        // What an earlier ladder left must not be taken for the beginning of this one.
        let _ = fs::remove_dir_all(arena.path("agon-out"));
        let ladder = arena.start(["ladder", "-q"]);
        wait_until("matches are played", || {
            let table = arena.agon(["standings", "--json"]);
            table.status == Some(0) && table.json()["matches"].as_u64().unwrap() > 0
        });
        unmount();
        std::thread::sleep(Duration::from_millis(500));
        mount(&disk);
        let ran = finish(ladder);
        unmount();
        ran.well();
        let shown = arena.all_shown();
        assert_eq!(shown.len(), 8, "{isolation}");
        for seat in shown.iter().flat_map(|shown| &shown.seats) {
            assert!(seat.fault.is_none(), "{isolation}: {seat:?}");
        }
    }
}

#[test]
fn a_worker_without_the_opened_folder_plays_nothing_until_the_folder_is_there() {
    let (Some(cluster), Some(arena)) = (Cluster::shared(), arena()) else { return };
    arena.ladder_toml(&format!("{HEAD}[run]\nlibraries = [\"network/lib\"]\n"));
    let url = cluster.database();
    let ladder = arena.start(["ladder", "--quiet", "--jobs", "0", "--record", &url]);
    let blocks = || {
        let workers = PostgresRecord::open(&url).and_then(|record| record.workers()).unwrap_or_default();
        workers.first().map(|row| (row.blocks + row.voids, row.why.clone()))
    };
    let offered = || postgres::Client::connect(&url, postgres::NoTls)?.query("SELECT 1 FROM agon.offer", &[]);
    wait_until("blocks are offered", || offered().is_ok_and(|rows| !rows.is_empty()));
    let (lib, away) = (arena.path("network/lib"), arena.path("network/away"));
    fs::rename(&lib, &away).unwrap();
    let words = ["worker", "run", &url, "--jobs", "1", "--name", "far", "--cache", "far", "--allow-weaker-sandbox"];
    let worker = arena.start(words);
    wait_until("the worker has come", || blocks().is_some());
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(blocks().unwrap().0, 0, "{:?}", blocks());
    fs::rename(&away, &lib).unwrap();
    let ran = finish(ladder).well();
    assert!(!ran.stdout.contains("load-failure"), "{ran:?}");
    kill_process(Pid::from_child(&worker), Signal::TERM).unwrap();
    let said = finish(worker).stderr;
    assert!(said.contains("network/lib"), "it says what is missing: {said}");
}

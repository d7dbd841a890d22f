//! The three isolations come to the same results for deterministic clients, and keep what they promise of each other.

use crate::builder;
use crate::builder::Arena;

/// Steps and ranks of every match, in order, without times and ids.
fn games(arena: &Arena) -> Vec<String> {
    let shown = arena.agon(["matches", "--json"]).json();
    let ids = shown["matches"].as_array().unwrap().iter().map(|line| line["id"].as_str().unwrap().to_owned());
    let game = |id: String| {
        let text = arena.agon(["show", &id, "--jsonl"]).well().stdout;
        let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let kept = lines.filter_map(|line| match line["t"].as_str() {
            Some("move") => Some(format!("{} {} {}", line["seat"], line["bytes"], line["hash"])),
            Some("result") => Some(line["ranks"].to_string()),
            _ => None,
        });
        kept.collect::<Vec<_>>().join("\n")
    };
    ids.map(game).collect()
}

fn play(isolation: &str, words: &[&str]) -> Vec<String> {
    let arena = Arena::new();
    for name in ["random", "six-simple"] {
        arena.rust_client(name);
    }
    let words = words.iter().copied().chain(["--isolation", isolation, "-s", "7", "-q"]);
    arena.agon(words).well();
    let mut games = games(&arena);
    games.sort();
    games
}

#[test]
fn the_same_games_under_every_isolation() {
    let amazons = ["match", "random", "random", "-b", "donut:6", "--openings", "4"];
    let others = ["six-simple:card=largest", "six-simple:card=middle"];
    let six = ["match", "six-simple", others[0], others[1], "-g", "six_qui_prend", "--openings", "4"];
    for words in [&amazons[..], &six[..]] {
        let fresh = play("process", words);
        assert!(fresh.len() >= 8 && fresh.iter().all(|game| !game.is_empty()));
        assert_eq!(fresh, play("reuse", words));
        assert_eq!(fresh, play("none", words));
    }
}

/// Four matches of two clients, one after the other.
fn play_four(arena: &Arena, clients: &str, isolation: &str) {
    let line = format!("match {clients} --openings 2 -b square:5 --isolation {isolation} -j 1 -q");
    arena.agon(line.split(' ')).well();
}

/// Time until the library was open, seat by seat of every match: nothing where it already was.
fn load_times(isolation: &str) -> Vec<u64> {
    let arena = Arena::new();
    arena.rust_client("random");
    play_four(&arena, "random random", isolation);
    let ids = arena.agon(["matches", "--json"]).json();
    let ids = ids["matches"].as_array().unwrap().iter().map(|line| line["id"].as_str().unwrap().to_owned());
    let result = |id: String| {
        let log = arena.agon(["show", &id, "--jsonl"]).well().stdout;
        serde_json::from_str::<serde_json::Value>(log.lines().last().unwrap()).unwrap()
    };
    let usage = |line: serde_json::Value| line["usage"].as_array().unwrap().clone();
    ids.map(result).flat_map(usage).map(|seat| seat["load_us"].as_u64().unwrap()).collect()
}

#[test]
fn a_kept_client_is_loaded_once_and_a_fresh_one_for_each_match() {
    let (fresh, kept) = (load_times("process"), load_times("reuse"));
    assert_eq!((fresh.len(), kept.len()), (8, 8), "four matches of two seats");
    assert!(fresh.iter().all(|&us| us > 0), "{fresh:?}");
    assert!(kept[..2].iter().all(|&us| us > 0) && kept[2..].iter().all(|&us| us == 0), "{kept:?}");
}

#[test]
fn a_fault_ends_a_kept_client_and_costs_one_match() {
    let arena = Arena::new();
    arena.rust_client("random");
    let source = r#"
        #include <agon/amazons.h>
        #include <stdlib.h>
        static int matches;
        const char *get_player_name(void) { return "counts"; }
        int initialize(const amazons_setup *setup) { (void)setup; agon_log_number("matches", ++matches); return 0; }
        amazons_move play(const amazons_turn *turn) { (void)turn; amazons_move mv = {0, 0, 0}; if (matches == 2) abort(); return mv; }
        void finalize(void) {}
        AGON_CLIENT(amazons)
    "#;
    if arena.c_client("counts", source).is_none() {
        return;
    }
    play_four(&arena, "counts random", "reuse");
    let seats: Vec<_> = arena.all_shown().iter().map(|shown| shown.seat_of("counts").clone()).collect();
    let kinds: Vec<_> = seats.iter().map(|seat| seat.fault.as_ref().map(|fault| fault.kind.clone())).collect();
    // A fault ends the process, so that the next match begins with a fresh one.
    assert!(kinds.iter().all(|kind| kind.as_deref() == Some("illegal-move")), "{kinds:?}");
}

#[test]
fn without_isolation_there_is_only_the_wall_clock() {
    let arena = Arena::new();
    arena.rust_client("random");
    let ladder = "[ladder]\ngame = \"amazons\"\nlineup = [\"random\", \"random\"]\n[run]\nisolation = \"none\"\n[time]\nclock = \"cpu\"\n";
    arena.ladder_toml(ladder);
    let ran = arena.agon(["ladder"]);
    assert_eq!(ran.status, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("ladder.toml:7:9") && ran.stderr.contains("wall"), "{}", ran.stderr);
}

/// The processes of this arena that fork hosts: these have the same command line, but no socket.
fn fork_servers(arena: &Arena) -> Vec<i32> {
    let program = arena.path("bin/agon-host");
    let is_one = |pid: &i32| {
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let is_forker = words.split(|byte| *byte == 0).nth(1) == Some(b"--fork-server");
        let link = |name: &str| std::fs::read_link(format!("/proc/{pid}/{name}")).unwrap_or_default();
        is_forker && link("exe") == program && link("fd/3").to_string_lossy().starts_with("socket:")
    };
    let entries = std::fs::read_dir("/proc").unwrap();
    let pids = entries.filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
    pids.filter(is_one).collect()
}

#[test]
fn a_fork_server_that_is_killed_is_started_again_and_no_match_is_lost() {
    let arena = Arena::new();
    arena.rust_client("random");
    let words = ["match", "random", "random", "--openings", "1500", "-b", "square:6", "-s", "7", "-j", "1", "-q"];
    let mut server = arena.start(words);
    let (mut killed, began) = (std::collections::BTreeSet::new(), std::time::Instant::now());
    while server.try_wait().unwrap().is_none() {
        assert!(began.elapsed().as_secs() < 120, "the ladder does not end");
        let running = fork_servers(&arena).into_iter().next();
        if let Some(pid) = running.filter(|pid| killed.len() < 3 && !killed.contains(pid)) {
            killed.insert(pid);
            // It may have ended by itself since it was seen.
            let pid = rustix::process::Pid::from_raw(pid).unwrap();
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            std::thread::sleep(std::time::Duration::from_millis(40));
        }
    }
    assert!(server.wait().unwrap().success() && killed.len() >= 2, "{killed:?}");
    let shown = arena.agon(["matches", "--json", "--limit", "5000"]).json();
    assert_eq!(shown["matches"].as_array().unwrap().len(), 3_000);
    assert!(fork_servers(&arena).is_empty());
}

#[test]
fn hosts_are_started_one_by_one_where_the_program_is_called_by_another() {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.wrap("bin/agon-host", "");
    arena.agon(["match", "random", "random", "--openings", "2", "-b", "square:5", "-q"]).well();
    assert_eq!(games(&arena).len(), 4);
}

/// A client of the tests that does this in `finalize`, at rest with one whose moves take a while and one that is quick.
fn play_beside(act: &str) -> Option<Arena> {
    let arena = Arena::new();
    let source = "#include \"sound.c\"\n";
    let clients = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/tests/clients");
    for (name, flag) in [
        ("bad", &*format!("-DAT_FINALIZE={act}")),
        ("slow", "-DAT_EVERY_PLAY=sleep_us(50000)"),
        ("good", "-DAT_EVERY_PLAY="),
    ] {
        arena.c_client_with(name, source, &["-w", clients, flag])?;
    }
    arena.ladder_toml(
        "[ladder]\nname = 'kept'\ngame = 'amazons'\nclients = ['clients/*.so']\nseed = 1\nopenings = 4\n\
         [options]\nboard = 'square:5'\n[limits]\nmemory = '32MiB'\n[run]\nisolation = 'reuse'\njobs = 1\n",
    );
    Some(arena)
}

/// The faults of the client `bad` between its turns: kind and message.
fn idle_faults_of_bad(arena: &Arena) -> Vec<(String, String)> {
    let shown = arena.all_shown();
    let bad = shown.iter().flat_map(|shown| &shown.seats).filter(|seat| seat.client == "bad");
    let faults = bad.filter_map(|seat| seat.fault.clone()).filter(|fault| fault.phase == "waiting");
    faults.map(|fault| (fault.kind, fault.message)).collect()
}

#[test]
fn what_a_kept_client_does_between_matches_is_seen_and_costs_the_next_one() {
    for (act, kind, words) in [
        ("start_holding(300)", "out-of-memory", "32.0 MiB allowed"),
        ("start_thread_for(30)", "out-of-turn", "while it was not its turn"),
    ] {
        let Some(arena) = play_beside(act) else { return };
        let ran = arena.agon(["ladder", "--quiet"]).well();
        let faults = idle_faults_of_bad(&arena);
        let is_it = |(found, message): &(String, String)| found == kind && message.contains(words);
        assert!(faults.iter().any(is_it), "{faults:?}\n{}", ran.stderr);
        // To fill memory takes time, too.
        assert!(faults.iter().all(|fault| is_it(fault) || fault.0 == "out-of-turn"), "{faults:?}");
        let told = ran.stderr.lines().filter(|line| line.contains("kept for its next match")).count();
        assert!(told > 0, "{}", ran.stderr);
    }
}

/// Where root may have a view of the file system of its own: a library that only the loader's list knows, and a list
/// that is written anew all the time, as where something is installed.
#[test]
fn what_is_installed_while_a_ladder_runs_changes_no_result() {
    if !agon_skips::has_command("root", &["unshare", "-m", "true"]) {
        return;
    }
    let arena = Arena::new();
    arena.rust_client("random");
    let folder = arena.path("lib");
    std::fs::create_dir(&folder).unwrap();
    arena.file("help.c", "int helps(void) { return 1; }\n");
    let library = folder.join("libagonhelps.so");
    let cc =
        |words: &[&str]| std::process::Command::new("cc").args(words).status().is_ok_and(|status| status.success());
    let paths = [arena.path("help.c"), library.clone()].map(|path| path.display().to_string());
    if !cc(&["-shared", "-fPIC", "-o", &paths[1], &paths[0]]) {
        return;
    }
    let source = "extern int helps(void);\n#include \"sound.c\"\n";
    let flags = [
        "-w",
        concat!("-I", env!("CARGO_MANIFEST_DIR"), "/tests/clients"),
        "-DAT_INITIALIZE=helps()",
        "-Wl,--no-as-needed",
        &format!("-L{}", folder.display()),
        "-lagonhelps",
    ];
    arena.c_client_with("linked", source, &flags).unwrap();
    arena.ladder_toml(
        "[ladder]\nname = 'installed'\ngame = 'amazons'\nclients = ['clients/*.so']\nseed = 1\nopenings = 100\n\
         [options]\nboard = 'square:5'\n[run]\nlogs = 'none'\n",
    );
    let script = "set -e; mkdir etc; cp -a /etc/. etc 2>/dev/null || true; echo /usr/local/lib/agon > etc/ld.so.conf.d/agon.conf\n\
                  mkdir -p local/agon; cp lib/*.so local/agon; mount --bind etc /etc; mount --bind local /usr/local/lib; ldconfig\n\
                  (while :; do ldconfig; sleep 0.2; done) & busy=$!\n\
                  trap \"kill $busy\" EXIT; \"$AGON\" ladder --quiet";
    let mut inside = std::process::Command::new("unshare");
    inside.args(["-m", "sh", "-c", script]).env("AGON", arena.path("bin/agon")).current_dir(arena.path("."));
    let ran = builder::Ran::from(inside.output().unwrap()).well();
    let is_clean = ["faults: ", "notices that cost nothing"].iter().all(|word| !ran.stdout.contains(word));
    assert!(ran.stdout.contains("200 matches") && is_clean, "{}\n{}", ran.stdout, ran.stderr);
    // The list may be replaced between the making of the rules and the loader's look at it.
    let voids = ran.stderr.lines().filter(|line| line.contains("void: ")).collect::<Vec<_>>();
    assert!(voids.len() <= 20 && voids.iter().all(|line| line.contains("the system's libraries changed")), "{voids:?}");
}

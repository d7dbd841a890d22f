//! Ctrl-C and SIGTERM: the first lets the blocks under way finish, the second drops them, and both print how to go on.

use crate::builder::{Arena, Ran, finish};
use crate::held::{assert_no_host, assert_whole, games, matches, pairs, pairs_toml, table, wait_until};
use rustix::process::{Pid, Signal, kill_process_group};
use std::process::Child;
use std::time::{Duration, Instant};

/// As a terminal does it: to the whole process group of the server.
fn send(server: &Child, signal: Signal) {
    kill_process_group(Pid::from_child(server), signal).unwrap();
}

fn ended(server: Child) -> Ran {
    finish(server)
}

#[test]
fn the_first_ctrl_c_finishes_the_blocks_under_way() {
    let arena = pairs(20_000);
    let server = arena.start(["ladder"]);
    wait_until("something is played", || matches(&arena) >= 4);
    send(&server, Signal::INT);
    let ran = ended(server);
    assert_eq!(ran.status, Some(130), "{}", ran.stderr);
    assert!(ran.stderr.contains("finishing the blocks under way (Ctrl-C again to drop them)"), "{}", ran.stderr);
    let saved = format!("saved {} of 120000 matches. Go on with: agon ladder ladder.toml", matches(&arena));
    assert!(ran.stderr.contains(&saved), "{saved} is not in: {}", ran.stderr);
    assert!(ran.stdout.starts_with("pairs: "), "the table so far is shown: {}", ran.stdout);
    assert_no_host(&arena);
    assert_whole(&arena, 2);
}

#[test]
fn what_a_ctrl_c_left_is_played_by_the_next_run() {
    let (arena, undisturbed) = (pairs(150), pairs(150));
    for _ in 0..3 {
        let server = arena.start(["ladder"]);
        let before = matches(&arena);
        wait_until("something more is played", || matches(&arena) > before + 4);
        send(&server, Signal::INT);
        assert_eq!(ended(server).status, Some(130));
    }
    arena.agon(["ladder", "--quiet"]).well();
    undisturbed.agon(["ladder", "--quiet"]).well();
    assert_eq!(games(&arena), games(&undisturbed));
    assert_eq!(table(&arena), table(&undisturbed));
}

/// Near the end of a ladder the last block may be taken from the queue and left, while another worker waits for more.
#[test]
fn a_ctrl_c_ends_a_ladder_however_near_its_end_it_is() {
    let arena = pairs(2);
    for _ in 0..12 {
        let server = arena.start(["ladder", "--fresh"]);
        let begun = Instant::now();
        wait_until("it plays", || arena.path("agon-out/record.sqlite").exists());
        std::thread::sleep(Duration::from_millis(u64::from(begun.elapsed().subsec_nanos()) % 150));
        send(&server, Signal::INT);
        let began = Instant::now();
        let done = ended(server);
        assert!(matches!(done.status, Some(0 | 130) | None), "{done:?}");
        assert!(began.elapsed() < Duration::from_secs(30), "it hangs");
    }
}

/// A client that never answers and uses no processor time: its block lasts until the guard of wall time.
fn sleepers() -> Option<Arena> {
    let arena = Arena::new();
    let source = "#include <agon/amazons.h>\n#include <unistd.h>\n\
                  const char *get_player_name(void) { return \"sleeper\"; }\n\
                  int initialize(const amazons_setup *setup) { (void)setup; return 0; }\n\
                  amazons_move play(const amazons_turn *turn) { amazons_move mv = {0}; (void)turn; sleep(100); return mv; }\n\
                  void finalize(void) {}\nAGON_CLIENT(amazons)\n";
    arena.c_client("sleeper", source)?;
    arena.rust_client("random");
    let toml = "[ladder]\ngame = \"amazons\"\nname = \"sleepy\"\n[options]\nboard = \"square:5\"\n[time]\nper_move = \"10s\"\n";
    arena.ladder_toml(toml);
    Some(arena)
}

/// A server in the middle of a block that will not end for a long time.
fn asleep(arena: &Arena) -> Child {
    let server = arena.start(["ladder"]);
    wait_until("a match has begun", || {
        std::fs::read_dir(arena.path("agon-out/matches")).is_ok_and(|files| files.count() > 0)
    });
    std::thread::sleep(Duration::from_millis(100));
    server
}

#[test]
fn the_second_ctrl_c_drops_them() {
    let Some(arena) = sleepers() else { return };
    let mut server = asleep(&arena);
    send(&server, Signal::INT);
    std::thread::sleep(Duration::from_millis(300));
    assert!(server.try_wait().unwrap().is_none(), "the first one waits for the block");
    let began = Instant::now();
    send(&server, Signal::INT);
    let ran = ended(server);
    assert!(began.elapsed() < Duration::from_secs(8));
    assert_eq!(ran.status, Some(130));
    let said = "dropped the blocks under way; what was played is kept. Go on with: agon ladder ladder.toml";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert_no_host(&arena);
    assert_eq!(matches(&arena), 0);
}

#[test]
fn a_request_to_end_waits_ten_seconds_at_most() {
    let Some(arena) = sleepers() else { return };
    let server = asleep(&arena);
    let began = Instant::now();
    send(&server, Signal::TERM);
    let ran = ended(server);
    assert!((9.0..20.0).contains(&began.elapsed().as_secs_f64()), "{:?}", began.elapsed());
    assert_eq!(ran.status, Some(130));
    assert!(ran.stderr.contains("dropped the blocks under way after 10 s. Go on with: agon ladder ladder.toml"));
    assert_no_host(&arena);

    let arena = pairs(20_000);
    let server = arena.start(["ladder"]);
    wait_until("something is played", || matches(&arena) >= 2);
    send(&server, Signal::TERM);
    let ran = ended(server);
    assert!(ran.status == Some(130) && ran.stderr.contains("Go on with: agon ladder ladder.toml"), "{ran:?}");
    arena.ladder_toml(&pairs_toml(1));
    arena.agon(["ladder", "--quiet"]).well();
    assert_whole(&arena, 2);
}

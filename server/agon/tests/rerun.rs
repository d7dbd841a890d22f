//! Matches of the record played again: the same, different, and one client alone in a debugger's hands.

use crate::builder;
use crate::builder::{Arena, has_program};
use serde_json::Value;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// Plays the first legal step of its first queen, and fails in its second turn as the macro FAIL says.
const CLIENT: &str = "#include <agon/amazons.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static int turns;
const char *get_player_name(void) { return \"fails\"; }
int initialize(const amazons_setup *setup) { (void)setup; turns = 0; return 0; }
amazons_move play(const amazons_turn *turn) {
    amazons_move mv = {(uint32_t)turn->head.ply, 0, 0};
    fprintf(stderr, \"asked in ply %u\\n\", (unsigned)turn->head.ply);
    FAIL;
    return mv;
}
void finalize(void) {}
AGON_CLIENT(amazons)
";

#[test]
fn deterministic_clients_play_the_same_again() {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.rust_client("greedy");
    arena.agon(["match", "random", "greedy", "-b", "square:6", "-s", "3", "-q"]).well();
    let before = arena.agon(["matches", "--json"]).well().stdout;
    let ran = arena.agon(["rerun", "last", "--verify"]).well();
    assert!(ran.stdout.contains(" is the same: ") && ran.stdout.contains("nothing of this run is recorded"), "{ran:?}");
    assert_eq!(arena.agon(["matches", "--json"]).well().stdout, before);
}

#[test]
fn matches_are_listed_by_faults_that_there_are() {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.agon(["match", "random", "random", "-b", "square:5", "-s", "3", "-q"]).well();
    let listed = |words: &[&str]| arena.agon([&["matches", "--json"], words].concat()).json()["matches"].clone();
    assert_eq!(listed(&[]).as_array().unwrap().len(), 2);
    assert_eq!((listed(&["--fault"]), listed(&["--fault", "crash"])), (Value::Array(vec![]), Value::Array(vec![])));
    let ran = arena.agon(["matches", "--fault", "ilegal-move"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("no fault is called so; did you mean \"illegal-move\"?"), "{ran:?}");
}

#[test]
fn games_with_hidden_cards_are_dealt_the_same_again() {
    let arena = Arena::new();
    arena.rust_client("six-simple");
    let args =
        ["match", "six-simple:card=smallest", "six-simple", "six-simple", "-g", "six_qui_prend", "-s", "3", "-q"];
    arena.agon(args).well();
    arena.agon(["rerun", "last", "--verify"]).well();
}

#[test]
fn what_differs_is_told() {
    let arena = Arena::new();
    arena.rust_client("greedy");
    // Another fault each time: an illegal move, or a crash.
    let fail = "struct timespec now; clock_gettime(CLOCK_REALTIME, &now); mv.queen_src = (uint32_t)now.tv_nsec; \
                if (now.tv_sec % 2 != 0) abort()";
    if arena.c_client_with("fails", CLIENT, &[&format!("-DFAIL={fail}")]).is_none() {
        return;
    }
    arena.agon(["match", "fails", "greedy", "-b", "square:6", "-s", "3", "-q"]).well();
    let different = (0..20).map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(300));
        arena.agon(["rerun", "last", "--verify"])
    });
    let ran = different.into_iter().find(|ran| ran.status != Some(0)).unwrap();
    assert_eq!(ran.status, Some(5), "{ran:?}");
    assert!(ran.stdout.contains(" differs in how it ended: seat "), "{ran:?}");
}

#[test]
fn a_client_is_asked_again_what_it_was_asked() {
    let arena = Arena::new();
    arena.rust_client("greedy");
    if arena.c_client_with("fails", CLIENT, &["-DFAIL=abort()"]).is_none() {
        return;
    }
    arena.agon(["match", "fails", "greedy", "-b", "square:6", "-s", "3", "-q"]).well();
    for shown in arena.all_shown() {
        let id = shown.json["match"]["id"].as_str().unwrap();
        for (index, seat) in shown.seats.iter().enumerate() {
            let number = (index + 1).to_string();
            let line = arena.agon(["rerun", id, "--gdb", &number]).well().stdout;
            let mut words = line.split_whitespace().skip_while(|word| !word.ends_with("agon-host"));
            let output = Command::new(words.next().unwrap()).args(words).output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            if seat.client == "fails" {
                use std::os::unix::process::ExitStatusExt;
                assert_eq!(output.status.signal(), Some(6), "{stderr}");
                assert!(stderr.contains(&format!("asked in ply {index}\n")), "{stderr}");
            } else {
                assert_eq!(output.status.code(), Some(0), "{stderr}");
            }
        }
    }
    let text = arena.agon(["show", "last"]).well().stdout;
    assert!(text.trim_end().lines().last().unwrap().starts_with("agon rerun "), "{text}");
    assert_eq!(arena.agon(["rerun", "last", "--gdb", "3"]).status, Some(2));
}

/// What the debugger says of a client that fails where it cannot read a file; run as `user` by the line that agon
/// prints.
fn debugged(arena: &Arena, option: &str, change: impl Fn(String) -> String, user: Option<u32>) -> String {
    let fails = arena.all_shown().iter().position(|shown| shown.seats[0].client == "fails").unwrap();
    let id = arena.all_shown()[fails].json["match"]["id"].as_str().unwrap().to_owned();
    let line = change(arena.agon(["rerun", &id, option, "1"]).well().stdout);
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).current_dir(arena.path("")).env("HOME", arena.path("")).stdin(Stdio::null());
    if let Some(user) = user {
        shell.uid(user).gid(user);
    }
    let output = shell.output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn the_debugger_has_the_client_in_the_sandbox() {
    if !has_program("gdb") {
        return;
    }
    for user in builder::users() {
        let arena = Arena::new().as_user(user);
        arena.rust_client("greedy");
        let fail = "if (fopen(\"/etc/passwd\", \"r\") == NULL) abort()";
        if arena.c_client_with("fails", CLIENT, &["-g", &format!("-DFAIL={fail}")]).is_none() {
            return;
        }
        arena.agon(["match", "fails", "greedy", "-b", "square:6", "-s", "3", "-q"]).well();
        let batch = |line: String| line.replace("gdb -q", "gdb -q -batch").replace("--args", "-ex run -ex bt --args");
        let said = debugged(&arena, "--gdb", batch, user);
        assert!(said.contains("SIGABRT") && said.contains("in play (turn="), "{said}");
        assert!(said.contains("agon.denied\t/etc/passwd"), "{said}");
    }
}

/// In a function of its own, which hangs at work, hangs asleep, or crashes.
#[test]
fn a_stack_says_in_which_line_a_client_hung_or_crashed() {
    if !has_program("gdb") || !has_program("cc") {
        return;
    }
    for (fail, kind) in [("for (;;) {}", "cpu-time"), ("pause();", "stalled"), ("*(volatile int *)8 = 1;", "crash")] {
        let arena = Arena::new();
        arena.rust_client("greedy");
        let deep =
            format!("#include <unistd.h>\nstatic __attribute__((noinline)) void deep(void) {{ {fail} }}\n{CLIENT}");
        let file = arena.c_client_with("fails", &deep, &["-g", "-O0", "-DFAIL=deep()"]).unwrap();
        let quick = ["match", "fails", "greedy", "-b", "square:6", "-s", "3", "-q", "--time", "100ms", "-n", "2"];
        arena.agon(quick).well();
        let list = arena.agon(["matches", "--json", "--fault", kind]).json();
        let id = list["matches"][0]["id"].as_str().unwrap();
        let shown = arena.agon(["show", id]).well().stdout;
        let line = shown.lines().find(|line| line.contains(" --stack ")).unwrap();
        let words = line.split_whitespace().skip(1).take(4);
        let stack = arena.agon(words).well().stdout;
        let (deep, play) = (stack.find("deep () at "), stack.find("play (turn="));
        assert!(deep.is_some() && deep < play && stack.contains("fails.c:"), "{kind}: {stack}");
        assert!(!stack.contains("host/src") && !stack.contains("agon_call_play"), "{kind}: {stack}");
        let checked = arena.agon(["check", file.to_str().unwrap(), "-n", "2", "--time", "100ms"]);
        let told = &checked.stdout[checked.stdout.find("where it was, by gdb:").unwrap()..];
        assert!(checked.status == Some(5) && told.contains("deep () at "), "{kind}: {}", checked.stdout);
    }
}

/// A call that is slow rather than endless is looked at when its time has passed.
#[test]
fn a_stack_of_a_slow_call_says_where_it_was_when_its_time_had_passed() {
    if !has_program("gdb") || !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    arena.rust_client("greedy");
    let slow = "#include <time.h>\nstatic __attribute__((noinline)) void deep(void) {\n\
                for (clock_t end = clock() + CLOCKS_PER_SEC / 2; clock() < end;) {}\n}\n";
    arena.c_client_with("slow", &format!("{slow}{CLIENT}"), &["-g", "-O0", "-DFAIL=deep()"]).unwrap();
    let quick = ["match", "slow", "greedy", "-b", "square:6", "-s", "3", "-q", "--time", "100ms", "-n", "2"];
    arena.agon(quick).well();
    let list = arena.agon(["matches", "--json", "--fault", "cpu-time"]).json();
    let id = list["matches"][0]["id"].as_str().unwrap();
    let shown = arena.agon(["show", id]).well().stdout;
    let line = shown.lines().find(|line| line.contains(" --stack ")).unwrap();
    let stack = arena.agon(line.split_whitespace().skip(1).take(4)).well().stdout;
    assert!(stack.starts_with("agon ran this call again; after "), "{stack}");
    assert!(stack.contains("deep () at ") && stack.contains("slow.c:"), "{stack}");
}

#[test]
fn an_exception_is_placed_where_it_is_thrown_and_a_seat_without_a_fault_has_no_stack() {
    if !has_program("gdb") || !has_program("c++") {
        return;
    }
    let source = "#include <agon/amazons.h>\n#include <stdexcept>\n#include <string>\n\
        static int deep(int n) { if (n == 0) throw std::runtime_error(\"deep\"); return deep(n - 1); }\n\
        static void caught() { try { throw 1; } catch (int) {} }\n\
        extern \"C\" const char *get_player_name(void) { return \"throws\"; }\n\
        extern \"C\" int initialize(const amazons_setup *) { caught(); return 0; }\n\
        extern \"C\" amazons_move play(const amazons_turn *) {\n\
            std::string kept(100, 'x');\n    caught();\n    deep(2);\n    return amazons_move{};\n}\n\
        extern \"C\" void finalize(void) {}\nAGON_CLIENT(amazons)\n";
    let arena = Arena::new();
    arena.rust_client("greedy");
    arena.cpp_client("throws", source, &["-g", "-O0"]).unwrap();
    arena.agon(["match", "throws", "greedy", "-b", "square:6", "-s", "3", "-q", "-n", "1"]).well();
    let list = arena.agon(["matches", "--json", "--fault", "crash"]).json();
    let id = list["matches"][0]["id"].as_str().unwrap();
    let shown = arena.shown(id);
    let seat = shown.seats.iter().position(|seat| seat.client == "throws").unwrap() + 1;
    let stack = arena.agon(["rerun", id, "--stack", &seat.to_string()]).well().stdout;
    let (deep, play) = (stack.find("deep (n=0) at "), stack.find("play ("));
    assert!(stack.starts_with("an exception that nobody caught was thrown here:\n"), "{stack}");
    assert!(deep.is_some() && deep < play && !stack.contains("caught ()"), "{stack}");
    let healthy = arena.agon(["rerun", id, "--stack", &(3 - seat).to_string()]);
    assert_eq!(healthy.status, Some(2), "{healthy:?}");
    assert!(healthy.stderr.contains("neither hung nor crashed in this match; help: "), "{healthy:?}");
}

#[test]
fn a_heap_that_is_corrupt_is_for_valgrind() {
    if !has_program("gdb") || !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    arena.rust_client("greedy");
    let fail = "char *volatile a = malloc(3000), *volatile b = malloc(3000); for (int i = 3000; i < 3032; i++) a[i] = 'x'; free(b)";
    arena.c_client_with("fails", CLIENT, &["-g", "-O0", &format!("-DFAIL={fail}")]).unwrap();
    arena.agon(["match", "fails", "greedy", "-b", "square:6", "-s", "3", "-q", "-n", "1"]).well();
    let list = arena.agon(["matches", "--json", "--fault", "crash"]).json();
    let id = list["matches"][0]["id"].as_str().unwrap();
    let seat = arena.shown(id).seats.iter().position(|seat| seat.client == "fails").unwrap() + 1;
    let stack = arena.agon(["rerun", id, "--stack", &seat.to_string()]).well().stdout;
    assert!(stack.contains(&format!("agon rerun {id} --valgrind {seat} names that line")), "{stack}");
    assert!(stack.lines().count() < 4, "{stack}");
}

#[test]
fn valgrind_lets_the_client_out_and_says_so() {
    let arena = Arena::new();
    arena.rust_client("greedy");
    let fail = "free(malloc(9)); if (((char *volatile)malloc(9))[9] == 7) abort()";
    if arena.c_client_with("fails", CLIENT, &["-g", "-O0", &format!("-DFAIL={fail}")]).is_none() {
        return;
    }
    arena.agon(["match", "fails", "greedy", "-b", "square:6", "-s", "3", "-q"]).well();
    let ran = arena.agon(["rerun", "last", "--valgrind", "1"]).well();
    assert!(ran.stdout.contains("agon-host --requests "), "{}", ran.stdout);
    assert!(ran.stderr.contains("without landlock and seccomp: it can read and write your files"), "{}", ran.stderr);
    let ran = arena.agon(["rerun", "last", "--valgrind", "1", "--trust"]).well();
    assert!(ran.stdout.contains("agon-host --requests ") && !ran.stderr.contains("caution"), "{ran:?}");
    assert!(ran.stderr.contains("nothing was started, as this is no terminal"), "{ran:?}");
    if !has_program("valgrind") {
        return;
    }
    let said = debugged(&arena, "--valgrind", |line| line, None);
    assert!(said.contains("Invalid read of size 1") && said.contains("play"), "{said}");
}

#[test]
fn a_match_is_had_in_other_formats() {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.agon(["match", "random", "random", "-b", "square:6", "-s", "3", "-q"]).well();
    let csv = arena.agon(["show", "last", "--export", "csv"]).well().stdout;
    assert!(csv.starts_with("match,turn,seat,client,move,by,cpu_us,wall_us,state\n"), "{csv}");
    assert_eq!(csv.lines().count() as u64, 1 + arena.shown("last").turns());
    let sgf = arena.agon(["show", "last", "--export", "sgf"]).well().stdout;
    assert!(sgf.starts_with("(;FF[4]GM[18]") && sgf.ends_with(")\n"), "{sgf}");
    let wrong = arena.agon(["show", "last", "--export", "pgn"]);
    assert_eq!(wrong.status, Some(2));
    assert!(
        wrong.stderr.contains("there are csv (one line for each move), sgf (Smart Game Format"),
        "{}",
        wrong.stderr
    );
}

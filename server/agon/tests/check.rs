//! `agon check`: what it says of what students write. The golden text has the answer to each mistake, and is there to
//! be read: from it alone the author must know what to do next.

mod mistakes;

use crate::builder::{Arena, Ran, golden, has_library, has_program};
use mistakes::{GRUNDY, MANGLED, MISTAKES, NESTED, PLAIN, SIGNATURE, THROWS};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// `agon check` with quick matches.
fn check(arena: &Arena, file: &Path, more: &[&str]) -> Ran {
    let mut args = vec!["check", file.to_str().unwrap(), "-n", "4", "--time", "200ms", "--memory", "64MiB"];
    args.extend(more);
    arena.agon(args)
}

/// What went wrong and what to do, without what differs between machines: numbers of instructions, times, paths.
fn told(ran: &Ran) -> String {
    let mut out = String::new();
    for line in ran.stdout.lines().skip(1) {
        let is_told = ["FAILED", " note ", "help: ", "     in match", "it can", "it fails"];
        if is_told.iter().any(|word| line.contains(word)) {
            out += &format!("{}\n", masked(line));
        }
    }
    format!("{out}exit status {}\n", ran.status.unwrap())
}

/// Numbers of this machine as dots; which match went another way is chance.
fn masked(line: &str) -> String {
    if let Some((start, _)) = line.split_once("note").filter(|_| line.contains(" went another way")) {
        return format!("{start}note    … went another way when it was played again");
    }
    let words = line.split(' ').map(|word| {
        let is_long = word.len() > 5 && word.bytes().all(|byte| byte.is_ascii_digit());
        let is_number = word.starts_with("0x") || is_long || (word.contains('.') && word.parse::<f64>().is_ok());
        if is_number { "…" } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn each_mistake_is_told_with_what_to_do() {
    if !has_program("cc") || !has_library("asan") {
        return;
    }
    let arena = Arena::new();
    arena.adapter();
    let mut all = String::new();
    for mistake in MISTAKES {
        let flags = [&["-w"], mistake.flags].concat();
        let file = arena.c_client_with("anna", &mistake.source(), &flags).unwrap();
        all += &format!("== {}\n{}\n", mistake.name, told(&check(&arena, &file, &[])));
    }
    for (name, source) in [("four plain functions", PLAIN), ("an illegal move of Grundy's game", GRUNDY)] {
        let file = arena.c_client("anna", source).unwrap();
        all += &format!("== {name}\n{}\n", told(&check(&arena, &file, &[])));
    }
    golden("check.txt", &all);
}

#[test]
fn mistakes_of_cpp_are_told() {
    if !has_program("c++") {
        return;
    }
    let arena = Arena::new();
    let file = arena.cpp_client("anna", MANGLED, &["-w"]).unwrap();
    let ran = check(&arena, &file, &[]);
    assert!(ran.status == Some(4) && ran.stdout.contains("write extern \"C\" before it"), "{ran:?}");
    let file = arena.cpp_client("anna", NESTED, &["-w"]).unwrap();
    let ran = check(&arena, &file, &[]);
    let said = "functions   FAILED  get_player_name is in a namespace or class";
    assert!(ran.status == Some(4) && ran.stdout.contains(said), "{ran:?}");
    let file = arena.cpp_client("anna", THROWS, &["-w", "-g"]).unwrap();
    let ran = check(&arena, &file, &[]);
    let said = "in C++, catch exceptions before the function returns";
    assert!(ran.status == Some(5) && ran.stdout.contains(said) && ran.stdout.contains("std::out_of_range"), "{ran:?}");
    if has_program("gdb") {
        assert!(ran.stdout.contains(" play ("), "the client's own frame: {ran:?}");
    }
}

/// A sound client of Amazons that does this in play.
fn client_that_does(arena: &Arena, globals: &str, played: &str) -> std::path::PathBuf {
    let play = "amazons_moves(&board, &move, 1);";
    let source = MISTAKES[0].source().replace(play, &format!("{play} {played}"));
    arena.c_client_with("anna", &format!("{globals}\n{source}"), &["-w", "-g", "-pthread"]).unwrap()
}

#[test]
fn a_thread_that_goes_on_is_seen() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    let burn = "#include <pthread.h>\nstatic void *burn(void *p) { for (volatile int i = 0; ; i++) {} }\n\
                static pthread_t thread;";
    let file = client_that_does(&arena, burn, "if (!thread) pthread_create(&thread, NULL, burn, NULL);");
    let ran = check(&arena, &file, &[]);
    assert!(ran.status == Some(5) && ran.stdout.contains("FAILED  out-of-turn: "), "{ran:?}");
    assert!(ran.stdout.contains("help: join every thread before the function returns"), "{ran:?}");
}

#[test]
fn sleep_is_called_sleep() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    let file = client_that_does(&arena, "static int moves;", "if (moves++ < 5) usleep(250000);");
    let ran = check(&arena, &file, &["-o", "board=square:6", "--patience", "0"]).well();
    assert!(ran.stdout.contains("note    1 of 4 played"), "{ran:?}");
    assert!(ran.stdout.contains("help: it waits instead of computing"), "{ran:?}");
    assert!(ran.stdout.contains("time        note    dawdling: ") && ran.stdout.contains("remove sleep"), "{ran:?}");
}

#[test]
fn a_crash_after_a_denied_file_names_the_file() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    arena.file("book.txt", "a1");
    let file = client_that_does(&arena, "", "FILE *f = fopen(\"book.txt\", \"r\"); char b[9]; fgets(b, 9, f);");
    let ran = check(&arena, &file, &[]);
    assert!(ran.status == Some(5) && ran.stdout.contains(", after opening book.txt was denied"), "{ran:?}");
    assert!(ran.stdout.contains("help: test what fopen returns"), "{ran:?}");
}

#[test]
fn a_name_that_was_not_asked_is_not_told() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    let source = MISTAKES[0].source().replace("return amazons_start(&board, setup);", "return 1;");
    let file = arena.c_client("anna", &source).unwrap();
    let ran = check(&arena, &file, &[]);
    assert!(ran.stdout.contains("name        -       not asked"), "{ran:?}");
}

#[test]
fn a_library_linked_as_a_program_is_told_as_such() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    let source = arena.file("anna.c", format!("{}\nint main(void) {{ return 0; }}\n", MISTAKES[0].source()));
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../client-api/include");
    let file = arena.path("anna.so");
    let mut command = Command::new("cc");
    command.args(["-w", "-fPIC", "-I"]).arg(include).arg("-o").arg(&file).arg(source);
    assert!(command.status().unwrap().success());
    arena.rust_client("random");
    let said = "a program that has what AGON_CLIENT makes";
    let ran = check(&arena, &file, &["-g", "amazons"]);
    assert!(ran.status == Some(4) && ran.stdout.contains(said), "{ran:?}");
    assert!(ran.stdout.contains("build it with -shared"), "{ran:?}");
    let ran = arena.agon(["match", "./anna.so", "random", "-g", "amazons", "-q"]);
    assert!(format!("{}{}", ran.stdout, ran.stderr).contains(said), "{ran:?}");
}

#[test]
fn a_mistyped_name_is_guessed() {
    let arena = Arena::new();
    arena.rust_client("random");
    let ran = arena.agon(["check", "ranodm"]);
    assert!(ran.status == Some(4) && ran.stdout.contains("did you mean random?"), "{ran:?}");
    fs::rename(arena.path("clients/random.so"), arena.path("mybot.so")).unwrap();
    let ran = arena.agon(["check", "mybto"]);
    assert!(ran.status == Some(4) && ran.stdout.contains("did you mean ./mybot.so?"), "{ran:?}");
}

#[test]
fn what_is_no_client_at_all_is_told() {
    let arena = Arena::new();
    let whole = fs::read(arena.rust_client("random")).unwrap();
    let mut other = whole.clone();
    other[18] = 0xb7; // the machine in the head of the file: aarch64
    other[19] = 0;
    let files: [(&str, &[u8], &str); 5] = [
        ("empty.so", b"", "the file is empty"),
        ("text.so", b"int main(void) { return 0; }\n", "a text file, not a compiled library"),
        ("cut.so", &whole[..whole.len() / 2], "truncated"),
        ("windows.so", b"MZ\x90\0\x03", "a Windows program or library"),
        ("arm.so", &other, "built for aarch64"),
    ];
    for (name, bytes, said) in files {
        let ran = check(&arena, &arena.file(name, bytes), &[]);
        let has_help = ran.stdout.lines().any(|line| line.trim_start().starts_with("help: "));
        assert!(ran.status == Some(4) && ran.stdout.contains(said) && has_help, "{name}: {ran:?}");
    }
    let ran = arena.agon(["check", "nobody.so"]);
    assert!(ran.status == Some(4) && ran.stdout.contains("there is no file nobody.so"), "{ran:?}");
    assert!(!arena.path("agon-out").exists(), "nothing is recorded");
}

#[test]
fn the_game_that_was_meant_is_compared() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    let file = arena.c_client("anna", GRUNDY).unwrap();
    let ran = check(&arena, &file, &["-g", "amazons"]);
    let said = "it plays grundy, not amazons";
    assert!(
        ran.status == Some(4) && ran.stdout.contains(said) && ran.stdout.contains("AGON_CLIENT(amazons)"),
        "{ran:?}"
    );
}

#[test]
fn a_compiler_refuses_functions_of_other_types() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    let source = arena.file("anna.c", SIGNATURE);
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../client-api/include");
    let output = Command::new("cc").arg("-fsyntax-only").arg("-I").arg(include).arg(source).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("conflicting types for"), "{said}");
}

#[test]
fn programs_read_the_same_steps() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    let file = arena.c_client("anna", &MISTAKES[0].source()).unwrap();
    let document = check(&arena, &file, &["--json"]).json();
    assert_eq!(document["schema"], "agon.check/1");
    assert_eq!(document["passed"], true);
    let client = &document["clients"][0];
    assert_eq!(client["game"], "amazons");
    let steps: Vec<&str> =
        client["steps"].as_array().unwrap().iter().map(|step| step["step"].as_str().unwrap()).collect();
    assert_eq!(steps.len(), 16);
    assert_eq!((steps[0], steps[15]), ("file", "valgrind"));
    let file = arena.c_client("anna", GRUNDY).unwrap();
    let ran = check(&arena, &file, &["--json"]);
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let last = document["clients"][0]["steps"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((document["passed"].as_bool(), ran.status), (Some(false), Some(5)));
    assert_eq!((last["step"].as_str(), last["status"].as_str()), (Some("matches"), Some("failed")));
}

#[test]
fn a_valgrind_that_does_not_work_finds_nothing() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    let sound = arena.c_client("anna", &MISTAKES[0].source()).unwrap();
    fs::create_dir(arena.path("broken")).unwrap();
    let broken = arena.file("broken/valgrind", "#!/bin/sh\necho 'valgrind:  Fatal error at startup' >&2\nexit 1\n");
    fs::set_permissions(&broken, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", arena.path("broken").display(), std::env::var("PATH").unwrap());
    let mut command = arena.command(["check", sound.to_str().unwrap(), "-n", "2", "--valgrind"]);
    let ran = Ran::from(command.env("PATH", path).output().unwrap());
    assert!(ran.stdout.contains("valgrind did not get to the end (exit status: 1)"), "{ran:?}");
    assert!(ran.stdout.contains("Fatal error at startup") && !ran.stdout.contains("no error with memory"), "{ran:?}");
}

#[test]
fn valgrind_finds_what_does_not_crash() {
    if !has_program("cc") || !has_program("valgrind") {
        return;
    }
    let arena = Arena::new();
    let sound = arena.c_client("anna", &MISTAKES[0].source()).unwrap();
    let ran = check(&arena, &sound, &["--valgrind"]).well();
    assert!(ran.stdout.contains("no error with memory"), "{ran:?}");
    // The host asks for eight bytes of a name, and this block has five.
    let ask = "const char *get_player_name(void) {";
    let short =
        format!("static char *own; {ask} own = own ? own : malloc(5); return __builtin_memcpy(own, \"Anna\", 5);");
    let file = arena.c_client("anna", &MISTAKES[0].source().replace(ask, &short)).unwrap();
    let ran = check(&arena, &file, &["--valgrind"]).well();
    assert!(ran.stdout.contains("no error with memory"), "{ran:?}");
    let read = "volatile int *cells = malloc(4); cells[1] = 1; free((void *)cells);";
    let source = MISTAKES[0]
        .source()
        .replace("amazons_moves(&board, &move, 1);", &format!("amazons_moves(&board, &move, 1); {read}"));
    let file = arena.c_client("anna", &source).unwrap();
    let ran = check(&arena, &file, &["--valgrind"]);
    assert!(ran.status == Some(5) && ran.stdout.contains("Invalid write of size 4"), "{ran:?}");
    assert!(ran.stdout.contains("play (anna.c:"), "the place in the source: {ran:?}");
    // Where the match is lost by it, too.
    let file = client_that_does(&arena, "", &format!("{read} *(volatile int *volatile)NULL = 1;"));
    let ran = check(&arena, &file, &["--valgrind"]);
    assert!(ran.stdout.contains("it fails at first-move") && ran.stdout.contains("Invalid write of size 4"), "{ran:?}");
    let file = client_that_does(&arena, "", "move.queen_dst = move.queen_src;");
    let ran = check(&arena, &file, &["--valgrind"]);
    assert!(ran.stdout.contains("valgrind    ok      no error with memory"), "{ran:?}");
}

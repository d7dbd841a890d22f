//! `agon sprt`: the answer, the same for any number of jobs and after an interruption; what it refuses and leaves out.

use crate::builder::Arena;
use serde_json::Value;

const TEST: [&str; 14] = [
    "sprt",
    "tirs:strategy=level1",
    "tirs:strategy=naive",
    "-g",
    "tirs_croises",
    "-o",
    "size=4",
    "--elo1",
    "60",
    "-s",
    "5",
    "--isolation",
    "reuse",
    "--quiet",
];

fn arena() -> Arena {
    let arena = Arena::new();
    arena.rust_client("tirs");
    arena.rust_client("grundy");
    arena.rust_client("mastermind");
    arena
}

fn test(arena: &Arena, more: &[&str]) -> Value {
    arena.agon(TEST.iter().chain(&["--json"]).chain(more)).verdict()
}

#[test]
fn the_answer_does_not_depend_on_jobs_or_interruptions() {
    let one = arena();
    let alone = test(&one, &["--jobs", "1"]);
    assert_eq!(alone["verdict"], "H1", "{alone}");
    assert!(alone["pairs"].as_u64().unwrap() > 5);
    assert!(alone["corrected_for_the_stop"]["elo"].as_f64().is_some());
    // Asked again, the record has the answer.
    assert_eq!(test(&one, &[]), alone);
    let two = arena();
    assert_eq!(test(&two, &["--jobs", "2"]), alone);
    // A test that was cut off early goes on, and comes to the same.
    let three = arena();
    let begun = test(&three, &["--most", "4"]);
    assert_eq!((&begun["verdict"], begun["pairs"].as_u64()), (&Value::Null, Some(4)));
    assert_eq!(test(&three, &[]), alone);
    let text = one.agon(TEST).well().stdout;
    assert!(text.contains("\nverdict     H1 is accepted: "), "{text}");
    assert!(text.contains(" (not corrected for the stop)\n") && text.contains("(corrected for the stop;"), "{text}");
}

/// Without chance the same pair comes again and again, and tells nothing.
#[test]
fn the_same_games_again_say_nothing_new() {
    let arena = arena();
    let clients = ["sprt", "tirs:strategy=level1", "tirs:strategy=naive", "-g", "tirs_croises", "-q"];
    let board = ["-o", "board=1#34/2345/3456/4567", "--isolation", "reuse", "--these-openings", "--json"];
    let ran = arena.agon(clients.iter().chain(&board));
    let stderr = ran.stderr.clone();
    let found = ran.verdict();
    assert_eq!(found["verdict"], Value::Null);
    assert!(found["pairs"].as_u64().unwrap() < 20 && found["repeated_pairs"].as_u64().unwrap() >= 200, "{found}");
    assert!(stderr.contains("the same matches come again and again"), "{stderr}");
}

/// With chance equal pairs are frequencies, and lead to an answer.
#[test]
fn equal_games_of_clients_with_chance_count() {
    let arena = arena();
    let clients = ["sprt", "grundy:version=4", "grundy:version=5", "-g", "grundy", "-o", "heaps=7", "-q"];
    let found = arena.agon(clients.iter().chain(&["--isolation", "reuse", "--these-openings", "--json"])).verdict();
    assert_eq!(found["repeated_pairs"].as_u64(), Some(0), "{found}");
    assert!(found["pairs"].as_u64().unwrap() > 50 && found["verdict"] != Value::Null, "{found}");
}

#[test]
fn a_test_of_clients_with_long_options_has_a_name_that_can_be_imported() {
    let arena = arena();
    let client = |note: &str| format!("tirs:strategy=level1,note={}{note}", "long".repeat(20));
    let begin = |new: &str| {
        let words = ["sprt", new, "tirs:strategy=naive", "-g", "tirs_croises", "-o", "size=4", "--most", "2", "-q"];
        arena.agon(words.iter().chain(&["--json"])).verdict()["ladder"].as_str().unwrap().to_owned()
    };
    let names = [begin(&client("a")), begin(&client("b"))];
    assert_ne!(names[0], names[1], "tests of different clients are different tests");
    assert_eq!(begin(&client("a")), names[0], "and the same one goes on");
    for name in names {
        assert!(name.starts_with("sprt tirs:strategy=level1,") && name.chars().count() == 64, "{name}");
        arena.agon(["record", "export", "jsonl", "--ladder", &name, "--out", "test.jsonl"]).well();
        arena.agon(["record", "import", "test.jsonl", "--record", "elsewhere"]).well();
        std::fs::remove_file(arena.path("test.jsonl")).unwrap();
    }
}

#[test]
fn a_client_that_does_not_work_is_not_tested_for_long() {
    let ran = arena().agon(["sprt", "grundy", "grundy:level=9", "-g", "grundy", "--isolation", "reuse", "--quiet"]);
    assert!(ran.stderr.contains("the last 20 pairs were decided by faults"), "{}", ran.stderr);
    assert!(ran.stdout.contains("faults      40;"), "{}", ran.stdout);
    let ran = arena().agon(["sprt", "grundy", "mastermind", "-g", "grundy", "--quiet"]);
    assert!(ran.status == Some(4) && ran.stderr.contains("it plays mastermind, not grundy"), "{ran:?}");
}

#[test]
fn a_copy_is_not_tested_against_itself() {
    let arena = arena();
    std::fs::copy(arena.path("clients/tirs.so"), arena.path("clients/tirs-copy.so")).unwrap();
    let copy = |new: &str| arena.agon(["sprt", new, "tirs", "-g", "tirs_croises", "-o", "size=4", "--most", "2", "-q"]);
    let same = copy("tirs-copy");
    assert!(
        same.status == Some(2) && same.stderr.contains("are the same client: their files and options are equal"),
        "{}",
        same.stderr
    );
    let other = copy("tirs-copy:strategy=naive");
    assert!(other.stderr.contains("only options differ") && other.stdout.contains("pairs"), "{}", other.stderr);
}

#[test]
fn what_cannot_be_tested_is_refused() {
    let arena = arena();
    for (args, message) in [
        (&["tirs", "tirs"][..], "tirs is not tested against itself"),
        (&["tirs", "grundy", "--elo0", "5", "--elo1", "5"], "elo1"),
        (&["tirs", "grundy", "--alpha", "0.7"], "alpha"),
        (&["tirs", "nobody", "-g", "tirs_croises"], "clients/nobody.so"),
        (&["mastermind:strategy=first", "mastermind:strategy=random", "-g", "mastermind"], "a test counts pairs"),
        (&["tirs", "grundy"], "they cannot meet"),
        (&["tirs", "grundy", "--elo1", "300"], "-200 to 200"),
        (&["tirs", "tirs:nodes=1", "--these-openings", "-j", "0"], "--jobs 0: nobody would play"),
    ] {
        let ran = arena.agon(["sprt"].iter().chain(args));
        assert!(ran.status != Some(0) && ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    }
}
